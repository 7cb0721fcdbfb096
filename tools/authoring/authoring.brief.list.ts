import { z } from 'zod';
import { briefDate } from '../../contracts/feeds/briefs.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'authoring.brief.list',
  title: 'List briefs',
  description: 'The briefs there are, newest day first, without their text. authoring.brief.get reads one.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['authoring:read'],
  latency: 'L1',
  input: z.object({
    from: briefDate.optional().describe('From this day on'),
    to: briefDate.optional().describe('Until this day, included'),
    limit: z.number().int().min(1).max(100).default(20),
    cursor: z.string().max(500).optional().describe('next_cursor of the page before'),
  }),
  output: z.object({
    briefs: z.array(
      z.object({
        brief_id: z.string(),
        date: z.string(),
        version: z.number().int(),
        run_id: z.string(),
        titles: z.array(z.string()).describe('Of its highlights'),
        total_articles_analyzed: z.number().int(),
        generated_at: z.string(),
      }),
    ),
  }),
  intents: ['which briefs are there', 'briefs of last week', 'history of news briefs'],
  aliases: [],
  async handler(wanted, { caller, services }) {
    const page = await services.briefs.records.page(caller.tenant, wanted);
    return {
      ...paged('briefs', page),
      data: {
        briefs: page.items.map(({ brief_id, date, version, run_id, highlights, total_articles_analyzed, generated_at }) => ({
          brief_id,
          date,
          version,
          run_id,
          titles: highlights.map(({ title }) => title),
          total_articles_analyzed,
          generated_at,
        })),
      },
    };
  },
});
