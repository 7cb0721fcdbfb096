import { z } from 'zod';
import { defaultBase, kbId, searchHit } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const query = z.string().min(1).max(10_000);
const mode = z
  .enum(['semantic', 'hybrid', 'reranked'])
  .default('hybrid')
  .describe('semantic: by meaning alone; hybrid: words and meaning; reranked: hybrid, then reordered by a reranker');
const limit = z.number().int().min(1).max(100).default(10);

const input = z.object({ query, kb_id: kbId.default(defaultBase), limit, mode });
const output = z.object({ hits: z.array(searchHit), search_time_ms: z.number(), trajectory_id: z.string().optional() });

const kbQuery: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'knowledge.kb_query',
  system: 'intelli-platform',
  input: z.object({ query, kb_id: kbId.default(defaultBase), top_k: limit, mode }),
  toInput: ({ top_k, ...args }) => ({ ...args, limit: top_k }) as z.input<typeof input>,
};

export default defineTool({
  name: 'knowledge.base.query',
  title: 'Query one knowledge base',
  description:
    'Finds passages in one knowledge base by words and meaning. index.chunk.search looks through all of them and takes more filters.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['knowledge:read'],
  latency: 'L2',
  input,
  output,
  intents: ['search only this knowledge base', 'ask one collection of documents'],
  aliases: [kbQuery],
  async handler(args, { caller, services, toolCallId, signal }) {
    const started = performance.now();
    const { hits, warnings, cached, trajectoryId } = await services.knowledge.search.chunks(
      caller.tenant,
      {
        query: args.query,
        mode: args.mode === 'semantic' ? 'semantic' : 'hybrid',
        limit: args.limit,
        filters: { kb_id: args.kb_id },
        rerank: args.mode === 'reranked',
      },
      { principal: caller.principal, toolCallId, signal },
    );
    return {
      data: {
        hits,
        search_time_ms: Math.round(performance.now() - started),
        ...(trajectoryId ? { trajectory_id: trajectoryId } : {}),
      },
      metadata: { result_count: hits.length, ...(cached ? { cached } : {}), ...(trajectoryId ? { trajectory_id: trajectoryId } : {}) },
      warnings,
    };
  },
});
