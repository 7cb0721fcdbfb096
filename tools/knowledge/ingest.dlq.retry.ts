import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { decideLetters, dlqAnswer, dlqChoice } from './ingest.dlq.shared.ts';

const retryDlqItem: Alias<z.input<typeof dlqChoice>, z.infer<typeof dlqAnswer>> = {
  name: 'retry_dlq_item',
  system: 'pm-intelligence',
  description: 'Processes one failed item again.',
  input: z.object({ dlq_id: words(128) }),
  toInput: (args) => args,
  toAnswer: ({ item }) => ({ dlq_id: item?.dlq_id, status: item?.status, job_id: item?.job_id }),
};

export default defineTool({
  name: 'ingest.dlq.retry',
  title: 'Try a failed stage again',
  description:
    'Retries a parked stage, or reads refused content again; dlq_ids for several, each with its own result. system.job.get with its job_id shows the outcome.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['knowledge:write', 'ingest:write'],
  latency: 'L1',
  input: dlqChoice,
  output: dlqAnswer,
  intents: ['retry a failed ingestion', 'retry a dead letter'],
  aliases: [retryDlqItem],
  async handler(choice, { caller, services }) {
    const { dlq } = services.knowledge;
    return await decideLetters(choice, dlq, (id) => dlq.retry(caller, id));
  },
});
