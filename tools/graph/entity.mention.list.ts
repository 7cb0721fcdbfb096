import { z } from 'zod';
import { entityId, mentionedPassage } from '../../contracts/graph/graph.ts';
import { defineTool } from '../catalogue/define.ts';
import { countedPages } from '../catalogue/pages.ts';

export default defineTool({
  name: 'entity.mention.list',
  title: 'List the mentions of an entity',
  description:
    'Passages that mention an entity under any of its names, latest first, each with its citation and the positions of the names.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['graph:read'],
  latency: 'L1',
  input: z.object({
    entity_id: entityId,
    limit: z.number().int().min(1).max(100).default(25),
    cursor: z.string().max(512).optional(),
  }),
  output: z.object({ passages: z.array(mentionedPassage) }),
  intents: ['where is this customer mentioned', 'all passages about a feature', 'who talks about this', 'latest mentions of an entity'],
  aliases: [],
  async handler({ entity_id, ...paging }, { caller, services }) {
    const { entity, page } = await services.graph.mentions.of(caller.tenant, entity_id, paging);
    return { ...countedPages('passages', page), refs: [{ type: 'entity', id: entity.id }] };
  },
});
