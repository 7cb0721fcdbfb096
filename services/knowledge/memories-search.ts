import type { Database } from '../../adapters/postgres/database.ts';
import { memoryBase } from '../../contracts/knowledge/knowledge.ts';
import type { FoundMemory } from '../../contracts/knowledge/memory.ts';
import { fuse, type LexicalHit, type Ranked } from '../../engines/retrieval/fusion.ts';
import { bm25, idf, terms } from '../../engines/retrieval/terms.ts';
import { count, matching } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import { categoryTag } from './memories-index.ts';
import type { Owners } from './memories-owner.ts';
import { memoryList, memoryView, seenBy, type MemoryFilter, type MemoryRow } from './memories-rows.ts';
import { vectorText } from './records.ts';
import { queryTerms, queryText } from './rules.ts';
import type { KnowledgeSearch } from './search.ts';
import { rounded } from './search-view.ts';

type Query = Database['query'];

/** Passages requested by a search, so that a long memory with many matches does not hide the others. */
const passages = 100;
/** Memories outside the index that are ranked, by each method. */
const depth = 200;
/** How long a query waits for its vector, in ms. */
const embedWithin = 5_000;

interface Found {
  memories: FoundMemory[];
  warnings: string[];
}

/** A memory that is ranked: its words, and its similarity to the query if it has a vector. */
interface Candidate {
  id: string;
  terms: string[];
  cosine: number | undefined;
}

/** Numbers of all memories in question, by which words are weighted. */
interface Statistics {
  rows: number;
  length: number;
  dfs: Map<string, number>;
}

type WishOf = MemoryFilter & { query: string; limit: number };

/**
 * Finds memories. Valid ones of the team stand in the index of knowledge. Private ones and former versions stand in the
 * table of memories alone; they are ranked here, exactly, together with what the index found.
 */
export class MemorySearch extends Service<'embedder', { finder: KnowledgeSearch }> {
  /** By words and meaning, best first; one hit per memory. @throws AppError VALIDATION_ERROR (empty or over-long query) */
  async find(tenant: string, owners: Owners, wish: WishOf): Promise<Found> {
    queryText(wish.query);
    if ((await count(this.db.query, memoryList(tenant, owners, wish), 1)) === 0) return await this.nothing(tenant, owners, wish);
    const apart = matching(seenBy(tenant, owners, wish, outside(owners, wish)));
    const others = await count(this.db.query, { from: 'memories', ...apart }, 1);
    const indexed =
      wish.scope === undefined || wish.scope === 'team' ? await this.inIndex(tenant, owners, wish) : { hits: [], warnings: [] };
    if (others === 0) {
      const scores = new Map<string, number>();
      for (const { id, score } of indexed.hits) scores.set(id, Math.max(score, scores.get(id) ?? 0));
      return { memories: await this.shown(tenant, owners, wish, scores), warnings: indexed.warnings };
    }
    const { scores, warnings } = await this.together(tenant, owners, wish, apart, indexed.hits);
    return { memories: await this.shown(tenant, owners, wish, scores), warnings: [...new Set([...indexed.warnings, ...warnings])] };
  }

  private async nothing(tenant: string, owners: Owners, { scope, asOf }: WishOf): Promise<Found> {
    const any = (await count(this.db.query, memoryList(tenant, owners), 1)) > 0;
    const why =
      asOf !== undefined
        ? 'No memory that fits was valid at that time.'
        : !any
          ? 'Nothing has been saved yet: memory.record.save does that.'
          : scope === undefined
            ? 'No memory has this category and these tags.'
            : `No memory of the scope ${scope} has this category and these tags.`;
    return { memories: [], warnings: [why] };
  }

  /** Passages of the team's valid memories. */
  private async inIndex(
    tenant: string,
    owners: Owners,
    { query, category, tags, asOf }: WishOf,
  ): Promise<{ hits: { id: string; score: number; cosine: number | undefined }[]; warnings: string[] }> {
    const { where, values } = matching(seenBy(tenant, owners, { category, tags, asOf, scope: 'team' }, { 'valid_to is null': true }));
    // What is valid now is all in the index; of another time these are.
    const found = await this.db.query<{ id: string }>(
      `select id from memories where ${where}${asOf === undefined ? ' limit 1' : ''}`,
      values,
    );
    if (found.length === 0) return { hits: [], warnings: [] };
    const sources = asOf === undefined ? undefined : found.map(({ id }) => id);
    const labels = [...(tags ?? []), ...(category === undefined ? [] : [categoryTag(category)])];
    const { hits, warnings } = await this.deps.finder.chunks(tenant, {
      query,
      mode: 'hybrid',
      limit: passages,
      filters: { kb_id: memoryBase, ...(labels.length > 0 ? { tags: labels } : {}), ...(sources ? { sources } : {}) },
    });
    return { hits: hits.map(({ source_id, score, metadata }) => ({ id: source_id, score, cosine: metadata.scores.cosine })), warnings };
  }

  /** One ranking of what the index found and what stands apart from it. */
  private async together(
    tenant: string,
    owners: Owners,
    wish: WishOf,
    apart: ReturnType<typeof matching>,
    hits: { id: string; cosine: number | undefined }[],
  ): Promise<{ scores: Map<string, number>; warnings: string[] }> {
    const asked = queryTerms(terms(wish.query));
    const { vector, warnings } = await this.vectorOf(wish.query);
    const cosines = new Map<string, number>();
    for (const { id, cosine } of hits) if (cosine !== undefined) cosines.set(id, Math.max(cosine, cosines.get(id) ?? -1));
    const found = await this.candidatesApart(apart, [...asked.keys()], vector);
    const ids = [...new Set(hits.map(({ id }) => id))];
    for (const row of await this.db.query<{ id: string; content: string; terms: string[] }>(
      'select id, content, terms from memories where tenant_id = $1 and id = any($2) and owner = any($3)',
      [tenant, ids, ['']],
    )) {
      found.set(row.id, { id: row.id, terms: row.terms.length > 0 ? row.terms : terms(row.content), cosine: cosines.get(row.id) });
    }
    const shared =
      wish.scope === undefined || wish.scope === 'team' ? await statisticsOfIndex(this.db.query, tenant, [...asked.keys()]) : null;
    return {
      scores: ranked([...found.values()], asked, added(await statisticsApart(this.db.query, apart, [...asked.keys()]), shared)),
      warnings,
    };
  }

  private async candidatesApart(
    { where, values }: ReturnType<typeof matching>,
    asked: string[],
    like: { vector: Float32Array; model: string } | null,
  ): Promise<Map<string, Candidate>> {
    const at = values.length;
    const cosine = like ? `case when model = $${at + 2} then 1 - (embedding <=> $${at + 3}::halfvec) end` : 'null::float8';
    const given = [...values, asked, ...(like ? [like.model, vectorText(like.vector)] : [])];
    const select = `select id, terms, (${cosine})::float8 as cosine from memories where ${where}`;
    const byWords = `${select} and terms && $${at + 1}::text[]
      order by (select count(distinct t) from unnest(terms) t where t = any($${at + 1})) desc, created_at desc, id limit ${depth}`;
    const byMeaning = `${select} and model = $${at + 2} order by embedding <=> $${at + 3}::halfvec, id limit ${depth}`;
    const rows = await this.db.query<{ id: string; terms: string[]; cosine: number | null }>(
      like ? `select * from (${byWords}) w union select * from (${byMeaning}) m` : byWords,
      given,
    );
    return new Map(rows.map(({ cosine: near, ...row }) => [row.id, { ...row, cosine: near ?? undefined }]));
  }

  private async vectorOf(text: string): Promise<{ vector: { vector: Float32Array; model: string } | null; warnings: string[] }> {
    const { embedder } = this.deps;
    if (!embedder) return { vector: null, warnings: ['No embedding model is available: searched by words only.'] };
    try {
      const [vector] = await embedder.embed([text], { priority: 'query', as: 'query', signal: AbortSignal.timeout(embedWithin) });
      return { vector: vector ? { vector, model: embedder.id } : null, warnings: [] };
    } catch {
      return {
        vector: null,
        warnings: ['The embedding model cannot be used at the moment, so private memories were searched by words only.'],
      };
    }
  }

  /** Read again with the caller's rights and the wished time, whatever found them. */
  private async shown(tenant: string, owners: Owners, wish: WishOf, scores: ReadonlyMap<string, number>): Promise<FoundMemory[]> {
    const { select, where, values } = {
      ...memoryList(tenant, owners, wish),
      ...matching(seenBy(tenant, owners, wish, { 'id = any($)': [...scores.keys()] })),
    };
    const rows = await this.db.query<MemoryRow>(`select ${select} from memories where ${where}`, values);
    return rows
      .map((row) => ({ ...memoryView(row), score: scores.get(row.id)! }))
      .sort((a, b) => b.score - a.score || (a.memory_id < b.memory_id ? -1 : 1))
      .slice(0, wish.limit);
  }
}

/** Conditions: memories that are not in the index. Those of now are private, which an index has by their owner. */
const outside = (owners: Owners, { asOf }: WishOf): Record<string, unknown> =>
  asOf === undefined
    ? { "owner <> '' and owner = any($::text[])": Object.values(owners) }
    : { "owner <> '' or valid_to is not null": true };

async function statisticsApart(query: Query, { where, values }: ReturnType<typeof matching>, asked: string[]): Promise<Statistics> {
  const at = values.length + 1;
  const [row] = await query<{ rows: number; length: number; dfs: Record<string, number> | null }>(
    `with pool as materialized (select terms from memories where ${where}),
     dfs as (select t as term, count(*)::int as df from pool, lateral (select distinct t from unnest(terms) t where t = any($${at})) d
       where terms && $${at}::text[] group by t)
     select (select count(*)::int from pool) as rows, (select coalesce(sum(cardinality(terms)), 0)::float8 from pool) as length,
       (select json_object_agg(term, df) from dfs) as dfs`,
    [...values, asked],
  );
  return { rows: row!.rows, length: row!.length, dfs: new Map(Object.entries(row!.dfs ?? {})) };
}

async function statisticsOfIndex(query: Query, tenant: string, asked: string[]): Promise<Statistics> {
  const [row] = await query<{ rows: number; length: number; dfs: Record<string, number> | null }>(
    `with base as materialized (select scope from knowledge_bases where tenant_id = $1 and id = $2),
     dfs as (select term, count(*)::int as df from postings
       where tenant_id = $1 and scope in (select scope from base) and term = any($3) group by term)
     select coalesce(sum(d.chunk_count), 0)::int as rows, coalesce(sum(d.terms), 0)::float8 as length,
       (select json_object_agg(term, df) from dfs) as dfs
     from documents d where d.tenant_id = $1 and d.status = 'active' and d.scope in (select scope from base)`,
    [tenant, memoryBase, asked],
  );
  return { rows: row!.rows, length: row!.length, dfs: new Map(Object.entries(row!.dfs ?? {})) };
}

function added(one: Statistics, other: Statistics | null): Statistics {
  if (!other) return one;
  const dfs = new Map(one.dfs);
  for (const [term, df] of other.dfs) dfs.set(term, df + (dfs.get(term) ?? 0));
  return { rows: one.rows + other.rows, length: one.length + other.length, dfs };
}

/** Scores as a search of knowledge computes them: words and meaning fused, over these candidates. */
function ranked(
  candidates: readonly Candidate[],
  asked: ReadonlyMap<string, number>,
  { rows, length, dfs }: Statistics,
): Map<string, number> {
  const idfs = [...asked].flatMap(([term, times]) => Array.from({ length: times }, () => idf(dfs.get(term) ?? 0, rows)));
  const whole = idfs.reduce((sum, each) => sum + each, 0) || 1;
  const average = rows > 0 ? length / rows : 1;
  const lexical = candidates.flatMap(({ id, terms: said }): LexicalHit[] => {
    let score = 0;
    let matched = 0;
    for (const [term, times] of asked) {
      const tf = said.reduce((n, each) => (each === term ? n + 1 : n), 0);
      if (tf === 0) continue;
      score += times * bm25(tf, said.length, average, dfs.get(term) ?? 1, rows);
      matched += times * idf(dfs.get(term) ?? 1, rows);
    }
    return matched > 0 ? [{ id, score, coverage: Math.min(1, matched / whole) }] : [];
  });
  const dense = candidates.flatMap(({ id, cosine }): Ranked[] => (cosine === undefined ? [] : [{ id, score: cosine }]));
  const best = <T extends Ranked>(hits: T[]): T[] => hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return new Map(fuse(best(lexical), best(dense), { idfs }).map(({ id, score }) => [id, rounded(score)]));
}
