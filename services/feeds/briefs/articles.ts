/** Rows of a run: articles of its sources, outcome of each source, scores. */
import type { Row } from '../../../adapters/postgres/database.ts';
import type { BriefSource } from '../../../contracts/feeds/briefs.ts';
import { hashOf } from '../../../contracts/ids.ts';
import { canonicalAddress } from '../addresses.ts';
import type { Columns } from '../../../prisma/rows.ts';
import type { Score } from './relevance.ts';
import type { BriefArticle } from './types.ts';
import { Service } from '../../kernel/service.ts';

/** Identifies an article within a run; null if it is not an http(s) address. */
export function keyOf(url: string): string | null {
  const canonical = canonicalAddress(url);
  return canonical === undefined ? null : hashOf(canonical).slice(0, 32);
}

/** An article of a run. */
export interface Candidate extends BriefArticle {
  feedId: string;
  /** Whether its page was requested. */
  page: boolean;
  /** Key of its story's main article. */
  story: string | null;
  topic: string | null;
}

/** Result of a source. */
export interface Gathered {
  key: string;
  url: string;
  title: string;
  summary: string;
  content: string;
  source: string;
  published_at: string | null;
  categories: string[];
}

export interface RunOf {
  tenant: string;
  runId: string;
}

/** Maximum per run: more than anybody reads in a day. */
const mostCandidates = 5_000;

export class RunArticles extends Service {
  /** An article that several sources have is stored once; a page that was read stays. */
  async keep({ tenant, runId }: RunOf, feedId: string, articles: readonly Gathered[]): Promise<void> {
    if (articles.length === 0) return;
    // Ordered by key, so that two sources with the same articles do not deadlock.
    const rows = [...new Map(articles.map((each) => [each.key, each])).values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
    await this.db.query(
      `insert into brief_articles as a (tenant_id, run_id, feed_id, key, url, title, summary, content, source, published_at, categories)
       select $1, $2, $3, g.key, g.url, g.title, g.summary, g.content, g.source, g.published_at,
         array(select jsonb_array_elements_text(g.categories))
       from jsonb_to_recordset($4::jsonb) as g(key text, url text, title text, summary text, content text, source text,
         published_at timestamptz, categories jsonb)
       on conflict (tenant_id, run_id, key) do update set title = excluded.title, summary = excluded.summary,
         content = case when length(excluded.content) > length(a.content) then excluded.content else a.content end,
         published_at = coalesce(excluded.published_at, a.published_at)
       where a.feed_id = excluded.feed_id`,
      [tenant, runId, feedId, JSON.stringify(rows)],
    );
  }

  async note({ tenant, runId }: RunOf, source: BriefSource): Promise<void> {
    await this.db.query(
      `insert into brief_sources (tenant_id, run_id, feed_id, ok, articles, attempts, duration_ms, error_code, error)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (tenant_id, run_id, feed_id) do update set ok = excluded.ok, articles = excluded.articles, attempts = excluded.attempts,
         duration_ms = excluded.duration_ms, error_code = excluded.error_code, error = excluded.error, at = now()`,
      [
        tenant,
        runId,
        source.feed_id,
        source.ok,
        source.articles,
        source.attempts,
        source.duration_ms,
        source.error?.code ?? null,
        source.error?.message.slice(0, 500) ?? null,
      ],
    );
  }

  /** Of a previous run of the same day. */
  async forgetSources({ tenant, runId }: RunOf): Promise<void> {
    await this.db.query('delete from brief_sources where tenant_id = $1 and run_id = $2', [tenant, runId]);
  }

  async sources({ tenant, runId }: RunOf): Promise<BriefSource[]> {
    const rows = await this.db.query<Omit<BriefSource, 'error'> & { error_code: string | null; error: string | null } & Row>(
      `select feed_id, ok, articles, attempts, duration_ms, error_code, error from brief_sources
       where tenant_id = $1 and run_id = $2 order by feed_id collate "C"`,
      [tenant, runId],
    );
    return rows.map(({ error_code: code, error, ...row }) => ({ ...row, error: code === null ? null : { code, message: error ?? '' } }));
  }

  /**
   * Newest first.
   * @param from ISO 8601: older ones are left out, undated ones are not
   */
  async all({ tenant, runId }: RunOf, from: string, until: string): Promise<Candidate[]> {
    const rows = await this.db.query<CandidateRow>(
      `${selected} where tenant_id = $1 and run_id = $2 and (published_at is null or published_at between $3 and $4)
       order by published_at desc nulls last, key limit $5`,
      [tenant, runId, from, until, mostCandidates],
    );
    return rows.map(candidate);
  }

  async one({ tenant, runId }: RunOf, key: string): Promise<Candidate | null> {
    const [row] = await this.db.query<CandidateRow>(`${selected} where tenant_id = $1 and run_id = $2 and key = $3`, [tenant, runId, key]);
    return row ? candidate(row) : null;
  }

  /** Stores the text of an article's page; null: it could not be read. */
  async page({ tenant, runId }: RunOf, key: string, content: string | null): Promise<void> {
    await this.db.query(
      `update brief_articles set page = true, content = coalesce($4, content) where tenant_id = $1 and run_id = $2 and key = $3`,
      [tenant, runId, key, content],
    );
  }

  async judge({ tenant, runId }: RunOf, scores: ReadonlyMap<string, Score>, stories: ReadonlyMap<string, string>): Promise<void> {
    const rows = [...scores].map(([key, { relevance, factors }]) => ({ key, relevance, factors, story: stories.get(key) ?? null }));
    await this.db.transaction(async (query) => {
      // Scores from a previous run of this day, for articles now outside the window.
      await query('update brief_articles set relevance = null, factors = null, story = null where tenant_id = $1 and run_id = $2', [
        tenant,
        runId,
      ]);
      await query(
        `update brief_articles a set relevance = s.relevance, factors = s.factors, story = s.story
         from jsonb_to_recordset($3::jsonb) as s(key text, relevance real, factors jsonb, story text)
         where a.tenant_id = $1 and a.run_id = $2 and a.key = s.key`,
        [tenant, runId, JSON.stringify(rows)],
      );
    });
  }

  /** Scored articles, most relevant first. */
  async judged({ tenant, runId }: RunOf, least: number): Promise<Candidate[]> {
    const rows = await this.db.query<CandidateRow>(
      `${selected} where tenant_id = $1 and run_id = $2 and relevance >= $3 order by relevance desc, key limit $4`,
      [tenant, runId, least, mostCandidates],
    );
    return rows.map(candidate);
  }
}

interface CandidateRow
  extends
    Row,
    Columns<
      'brief_articles',
      | 'key'
      | 'feed_id'
      | 'source'
      | 'url'
      | 'title'
      | 'summary'
      | 'content'
      | 'page'
      | 'published_at'
      | 'categories'
      | 'relevance'
      | 'story'
    > {
  topic: string | null;
}

const selected = `select key, feed_id, source, url, title, summary, content, page, published_at, categories, relevance,
  factors ->> 'topic' as topic, story from brief_articles`;

const candidate = ({ feed_id, published_at, relevance, ...row }: CandidateRow): Candidate => ({
  ...row,
  feedId: feed_id,
  publishedAt: published_at?.toISOString() ?? null,
  relevance: relevance ?? 0,
});
