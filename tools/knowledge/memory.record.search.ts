import { z } from 'zod';
import { category, foundMemory, memoryTags } from '../../contracts/knowledge/memory.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  query: z.string(),
  category: category.optional(),
  tags: memoryTags.optional(),
  limit: z.number().int().min(1).max(100).default(10),
});
const output = z.object({ memories: z.array(foundMemory) });

const queryMemories: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'query_memories',
  system: 'devflow',
  description: 'Find what was saved with save_memory, by words and meaning.',
  input: input.omit({ limit: true }).extend({ top_k: z.number().int().min(1).max(100).default(10) }),
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
  description: 'Finds saved memories by words and meaning.',
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
  async handler({ query, ...filter }, { caller, services }) {
    const { memories, warnings } = await services.knowledge.memories.search(caller.tenant, query, filter);
    return { data: { memories }, metadata: { result_count: memories.length }, warnings };
  },
});
