import type { z } from 'zod';
import { AppError } from '../../contracts/errors.ts';
import { jsonProblem, maxJsonDepth, wellFormed } from '../../contracts/json.ts';
import { closestKey } from './answers.ts';
import type { Resolved } from './catalogue.ts';
import { readBySchema, withTextRead, withValue } from './coerce.ts';
import { unknownFields } from './unknown-fields.ts';

/** The depth of JSON fields (`maxJsonDepth`), plus the levels above them. */
const maxDepth = maxJsonDepth + 16;

/** Validates arguments. Unknown fields, at all levels, are refused for canonical names, and ignored with a warning for aliases. */
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
  // After validation, because some tools require well-formed JSON and refuse lone surrogates themselves.
  const mended = <T>(value: T): T => {
    const whole = wellFormed(value);
    if (whole !== value) warnings.push('Lone surrogates were replaced: the text was cut inside a character.');
    return whole;
  };
  if (tool.foreign) {
    return { input: checkForeign(tool.foreign, mended(args as Record<string, unknown>)), aliasArgs: {}, warnings };
  }
  if (!alias) {
    const input = mended(conform(tool.input as z.ZodObject, args as Record<string, unknown>, { name, warnings }));
    return { input, aliasArgs: input, warnings };
  }
  const ignored = unknownFields(alias.input, args).slice(0, 20);
  warnings.push(...ignored.map(({ path }) => `Unknown field "${shortened(path)}" was ignored.`));
  const aliasArgs = mended(check(alias.input, args, { name, warnings }) as Record<string, unknown>);
  return { input: check(tool.input as z.ZodObject, alias.toInput(aliasArgs), { name }), aliasArgs, warnings };
}

/**
 * Validates arguments against a schema; refuses unknown fields.
 * @param about `name`: what has this schema; `hint`: where its full description is; `warnings`: a list to append to
 * @throws AppError VALIDATION_ERROR
 */
export function conform(schema: z.ZodObject, args: Record<string, unknown>, { name, hint, warnings = [] }: Of): Record<string, unknown> {
  const unknown = unknownFields(schema, args).slice(0, 10);
  if (unknown.length > 0) {
    throw new AppError('VALIDATION_ERROR', `${name} has no field ${unknown.map(({ path }) => `"${shortened(path)}"`).join(', ')}.`, {
      hint:
        unknown
          .map(({ key, known }) => closestKey(key, known))
          .filter((near) => near !== undefined)
          .map((near) => `Did you mean "${near}"?`)
          .join(' ') || `${unknown[0]!.path === unknown[0]!.key ? 'Its' : 'There the'} fields: ${unknown[0]!.known.join(', ') || 'none'}.`,
      details: { unknown_fields: unknown.map(({ path }) => shortened(path)) },
    });
  }
  return check(schema, args, { name, hint, warnings }) as Record<string, unknown>;
}

/** Keeps the end, which identifies the field. */
const shortened = (path: string): string => (path.length > 128 ? `…${path.slice(-127)}` : path);

/** Numeric arguments that are reduced to the maximum instead of refused. */
const wishes = new Set<unknown>(['limit', 'top_k', 'depth']);

/** The parsed arguments, or null when they are invalid. */
export function lenient(schema: z.ZodObject, args: unknown): unknown {
  if (args === null || typeof args !== 'object' || unknownFields(schema, args).length > 0) return null;
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

/** A correction may reveal another problem: inside a list that was text, or a limit above the maximum. */
const mostRounds = 4;

/** Parses once if the arguments are valid; otherwise corrects obvious mistakes and parses again. */
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

/** Reduces a limit or a depth above its maximum, with a warning instead of a refusal. Null: nothing to change. */
function clamped(args: unknown, issues: readonly z.core.$ZodIssue[], warnings: string[]): unknown {
  let result = args;
  for (const issue of issues) {
    const [field] = issue.path;
    if (issue.path.length !== 1 || !wishes.has(field)) continue;
    const bound = issue.code === 'too_big' ? issue.maximum : issue.code === 'too_small' && field === 'depth' ? issue.minimum : null;
    if (bound === null) continue;
    result = withValue(result, [field!], Number(bound));
    warnings.push(`"${String(field)}" was ${issue.code === 'too_big' ? 'cut' : 'raised'} to ${bound}.`);
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
