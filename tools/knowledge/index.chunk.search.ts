import { z } from 'zod';
import { kbId, searchHit, sourceId, tags } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';
import { hybridRetrieve, indexSearch, queryWithReranking, searchKnowledge, vectorSearch } from './index.chunk.search.aliases.ts';

const filters = z.object({
  tags: tags.optional().describe('Sources that carry all of these'),
  sources: z.array(sourceId).max(200).optional(),
  has_code: z.boolean().optional(),
  kb_id: kbId.optional(),
});

/** `reranked` is accepted everywhere, but listed only where requested: without a reranker it has no effect. */
const mode = z
  .enum(['semantic', 'hybrid', 'reranked'])
  .meta({ enum: ['semantic', 'hybrid'] })
  .default('hybrid')
  .describe('semantic: by meaning alone; hybrid: words and meaning');

const listed = z.object({
  query: z.string().min(1).max(10_000),
  mode,
  limit: z.number().int().min(1).max(100).default(10),
  similarity_threshold: z.number().min(0).max(1).optional().describe('Least cosine similarity'),
  filters: filters.optional(),
  include_code_examples: z.boolean().default(false).describe('Code blocks apart'),
});

/** Accepted, but not listed: every listed field costs each client tokens. */
const unlisted = {
  /**
   * Whether a second round follows names and titles from the best passages to others. Left out: decided for each query.
   * True also returns nodes of the knowledge graph.
   */
  include_graph: z.boolean().optional(),
  /** Places of the query's words in each passage. */
  include_matches: z.boolean().optional(),
  /** Default: depends on `mode`. `if_available`: no warning without a reranker. */
  use_reranking: z.union([z.boolean(), z.literal('if_available')]).optional(),
  reranker: z.string().max(200).optional(),
  /** Passages for a reranker: from the hybrid search, or by meaning only. */
  candidates: z.enum(['hybrid', 'semantic']).optional(),
};

const { properties } = z.toJSONSchema(listed, { io: 'input' });
const input = listed.extend(unlisted).meta({ properties });

const graphNode = z.object({ name: z.string(), type: z.string() });
const output = z.object({
  hits: z.array(searchHit),
  search_time_ms: z.number(),
  /** With include_graph. */
  graph: z.object({ nodes: z.array(graphNode) }).optional(),
  /** Explained by index.answer.explain. */
  trajectory_id: z.string().optional(),
});

export type SearchInput = z.input<typeof input>;
export type SearchOutput = z.infer<typeof output>;

export default defineTool({
  name: 'index.chunk.search',
  title: 'Search the knowledge base',
  description:
    'Finds passages of ingested documents and transcripts by words and meaning. Use it before you answer from memory; cite hits by citation, source and place (lines, time, speaker). Narrow by filters.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
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
  core: { seldom: ['mode', 'similarity_threshold', 'include_code_examples'] },
  worker: true,
  aliases: [searchKnowledge, vectorSearch, hybridRetrieve, queryWithReranking, indexSearch],
  async handler(args, { caller, services, toolCallId, signal }) {
    const started = performance.now();
    const { hits, nodes, warnings, cached, trajectoryId } = await services.knowledge.search.chunks(
      caller.tenant,
      {
        query: args.query,
        mode: args.mode === 'semantic' || args.candidates === 'semantic' ? 'semantic' : 'hybrid',
        limit: args.limit,
        similarityThreshold: args.similarity_threshold,
        filters: args.filters,
        includeCodeExamples: args.include_code_examples,
        rerank: args.use_reranking ?? args.mode === 'reranked',
        reranker: args.reranker,
        includeGraph: args.include_graph,
        includeMatches: args.include_matches,
      },
      { principal: caller.principal, toolCallId, signal },
    );
    return {
      data: {
        hits,
        search_time_ms: Math.round(performance.now() - started),
        ...(nodes ? { graph: { nodes } } : {}),
        ...(trajectoryId ? { trajectory_id: trajectoryId } : {}),
      },
      metadata: { result_count: hits.length, ...(cached ? { cached } : {}), ...(trajectoryId ? { trajectory_id: trajectoryId } : {}) },
      warnings,
    };
  },
});
