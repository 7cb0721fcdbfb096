import type { Database, Row } from '../../adapters/postgres/database.ts';
import { memoryBase } from '../../contracts/knowledge/knowledge.ts';

type Query = Database['query'];

/** A document that mentions the entities. */
export interface SignalRow {
  signal_id: string;
  title: string;
  /** Type of its source: transcript, document, … */
  source: string;
  url: string | null;
  occurred_at: string;
  /** Around the first mention. */
  snippet: string;
  /** Which of the entities it mentions. */
  entities: string[];
}

/** Passages that mention these entities, with the data for citations. */
export interface MentionedPassage {
  ref: string;
  body: string;
  /** Position of the first mention. */
  start: number;
  end: number;
  occurred_at: string;
  entities: string[];
  /** Types of all entities that the passage mentions. */
  types: string[];
  confidence: number;
}

/** Conditions on documents "d": searchable, and not a memory. $1 is the tenant. */
export const isSignal = `d.tenant_id = $1 and d.status = 'active'
  and d.scope not in (select b.scope from knowledge_bases b where b.tenant_id = $1 and b.id = '${memoryBase}')`;

/** Location of a passage. */
export interface Place {
  documentId: string;
  ordinal: number;
}

/** Documents that mention most of these entities, then the newest. */
export async function signalsOf(
  query: Query,
  tenant: string,
  entityIds: readonly string[],
  limit: number,
): Promise<{ signals: SignalRow[]; total: number }> {
  const rows = await query<
    Omit<SignalRow, 'snippet' | 'occurred_at'> & { at: Date; body: string; start: number; end: number; total: number } & Row
  >(
    `with told as materialized (
       select m.document_id, array_agg(distinct m.entity_id) as entities, min(m.id) as first from entity_mentions m
       join documents d on d.tenant_id = $1 and d.id = m.document_id and d.status = 'active'
       where m.tenant_id = $1 and m.entity_id = any($2) group by m.document_id),
     shown as (
       select t.*, d.title, d.source_id, coalesce(d.said_at, d.created_at) as at, count(*) over ()::int as total from told t
       join documents d on d.tenant_id = $1 and d.id = t.document_id
       order by cardinality(t.entities) desc, coalesce(d.said_at, d.created_at) desc, d.id limit $3)
     select s.document_id as signal_id, s.title, k.type as source, k.url, s.at, s.entities, s.total, c.body, m.start_at as start, m.end_at as "end"
     from shown s join knowledge_sources k on k.tenant_id = $1 and k.id = s.source_id
     join entity_mentions m on m.tenant_id = $1 and m.id = s.first join chunks c on c.tenant_id = $1 and c.id = m.chunk_id
     order by cardinality(s.entities) desc, s.at desc, s.document_id`,
    [tenant, entityIds, limit],
  );
  return {
    total: rows[0]?.total ?? 0,
    signals: rows.map(({ at, body, start, end, total: _, ...row }) => ({
      ...row,
      occurred_at: at.toISOString(),
      snippet: excerptAt(body, start, end),
    })),
  };
}

/**
 * Passages that mention some of these entities: most of them first, then the newest.
 * @param all only passages that mention each of them
 * @param among only these passages
 */
export async function passagesOf(
  query: Query,
  tenant: string,
  entityIds: readonly string[],
  { all, limit, among }: { all: boolean; limit: number; among?: readonly Place[] | undefined },
): Promise<MentionedPassage[]> {
  const rows = await query<Omit<MentionedPassage, 'occurred_at' | 'ref'> & { at: Date; document_id: string; ordinal: number } & Row>(
    `with told as materialized (
       select m.chunk_id, m.document_id, array_agg(distinct m.entity_id) as entities, min(m.start_at) as start, max(m.confidence) as confidence
       from entity_mentions m where m.tenant_id = $1 and m.entity_id = any($2) and ($5::text[] is null or m.chunk_id in (
         select c.id from unnest($5::text[], $6::int[]) p(document_id, ordinal)
         join chunks c on c.tenant_id = $1 and c.document_id = p.document_id and c.ordinal = p.ordinal))
       group by m.chunk_id, m.document_id having $3 <= count(distinct m.entity_id))
     select c.document_id, c.ordinal, c.body, t.start, t.entities, t.confidence, coalesce(d.said_at, d.created_at) as at,
       (select coalesce(max(m.end_at), 0) from entity_mentions m where m.tenant_id = $1 and m.chunk_id = t.chunk_id and m.start_at = t.start) as "end",
       (select array_agg(distinct e.type) from entity_mentions m join entities e on e.tenant_id = $1 and e.id = m.entity_id
        where m.tenant_id = $1 and m.chunk_id = t.chunk_id) as types
     from told t join documents d on d.tenant_id = $1 and d.id = t.document_id and d.status = 'active'
     join chunks c on c.tenant_id = $1 and c.id = t.chunk_id
     order by cardinality(t.entities) desc, at desc, c.id limit $4`,
    [
      tenant,
      entityIds,
      all ? entityIds.length : 1,
      limit,
      among?.map(({ documentId }) => documentId) ?? null,
      among?.map(({ ordinal }) => ordinal) ?? null,
    ],
  );
  return rows.map(({ at, document_id, ordinal, ...row }) => ({ ...row, ref: `${document_id}#${ordinal}`, occurred_at: at.toISOString() }));
}

const excerptLength = 280;

/** An excerpt of a text around a position, cut between words. */
export function excerptAt(text: string, start: number, end: number, length = excerptLength): string {
  const [from, to] = windowAt(text, start, end, length);
  return `${from > 0 ? '… ' : ''}${text.slice(from, to).trim()}${to < text.length ? ' …' : ''}`;
}

const markedLength = 600;

/** An excerpt around the first of these places, with the places that are in it. */
export function excerptMarked(
  text: string,
  places: readonly (readonly [start: number, end: number])[],
): { content: string; marks: { start: number; end: number }[] } {
  const [start, end] = places[0] ?? [0, 0];
  const [from, to] = windowAt(text, start, end, markedLength);
  const before = from > 0 ? '… ' : '';
  const marks = places.flatMap(([a, b]) =>
    a >= from && b <= to ? [{ start: a - from + before.length, end: b - from + before.length }] : [],
  );
  return { content: `${before}${text.slice(from, to)}${to < text.length ? ' …' : ''}`, marks };
}

/** Where to cut, between words. */
function windowAt(text: string, start: number, end: number, length: number): [from: number, to: number] {
  if (text.length <= length) return [0, text.length];
  const room = Math.max(0, length - (end - start));
  let from = Math.max(0, Math.min(start - Math.floor(room / 2), text.length - length));
  let to = Math.min(text.length, from + length);
  if (from > 0) from = Math.min(nextGap(text, from), start);
  if (to < text.length) to = Math.max(lastGap(text, to), Math.min(end, from + length));
  return [from, to];
}

const nextGap = (text: string, at: number): number => {
  const found = text.slice(at).search(/\s/);
  return found < 0 ? at : at + found;
};

const lastGap = (text: string, at: number): number => {
  const found = text.slice(0, at).search(/\s\S*$/);
  return found < 0 ? at : found;
};
