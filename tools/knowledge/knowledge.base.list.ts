import { z } from 'zod';
import { base } from '../../contracts/knowledge/bases.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'knowledge.base.list',
  title: 'List knowledge bases',
  description: 'The knowledge bases of your tenant, with their numbers of sources and passages.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['knowledge:read'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({ bases: z.array(base) }),
  intents: ['which knowledge bases are there', 'list collections', 'how many documents are in each base'],
  aliases: [],
  async handler(_args, { caller, services }) {
    const bases = await services.knowledge.bases.list(caller.tenant);
    return { data: { bases }, metadata: { result_count: bases.length } };
  },
});
