import { z } from 'zod';
import { dlqItem, words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({ dlq_id: words(128) });
const output = z.object({ item: dlqItem });

const retryDlqItem: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'retry_dlq_item',
  system: 'pm-intelligence',
  description: 'Processes one failed item again.',
  input,
  toInput: (args) => args as z.input<typeof input>,
  toAnswer: ({ item: { dlq_id, status, job_id } }) => ({ dlq_id, status, job_id }),
};

export default defineTool({
  name: 'ingest.dlq.retry',
  title: 'Try a failed stage again',
  description: 'Has a parked stage go on, or a refused content read once more. system.job.get with its job_id tells how it went.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['knowledge:write'],
  latency: 'L1',
  input,
  output,
  intents: ['retry a failed ingestion', 'retry a dead letter'],
  aliases: [retryDlqItem],
  async handler({ dlq_id }, { caller, services }) {
    const item = await services.knowledge.dlq.retry(caller, dlq_id);
    return { data: { item }, refs: [{ type: 'job', id: item.job_id }] };
  },
});
