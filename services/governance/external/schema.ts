import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { AppError } from '../../../contracts/errors.ts';

/** Maximum steps of a check for one level of data. */
const mostSteps = 20_000;

export type Check = (args: Record<string, unknown>, tool: string) => void;

type Schema = Record<string, unknown>;

/** Keywords whose value is data, and those whose keys are field names. */
const values = new Set(['enum', 'const', 'default', 'examples', 'required']);
const holders = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords that can make a check endless, or that refer to another schema. */
const leftOut = new Set([
  'pattern',
  'patternProperties',
  'propertyNames',
  'uniqueItems',
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
]);

/** No check: the server validates itself. */
const unchecked: Check = () => {};

/**
 * Checks arguments against a third-party schema. Patterns are left to the server, because they can be endless; so are
 * recursive schemas, and schemas too large to check quickly.
 */
export function checkOf(schema: Schema): Check {
  const why = tooMuch(schema);
  if (why !== null) return unchecked;
  let validate: ValidateFunction | null | undefined;
  return (args, tool) => {
    validate ??= compiled(schema);
    if (validate === null || validate(args)) return;
    const fields = (validate.errors ?? []).slice(0, 10).map((error) => ({ field: fieldOf(error), problem: error.message ?? 'is wrong' }));
    throw new AppError(
      'VALIDATION_ERROR',
      `Bad arguments for ${tool}: ${fields.map(({ field, problem }) => `${field}: ${problem}`).join('; ')}`,
      {
        hint: `system.tool.describe with {"name": "${tool}"} shows the whole schema.`,
        details: { fields },
      },
    );
  };
}

const fieldOf = ({ instancePath, params }: ErrorObject): string => {
  const missing = (params as { missingProperty?: string; additionalProperty?: string }).missingProperty ?? params['additionalProperty'];
  const path = instancePath.slice(1).replaceAll('/', '.');
  return [path, typeof missing === 'string' ? missing : ''].filter(Boolean).join('.') || '(arguments)';
};

function compiled(schema: Schema): ValidateFunction | null {
  try {
    const ajv = new Ajv2020({
      strict: false,
      validateFormats: false,
      logger: false,
      inlineRefs: false,
      allErrors: false,
      addUsedSchema: false,
    });
    return ajv.compile(withoutPatterns(schema) as Schema);
  } catch {
    // Not a schema, or one with external references.
    return null;
  }
}

export const elsewhere = 'refers to elsewhere';

/** Why a schema is not checked here; null: it is. */
export function tooMuch(schema: Schema): string | null {
  const costs = new Map<unknown, number>();
  const open = new Set<unknown>();
  let problem: string | null = null;
  const cost = (node: unknown, depth: number, names = false): number => {
    if (problem !== null || node === null || typeof node !== 'object') return 1;
    if (depth > 100) {
      problem = 'is nested more than 100 deep';
      return 1;
    }
    const known = costs.get(node);
    if (known !== undefined) return known;
    if (open.has(node)) {
      problem = 'refers to itself';
      return 1;
    }
    open.add(node);
    let sum = 1;
    for (const [key, inner] of Object.entries(node)) {
      if (names) sum += cost(inner, depth + 1);
      else if (key === '$ref' && typeof inner === 'string') {
        const to = lookup(schema, inner);
        if (to === undefined) problem = elsewhere;
        else sum += cost(to, depth + 1);
      } else if (key === '$dynamicRef' || key === '$recursiveRef') problem = 'refers to itself';
      else if (!values.has(key)) sum += cost(inner, depth + 1, holders.has(key));
      if (sum > mostSteps) problem = 'unfolds to more than can be checked';
    }
    open.delete(node);
    costs.set(node, sum);
    return sum;
  };
  cost(schema, 0);
  return problem;
}

function lookup(schema: Schema, ref: string): unknown {
  if (!ref.startsWith('#')) return undefined;
  let at: unknown = schema;
  for (const part of ref.slice(1).split('/').filter(Boolean)) {
    if (at === null || typeof at !== 'object') return undefined;
    at = (at as Schema)[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return at;
}

/** Field names are not keywords: a field may be called "pattern". */
export function withoutPatterns(node: unknown, names = false): unknown {
  if (Array.isArray(node)) return node.map((each) => withoutPatterns(each));
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => names || !leftOut.has(key))
      .map(([key, inner]) => [key, !names && values.has(key) ? inner : withoutPatterns(inner, !names && holders.has(key))]),
  );
}
