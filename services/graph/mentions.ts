import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { MentionedPassage } from '../../contracts/graph/graph.ts';
import type { MentionedHere } from '../../contracts/knowledge/reading.ts';
import { countedPage, down, matching, type CountedPage, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import type { EntityLookup } from './lookup.ts';
import { excerptMarked, isSignal } from './signals.ts';

/** Per page of passages; a page has at most 100. */
const shownInPassages = 5_000;
/** Places shown of one passage. */
const shownPlaces = 50;

/** Where entities are mentioned. */
export class Mentions extends Service<never, { lookup: EntityLookup }> {
  /** Names in these passages, in order; of several readings of one place, the one that was assigned first. */
  async inPassages(tenant: string, chunkIds: readonly string[]): Promise<Map<string, MentionedHere[]>> {
    const rows = await this.db.query<MentionedHere & { chunk_id: string } & Row>(
      `select distinct on (m.chunk_id, m.start_at, m.end_at) m.chunk_id::text, m.start_at as start, m.end_at as "end", e.id as entity_id, e.name, e.type
       from entity_mentions m join entities e on e.tenant_id = $1 and e.id = m.entity_id
       where m.tenant_id = $1 and m.chunk_id = any($2::bigint[]) and m.end_at > m.start_at
       order by m.chunk_id, m.start_at, m.end_at, m.id limit ${shownInPassages}`,
      [tenant, chunkIds],
    );
    const found = new Map<string, MentionedHere[]>(chunkIds.map((id) => [id, []]));
    for (const { chunk_id, ...mention } of rows) found.get(chunk_id)?.push(mention);
    return found;
  }

  /** Passages that mention the entity, what was said last first. @throws AppError NOT_FOUND */
  async of(
    tenant: string,
    id: string,
    paging: Paging,
  ): Promise<{ entity: { id: string; name: string; type: string }; page: CountedPage<MentionedPassage> }> {
    const entity = await this.deps.lookup.byId(tenant, id);
    const where = matching({ 'd.tenant_id = $': tenant, 't.entity_id = $': entity.id, [isSignal]: true });
    const list = { select, from: told(''), ...where, order: [down(at, 'timestamptz'), down('t.chunk_id', 'bigint')] };
    return { entity, page: await countedPage(this.db.query, list, paging, view) };
  }
}

/** The latest passages that mention the entity. @param key only under this name */
export async function latestPassages(
  query: Database['query'],
  tenant: string,
  entityId: string,
  { key, limit }: { key?: string | undefined; limit: number },
): Promise<MentionedPassage[]> {
  const rows = await query<MentionedRow>(
    `select ${select} from ${told('and ($3::text is null or m.key = $3)')} where ${isSignal} order by ${at} desc, t.chunk_id desc limit $4`,
    [tenant, entityId, key ?? null, limit],
  );
  return rows.map(view);
}

const at = 'coalesce(d.said_at, d.created_at)';
const select = `d.id as document_id, d.title, c.ordinal, c.body as content, t.places, ${at} as at`;
/** Passages of the entity $2, each with the places of its names. */
const told = (and: string): string => `(
  select m.entity_id, m.document_id, m.chunk_id,
    (array_agg(array[m.start_at, m.end_at] order by m.start_at, m.end_at) filter (where m.end_at > m.start_at))[1:${shownPlaces}] as places
  from entity_mentions m where m.tenant_id = $1 and m.entity_id = $2 ${and} group by m.entity_id, m.document_id, m.chunk_id) t
  join documents d on d.tenant_id = $1 and d.id = t.document_id join chunks c on c.tenant_id = $1 and c.id = t.chunk_id`;

interface MentionedRow extends Row {
  document_id: string;
  title: string;
  ordinal: number;
  content: string;
  /** Null: said of the document as a whole. */
  places: [start: number, end: number][] | null;
  at: Date;
}

const view = ({ document_id, title, ordinal, content, places, at }: MentionedRow): MentionedPassage => ({
  citation: `${document_id}#${ordinal}`,
  document_id,
  title,
  ...excerptMarked(content, places ?? []),
  occurred_at: at.toISOString(),
});
