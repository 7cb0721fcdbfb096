/**
 * The thread that compiles schemas and validates instances (started by checker.ts). A user's schema may use too much
 * time or memory: then only this thread is terminated.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { SchemaError } from '../../../contracts/substrate/schemas.ts';
import { serve } from '../../../platform/pool/serve.ts';

export interface CheckRequest {
  /** Cache key of the compiled schema. Null: compile only. */
  key: string | null;
  schema: Record<string, unknown>;
  instance?: unknown;
}

export type CheckReply =
  | { type: 'checked'; valid: boolean; errors: SchemaError[] }
  /** The schema is invalid, or refers to itself endlessly. */
  | { type: 'refused'; reason: 'invalid' | 'endless'; message: string };

const kept = 50;
/** Maximum errors in an answer. */
const mostErrors = 50;
const compiled = new Map<string, ValidateFunction>();
/** Validating these detects schemas that refer to themselves endlessly. */
const probes = [null, true, 0, '', [], {}];

/** A separate Ajv instance per schema, so that their $ids do not conflict. */
function compile(schema: Record<string, unknown>): ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    logger: false,
    // Otherwise every object would have "constructor".
    ownProperties: true,
    // Otherwise schemas referenced repeatedly are compiled repeatedly, which can grow exponentially.
    inlineRefs: false,
    code: { optimize: false },
  });
  formats.default(ajv);
  return ajv.compile(schema);
}

function validatorOf({ key, schema }: CheckRequest): ValidateFunction {
  const known = key === null ? undefined : compiled.get(key);
  const validate = known ?? compile(schema);
  if (key !== null) {
    compiled.delete(key);
    compiled.set(key, validate);
    if (compiled.size > kept) compiled.delete(compiled.keys().next().value!);
  }
  return validate;
}

function told(error: ErrorObject): SchemaError {
  const { params } = error;
  const detail =
    error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties'
      ? `: "${String(params['additionalProperty'] ?? params['unevaluatedProperty'])}"`
      : error.keyword === 'enum'
        ? `: ${JSON.stringify(params['allowedValues'])}`
        : error.keyword === 'const'
          ? `: ${JSON.stringify(params['allowedValue'])}`
          : '';
  return {
    path: error.instancePath.slice(0, 512),
    message: `${error.message ?? 'is not valid'}${detail}`.slice(0, 512),
    keyword: error.keyword,
  };
}

function answer(request: CheckRequest, enter: (stage: string) => void): CheckReply {
  try {
    const validate = validatorOf(request);
    enter('follow');
    if (request.key === null) {
      for (const probe of probes) validate(probe);
      return { type: 'checked', valid: true, errors: [] };
    }
    const valid = validate(request.instance);
    return { type: 'checked', valid, errors: (validate.errors ?? []).slice(0, mostErrors).map(told) };
  } catch (error) {
    if (error instanceof RangeError) {
      return { type: 'refused', reason: 'endless', message: 'It refers to itself, or nests, without an end.' };
    }
    return { type: 'refused', reason: 'invalid', message: (error instanceof Error ? error.message : String(error)).slice(0, 500) };
  }
}

await serve(() => answer);
