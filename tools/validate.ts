import type { z } from 'zod';
import { AppError } from '../contracts/errors.ts';
import { jsonProblem, maxJsonDepth, wellFormed } from '../contracts/json.ts';
import { closestKey } from './answers.ts';
import type { Resolved } from './catalogue.ts';
import { readBySchema, withTextRead, withValue } from './coerce.ts';

/** What fields of JSON may (`maxJsonDepth`), and the levels above them. */
const maxDepth = maxJsonDepth + 16;

/** Arguments as the tool wants them. Unknown fields: refused on canonical names, ignored with a warning on a seed's own. */
export function validate(
  { tool, alias, name }: Resolved,
  given: unknown,
): { input: unknown; aliasArgs: Record<string, unknown>; warnings: string[] } {
  const args = given ?? {};
  if (typeof args !== 'object' || Array.isArray(args)) {
    throw new AppError('VALIDATION_ERROR', `The arguments of ${name} must be an object.`);
  }
  const problem = jsonProblem(args, maxDepth, { text: false });
  if (problem !== null) throw new AppError('VALIDATION_ERROR', `The arguments of ${name} ${problem}.`);
  const warnings: string[] = [];
  // Afterwards, as there are tools that want JSON to the letter and refuse it.
  const mended = <T>(value: T): T => {
    const whole = wellFormed(value);
    if (whole !== value) warnings.push('Halves of characters, where text was cut within one, were replaced.');
    return whole;
  };
  if (tool.foreign) {
    return { input: checkForeign(tool.foreign, mended(args as Record<string, unknown>)), aliasArgs: {}, warnings };
  }
  if (!alias) {
    const input = mended(conform(tool.input as z.ZodObject, args as Record<string, unknown>, { name, warnings }));
    return { input, aliasArgs: input, warnings };
  }
  warnings.push(...unknownKeys(alias.input, args).map((key) => `Unknown field "${key.slice(0, 64)}" was ignored.`));
  const aliasArgs = mended(check(alias.input, args, { name, warnings }) as Record<string, unknown>);
  return { input: check(tool.input as z.ZodObject, alias.toInput(aliasArgs), { name }), aliasArgs, warnings };
}

/**
 * Arguments as a schema wants them, unknown fields refused.
 * @param about what the schema is of, and where the whole of it is told; `warnings` are added to
 * @throws AppError VALIDATION_ERROR
 */
export function conform(schema: z.ZodObject, args: Record<string, unknown>, { name, hint, warnings = [] }: Of): Record<string, unknown> {
  const unknown = unknownKeys(schema, args).slice(0, 10);
  if (unknown.length > 0) {
    throw new AppError('VALIDATION_ERROR', `${name} has no field ${unknown.map((key) => `"${key.slice(0, 64)}"`).join(', ')}.`, {
      hint:
        unknown
          .map((key) => closestKey(key, Object.keys(schema.shape)))
          .filter((near) => near !== undefined)
          .map((near) => `Did you mean "${near}"?`)
          .join(' ') || `Its fields: ${Object.keys(schema.shape).join(', ') || 'none'}.`,
      details: { unknown_fields: unknown.map((key) => key.slice(0, 64)) },
    });
  }
  return check(schema, args, { name, hint, warnings }) as Record<string, unknown>;
}

const unknownKeys = (schema: z.ZodObject, args: object): string[] => Object.keys(args).filter((key) => !Object.hasOwn(schema.shape, key));

/** The arguments as the schema has them, or null when they do not fit. */
export function lenient(schema: z.ZodObject, args: unknown): unknown {
  if (args === null || typeof args !== 'object' || unknownKeys(schema, args).length > 0) return null;
  const parsed = parse(schema, args, []);
  return parsed.success ? parsed.data : null;
}

function checkForeign(foreign: NonNullable<Resolved['tool']['foreign']>, args: Record<string, unknown>): Record<string, unknown> {
  try {
    foreign.check(args);
    return args;
  } catch (refusal) {
    const read = readBySchema(foreign.input, args) as Record<string, unknown>;
    try {
      foreign.check(read);
    } catch {
      throw refusal;
    }
    return read;
  }
}

interface Of {
  name: string;
  hint?: string | undefined;
  warnings?: string[] | undefined;
}

/** Mending may uncover more: in a list that stood as text, or a number of results beyond the cap. */
const mostRounds = 4;

/** Parses once where the arguments fit; else with what can be told to be meant. */
function parse(schema: z.ZodObject, given: unknown, warnings: string[] | undefined): ReturnType<typeof schema.safeParse> {
  let args = given;
  let parsed = schema.safeParse(args);
  for (let round = 0; round < mostRounds && !parsed.success; round += 1) {
    const { issues } = parsed.error;
    const mended = withTextRead(args, issues) ?? (warnings && clamped(args, issues, warnings)) ?? null;
    if (mended === null) break;
    args = mended;
    parsed = schema.safeParse(args);
  }
  return parsed;
}

/** How many results are wanted is a wish: beyond the cap it is cut, with a warning, not refused (SPEC G10). Null: none is. */
function clamped(args: unknown, issues: readonly z.core.$ZodIssue[], warnings: string[]): unknown {
  let result = args;
  for (const issue of issues) {
    const [field] = issue.path;
    if (issue.code !== 'too_big' || issue.path.length !== 1 || !(field === 'limit' || field === 'top_k')) continue;
    result = withValue(result, [field], Number(issue.maximum));
    warnings.push(`"${field}" was cut to ${issue.maximum}.`);
  }
  return result === args ? null : result;
}

/** @throws AppError VALIDATION_ERROR */
function check(
  schema: z.ZodObject,
  value: unknown,
  { name, hint = `system.tool.describe with {"name": "${name}"} shows the whole schema.`, warnings }: Of,
): unknown {
  const parsed = parse(schema, value, warnings);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 10).map((issue) => ({
    field: issue.path.join('.') || '(arguments)',
    problem: issue.message,
  }));
  throw new AppError('VALIDATION_ERROR', `Bad arguments for ${name}: ${problems.map((p) => `${p.field}: ${p.problem}`).join('; ')}`, {
    hint,
    details: { fields: problems },
  });
}
