import type { FastifyInstance } from 'fastify';

/** Browsers must not guess media types, and must not send our addresses (a link may contain a token) to other sites. */
const always = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** Set before any other hook can answer, so that refusals and streams have them, too. */
export function installSafeHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => void reply.headers(always));
}
