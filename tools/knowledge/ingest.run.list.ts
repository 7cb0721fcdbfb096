import { z } from 'zod';
import { listedRunLog, runLogStatuses } from '../../contracts/feeds/feeds.ts';
import { defineTool } from '../catalogue/define.ts';

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
  async handler({ status, limit, cursor }, { caller, services }) {
    const { runs, next } = await services.feeds.logs.list(caller.tenant, { status, limit, cursor });
    return {
      data: { runs, next_cursor: next ?? null },
      metadata: { result_count: runs.length, ...(next === undefined ? {} : { next_cursor: next }) },
    };
  },
});
