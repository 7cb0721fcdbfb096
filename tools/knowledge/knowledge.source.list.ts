import { z } from 'zod';
import { kbId, source, sourceStatuses, tags } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { countedPages } from '../catalogue/pages.ts';

const input = z.object({
  kb_id: kbId.optional(),
  search: z.string().trim().min(1).max(200).optional().describe('Words of title and address, all of them, or an id'),
  tags: tags.optional().describe('Sources that carry all of these'),
  status: z.enum(sourceStatuses).optional(),
  limit: z.number().int().min(1).max(100).default(50),
  cursor: z.string().max(512).optional(),
});

const output = z.object({ sources: z.array(source) });

const listKnowledgeSources: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'list_knowledge_sources',
  system: 'devflow',
  description: 'The sources in the knowledge base, optionally of some tags or one status.',
  input: input.pick({ tags: true, status: true }),
  toInput: (args) => ({ ...args, limit: 100 }),
  toAnswer: ({ sources }) => ({
    sources: sources.map(({ id, title, type, url, tags: labels, chunk_count, last_updated }) => ({
      id,
      title,
      type,
      url,
      tags: labels,
      chunk_count,
      last_updated,
    })),
  }),
};

export default defineTool({
  name: 'knowledge.source.list',
  title: 'List knowledge sources',
  description:
    'What has been ingested, newest first: title, type, tags, state and number of passages. Use it to find source ids for search filters.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['knowledge:read'],
  latency: 'L1',
  input,
  output,
  intents: [
    'which documents do we have',
    'list ingested files',
    'what is in the knowledge base',
    'which sources failed to index',
    'find a document by its title',
  ],
  aliases: [listKnowledgeSources],
  async handler({ kb_id: kbId, ...filter }, { caller, services }) {
    return countedPages('sources', await services.knowledge.queries.sources(caller.tenant, { kbId, ...filter }));
  },
});
