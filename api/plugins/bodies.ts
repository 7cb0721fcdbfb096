import type { FastifyInstance } from 'fastify';

/**
 * JSON bodies as Fastify reads them, but for an empty one: clients send `Content-Type: application/json` with every
 * request, a DELETE without a body included. An empty body is no body; a route that needs one says so itself.
 */
export function installBodies(app: FastifyInstance): void {
  // Fastify would hand text over as it came; every body here is JSON.
  app.removeContentTypeParser(['text/plain', 'application/json']);
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    (body as string).trim() === '' ? done(null) : parse(request, body as string, done),
  );
}
