import { z } from 'zod';
import { sourceDetail, sourceId, tags, words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'knowledge.source.update',
  title: 'Describe a knowledge source',
  description: 'Changes title, description, tags or priority of a source; what is not given stays. Tags are what searches filter by.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['knowledge:write'],
  latency: 'L1',
  input: z.object({
    source_id: sourceId,
    title: words(300).optional(),
    description: words(4000).optional(),
    tags: tags.optional().describe('Replaces all tags'),
    priority: z.number().int().min(-1000).max(1000).optional(),
  }),
  output: z.object({ source: sourceDetail }),
  intents: ['tag a document', 'rename a source', 'describe what this document is', 'change the priority of a source'],
  aliases: [],
  async handler({ source_id, ...change }, { caller, services }) {
    const source = await services.knowledge.bases.updateSource(caller.tenant, source_id, change);
    return { data: { source }, refs: [{ type: 'source', id: source.id }] };
  },
});
