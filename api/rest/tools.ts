import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../contracts/errors.ts';
import type { CallAnswer } from '../../tools/catalogue/pipeline.ts';
import { isRecord } from '../mcp/jsonrpc.ts';
import type { ServerParts } from '../parts.ts';
import { limitHeaders } from '../plugins/errors.ts';
import { calling, sendEnvelope, statusOf } from './calling.ts';
import { perceptionError } from './perception.ts';

/** Tool calls over plain HTTP: perception's /mcp/tools/{name}, the same with the envelope, and the listing. */
export function installTools(app: FastifyInstance, parts: ServerParts): void {
  app.get('/mcp/tools', async (request) => {
    const listed = await parts.pipeline.list(request.caller, 'all');
    return {
      tools: listed.map(({ name, description, inputSchema, annotations, _meta }) => ({
        name,
        description,
        // devflow reads `parameters`, MCP `inputSchema`; both are the same object.
        parameters: inputSchema,
        inputSchema,
        annotations,
        ...(typeof _meta?.alias_of === 'string' ? { alias_of: _meta.alias_of } : {}),
      })),
      total: listed.length,
    };
  });

  /** perception's contract: the bare data, or perception's error body. */
  app.post<{ Params: { name: string } }>('/mcp/tools/:name', async (request, reply) => {
    const answer = await callByPost(parts, request, reply, request.params.name);
    reply.headers(limitHeaders(answer.limit, answer.error));
    if (!answer.error) return await reply.code(statusOf(answer)).send(answer.data);
    const { status, body } = perceptionError(answer, request.params.name, request.body);
    return await reply.code(status).send(body);
  });

  /** Any tool for REST clients; answers with the envelope. */
  app.post<{ Params: { name: string } }>('/api/tools/:name', async (request, reply) =>
    sendEnvelope(reply, await callByPost(parts, request, reply, request.params.name)),
  );
}

function callByPost(parts: ServerParts, request: FastifyRequest, reply: FastifyReply, name: string): Promise<CallAnswer> {
  const body = request.body ?? {};
  if (!isRecord(body)) throw new AppError('VALIDATION_ERROR', 'The body must be a JSON object: the arguments of the tool.');
  return parts.pipeline.call({ ...calling(request, reply), name, arguments: body });
}
