import type { FastifyInstance } from 'fastify';
import { AppError } from '../../contracts/errors.ts';
import { briefDate } from '../../contracts/feeds/briefs.ts';
import type { ServerParts } from '../parts.ts';
import { pageHeaders } from './landing.ts';

/** Pages of briefs. The token in the link authorizes: a reader who follows it from a notification has no key. */
export function installBriefs(app: FastifyInstance, { services }: ServerParts): void {
  app.get<{ Params: { date: string }; Querystring: { token?: unknown } }>('/briefs/:date', async (request, reply) => {
    if (!services) throw new AppError('SERVICE_UNAVAILABLE', 'Briefs are not served here.');
    const { date } = request.params;
    if (!briefDate.safeParse(date).success) throw new AppError('NOT_FOUND', 'This is not a date.', { hint: 'Dates look like 2026-11-14.' });
    const { token } = request.query;
    const page = await services().briefs.page(date, typeof token === 'string' ? token : '');
    return await reply
      .headers({
        ...pageHeaders,
        'cache-control': 'private, no-store',
        // The page links to other sites, which must not see the token.
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      .send(page);
  });
}
