import { z } from 'zod';
import { kbId, searchHit, sourceId, tags, type SearchHit } from '../../contracts/knowledge.ts';
import { defineTool, type Alias } from '../define.ts';

const filters = z.object({
  tags: tags.optional().describe('Sources that carry all of these'),
  sources: z.array(sourceId).max(200).optional().describe('Source ids'),
  has_code: z.boolean().optional(),
  kb_id: kbId.optional(),
});

/** `reranked` is taken (G74: plain order and a warning) but not offered before there is a reranker. */
const mode = z
  .enum(['semantic', 'hybrid', 'reranked'])
  .meta({ enum: ['semantic', 'hybrid'] })
  .default('hybrid')
  .describe('semantic: by meaning alone; hybrid: words and meaning');

const input = z.object({
  query: z.string().min(1).max(10_000),
  mode,
  limit: z.number().int().min(1).max(100).default(10),
  similarity_threshold: z.number().min(0).max(1).optional().describe('Least cosine similarity of what is found by meaning'),
  filters: filters.optional(),
  include_code_examples: z.boolean().default(false).describe('Code blocks of each passage apart, with their language'),
});

const output = z.object({ hits: z.array(searchHit), search_time_ms: z.number() });
type Output = z.infer<typeof output>;

const searchKnowledge: Alias<z.input<typeof input>, Output> = {
  name: 'search_knowledge',
  system: 'devflow',
  description: 'Search the knowledge base for passages that answer a question, with their sources.',
  input: z.object({
    query: z.string().min(1).max(10_000),
    mode: z.enum(['semantic', 'hybrid', 'reranked']).default('hybrid'),
    top_k: z.number().int().min(1).max(100).default(10),
    filters: filters.omit({ kb_id: true }).optional(),
    include_code_examples: z.boolean().default(false),
  }),
  toInput: ({ top_k, ...args }) => ({ ...args, limit: top_k }) as z.input<typeof input>,
  toAnswer: ({ hits, search_time_ms }) => ({ results: hits.map(devflowResult), total_results: hits.length, search_time_ms }),
};

/** S1 has six fields; what else we know of a passage stands in its metadata. */
const devflowResult = ({ content, source, url, score, metadata, code_examples, source_id, document_id, citation }: SearchHit) => ({
  content,
  source,
  url,
  score,
  metadata: { ...metadata, source_id, document_id, citation },
  ...(code_examples ? { code_examples } : {}),
});

const indexSearch: Alias<z.input<typeof input>, Output> = {
  name: 'index.search',
  system: 'intelli-platform',
  input: input.extend({ mode: z.enum(['semantic', 'hybrid', 'reranked']).default('hybrid') }),
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'index.chunk.search',
  title: 'Search the knowledge base',
  description:
    'Finds passages of ingested documents and transcripts by words and meaning. Use it before you answer from memory; cite hits by citation, source and place (lines, time, speaker). Narrow by filters.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['knowledge:read'],
  latency: 'L2',
  input,
  output,
  intents: [
    'what do we know about',
    'find passages on a topic',
    'search documents and transcripts',
    'who said what in a meeting',
    'look something up in the docs',
    'find code examples',
  ],
  core: true,
  aliases: [searchKnowledge, indexSearch],
  async handler(args, { caller, services }) {
    const started = performance.now();
    const { hits, warnings } = await services.knowledge.search.chunks(caller.tenant, {
      query: args.query,
      mode: args.mode === 'semantic' ? 'semantic' : 'hybrid',
      limit: args.limit,
      similarityThreshold: args.similarity_threshold,
      filters: args.filters,
      includeCodeExamples: args.include_code_examples,
    });
    return {
      data: { hits, search_time_ms: Math.round(performance.now() - started) },
      metadata: { result_count: hits.length },
      warnings: args.mode === 'reranked' ? ['No reranker is configured: hits are in hybrid order.', ...warnings] : warnings,
    };
  },
});
