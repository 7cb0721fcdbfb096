import { defineTool } from '../catalogue/define.ts';
import { decideLetters, dlqAnswer, dlqChoice } from './ingest.dlq.shared.ts';

export default defineTool({
  name: 'ingest.dlq.abandon',
  title: 'Give a failed stage up',
  description:
    'Ends a parked stage or closes a refused content: it is not retried; dlq_ids for several, each with its own result. What was ingested from its source before is kept.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['knowledge:write', 'ingest:write'],
  latency: 'L1',
  input: dlqChoice,
  output: dlqAnswer,
  intents: ['abandon a failed ingestion', 'dismiss a dead letter'],
  aliases: [],
  async handler(choice, { caller, services }) {
    const { dlq } = services.knowledge;
    return await decideLetters(choice, dlq, (id) => dlq.abandon(caller, id));
  },
});
