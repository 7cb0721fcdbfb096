import { z } from 'zod';
import { dlqItem, dlqStages } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

const failureStage = z.enum([...dlqStages, 'all']).default('all');

const input = z.object({
  failure_stage: failureStage,
  job_id: z.string().min(1).max(64).optional(),
  include_decided: z.boolean().default(false).describe('Those resolved or abandoned, too'),
  error_code: z.string().max(64).optional().describe('Only failures with this code'),
  limit: z.number().int().min(1).max(100).default(10),
  cursor: z.string().max(512).optional(),
});

const output = z.object({ items: z.array(dlqItem) });

const getDlqStatus: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'get_dlq_status',
  system: 'pm-intelligence',
  description: 'What failed in ingestion and awaits a decision to retry or abandon.',
  input: z.object({ failure_stage: failureStage, limit: z.number().int().min(1).max(100).default(10) }),
  toInput: (args) => args,
};

export default defineTool({
  name: 'ingest.dlq.list',
  title: 'What failed in ingestion',
  description:
    'Dead letters: stages that used up their attempts and wait (parked), and contents that could not be read (refused), with the reason. Decide each with ingest.dlq.retry or ingest.dlq.abandon.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['knowledge:read'],
  latency: 'L1',
  input,
  output,
  intents: ['what failed to ingest', 'dead letter queue', 'why is my file not searchable', 'failed signals'],
  aliases: [getDlqStatus],
  async handler({ failure_stage, job_id: jobId, error_code: errorCode, include_decided: all, ...paging }, { caller, services }) {
    const stage = failure_stage === 'all' ? undefined : failure_stage;
    return paged('items', await services.knowledge.dlq.list(caller.tenant, { stage, jobId, errorCode, all, ...paging }));
  },
});
