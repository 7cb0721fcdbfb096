import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'index.projection.rebuild',
  title: 'Rebuild the vector copy',
  description:
    'Maintenance: writes the copy of your vectors in the external vector store (Qdrant) anew from the records, and removes what should not be there. Searches go on meanwhile. Only of use where such a store is configured.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['knowledge:admin'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({
    state: z.enum(['none', 'running', 'done']),
    documents: z.number().describe('Written so far'),
    passages: z.number().describe('Written so far'),
    strays: z.number().describe('Documents removed because they should not have been there'),
  }),
  intents: ['search finds deleted documents', 'the vector store was restored or wiped', 'resync Qdrant'],
  aliases: [],
  async handler(_input, { caller, services, callKey }) {
    const { state, documents, passages, strays } = await services.projections.rebuild(caller.tenant, callKey);
    return {
      data: { state, documents, passages, strays },
      status: state === 'running' ? 'accepted' : 'success',
      refs: services.projections.refs(),
    };
  },
});
