import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import { workCapability, type Capability } from '../../contracts/agents/agents.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import { elsewhere, tooMuch, withoutPatterns } from '../governance/index.ts';
import type { AgentRow } from './records.ts';

/** Cache of compiled schemas, because compiling is slow and schemas repeat. Null: the schema is not checked here, but by its agent. */
const checks = new LRUCache<string, { validate: ValidateFunction | null }>({ max: 500 });

/**
 * The schema is untrusted. As for tools of other servers, patterns are not checked here, nor is a schema that refers to
 * itself or that expands to more than can be checked quickly. @throws Error for an invalid schema
 */
function validatorOf(schema: Record<string, unknown>): ValidateFunction | null {
  const key = hashOf(schema);
  const known = checks.get(key);
  if (known) return known.validate;
  const why = tooMuch(schema);
  if (why === elsewhere) throw new Error(`it ${why}`);
  const validate = why === null ? compiled(schema) : null;
  checks.set(key, { validate });
  return validate;
}

/** A new Ajv per schema, because Ajv keeps all schemas that it has compiled. */
function compiled(schema: Record<string, unknown>): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, logger: false, inlineRefs: false, allErrors: false, addUsedSchema: false });
  addFormats.default(ajv, ['date', 'time', 'date-time', 'uuid']);
  return ajv.compile(withoutPatterns(schema) as Record<string, unknown>);
}

/** @throws AppError VALIDATION_ERROR naming the field */
export function checkParameters({ name, parameters_schema }: Capability, parameters: Record<string, unknown>): void {
  if (Object.keys(parameters_schema).length === 0) return;
  let validate: ValidateFunction | null;
  try {
    validate = validatorOf(asSchema(parameters_schema));
  } catch (error) {
    throw new AppError('VALIDATION_ERROR', `The agent's schema for "${name}" cannot be used: ${(error as Error).message.slice(0, 200)}`, {
      hint: 'The agent must register the capability again, with a valid JSON Schema.',
      details: { reason: 'schema', capability: name },
    });
  }
  if (validate === null || validate(parameters)) return;
  const [problem] = validate.errors ?? [];
  const said = `parameters${problem?.instancePath ?? ''} ${problem?.message ?? 'are wrong'}`;
  throw new AppError('VALIDATION_ERROR', `Bad parameters for ${name}: ${said.slice(0, 300)}`, {
    hint: 'agent.peer.list shows the parameters_schema of the capability.',
    details: { reason: 'parameters', capability: name, field: problem?.instancePath || '(parameters)' },
  });
}

/** Accepts a schema, or agentic-rag's short form: parameters by name. */
function asSchema(given: Record<string, unknown>): Record<string, unknown> {
  const keywords = [
    'type',
    'properties',
    '$ref',
    'allOf',
    'anyOf',
    'oneOf',
    'not',
    'if',
    'enum',
    'const',
    '$defs',
    'required',
    'additionalProperties',
  ];
  if (Object.keys(given).some((key) => keywords.includes(key) || key.startsWith('$'))) return given;
  const shorthand = Object.values(given).every((value) => value !== null && typeof value === 'object' && !Array.isArray(value));
  return shorthand ? { type: 'object', properties: given } : given;
}

/** Checks the three reasons to refuse a target. @returns the capability @throws AppError VALIDATION_ERROR */
export function checkTarget(target: AgentRow | null, id: string, capabilityName: string): Capability {
  const refuse = (reason: string, message: string, hint: string): AppError =>
    new AppError('VALIDATION_ERROR', message, { hint, details: { reason, target_agent: id, capability_name: capabilityName } });
  if (!target) throw refuse('target_not_found', `Target agent not found: ${id}`, 'agent.peer.list shows the agents there are.');
  if (target.admin_status === 'paused') {
    throw refuse('target_unhealthy', `Target agent unhealthy: ${id} (paused)`, 'Choose another one, or let a person activate it.');
  }
  if (target.health === 'unhealthy' || target.health === 'offline') {
    throw refuse('target_unhealthy', `Target agent unhealthy: ${id} (${target.health})`, 'Choose another one, or leave target_agent out.');
  }
  const found = target.capabilities.find((one) => one.name === capabilityName);
  if (!found) {
    throw refuse(
      'lacks_capability',
      `Agent ${id} lacks capability: ${capabilityName}`,
      target.capabilities.length > 0
        ? `It has: ${target.capabilities
            .map((one) => one.name)
            .slice(0, 20)
            .join(', ')}.`
        : 'It has registered none; agent.capability.list shows who can do what.',
    );
  }
  if (target.protocol === null) {
    throw refuse(
      'no_endpoint',
      `Agent ${id} has no endpoint to send a task to.`,
      `Make a task on the board instead, or delegate "${workCapability}".`,
    );
  }
  return found;
}

/** A token for one task, and its hash, which is stored. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: tokenHash(token) };
}

export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Whether the concatenated hashes contain the token's hash. */
export function knowsToken(hashes: Buffer | null, token: string): boolean {
  const wanted = tokenHash(token);
  let known = false;
  for (let at = 0; hashes !== null && at + 32 <= hashes.length; at += 32) {
    if (timingSafeEqual(hashes.subarray(at, at + 32), wanted)) known = true;
  }
  return known;
}

/** A UUID that is always the same for the same call, so that a repeated delegation finds the first one. */
export function uuidOf(...parts: string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const variant = ((parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
