import { z } from 'zod';
import { kbId, tags, words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  name: words(200),
  kb_id: kbId.optional().describe('Default: made of the name'),
  description: words(4000).optional(),
  tags: tags.optional(),
});
const output = z.object({ kb_id: z.string(), existed: z.boolean().describe('It was there, just so') });

const kbCreate: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'knowledge.kb_create',
  system: 'intelli-platform',
  input: input.omit({ kb_id: true }),
  toInput: (args) => args as z.input<typeof input>,
  toAnswer: ({ kb_id }) => ({ kb_id }),
};

export default defineTool({
  name: 'knowledge.base.create',
  title: 'Create a knowledge base',
  description: 'A named collection of sources that can be searched and deleted on its own. Pass its kb_id when you ingest and search.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['knowledge:write'],
  latency: 'L1',
  input,
  output,
  intents: ['new knowledge base', 'a separate collection of documents', 'set up a place for these files'],
  aliases: [kbCreate],
  async handler({ kb_id, ...rest }, { caller, services }) {
    return { data: await services.knowledge.bases.create(caller.tenant, { ...rest, id: kb_id }) };
  },
});
