import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { EntityRef, Evidence, Fact } from '../../contracts/graph/graph.ts';
import { vectorText } from '../knowledge/index.ts';
import { keyWords, nameKey } from '../../engines/text/names.ts';
import type { Columns } from '../../prisma/rows.ts';
import { excerptAt } from './signals.ts';

/** The statements of fact search. Each names the tenant, beside row-level security. */

type Query = Database['query'];

export interface When {
  /** Null: now. */
  asOf: string | null;
  /** Null: with today's knowledge. */
  knownAt: string | null;
  /** Also facts that have ended; never facts that were not recorded yet. */
  closedToo: boolean;
}

export interface FactRow
  extends
    Row,
    Columns<
      'graph_facts',
      | 'id'
      | 'subject_id'
      | 'predicate'
      | 'object_id'
      | 'object_text'
      | 'statement'
      | 'valid_from'
      | 'valid_to'
      | 'recorded_from'
      | 'recorded_to'
      | 'closed_by'
      | 'confidence'
    > {
  subject_name: string;
  subject_type: string;
  subject_signals: number;
  object_name: string | null;
  object_type: string | null;
  object_signals: number | null;
  holds: boolean;
}

/** Candidates by each method. */
const byNames = 500;
const byText = 500;
const byMeaning = 100;
const evidenceShown = 5;
const excerptLength = 300;
/** Facts sampled for word frequencies, and the minimum number for this. */
const sampled = 1_000;
const commonFrom = 20;
/** Names read per word of the query. */
const perWord = 200;

/** SQL: the fact as known at $3 (null: now). An end that was recorded later is ignored. */
const known = `
  cross join lateral (select f.recorded_to is null or ($3::timestamptz is not null and f.recorded_to > $3) as open) o
  cross join lateral (select case when o.open then null else f.valid_to end as valid_to, case when o.open then null else f.recorded_to end as recorded_to,
    case when o.open then null else f.closed_by end as closed_by) k
  cross join lateral (select coalesce($2::timestamptz, $3, now()) as at) t
  cross join lateral (select (f.valid_from is null or f.valid_from <= t.at) and (k.valid_to is null or k.valid_to > t.at) as holds) h`;
/** SQL: the fact matches the time; $4: also facts that no longer hold. */
const meant = `($3::timestamptz is null or f.recorded_from <= $3) and (h.holds or $4)`;

const columns = `f.id, f.subject_id, s.name as subject_name, s.type as subject_type, s.signal_count as subject_signals, f.predicate, f.object_id,
  b.name as object_name, b.type as object_type, b.signal_count as object_signals, f.object_text, f.statement, f.valid_from, k.valid_to, f.recorded_from,
  k.recorded_to, k.closed_by, f.confidence, h.holds`;
const ends = `
  join entities s on s.tenant_id = $1 and s.id = f.subject_id
  left join entities b on b.tenant_id = $1 and b.id = f.object_id`;
const values = (tenant: string, { asOf, knownAt, closedToo }: When): unknown[] => [tenant, asOf, knownAt, closedToo];

/** SQL of a list of facts "f" of the entity $5, as `values` and the entity say. */
export const entityFacts = {
  select: columns,
  from: `graph_facts f ${ends} ${known}`,
  where: `f.tenant_id = $1 and (f.subject_id = $5 or f.object_id = $5) and ${meant}`,
  values: (tenant: string, when: When, entityId: string): unknown[] => [...values(tenant, when), entityId],
};

/** Facts with a word of the query in their statement, or in a name of their subject; those with most first. */
export async function factCandidates(
  query: Query,
  tenant: string,
  wanted: readonly string[],
  text: string,
  when: When,
): Promise<FactRow[]> {
  const words = [...new Set(wanted)].filter((word) => word.length > 1).slice(0, 24);
  const names = [...new Set(keyWords(nameKey(text)))].slice(0, 24).map((word) => `w:${word.slice(0, 40)}`);
  if (words.length === 0 && names.length === 0) return [];
  const telling = await tellingWords(query, tenant, words);
  return await query<FactRow>(
    `with named as (
       select a.entity_id, count(distinct w.block) as n from unnest($5::text[]) w(block) cross join lateral (
         select type, key from entity_blocks where tenant_id = $1 and block = w.block limit ${perWord}) e
       join entity_aliases a on a.tenant_id = $1 and a.type = e.type and a.key = e.key group by a.entity_id order by n desc, a.entity_id limit ${byNames}),
     about as (
       select x.id, sum(x.n) as n from (
         select f.id, n.n from named n join graph_facts f on f.tenant_id = $1 and f.subject_id = n.entity_id
         union all
         select f.id, n.n from named n join graph_facts f on f.tenant_id = $1 and f.object_id = n.entity_id) x
       group by x.id order by n desc, x.id limit ${byNames * 4}),
     stated as materialized (
       select f.id, f.statement, f.predicate, f.object_text from graph_facts f
       where f.tenant_id = $1 and ${telling.all ? `lower(f.statement) like all($6)` : `(lower(f.statement) like any($6) or f.predicate like any($6))`}
       limit ${byText * 4}),
     counted as (
       select f.id, (select count(*) from unnest($7::text[]) w(word) where strpos(lower(f.statement), w.word) > 0 or strpos(f.predicate, w.word) > 0) as n
       from stated f)
     select ${columns} from (
       select id, sum(n) as n from (select id, n from about union all select id, n from counted) u group by id) c
     join graph_facts f on f.tenant_id = $1 and f.id = c.id ${ends} ${known}
     where ${meant} order by c.n desc, h.holds desc, f.id limit ${byNames + byText}`,
    [...values(tenant, when), names, telling.words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`), words],
  );
}

/**
 * Selective words of a query: a word in every other fact is useless, but costs as much. If all are common, facts must
 * contain all of them.
 */
async function tellingWords(query: Query, tenant: string, words: readonly string[]): Promise<{ words: readonly string[]; all: boolean }> {
  const [sample] = await query<{ size: number; df: number[] }>(
    `with sample as materialized (select lower(statement) as s from graph_facts where tenant_id = $1 limit ${sampled})
     select (select count(*)::int from sample) as size,
       array(select (select count(*)::int from sample where strpos(s, w.word) > 0) from unnest($2::text[]) with ordinality w(word, n) order by n) as df`,
    [tenant, words],
  );
  const rare = words.filter((_, i) => sample!.df[i]! <= Math.max(commonFrom, sample!.size / 10));
  return rare.length > 0 ? { words: rare, all: false } : { words, all: true };
}

/** Facts whose statements have nearly the same meaning, nearest first. */
export async function factsByMeaning(
  query: Query,
  tenant: string,
  { model, vector }: { model: string; vector: Float32Array },
  when: When,
): Promise<(FactRow & { cosine: number })[]> {
  return await query<FactRow & { cosine: number }>(
    `with near as materialized (
       select f.id, f.embedding <=> $6::halfvec as distance from graph_facts f ${known}
       where f.tenant_id = $1 and f.model = $5 and ${meant} order by distance, f.id limit ${byMeaning})
     select ${columns}, (1 - n.distance)::float8 as cosine from near n join graph_facts f on f.tenant_id = $1 and f.id = n.id ${ends} ${known}
     order by n.distance, f.id`,
    [...values(tenant, when), model, vectorText(vector)],
  );
}

/** The passages of facts, earliest first. */
export async function factEvidence(query: Query, tenant: string, factIds: readonly string[]): Promise<Map<string, Evidence[]>> {
  const rows = await query<{
    fact_id: string;
    ref: string;
    body: string;
    start_at: number;
    end_at: number;
    occurred_at: Date;
    weight: number;
  }>(
    `select w.fact_id, e.* from unnest($2::text[]) w(fact_id) cross join lateral (
       select distinct on (a.said_at, c.id) c.document_id || '#' || c.ordinal as ref, c.body, a.start_at, a.end_at, a.said_at as occurred_at,
         a.confidence as weight
       from fact_evidence f join graph_assertions a on a.id = f.assertion_id and a.tenant_id = $1
       join chunks c on c.tenant_id = $1 and c.id = a.chunk_id
       where f.tenant_id = $1 and f.fact_id = w.fact_id order by a.said_at, c.id limit ${evidenceShown}) e`,
    [tenant, factIds],
  );
  const found = new Map<string, Evidence[]>();
  for (const { fact_id, ref, body, start_at, end_at, occurred_at, weight } of rows) {
    const one: Evidence = {
      ref,
      kind: 'passage',
      excerpt: excerptAt(body, start_at, end_at, excerptLength),
      occurred_at: occurred_at.toISOString(),
      weight: Math.round(weight * 1000) / 1000,
    };
    found.set(fact_id, [...(found.get(fact_id) ?? []), one]);
  }
  return found;
}

/** A fact for callers. */
export function factOf(row: FactRow, evidence: Evidence[]): Fact & { holds: boolean } {
  const ref = (id: string, name: string, type: string, signals: number): EntityRef => ({
    entity_id: id,
    name,
    type,
    signal_count: signals,
  });
  return {
    fact_id: row.id,
    fact: row.statement,
    predicate: row.predicate,
    subject: ref(row.subject_id, row.subject_name, row.subject_type, row.subject_signals),
    object: row.object_id === null ? null : ref(row.object_id, row.object_name ?? '', row.object_type ?? '', row.object_signals ?? 0),
    value: row.object_text,
    valid_from: row.valid_from?.toISOString() ?? null,
    valid_to: row.valid_to?.toISOString() ?? null,
    recorded_from: row.recorded_from.toISOString(),
    recorded_to: row.recorded_to?.toISOString() ?? null,
    closed_by: row.closed_by,
    confidence: Math.round(row.confidence * 1000) / 1000,
    evidence,
    holds: row.holds,
  };
}
