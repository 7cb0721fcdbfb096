import { z } from 'zod';
import { harvestRunId, runLog } from '../../contracts/feeds/feeds.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'ingest.run.get',
  title: 'One logged ingestion run',
  description: 'The record of a harvest run as ingest.run.log keeps it: status, counts, errors, when it started and ended.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['feed:read'],
  latency: 'L1',
  input: z.object({ run_id: harvestRunId }),
  output: runLog,
  observes: ({ run_id }) => ({ 'run.id': run_id }),
  intents: ['how did the harvest run go', 'errors of an ingestion run', 'stats of a run'],
  aliases: [],
  async handler({ run_id }, { caller, services }) {
    return { data: await services.feeds.logs.get(caller.tenant, run_id) };
  },
});
