import { z } from 'zod';
import { dlqItem, words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'ingest.dlq.abandon',
  title: 'Give a failed stage up',
  description:
    'Ends a parked stage or closes a refused content: nothing more is tried. What was ingested of its source before still stands.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['knowledge:write'],
  latency: 'L1',
  input: z.object({ dlq_id: words(128) }),
  output: z.object({ item: dlqItem }),
  intents: ['abandon a failed ingestion', 'dismiss a dead letter'],
  aliases: [],
  async handler({ dlq_id }, { caller, services }) {
    const item = await services.knowledge.dlq.abandon(caller, dlq_id);
    return { data: { item }, refs: [{ type: 'job', id: item.job_id }] };
  },
});
