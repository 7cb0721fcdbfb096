/** A brief of articles from the caller. */
import type { Embedder } from '../../../adapters/models/embedder.ts';
import type { BriefMade } from '../../../contracts/activities/feeds/brief.ts';
import type { JobRef } from '../../../contracts/activities/kernel/jobs.ts';
import type { TopArticle } from '../../../contracts/feeds/briefs.ts';
import { AppError } from '../../../contracts/errors.ts';
import { keyOf } from './articles.ts';
import { makeBrief } from './make.ts';
import { articleText } from './relevance.ts';
import { requestOf } from './spec.ts';
import type { StageDeps } from './stages.ts';
import { chosen, storiesOf } from './stories.ts';
import type { BriefArticle, Vectors } from './types.ts';

/** Maximum embedded articles, the most relevant; more would take too long for a waiting caller. */
const mostEmbedded = 120;

/** @throws AppError VALIDATION_ERROR, naming the field */
export function checkArticles(articles: readonly TopArticle[]): void {
  if (articles.length === 0) {
    throw new AppError('VALIDATION_ERROR', 'top_articles is empty: a brief is made of articles.', {
      hint: 'Give the articles that it is to be made of, or call authoring.brief.run, which reads the feeds itself.',
      details: { field: 'top_articles' },
    });
  }
  const wrong = articles.findIndex(({ url }) => keyOf(url) === null);
  if (wrong >= 0) {
    throw new AppError('VALIDATION_ERROR', `top_articles[${wrong}].url is not an http or https URL.`, {
      details: { field: `top_articles[${wrong}].url` },
    });
  }
}

export async function writeRequested(deps: StageDeps, job: JobRef, signal?: AbortSignal): Promise<BriefMade> {
  const { spec, createdBy } = await requestOf(deps.db, job);
  const articles = spec.articles.map(article);
  const distinct = [...new Map(articles.toReversed().map((each) => [each.key, each])).values()].toReversed();
  const vectors = await vectorsOf(deps.embedder, distinct, signal);
  const stories = chosen(storiesOf(distinct, vectors), spec.max_highlights, vectors);
  const repeated = articles.length - distinct.length;
  const { id, version, unchanged, content, dropped } = await makeBrief(deps, {
    tenant: job.tenant,
    runId: spec.run_id,
    date: spec.date,
    articles: distinct,
    stories,
    warnings: repeated === 0 ? [] : [`${repeated} articles were given more than once.`],
    input: spec,
    createdBy,
    insists: true,
    signal,
  });
  return { brief: id, version, unchanged, highlights: content.highlights.length, articles: distinct.length, dropped };
}

const article = ({ title, url, ai_summary, relevance_score, categories }: TopArticle): BriefArticle => ({
  key: keyOf(url)!,
  url,
  title,
  summary: ai_summary,
  content: '',
  source: new URL(url).hostname.replace(/^www\./, ''),
  publishedAt: null,
  categories,
  relevance: relevance_score,
});

async function vectorsOf(embedder: Embedder | null, articles: readonly BriefArticle[], signal?: AbortSignal): Promise<Vectors> {
  if (!embedder || articles.length < 2) return new Map();
  const first = articles.toSorted((a, b) => b.relevance - a.relevance).slice(0, mostEmbedded);
  try {
    // A caller is waiting.
    const vectors = await embedder.embed(first.map(articleText), { priority: 'query', ...(signal ? { signal } : {}) });
    return new Map(first.map(({ key }, i) => [key, vectors[i]!]));
  } catch (error) {
    if (signal?.aborted || !(error instanceof AppError && error.retryable)) throw error;
    return new Map();
  }
}
