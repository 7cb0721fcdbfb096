import type { FastifyInstance } from 'fastify';

/** Nobody guesses another type than the one that is told, and no address of ours (a link may be a right) is told to others. */
const always = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** On every answer: set before anything else can answer, so that refusals and streams have them, too. */
export function installSafeHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => void reply.headers(always));
}
