import { z } from 'zod';
import { listedRunLog, runLogStatuses } from '../../contracts/feeds/feeds.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'ingest.run.list',
  title: 'Logged ingestion runs',
  description:
    'Records of harvest runs as ingest.run.log keeps them, the newest first, by status. Of the errors of each it shows the first five and how many there are; ingest.run.get shows all.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['feed:read'],
  latency: 'L1',
  input: z.object({
    status: z.enum(runLogStatuses).optional(),
    limit: z.number().int().min(1).max(100).default(20),
    cursor: z.string().max(500).optional(),
  }),
  output: z.object({ runs: z.array(listedRunLog), next_cursor: z.string().nullable() }),
  intents: ['which harvest runs were there', 'failed ingestion runs', 'history of daily runs'],
  aliases: [],
  async handler(filter, { caller, services }) {
    const page = await services.feeds.logs.list(caller.tenant, filter);
    return { ...paged('runs', page), data: { runs: page.items, next_cursor: page.next ?? null } };
  },
});
