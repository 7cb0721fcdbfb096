import { z } from 'zod';
import { category, consolidated, memoryScope } from '../../contracts/knowledge/memory.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'memory.record.consolidate',
  title: 'Merge repeated memories',
  description:
    'Finds memories that say the same and proposes to merge them; apply merges. Other numbers, names or negations never merge. memory.record.restore undoes each merge.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['memory:write'],
  latency: 'L2',
  input: z.object({
    scope: memoryScope.default('team'),
    category: category.optional(),
    apply: z.boolean().default(false).describe('False: only proposed'),
    limit: z.number().int().min(1).max(200).default(50).describe('Memories looked at, newest first; fewer in a large collection'),
    cursor: z.string().max(512).optional(),
  }),
  output: consolidated,
  intents: ['clean up memories', 'merge duplicate memories', 'which notes say the same', 'tidy what we remember'],
  aliases: [],
  async handler(wish, { caller, services }) {
    const data = await services.knowledge.memories.merging.consolidate(caller, wish);
    const more = data.next_cursor === undefined ? [] : [`${data.left} memories were not looked at: pass next_cursor as cursor to go on.`];
    return { data, warnings: more };
  },
});
