/** The steps of a run. Each writes its result to rows; a repeat writes the same. */
import type { Embedder } from '../../../adapters/models/embedder.ts';
import type { BriefMade, StoredCounts } from '../../../contracts/activities/feeds/brief.ts';
import type { JobRef } from '../../../contracts/activities/kernel/jobs.ts';
import type { BriefSource } from '../../../contracts/feeds/briefs.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { StoredArticle } from '../../../contracts/feeds/feeds.ts';
import { firstCharacters } from '../plain.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { keyOf, type Candidate, type RunArticles } from './articles.ts';
import type { BriefFeeds, RunStats } from './ports.ts';
import { makeBrief } from './make.ts';
import type { BriefRecords } from './records.ts';
import { articleText, scoresOf, topicText } from './relevance.ts';
import { best, sentencesOf, tells, weighs } from './sentences.ts';
import { dailyOf, type DailySpec } from './spec.ts';
import { settingsOf } from './settings.ts';
import { chosen, storiesOf } from './stories.ts';
import type { Story, Vectors } from './types.ts';

export interface StageDeps extends Pick<Kernel, 'db' | 'secrets' | 'embedder' | 'language' | 'a2a'> {
  feeds: BriefFeeds;
  articles: RunArticles;
  briefs: BriefRecords;
}

/** Per run. */
const mostFeeds = 1_000;
const mostPages = 20;
/** A shorter text in the feed counts as a snippet, in characters. */
const snippet = 400;
/** Maximum embedded texts; the others are scored by words. */
const mostEmbedded = 300;
/** Articles stored per statement. */
const batch = 500;
const longestContent = 50_000;

/**
 * Logs the run as running.
 * @returns ids of its feeds.
 * @throws AppError NOT_FOUND when there is none
 */
export async function beginBrief(deps: StageDeps, job: JobRef): Promise<string[]> {
  const { tenant } = job;
  const { spec, createdAt } = await dailyOf(deps.db, job);
  const { settings } = await settingsOf(deps, tenant);
  const listed = await deps.feeds.sources.list(tenant, { enabled: true });
  // Sources that failed last time start first, because they may use all of their time.
  const all = listed.toSorted((a, b) => b.failures - a.failures).map(({ feed_id }) => feed_id);
  const wanted = settings.sources.length === 0 ? all : all.filter((id) => settings.sources.includes(id));
  if (wanted.length === 0) {
    throw new AppError('NOT_FOUND', 'There is no feed to make a brief from.', {
      hint: 'feed.source.save adds one; authoring.brief.configure names those that a brief is made from.',
    });
  }
  await deps.articles.forgetSources({ tenant, runId: spec.run_id });
  await log(deps, tenant, spec, { status: 'running', startedAt: createdAt, stored: null, generated: false, error: null });
  return wanted.slice(0, mostFeeds);
}

/**
 * Records sources whose activity never reported.
 * @returns keys of articles whose page should be read
 */
export async function settleHarvest(deps: StageDeps, job: JobRef, feeds: readonly string[]): Promise<string[]> {
  const { tenant } = job;
  const { spec } = await dailyOf(deps.db, job);
  const run = { tenant, runId: spec.run_id };
  const told = new Set((await deps.articles.sources(run)).map(({ feed_id }) => feed_id));
  for (const feed_id of feeds.filter((id) => !told.has(id))) {
    const error = { code: 'TIMEOUT', message: 'The source was given up: it used up its time and its attempts.' };
    await deps.articles.note(run, { feed_id, ok: false, articles: 0, attempts: 0, duration_ms: 0, error });
  }
  const { settings } = await settingsOf(deps, tenant);
  const { from, until } = spec;
  const candidates = await deps.articles.all(run, from, until);
  const scores = scoresOf(candidates, settings.topics, new Date(until));
  return candidates
    .filter(({ page, content, summary }) => !page && Math.max(content.length, summary.length) < snippet)
    .map(({ key }) => ({ key, relevance: scores.get(key)!.relevance }))
    .filter(({ relevance }) => relevance >= settings.min_relevance)
    .toSorted((a, b) => b.relevance - a.relevance || a.key.localeCompare(b.key))
    .slice(0, mostPages)
    .map(({ key }) => key);
}

/** @returns how many articles are relevant */
export async function scoreArticles(deps: StageDeps, job: JobRef, signal?: AbortSignal): Promise<number> {
  const { tenant } = job;
  const { spec } = await dailyOf(deps.db, job);
  const { settings } = await settingsOf(deps, tenant);
  const run = { tenant, runId: spec.run_id };
  const { from, until } = spec;
  const at = new Date(until);
  const candidates = (await deps.articles.all(run, from, until)).map((each) => ({
    ...each,
    summary: each.summary || firstCharacters(each.content, 700),
  }));
  const byWords = scoresOf(candidates, settings.topics, at);
  const first = candidates.toSorted((a, b) => byWords.get(b.key)!.relevance - byWords.get(a.key)!.relevance).slice(0, mostEmbedded);
  const topicVectors = await embedded(deps.embedder, settings.topics.map(topicText), signal);
  const articleVectors = await embedded(deps.embedder, first.map(articleText), signal);
  const vectors: Vectors = new Map(first.flatMap(({ key }, i) => (articleVectors[i] ? [[key, articleVectors[i]] as const] : [])));
  const scores = new Map([...byWords, ...scoresOf(first, settings.topics, at, vectors, topicVectors)]);
  const relevant = candidates
    .map((each) => ({ ...each, relevance: scores.get(each.key)!.relevance }))
    .filter(({ relevance }) => relevance >= settings.min_relevance)
    .toSorted((a, b) => b.relevance - a.relevance)
    .slice(0, mostEmbedded);
  const stories = new Map(
    storiesOf(relevant, vectors).flatMap(({ articles }) => articles.map(({ key }) => [key, articles[0]!.key] as const)),
  );
  await deps.articles.judge(run, scores, stories);
  return relevant.length;
}

/** Vectors in the order of the texts; empty when no model is available. */
async function embedded(embedder: Embedder | null, texts: string[], signal?: AbortSignal): Promise<Float32Array[]> {
  if (!embedder || texts.length === 0) return [];
  try {
    return await embedder.embed(texts, { priority: 'batch', ...(signal ? { signal } : {}) });
  } catch (error) {
    if (signal?.aborted || !(error instanceof AppError && error.retryable)) throw error;
    return [];
  }
}

/** All scored articles, also those that are not in the brief. */
export async function storeArticles(deps: StageDeps, job: JobRef): Promise<StoredCounts> {
  const { tenant } = job;
  const { spec } = await dailyOf(deps.db, job);
  const judged = await deps.articles.judged({ tenant, runId: spec.run_id }, 0);
  const counts: StoredCounts = { stored: 0, duplicates: 0, failed: 0 };
  for (let i = 0; i < judged.length; i += batch) {
    const some = judged.slice(i, i + batch);
    try {
      const done = await deps.feeds.articles.store(tenant, spec.run_id, some.map(stored));
      counts.stored += done.stored_count;
      counts.duplicates += done.storage_stats.duplicates_skipped;
      counts.failed += done.failed_count;
    } catch (error) {
      // No article was valid: the brief does not fail for it.
      if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
      counts.failed += some.length;
    }
  }
  return counts;
}

function stored(article: Candidate): StoredArticle {
  const sentences = sentencesOf(article);
  const told = best(sentences, tells, 0.5);
  const weighty = sentences
    .filter((sentence) => sentence !== told)
    .toSorted((a, b) => weighs(b) - weighs(a))
    .slice(0, 2);
  const three = [...(told ? [told] : []), ...weighty].toSorted((a, b) => a.at - b.at).map(({ text }) => text);
  return {
    title: article.title,
    url: article.url,
    source_id: article.feedId,
    published_at: article.publishedAt ?? undefined,
    summary: article.summary,
    content: firstCharacters(article.content, longestContent),
    ai_summary: three.length > 0 ? three.join(' ') : undefined,
    ai_tags: article.topic !== null && article.relevance > 0 ? [article.topic] : [],
    relevance_score: article.relevance,
    categories: article.categories,
  };
}

export async function writeBrief(
  deps: StageDeps,
  job: JobRef,
  { last, signal }: { last: boolean; signal?: AbortSignal },
): Promise<BriefMade> {
  const { tenant } = job;
  const { spec, createdBy } = await dailyOf(deps.db, job);
  const { settings } = await settingsOf(deps, tenant);
  const run = { tenant, runId: spec.run_id };
  const relevant = (await deps.articles.judged(run, settings.min_relevance)).filter(({ story }) => story !== null);
  const told = new Set((await deps.briefs.toldBefore(tenant, spec.date)).map(keyOf));
  const stories = chosen(
    grouped(relevant).filter(({ articles }) => !articles.some(({ key }) => told.has(key))),
    settings.max_highlights,
    new Map(),
  );
  const lost = (await deps.articles.sources(run)).filter(({ ok }) => !ok);
  const made = await makeBrief(deps, {
    tenant,
    runId: spec.run_id,
    date: spec.date,
    articles: relevant,
    stories,
    warnings:
      lost.length === 0
        ? []
        : [
            `${lost.length === 1 ? 'One source' : `${lost.length} sources`} could not be read: ${lost
              .slice(0, 10)
              .map(({ feed_id }) => feed_id)
              .join(', ')}.`,
          ],
    // Freshness changes every score slightly, so only the set of articles and stories counts.
    input: { most: settings.max_highlights, articles: relevant.map(({ key }) => key).toSorted(), lost: lost.map(({ feed_id }) => feed_id) },
    createdBy,
    insists: !last,
    signal,
  });
  return {
    brief: made.id,
    version: made.version,
    unchanged: made.unchanged,
    highlights: made.content.highlights.length,
    articles: relevant.length,
    dropped: made.dropped,
  };
}

/** Stories as grouped during scoring, main article first. */
function grouped(articles: readonly Candidate[]): Story[] {
  const stories = Map.groupBy(articles, ({ story, key }) => story ?? key);
  return [...stories].map(([lead, members]) => ({
    articles: members.toSorted(
      (a, b) => Number(b.key === lead) - Number(a.key === lead) || b.relevance - a.relevance || a.key.localeCompare(b.key),
    ),
    relevance: Math.max(...members.map(({ relevance }) => relevance)),
  }));
}

export async function endBrief(
  deps: StageDeps,
  job: JobRef,
  outcome: { ok: boolean; stored: StoredCounts | null; generated: boolean; error: string | null },
): Promise<void> {
  const { spec, createdAt } = await dailyOf(deps.db, job);
  const { ok, stored: counts, generated, error } = outcome;
  await log(deps, job.tenant, spec, { status: ok ? 'completed' : 'failed', startedAt: createdAt, stored: counts, generated, error });
}

async function log(
  { feeds, articles }: StageDeps,
  tenant: string,
  spec: DailySpec,
  run: {
    status: 'running' | 'completed' | 'failed';
    startedAt: string;
    stored: StoredCounts | null;
    generated: boolean;
    error: string | null;
  },
): Promise<void> {
  const sources = await articles.sources({ tenant, runId: spec.run_id });
  await feeds.logs.log(tenant, {
    run_id: spec.run_id,
    status: run.status,
    // An ended run of this day keeps its figures until there are new ones.
    ...(run.status === 'running' ? {} : { stats: statsOf(sources, run) }),
    started_at: run.startedAt,
    ...(run.status === 'running' ? {} : { completed_at: new Date().toISOString() }),
  });
}

const statsOf = (
  sources: readonly BriefSource[],
  run: { stored: StoredCounts | null; generated: boolean; error: string | null },
): RunStats => ({
  sources_checked: sources.length,
  articles_fetched: sources.reduce((sum, each) => sum + each.articles, 0),
  articles_stored: run.stored?.stored ?? 0,
  duplicates_skipped: run.stored?.duplicates ?? 0,
  brief_generated: run.generated,
  errors: [
    ...(run.error === null ? [] : [run.error]),
    ...sources.flatMap(({ feed_id, error }) => (error ? [`${feed_id}: ${error.message}`] : [])),
  ].slice(0, 100),
});
