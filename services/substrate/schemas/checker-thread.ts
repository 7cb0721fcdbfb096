/**
 * The thread that compiles schemas and checks instances (started by checker.ts). A schema of somebody's may take all its
 * time or memory: then the thread is ended, and nothing else is.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { SchemaError } from '../../../contracts/substrate/schemas.ts';
import { serve } from '../../../platform/pool/serve.ts';

export interface CheckRequest {
  /** Names the schema: whatever was compiled under it before is used again. Null: it is only tried. */
  key: string | null;
  schema: Record<string, unknown>;
  instance?: unknown;
}

export type CheckReply =
  | { type: 'checked'; valid: boolean; errors: SchemaError[] }
  /** The schema is no schema, or cannot be followed to an end. */
  | { type: 'refused'; reason: 'invalid' | 'endless'; message: string };

const kept = 50;
/** An answer names so many errors at most. */
const mostErrors = 50;
const compiled = new Map<string, ValidateFunction>();
/** A schema that refers to itself without going down comes to no end with one of these. */
const probes = [null, true, 0, '', [], {}];

/** An instance of its own for each schema, so that none knows another's $id. */
function compile(schema: Record<string, unknown>): ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    logger: false,
    // Else "constructor" is there in every object.
    ownProperties: true,
    // Else what is referred to twice is compiled twice, and what that refers to four times.
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
