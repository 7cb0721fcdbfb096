import { z } from 'zod';
import { memoryId, undoneMerge } from '../../contracts/knowledge/memory.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'memory.record.restore',
  title: 'Undo a merge of memories',
  description: 'Takes back a merge of memory.record.consolidate: each memory is valid again as it was, with its tags, metadata and expiry.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['memory:write'],
  latency: 'L1',
  input: z.object({ merge_id: memoryId.describe('Of memory.record.consolidate') }),
  output: undoneMerge,
  intents: ['undo the merge of memories', 'these two notes were not the same', 'bring the merged memories back'],
  aliases: [],
  async handler({ merge_id }, { caller, services }) {
    return { data: await services.knowledge.memories.merging.restore(caller, merge_id) };
  },
});
