import { z } from 'zod';
import { harvestRunId } from '../../contracts/feeds/feeds.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const list = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

/**
 * Documented, but not validated here: articles are validated one by one when they are stored, so that a bad one does
 * not fail the others.
 */
const article = z.any().meta({
  type: 'object',
  properties: {
    title: { type: 'string' },
    url: { type: 'string', description: 'http or https' },
    source_id: { type: 'string', description: 'Id of the feed it came from' },
    published_at: { type: 'string', description: 'ISO 8601' },
    summary: { type: 'string', description: 'As the feed has it' },
    content: { type: 'string', description: 'Plain text' },
    ai_summary: { type: 'string', description: 'In about three sentences' },
    ai_tags: list('Topics'),
    relevance_score: { type: 'number', minimum: 0, maximum: 10 },
    categories: list('As the feed has them'),
  },
  required: ['title', 'url'],
});
const articles = z.array(article).min(1).max(1000);

const input = z.object({ run_id: harvestRunId, articles });

const output = z.object({
  run_id: z.string(),
  stored_count: z.number().int(),
  failed_count: z.number().int(),
  failed: z.array(z.object({ index: z.number().int(), url: z.string(), reason: z.string() })),
  storage_stats: z.object({
    writes: z.number().int(),
    duplicates_skipped: z.number().int().describe('Known before, or more than once in the call'),
    latency_ms: z.number(),
  }),
});
type Output = z.infer<typeof output>;

const storeArticles: Alias<z.input<typeof input>, Output> = {
  name: 'store_articles',
  system: 'perception',
  description: 'Store a batch of articles; those that are known already are skipped.',
  input: z.object({ run_id: harvestRunId, articles }),
  toInput: (args) => args as z.input<typeof input>,
  toAnswer: ({ run_id, stored_count, failed_count, failed, storage_stats: stats }) => ({
    run_id,
    stored_count,
    failed_count,
    failed_urls: failed.map((one) => one.url),
    storage_stats: { firestore_writes: stats.writes, duplicates_skipped: stats.duplicates_skipped, latency_ms: stats.latency_ms },
  }),
};

export default defineTool({
  name: 'feed.article.store',
  title: 'Store articles',
  description:
    'Keeps articles, one of each canonical URL: what is known stays as it is and counts as a duplicate. An article that cannot be kept is told in failed and sinks none of the others.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['feed:write'],
  latency: 'L2',
  input,
  output,
  observes: ({ run_id }) => ({ 'run.id': run_id }),
  intents: ['save fetched articles', 'store news of this run', 'keep these articles', 'write articles without duplicates'],
  aliases: [storeArticles],
  async handler({ run_id, articles: given }, { caller, services }) {
    const { stored_ids: _, ...data } = await services.feeds.articles.store(caller.tenant, run_id, given, caller.principal);
    return {
      data,
      status: data.failed_count > 0 ? 'partial' : 'success',
      warnings: data.failed.slice(0, 10).map((one) => `${one.url}: ${one.reason}`),
      observed: { 'articles.count': given.length, 'articles.stored': data.stored_count },
    };
  },
});
