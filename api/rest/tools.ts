import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../contracts/errors.ts';
import type { CallAnswer } from '../../tools/pipeline.ts';
import { exchangeOf } from '../mcp/exchange.ts';
import { isRecord } from '../mcp/jsonrpc.ts';
import type { ServerParts } from '../parts.ts';
import { limitHeaders } from '../plugins/errors.ts';
import { perceptionError } from './perception.ts';

/** Tool calls over plain HTTP: S4's /mcp/tools/{name}, the same with the envelope, the listing, and the ledger. */
export function installTools(app: FastifyInstance, parts: ServerParts): void {
  app.get('/mcp/tools', async (request) => {
    const listed = await parts.pipeline.list(request.caller, 'all');
    return {
      tools: listed.map(({ name, description, inputSchema, annotations, _meta }) => ({
        name,
        description,
        // S1 reads `parameters`, MCP `inputSchema`; both are the same object.
        parameters: inputSchema,
        inputSchema,
        annotations,
        ...(typeof _meta?.alias_of === 'string' ? { alias_of: _meta.alias_of } : {}),
      })),
      total: listed.length,
    };
  });

  /** S4's contract: the bare data, or S4's error body. */
  app.post<{ Params: { name: string } }>('/mcp/tools/:name', async (request, reply) => {
    const answer = await callByPost(parts, request, reply, request.params.name);
    reply.headers(limitHeaders(answer.limit, answer.error));
    if (!answer.error) return await reply.code(statusOf(answer)).send(answer.data);
    const { status, body } = perceptionError(answer, request.params.name, request.body);
    return await reply.code(status).send(body);
  });

  /** Any tool for REST clients, answered with the envelope. */
  app.post<{ Params: { name: string } }>('/api/tools/:name', async (request, reply) =>
    sendEnvelope(reply, await callByPost(parts, request, reply, request.params.name)),
  );

  app.get('/api/ledger', async (request, reply) => {
    const answer = await parts.pipeline.call({
      ...calling(request, reply, parts),
      name: 'system.ledger.search',
      arguments: fromQuery(request.query as Record<string, unknown>),
    });
    return await sendEnvelope(reply, answer);
  });
}

const sendEnvelope = (reply: FastifyReply, answer: CallAnswer): FastifyReply =>
  reply
    .code(answer.error?.httpStatus ?? statusOf(answer))
    .headers(limitHeaders(answer.limit, answer.error))
    .send(answer.envelope);

const statusOf = (answer: CallAnswer): number =>
  ({ success: 200, partial: 207, accepted: 202, pending_approval: 202, error: 500 })[answer.envelope.status];

/** What every call over plain HTTP has in common; its signal fires when the client goes away. */
export function calling(request: FastifyRequest, reply: FastifyReply, parts: ServerParts) {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new Error('The client closed the connection.'));
  });
  const { caller, idempotencyKey } = exchangeOf(request, parts, 'rest');
  return { caller, idempotencyKey, front: 'rest' as const, requestId: request.id, signal: gone.signal };
}

function callByPost(parts: ServerParts, request: FastifyRequest, reply: FastifyReply, name: string): Promise<CallAnswer> {
  const body = request.body ?? {};
  if (!isRecord(body)) throw new AppError('VALIDATION_ERROR', 'The body must be a JSON object: the arguments of the tool.');
  return parts.pipeline.call({ ...calling(request, reply, parts), name, arguments: body });
}

/** Query parameters as arguments: numbers and booleans are spelled as text in a URL. */
const fromQuery = (query: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).map(([key, value]) => {
      if (typeof value !== 'string') return [key, value];
      if (/^-?\d{1,15}$/.test(value)) return [key, Number(value)];
      return [key, value === 'true' ? true : value === 'false' ? false : value];
    }),
  );
