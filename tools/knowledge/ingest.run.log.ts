import { z } from 'zod';
import { harvestRunId, runLog, runLogStats, runLogStatuses, type RunLog } from '../../contracts/feeds/feeds.ts';
import { instant } from '../../contracts/times.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  run_id: harvestRunId,
  status: z.enum(runLogStatuses),
  stats: runLogStats.default({}).describe('What is not told stays as it was'),
  started_at: instant.optional(),
  completed_at: instant.optional().describe('Default: when it was first said to have ended'),
});

const logIngestionRun: Alias<z.input<typeof input>, RunLog> = {
  name: 'log_ingestion_run',
  system: 'perception',
  description: 'Create or update the record of an ingestion run.',
  input: z.object({
    run_id: harvestRunId,
    status: z.enum(runLogStatuses),
    stats: runLogStats.optional(),
    started_at: instant.optional(),
    completed_at: instant.nullish().describe('Set when the run has completed'),
  }),
  toInput: ({ completed_at, ...args }) => ({ ...args, ...(completed_at ? { completed_at } : {}) }) as z.input<typeof input>,
  toAnswer: ({ run_id, logged_at }) => ({ run_id, logged_at, firestore_path: `/ingestion_runs/${run_id}` }),
};

export default defineTool({
  name: 'ingest.run.log',
  title: 'Log an ingestion run',
  description:
    'Makes the record of a harvest run or goes on with it: later values win one by one, errors are appended each once, and a run that has ended never runs again.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['feed:write'],
  latency: 'L1',
  input,
  output: runLog,
  observes: ({ run_id, status }) => ({ 'run.id': run_id, 'run.status': status }),
  intents: ['record that a harvest run started', 'log how many articles were fetched', 'mark the ingestion run as completed'],
  aliases: [logIngestionRun],
  async handler(entry, { caller, services }) {
    const { started_at, completed_at, ...rest } = entry;
    const times = { started_at: started_at, completed_at: completed_at };
    return { data: await services.feeds.logs.log(caller.tenant, { ...rest, ...times }, caller.principal) };
  },
});
