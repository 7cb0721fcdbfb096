import { z } from 'zod';
import { asOfMoment, category, memory, memoryScope, memoryTags } from '../../contracts/knowledge/memory.ts';
import { defineTool } from '../catalogue/define.ts';
import { countedPages } from '../catalogue/pages.ts';

export default defineTool({
  name: 'memory.record.list',
  title: 'List memories',
  description:
    'What has been saved by the team and by you, newest first; all of it, or one category or scope. memory.record.search finds by content.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['memory:read'],
  latency: 'L1',
  input: z.object({
    category: category.optional(),
    tags: memoryTags.optional().describe('Memories that carry all of these'),
    scope: memoryScope.optional().describe("Default: the team's and your own"),
    as_of: asOfMoment.optional(),
    limit: z.number().int().min(1).max(100).default(20),
    cursor: z.string().max(512).optional(),
  }),
  output: z.object({ memories: z.array(memory) }),
  intents: ['list what was remembered', 'all decisions so far', 'latest memories'],
  aliases: [],
  async handler({ as_of: asOf, ...filter }, { caller, services }) {
    return countedPages('memories', await services.knowledge.memories.list(caller, { ...filter, asOf }));
  },
});
