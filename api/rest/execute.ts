import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SseFront } from '../mcp/sse.ts';
import type { ServerParts } from '../parts.ts';
import { limitHeaders } from '../plugins/errors.ts';
import { calling } from './calling.ts';
import { executeResponse, readExecute } from './devflow.ts';

/** POST /mcp/execute (devflow): answers over HTTP, and also on the caller's event stream if it names one. */
export function installExecute(app: FastifyInstance, parts: ServerParts, sse: SseFront | null): void {
  app.post('/mcp/execute', async (request, reply) => {
    const wanted = readExecute(request.body);
    const send = sse && (await streamOf(request, sse));
    const answer = await parts.pipeline.call({
      ...calling(request, reply),
      front: 'execute',
      name: wanted.tool,
      arguments: wanted.args,
    });
    const body = executeResponse(wanted, answer);
    // The stream may have ended meanwhile: the answer below says the same.
    await send?.('tool_response', body).catch(() => {});
    // A failed tool is a normal answer of devflow with a text in `error`; only refusals by the gateway itself have an
    // HTTP status.
    return await reply
      .code(answer.error?.code === 'RATE_LIMIT_EXCEEDED' ? 429 : 200)
      .headers(limitHeaders(answer.limit, answer.error))
      .send(body);
  });
}

async function streamOf(request: FastifyRequest, sse: SseFront): Promise<Awaited<ReturnType<SseFront['stream']>> | null> {
  const id = (request.body as Record<string, unknown>).connection_id ?? (request.query as Record<string, unknown>).connection_id;
  return id === undefined || id === null || id === '' ? null : await sse.stream(String(id), request.caller);
}
