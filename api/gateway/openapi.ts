import type { z } from 'zod';
import { envelopeError, metadata, ref } from '../../contracts/envelope.ts';
import { AppError, type ErrorCode } from '../../contracts/errors.ts';
import { failureOf } from '../../tools/catalogue/answers.ts';
import type { ServerParts } from '../parts.ts';
import { streamOperation } from './event-doc.ts';
import { guidePath } from './lifecycle.ts';
import { base, pathOf, type Operation } from './operation.ts';
import { operations } from './operations.ts';

export const openApiPath = `${base}/openapi.json`;

export type Json = Record<string, unknown>;

export interface OpenApiDocument {
  openapi: '3.1.1';
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Json>>;
  [more: string]: unknown;
}

const named = (part: 'schemas' | 'responses' | 'headers' | 'parameters', name: string): Json => ({ $ref: `#/components/${part}/${name}` });

/** Errors that every operation may answer. */
const refusals: Record<number, { code: ErrorCode; description: string; example: string; hint: string; retry?: number }> = {
  400: {
    code: 'VALIDATION_ERROR',
    description: 'The request is not as this document has it; `error.details` names the fields.',
    example: 'GET /api/agents/v1/signals has no field "colour".',
    hint: 'Its fields: q, source, customer.',
  },
  401: {
    code: 'UNAUTHORIZED',
    description: 'No key was sent, or none that is valid.',
    example: 'Invalid API key',
    hint: 'Send a key as "X-API-Key: KEY" or "Authorization: Bearer KEY".',
  },
  403: {
    code: 'FORBIDDEN',
    description:
      'The key may not do this: its role, scopes, capabilities, policy or team do not allow it; `error.details.rule` says which.',
    example: 'The role "stakeholder" is read-only.',
    hint: 'Ask somebody with another role.',
  },
  404: {
    code: 'NOT_FOUND',
    description: 'What was named is not there; `error.alternatives` has names that are close.',
    example: 'No entity with id "ent_5m2k8q".',
    hint: 'GET /api/agents/v1/entities lists them.',
  },
  409: {
    code: 'CONFLICT',
    description:
      'It contradicts what is, the idempotency key was used for another request, or a name means several things (`error.candidates`).',
    example: 'This idempotency key was used with other arguments.',
    hint: 'Use a new key for a new call, or repeat the call exactly.',
  },
  410: {
    code: 'GONE',
    description:
      'It was there, and ended: the operation itself (`error.details.migration_guide`), the session in X-Session-Id, or what was asked for.',
    example: 'The session sess_8f3k is over, or is not yours.',
    hint: 'system.session.open opens a new one; without a session your key decides alone.',
  },
  413: {
    code: 'PAYLOAD_TOO_LARGE',
    description: 'Larger than is taken.',
    example: 'Request body is too large',
    hint: 'Send less at once.',
  },
  415: {
    code: 'VALIDATION_ERROR',
    description: 'The body is not JSON.',
    example: 'Unsupported Media Type',
    hint: 'Send a JSON body with Content-Type: application/json.',
  },
  429: {
    code: 'RATE_LIMIT_EXCEEDED',
    description: 'The calls of this key in this minute are used up.',
    example: 'More than 60 calls per minute.',
    hint: 'Wait 12 s, or ask for a key with a higher limit (signalbox keys create --rpm N).',
    retry: 12,
  },
  500: {
    code: 'INTERNAL',
    description: 'A defect of ours; the log has it under the `tool_call_id`.',
    example: 'Something went wrong inside Signalbox.',
    hint: 'The log has the cause under tool_call_id 019ab3c4-7d2e-7c41-9f5a-2b8d6e0f1a34.',
  },
  503: {
    code: 'SERVICE_UNAVAILABLE',
    description: 'The database or another part does not answer now. Nothing was lost; try again.',
    example: 'The record store (Postgres) is not reachable.',
    hint: 'Nothing was lost; try again in a few seconds.',
    retry: 2,
  },
};
const always = [400, 401, 403, 410, 429, 500, 503];
/** Only operations with a body have these. */
const withBody = [409, 413, 415];

/** The OpenAPI 3.1 document of all operations, from their table and the tools' schemas. */
export function openApiDocument({ pipeline, version }: Pick<ServerParts, 'pipeline' | 'version'>): OpenApiDocument {
  const schema = (type: z.ZodType): Json => pipeline.catalogue.jsonSchema(type);
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations) {
    (paths[pathOf(operation)] ??= {})[operation.method.toLowerCase()] = operationObject(operation, schema);
  }
  paths[`${base}/events`] = { get: streamOperation({ 202: waiting(), ...responsesOf([]) }) };
  return {
    openapi: '3.1.1',
    info: { title: 'Signalbox agent gateway', version, description },
    servers: [{ url: '/' }],
    security: [{ ApiKey: [] }, { Bearer: [] }],
    tags: [...new Set([...operations.map(({ tag }) => tag), 'Events'])].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        Bearer: { type: 'http', scheme: 'bearer', description: 'The same keys, or an access token of the configured issuer.' },
      },
      schemas: { Metadata: schema(metadata), Ref: schema(ref), Error: schema(envelopeError), Failure: failure, PendingApproval: pending },
      headers,
      parameters,
      responses: Object.fromEntries(Object.keys(refusals).map((status) => [`Error${status}`, refusalObject(Number(status))])),
    },
  };
}

const description = `What agents do over plain HTTP. Every answer is one envelope: \`status\`, \`data\`, \`metadata\`, \`refs\`, \`warnings\`, \`tool_call_id\`, and \`error\` when it failed.

The same paths work without \`/v1\` and mean version 1; the answer then names the canonical one in \`Link\`. A POST with an \`Idempotency-Key\` acts once, however often it is sent. Lists are paged by \`cursor\`: \`Link: rel="next"\` has the next page. Every POST may also answer 202: it waits for a person, or goes on as a job.`;

const text = (about: string, more: Json = {}): Json => ({ description: about, schema: { type: 'string', ...more } });
const whole = (about: string): Json => ({ description: about, schema: { type: 'integer', minimum: 0 } });

const headers: Json = {
  'RateLimit-Limit': whole('Calls per minute of this key.'),
  'RateLimit-Remaining': whole('Of these, what is left.'),
  'RateLimit-Reset': whole('Seconds until all of them are there again.'),
  'Retry-After': whole('Seconds after which to try again.'),
  Link: text('`rel="next"`: the next page. `rel="canonical"`: the path with its version. `rel="successor-version"`: what to use instead.'),
  Deprecation: text('Since when it is deprecated: an HTTP date, or RFC 9745 where the server is configured so.'),
  Sunset: text('When it ends: an HTTP date (RFC 8594).'),
};

const parameters: Json = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    ...text('For 24 hours the same key with the same body gets the stored answer; with another body 409.', { maxLength: 256 }),
    example: 'flag-2026-11-22-17',
  },
  AgentId: {
    name: 'X-Agent-Id',
    in: 'header',
    ...text('The worker on whose behalf the call is made, where several share a key.', {
      pattern: '^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,127}$',
    }),
  },
  SessionId: { name: 'X-Session-Id', in: 'header', ...text('A work session opened with system.session.open, whose mounts then hold.') },
};

/** Refusals repeat the message outside the envelope, for clients that read only `detail`. */
const failure: Json = {
  type: 'object',
  required: ['status', 'data', 'metadata', 'refs', 'warnings', 'tool_call_id', 'error'],
  properties: {
    status: { const: 'error' },
    data: { type: 'null' },
    metadata: named('schemas', 'Metadata'),
    refs: { type: 'array', items: named('schemas', 'Ref') },
    warnings: { type: 'array', items: { type: 'string' } },
    tool_call_id: { type: 'string' },
    error: named('schemas', 'Error'),
    detail: { type: 'string' },
  },
};

const pending: Json = {
  type: 'object',
  required: ['approval_id', 'approval_status', 'reason', 'expires_at'],
  properties: {
    approval_id: { type: 'string' },
    approval_status: { type: 'string' },
    reason: { type: 'string' },
    expires_at: { type: 'string' },
  },
};

function envelope(status: string, data: Json): Json {
  return {
    type: 'object',
    required: ['status', 'data', 'metadata', 'refs', 'warnings', 'tool_call_id'],
    properties: {
      status: { const: status },
      data,
      metadata: named('schemas', 'Metadata'),
      refs: { type: 'array', items: named('schemas', 'Ref') },
      warnings: { type: 'array', items: { type: 'string' } },
      tool_call_id: { type: 'string' },
    },
  };
}

const json = (schema: Json, more: Json = {}): Json => ({ 'application/json': { schema, ...more } });

const headersOf = (...names: string[]): Json => Object.fromEntries(names.map((name) => [name, named('headers', name)]));
const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** A refusal, built by the same code as at run time. */
function refusalObject(status: number): Json {
  const { code, description: about, example, hint, retry } = refusals[status]!;
  const error = new AppError(code, example, { hint, ...(retry === undefined ? {} : { retryAfterSeconds: retry }) });
  return {
    description: about,
    ...(retry === undefined ? {} : { headers: headersOf('Retry-After', ...(status === 429 ? limits : [])) }),
    content: json(named('schemas', 'Failure'), { example: failureOf(error, '019ab3c4-7d2e-7c41-9f5a-2b8d6e0f1a34', 1.2, undefined) }),
  };
}

const responsesOf = (more: readonly number[]): Json =>
  Object.fromEntries(
    [...new Set([...always, ...more])].sort((a, b) => a - b).map((status) => [status, named('responses', `Error${status}`)]),
  );

/** @param data of a call that may continue as a job */
function waiting(data?: Json): Json {
  return {
    description: `Waits for a person's decision${data ? ', or goes on as a job' : ''}.`,
    headers: headersOf(...limits, 'Link'),
    content: json({
      anyOf: [envelope('pending_approval', named('schemas', 'PendingApproval')), ...(data ? [envelope('accepted', data)] : [])],
    }),
  };
}

function operationObject(operation: Operation, schema: (type: z.ZodType) => Json): Json {
  const { id, method, tool, summary, tag, input, example, may, deprecated } = operation;
  const { properties = {}, required = [] } = schema(input) as { properties?: Record<string, Json>; required?: string[] };
  const data = schema(tool.output);
  const told = headersOf(...limits, 'Link', ...(deprecated ? ['Deprecation', 'Sunset'] : []));
  const fromQuery = Object.entries(properties).map(([name, { description: about, ...type }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(about === undefined ? {} : { description: about }),
    schema: type,
    ...(name in example ? { example: example[name] } : {}),
  }));
  const asked = [named('parameters', 'AgentId'), named('parameters', 'SessionId')];
  return {
    operationId: id,
    summary,
    description: `${tool.description}\n\nBacked by \`${tool.name}\`.${
      deprecated ? ` Ends on ${deprecated.sunset}: use ${deprecated.successor}. [How to move](${guidePath(deprecated)})` : ''
    }`,
    tags: [tag],
    ...(deprecated ? { deprecated: true } : {}),
    parameters: method === 'GET' ? [...fromQuery, ...asked] : [named('parameters', 'IdempotencyKey'), ...asked],
    ...(method === 'POST'
      ? { requestBody: { required: true, content: json({ ...schema(input), additionalProperties: false }, { example }) } }
      : {}),
    responses: {
      200: { description: 'Done.', headers: told, content: json(envelope('success', data)) },
      202: waiting(may.includes(202) ? data : undefined),
      ...responsesOf([...may.filter((status) => status !== 202), ...(method === 'POST' ? withBody : [])]),
    },
  };
}
