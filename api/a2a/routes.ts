import type { FastifyInstance } from 'fastify';
import type { ServerParts } from '../parts.ts';
import { limitHeaders } from '../plugins/errors.ts';
import { extendedCard, publicCard } from './card.ts';
import { enabled } from './enabled.ts';
import { refusal, restError, rpcError } from './errors.ts';
import { DurableRequestHandler } from './handler.ts';
import { idOf, installJsonRpc } from './jsonrpc.ts';
import { installRest } from './rest.ts';
import { installLegacyRest } from './rest-legacy.ts';
import { Listening } from './streams.ts';

/** The A2A protocol at /a2a (JSON-RPC) and /a2a/rest (HTTP+JSON); needs a key. */
export function installA2a(app: FastifyInstance, parts: ServerParts): void {
  const listening = new Listening(parts);
  const place = () => ({ endpoint: enabled(parts).settings.endpointUrl, keyed: parts.config.AUTH_MODE !== 'local' });
  const handler = new DurableRequestHandler({
    a2a: () => enabled(parts),
    card: () => publicCard(place()),
    extendedCard: (caller) => extendedCard(place(), parts.pipeline.catalogue, caller),
    log: parts.log,
  });

  void app.register(async (scope) => {
    scope.removeContentTypeParser('application/json');
    const parse = scope.getDefaultJsonParser('remove', 'remove');
    scope.addContentTypeParser(['application/json', 'application/a2a+json'], { parseAs: 'string' }, (request, body, done) =>
      // Some clients send the JSON content type without a body.
      body === '' ? done(null, undefined) : parse(request, body as string, done),
    );
    scope.setErrorHandler(async (caught, request, reply) => {
      const { error, app: known, status } = refusal(caught, request);
      if (known.code === 'UNAUTHORIZED') reply.header('www-authenticate', 'Bearer');
      reply.code(status).headers(limitHeaders(undefined, known));
      return await reply.send(request.url.startsWith('/a2a/rest') ? restError(error).body : rpcError(idOf(request.body), error));
    });
    // A request counts once; the tool calls of its task count as part of it.
    scope.addHook('preHandler', async (request, reply) => {
      enabled(parts);
      const limit = await parts.services!().governance.limits.take(request.caller);
      reply.headers(limitHeaders(limit));
    });
    installJsonRpc(scope, parts, handler, listening);
    installRest(scope, parts, handler, listening);
    installLegacyRest(scope, parts, handler, listening);
  });
  app.addHook('preClose', async () => listening.close());
}
