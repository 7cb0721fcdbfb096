import type { FastifyInstance } from 'fastify';

/**
 * JSON bodies as Fastify reads them, except empty ones: clients send `Content-Type: application/json` with every
 * request, including a DELETE without a body. An empty body counts as none; a route that needs a body refuses the
 * request itself.
 */
export function installBodies(app: FastifyInstance): void {
  // Fastify would pass text unchanged; every body here is JSON.
  app.removeContentTypeParser(['text/plain', 'application/json']);
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    (body as string).trim() === '' ? done(null) : parse(request, body as string, done),
  );
}
