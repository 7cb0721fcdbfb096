import { z } from 'zod';
import { citation, documentHead, readPassage } from '../../contracts/knowledge/reading.ts';
import { defineTool } from '../catalogue/define.ts';
import { annotated } from './passage.shared.ts';

export default defineTool({
  name: 'knowledge.passage.get',
  title: 'Open a citation',
  description:
    'The passage that a citation names, in full, with its document, its place and the citations beside it. Use it to check the source of an answer, a fact or a draft; knowledge.document.get reads on from there.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['knowledge:read'],
  latency: 'L1',
  input: z.object({
    citation,
    include_mentions: z.boolean().default(false).describe('Include the entities that names refer to, with offsets'),
  }),
  output: z.object({
    document: documentHead,
    passage: readPassage,
    /** Citations of the passages before and after it. */
    previous: z.string().nullable(),
    next: z.string().nullable(),
  }),
  intents: ['open a citation', 'show the passage behind this statement', 'check a source', 'what exactly does the source say'],
  aliases: [],
  async handler({ citation: cited, include_mentions }, context) {
    const at = cited.lastIndexOf('#');
    const { reader } = context.services.knowledge;
    const { head, passage, previous, next } = await reader.passage(context.caller.tenant, cited.slice(0, at), Number(cited.slice(at + 1)));
    const [shown] = await annotated(context, [passage], { mentions: include_mentions });
    return {
      data: { document: head, passage: shown!, previous, next },
      refs: [
        { type: 'document', id: head.document_id },
        { type: 'source', id: head.source_id },
      ],
    };
  },
});
