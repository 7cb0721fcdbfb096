import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { documentHead, outlineEntry, readPassage } from '../../contracts/knowledge/reading.ts';
import { AppError } from '../../contracts/errors.ts';
import { defineTool } from '../catalogue/define.ts';
import { annotated } from './passage.shared.ts';

export default defineTool({
  name: 'knowledge.document.get',
  title: 'Read a document',
  description:
    'A document as it was ingested: its outline and its passages in order, page by page, each with the customer statements in it and the drafts that cite it. With around, the page starts around a passage, e.g. one that a search found.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['knowledge:read'],
  latency: 'L1',
  input: z.object({
    document_id: words(128).describe('From a hit, or the part of a citation before "#"'),
    around: z.number().int().min(0).max(10_000_000).optional().describe('Ordinal of a passage: the page is around it'),
    include_mentions: z.boolean().default(false).describe('Include the entities that names refer to, with offsets'),
    include_outline: z.boolean().default(true),
    limit: z.number().int().min(1).max(100).default(20),
    cursor: z.string().max(512).optional().describe('next_cursor or previous_cursor of a page'),
  }),
  output: z.object({
    document: documentHead,
    outline: z.array(outlineEntry).optional(),
    passages: z.array(readPassage),
    /** Pass it as cursor for the passages before these. */
    previous_cursor: z.string().nullable(),
  }),
  intents: ['read a document from the beginning', 'what stands before and after this passage', 'outline of a document', 'open a source'],
  aliases: [],
  async handler({ document_id, around, cursor, limit, include_mentions, include_outline }, context) {
    if (around !== undefined && cursor !== undefined) {
      throw new AppError('VALIDATION_ERROR', 'Give either around or cursor.', { hint: 'A cursor already says where its page begins.' });
    }
    const { reader } = context.services.knowledge;
    const { tenant } = context.caller;
    const document = await reader.head(tenant, document_id);
    const page = await reader.passages(tenant, document_id, { limit, cursor, around });
    return {
      data: {
        document,
        ...(include_outline ? { outline: await reader.outline(tenant, document_id) } : {}),
        passages: await annotated(context, page.items, { mentions: include_mentions }),
        previous_cursor: page.previous ?? null,
      },
      metadata: {
        result_count: page.items.length,
        total_count: document.passage_count,
        ...(page.next === undefined ? {} : { next_cursor: page.next }),
      },
      refs: [
        { type: 'document', id: document.document_id },
        { type: 'source', id: document.source_id, ...(document.url === null ? {} : { url: document.url }) },
      ],
    };
  },
});
