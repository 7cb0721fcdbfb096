import { z } from 'zod';
import { sourceId, tags, type SearchHit } from '../../contracts/knowledge/knowledge.ts';
import type { Alias } from '../catalogue/define.ts';
import type { SearchInput, SearchOutput } from './index.chunk.search.ts';

/** The other names of `index.chunk.search`, each with its own system's arguments, defaults and answer. */

type SearchAlias = Alias<SearchInput, SearchOutput>;

const query = z.string().min(1).max(10_000);
const topK = z.number().int().min(1).max(100).default(10);
const anyMode = z.enum(['semantic', 'hybrid', 'reranked']).default('hybrid');
const filters = z.object({
  tags: tags.optional().describe('Sources that carry all of these'),
  sources: z.array(sourceId).max(200).optional().describe('Source ids'),
  has_code: z.boolean().optional(),
});

export const searchKnowledge: SearchAlias = {
  name: 'search_knowledge',
  system: 'devflow',
  description: 'Search the knowledge base for passages that answer a question, with their sources.',
  input: z.object({
    query,
    mode: anyMode.describe('semantic: by meaning alone; hybrid: words and meaning; reranked: hybrid, then reordered by a reranker'),
    top_k: topK,
    filters: filters.optional(),
    include_code_examples: z.boolean().default(false),
  }),
  toInput: ({ top_k, ...args }) => ({ ...args, limit: top_k }) as SearchInput,
  toAnswer: ({ hits, search_time_ms }) => ({ results: hits.map(devflowResult), total_results: hits.length, search_time_ms }),
};

/** devflow has six fields; further data of a passage is in its metadata. */
const devflowResult = ({ content, source, url, score, metadata, code_examples, source_id, document_id, citation }: SearchHit) => ({
  content,
  source,
  url,
  score,
  metadata: { ...metadata, source_id, document_id, citation },
  ...(code_examples ? { code_examples } : {}),
});

export const indexSearch: SearchAlias = {
  name: 'index.search',
  system: 'intelli-platform',
  input: z.object({
    query,
    mode: anyMode.describe('semantic: by meaning alone; hybrid: words and meaning; reranked: hybrid, then reordered by a reranker'),
    limit: topK,
    similarity_threshold: z.number().min(0).max(1).optional().describe('Least cosine similarity of what is found by meaning'),
    filters: filters.extend({ kb_id: z.string().max(63).optional() }).optional(),
    include_code_examples: z.boolean().default(false),
    // Left out, the search decides whether it follows the graph; nodes come only if they are asked for.
    include_graph: z.boolean().optional().meta({ default: false }).describe('Nodes of the knowledge graph, too'),
  }),
  toInput: (args) => args as unknown as SearchInput,
};

export const vectorSearch: SearchAlias = {
  name: 'vector_search',
  system: 'agentic-rag',
  description: 'Search documents by semantic similarity.',
  input: z.object({ query, top_k: topK, similarity_threshold: z.number().min(0).max(1).default(0.7) }),
  toInput: ({ top_k, ...args }) => ({ ...args, mode: 'semantic', limit: top_k }) as SearchInput,
  toAnswer: (data) => ragAnswer(data),
  toText: (data) => numbered(data),
};

export const queryWithReranking: SearchAlias = {
  name: 'query_with_reranking',
  system: 'agentic-rag',
  description: 'Search documents by semantic similarity, then reorder the hits with a reranker.',
  input: z.object({ query, reranker: z.string().max(200).default('flashrank'), top_k: topK }),
  toInput: ({ top_k, ...args }) => ({ ...args, mode: 'reranked', candidates: 'semantic', limit: top_k }) as SearchInput,
  toAnswer: (data) => ragAnswer(data),
  toText: (data) => numbered(data),
};

export const hybridRetrieve: SearchAlias = {
  name: 'hybrid_retrieve',
  system: 'agentic-rag',
  description: 'Search documents and the knowledge graph together, reordered by a reranker when there is one.',
  input: z.object({ query, use_reranking: z.boolean().optional().meta({ default: true }), top_k: topK }),
  toInput: ({ top_k, use_reranking, ...args }) =>
    ({ ...args, mode: 'hybrid', limit: top_k, include_graph: true, use_reranking: use_reranking ?? 'if_available' }) as SearchInput,
  toAnswer: (data) => ({ ...ragAnswer(data), nodes: data.graph?.nodes ?? [] }),
  toText: (data) => twoBlocks(data),
};

const ragAnswer = ({ hits, search_time_ms, trajectory_id }: SearchOutput) => ({
  hits: hits.map(({ content, score, citation, source, source_id, url, metadata }) => ({
    similarity: metadata.scores.cosine ?? score,
    content,
    chunk_id: citation,
    score,
    source,
    source_id,
    url,
    metadata,
  })),
  search_time_ms,
  ...(trajectory_id ? { trajectory_id } : {}),
});

/** agentic-rag's clients expect these block names in texts. */
const numbered = (data: SearchOutput): string =>
  [
    'Vector Search Results:',
    ...data.hits.map(({ score, content, citation }, i) =>
      [`${i + 1}. [Score: ${score.toFixed(3)}]`, `   Content: ${opening(content, 200)}`, `   Chunk ID: ${citation}`].join('\n'),
    ),
    ...(data.hits.length === 0 ? ['Nothing was found.'] : []),
    ...explained(data),
  ].join('\n\n');

const twoBlocks = (data: SearchOutput): string =>
  [
    '=== Hybrid Retrieval Results ===',
    block(
      'Vector Results',
      data.hits.slice(0, 5).map(({ score, content }, i) => `${i + 1}. ${opening(content, 150)} (score: ${score.toFixed(3)})`),
    ),
    block(
      'Graph Results',
      (data.graph?.nodes ?? []).slice(0, 5).map(({ name, type }) => `- ${name} (${type})`),
    ),
    ...explained(data),
  ].join('\n\n');

const block = (name: string, lines: string[]): string =>
  [`--- ${name} ---`, ...(lines.length > 0 ? lines : ['Nothing was found.'])].join('\n');

/** On one line, because hits are numbered by line. */
function opening(content: string, length: number): string {
  const line = content.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length).toWellFormed()}...`;
}

const explained = ({ trajectory_id }: SearchOutput): string[] => (trajectory_id ? [`Trajectory ID: ${trajectory_id}`] : []);
