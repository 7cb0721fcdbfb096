import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'graph.projection.rebuild',
  title: 'Rebuild the graph copy',
  description:
    'Maintenance: writes the copy of your entities and relations in the external graph store (Neo4j) anew from the records, and removes what should not be there. Reads go on meanwhile. Only of use where such a store is configured.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['graph:admin'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({
    state: z.enum(['none', 'running', 'done']),
    entities: z.number().describe('Written so far'),
    relations: z.number().describe('Written so far'),
    strays: z.number().describe('Entities and relations removed because they should not have been there'),
  }),
  intents: ['the graph store was restored or wiped', 'resync Neo4j', 'Neo4j shows entities that are gone'],
  aliases: [],
  async handler(_input, { caller, services, callKey }) {
    const { state, documents, passages, strays } = await services.projections.rebuild(caller.tenant, callKey, 'graph');
    return {
      data: { state, entities: documents, relations: passages, strays },
      status: state === 'running' ? 'accepted' : 'success',
      refs: services.projections.refs('graph'),
    };
  },
});
