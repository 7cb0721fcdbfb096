import { z } from 'zod';
import { asOfMoment, category, foundMemory, memoryScope, memoryTags } from '../../contracts/knowledge/memory.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const asked = z.object({ query: z.string(), category: category.optional(), tags: memoryTags.optional() });
const input = asked.extend({
  scope: memoryScope.optional().describe("Default: the team's and your own"),
  as_of: asOfMoment.optional(),
  limit: z.number().int().min(1).max(100).default(10),
});
const output = z.object({ memories: z.array(foundMemory) });

const queryMemories: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'query_memories',
  system: 'devflow',
  description: 'Find what was saved with save_memory, by words and meaning.',
  input: asked.extend({ top_k: z.number().int().min(1).max(100).default(10) }),
  toInput: ({ top_k, ...args }) => ({ ...args, limit: top_k }) as z.input<typeof input>,
  toAnswer: ({ memories }) => ({
    memories: memories.map(({ memory_id, content, category: kind, tags: labels, created_at, score }) => ({
      memory_id,
      content,
      category: kind,
      tags: labels,
      created_at,
      score,
    })),
  }),
};

export default defineTool({
  name: 'memory.record.search',
  title: 'Recall',
  description: 'Finds saved memories by words and meaning: what holds now, or held at a given time.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['memory:read'],
  latency: 'L1',
  input,
  output,
  intents: [
    'what do we remember about',
    'recall a decision',
    'have we solved this before',
    'which conventions apply',
    'look up lessons learnt',
  ],
  core: true,
  worker: true,
  aliases: [queryMemories],
  async handler({ query, as_of: asOf, ...filter }, { caller, services }) {
    const { memories, warnings } = await services.knowledge.memories.search(caller, query, { ...filter, asOf });
    return { data: { memories }, metadata: { result_count: memories.length }, warnings };
  },
});
