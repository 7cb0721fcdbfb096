import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../../contracts/errors.ts';
import { markdownPage } from '../rest/docs.ts';
import { pageHeaders } from '../rest/landing.ts';
import { guidePath } from './lifecycle.ts';
import type { OpenApiDocument } from './openapi.ts';
import { operations } from './operations.ts';
import { apiPage } from './page.ts';

const guides = operations.flatMap(({ deprecated }) => (deprecated ? [deprecated.guide] : []));

/** `/docs/api`, generated from the OpenAPI document, and the migration guides of deprecated operations. */
export function installPages(app: FastifyInstance, document: OpenApiDocument): void {
  let page: string | null = null;
  app.get('/docs/api', async (_request, reply) => reply.headers(pageHeaders).send((page ??= apiPage(document))));

  app.get<{ Params: { guide: string } }>(guidePath({ guide: ':guide' }), async (request, reply) => {
    const { guide } = request.params;
    if (!guides.includes(guide)) throw notFound('migration guide', guide.slice(0, 100), `There are: ${guides.join(', ')}.`);
    const text = await readFile(new URL(`../../docs/migrations/${guide}.md`, import.meta.url), 'utf8');
    return await reply.headers(pageHeaders).send(markdownPage('Moving on', text));
  });
}
