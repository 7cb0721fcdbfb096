import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  document_id: words(128),
  labels: z.array(words(100)).min(2).max(50).optional().describe('Labels to choose from; default: usual kinds of business documents'),
});
const output = z.object({
  label: z.string(),
  confidence: z.number(),
  alternatives: z.array(z.object({ label: z.string(), confidence: z.number() })),
});

const documentClassify: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'document.classify',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'document.content.classify',
  title: 'What kind of document',
  description: 'Says which of several labels a parsed or ingested document fits best, by meaning, with how sure that is.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['knowledge:read'],
  latency: 'L4',
  input,
  output,
  intents: ['what kind of document is this', 'classify a file', 'label a document'],
  aliases: [documentClassify],
  async handler({ document_id, labels }, { caller, services }) {
    const found = await services.knowledge.documents.classify(caller.tenant, document_id, labels);
    return { data: found, metadata: { confidence: found.confidence } };
  },
});
