/** Tenants' own rules: expressions in CEL over a call. */
import { Environment } from '@marcbachmann/cel-js';
import { AppError } from '../../contracts/errors.ts';
import { policyDefinition, type PolicyDefinition, type PolicySubject } from '../../contracts/governance/policy.ts';

/** Tenants' expressions see the call as plain data. They are total: no loops, no I/O (`functions`). */
const language = new Environment({ unlistedVariablesAreDyn: false })
  .registerVariable('tool', 'map')
  .registerVariable('caller', 'map')
  .registerVariable('session', 'map');

/**
 * Functions that rules may call. Not `matches`, whose patterns may backtrack for hours, and none that loops, builds
 * or binds: nested, these grow without limit and block every call of every tenant in this process.
 */
const functions = new Set(
  'has size startsWith endsWith contains lowerAscii upperAscii trim substring indexOf lastIndexOf string int double bool dyn type'.split(
    ' ',
  ),
);

function compile(when: string, at: number): (subject: PolicySubject) => boolean {
  try {
    const expression = language.parse(when);
    const { valid, error } = expression.check();
    if (!valid) throw error ?? new Error('not valid');
    const other = called(expression.ast).find((name) => !functions.has(name));
    if (other !== undefined) throw new Error(`${other}() is not among what rules may call`);
    return (subject) => expression(subject) === true;
  } catch (error) {
    throw new AppError(
      'VALIDATION_ERROR',
      `Rule ${at + 1} is no valid CEL expression: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
      {
        hint:
          'It sees tool.{name,domain,resource,action,effect,approval,external}, caller.{name,kind,role,team,front} and session.{id,mounts}. ' +
          'Instead of patterns and loops use startsWith, endsWith, contains and in.',
      },
    );
  }
}

/** The functions and macros called in a syntax tree. */
function called(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(called);
  if (node === null || typeof node !== 'object' || !('op' in node && 'args' in node)) return [];
  const { op, args } = node;
  return op === 'call' || op === 'rcall' ? [(args as [string])[0], ...called(args)] : called(args);
}

/** @throws AppError VALIDATION_ERROR with the rule's location */
export function checked(definition: PolicyDefinition): PolicyDefinition {
  policyDefinition.parse(definition);
  for (const [i, rule] of definition.rules.entries()) compile(rule.when, i);
  return definition;
}

/** A rule that cannot be evaluated, or is no longer valid, must not allow what it was meant to restrict. */
export function cautious(when: string, at: number, otherwise: boolean): (subject: PolicySubject) => boolean {
  try {
    const matches = compile(when, at);
    return (subject) => {
      try {
        return matches(subject);
      } catch {
        return otherwise;
      }
    };
  } catch {
    return () => otherwise;
  }
}
