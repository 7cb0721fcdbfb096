import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database, Row } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import type { SignalClass, SignalSort } from '../../contracts/signals/signals.ts';
import type { EntityLookup } from '../graph/index.ts';
import { vectorText } from '../knowledge/index.ts';
import type { KnowledgeSearch } from '../knowledge/index.ts';
import { scaleOf } from '../kernel/model-scale.ts';
import { down, keysetPage, newest, rankedPage, type Page, type Paging } from '../kernel/paging.ts';
import type { Columns } from '../../prisma/rows.ts';
import { checkFilters, whereOf, type SignalFilters } from './filters.ts';
import { ranked } from './ranking.ts';
import { kindsIn } from './search-kinds.ts';
import { signalsById, type SignalView } from './view.ts';

export interface SearchSignalsDeps {
  db: Database;
  embedder: Embedder | null;
  words: Pick<KnowledgeSearch, 'chunks'>;
  lookup: EntityLookup;
}

/** 1 to 100 on a page. */
export interface SignalQuery extends Omit<SignalFilters, 'entities'>, Paging {
  /** Empty or none: the newest first. */
  query?: string | undefined;
  /** Names, each of an entity of that type. */
  customer?: string | undefined;
  feature?: string | undefined;
  issue?: string | undefined;
  theme?: string | undefined;
  competitor?: string | undefined;
  /** Ids of entities that it must all be about, besides the named ones. */
  about?: readonly string[] | undefined;
  /** Of near-duplicates the first alone. */
  fold?: boolean | undefined;
  /** Default: newest; not used with a query. */
  sort?: SignalSort | undefined;
}

export interface FoundSignal extends SignalView {
  /** 0 to 1, comparable within one answer; 1 without a query. */
  score: number;
}

export interface FoundSignals extends Page<FoundSignal> {
  warnings: string[];
}

/** Candidates per method; pages of a ranking end at their union. */
const depth = 200;
const passages = 100;
const embedWithin = 5_000;

/**
 * Signals by meaning and words, within all filters; without a query the newest first.
 * @throws AppError VALIDATION_ERROR (filters that exclude each other, a cursor of another search), AMBIGUOUS_ENTITY,
 * NOT_FOUND (an unknown name)
 */
export async function searchSignals(deps: SearchSignalsDeps, tenant: string, wanted: SignalQuery): Promise<FoundSignals> {
  checkFilters(wanted);
  const named = await namedIn(deps.lookup, tenant, wanted);
  const filters = { ...wanted, entities: [...Object.values(named), ...(wanted.about ?? [])] };
  const text = wanted.query?.trim() ?? '';
  return text === '' ? await latest(deps, tenant, filters, wanted) : await bySense(deps, tenant, filters, { ...wanted, query: text });
}

export const namedTypes = ['customer', 'feature', 'issue', 'theme', 'competitor'] as const;
type NamedType = (typeof namedTypes)[number];

/**
 * The ids of the entities that a query names, by type.
 * @throws AppError AMBIGUOUS_ENTITY, NOT_FOUND
 */
export async function namedIn(lookup: EntityLookup, tenant: string, wanted: SignalQuery): Promise<Partial<Record<NamedType, string>>> {
  const ids: Partial<Record<NamedType, string>> = {};
  for (const type of namedTypes) {
    const name = wanted[type];
    if (name !== undefined) ids[type] = (await lookup.resolveName(tenant, name, { type })).entity.id;
  }
  return ids;
}

const orders = {
  newest: newest('s.occurred_at', 's.id'),
  severity: [down('s.severity', 'int'), ...newest('s.occurred_at', 's.id')],
} satisfies Record<SignalSort, unknown>;

async function latest(
  { db }: SearchSignalsDeps,
  tenant: string,
  filters: SignalFilters,
  { fold, sort = 'newest', ...paging }: Pick<SignalQuery, 'fold' | 'sort'> & Paging,
): Promise<FoundSignals> {
  const { where, values } = whereOf(filters, tenant);
  // The newest of each group stands for it, whatever the order.
  const first = `not exists (select from signals n where ${whereOf(filters, tenant, 'n').where} and n.group_id = s.group_id
    and (n.occurred_at, n.id) > (s.occurred_at, s.id))`;
  const list = { select: 's.id', from: 'signals s', where: fold ? `${where} and ${first}` : where, values, order: orders[sort] };
  const page = await keysetPage(db.query, list, paging, ({ id }: { id: string }) => id);
  const views = await signalsById(db.query, tenant, page.items, filters.asOf);
  return { ...page, items: views.map((view) => ({ ...view, score: 1 })), warnings: [] };
}

interface CandidateRow extends Row, Columns<'signals', 'id' | 'statement' | 'group_id'> {
  class: SignalClass;
  at: Date;
  cosine: number | null;
}

async function bySense(
  deps: SearchSignalsDeps,
  tenant: string,
  filters: SignalFilters,
  { query, fold, limit, cursor }: Pick<SignalQuery, 'fold'> & { query: string } & Paging,
): Promise<FoundSignals> {
  const { where, values, bounded } = whereOf(filters, tenant);
  const { vector, model, warnings } = await vectorOf(deps.embedder, query);
  const scale = vector ? await scaleOf(deps.embedder!) : null;
  const cosine = vector
    ? `case when s.model = $${values.length + 1} then 1 - (s.embedding <=> $${values.length + 2}::halfvec) end`
    : 'null::float8';
  const sense = vector ? [model, vectorText(vector)] : [];
  const kinds = kindsIn(query);
  const columns = `s.id, s.statement, s.group_id, s.class, s.occurred_at as at, ${cosine} as cosine`;
  const { hits } = await deps.words.chunks(tenant, { query, mode: 'hybrid', only: 'lexical', limit: passages });
  const places = hits.map(({ document_id, citation }) => ({ document_id, ordinal: Number(citation.slice(citation.lastIndexOf('#') + 1)) }));
  const candidates = await deps.db.transaction(async (sql) => {
    const found = new Map<string, CandidateRow>();
    const collect = async (rest: string, more: unknown[] = []): Promise<void> => {
      const rows = await sql<CandidateRow>(`select ${columns} from signals s ${rest}`, [...values, ...sense, ...more]);
      for (const row of rows) found.set(row.id, row);
    };
    const next = values.length + sense.length + 1;
    if (vector) {
      await sql(
        `select set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.max_scan_tuples', '60000', true)`,
        [String(depth)],
      );
      await collect(
        // The length selects the index; see adapters/vectors/pgvector.ts.
        `where ${where} and s.model = $${values.length + 1} and vector_dims(s.embedding) = ${vector.length}
         order by s.embedding::halfvec(${vector.length}) <=> $${values.length + 2}::halfvec(${vector.length}) limit ${depth}`,
      );
    }
    if (places.length > 0) {
      await collect(
        `join chunks c on c.tenant_id = $1 and c.id = s.chunk_id
         join jsonb_to_recordset($${next}::jsonb) as p(document_id text, ordinal int) on c.document_id = p.document_id and c.ordinal = p.ordinal
         where ${where} order by s.id limit ${depth * 5}`,
        [JSON.stringify(places)],
      );
    }
    if (kinds.classes.length > 0)
      await collect(`where ${where} and s.class = any($${next}) order by s.severity desc, s.occurred_at desc, s.id limit ${depth}`, [
        kinds.classes,
      ]);
    // With restrictive filters every match is compared, whatever its words.
    if (bounded) await collect(`where ${where} order by s.occurred_at desc, s.id limit ${depth}`);
    return [...found.values()].map(({ id, statement, group_id: group, class: kind, at, cosine: close }) => ({
      id,
      group,
      statement,
      class: kind,
      at: at.getTime(),
      cosine: close === null || !scale ? close : scale.shipped(close),
    }));
  });
  const { found, nearest } = ranked(kinds, candidates);
  if (nearest) warnings.push('No statement has these words or says nearly this: these are the nearest in meaning.');
  const groups = new Map(candidates.map(({ id, group }) => [id, group]));
  const shown = fold ? [...Map.groupBy(found, ({ id }) => groups.get(id)!).values()].map(([best]) => best!) : found;
  const { items, next } = rankedPage(shown, { limit, cursor });
  const scores = new Map(items.map(({ id, score }) => [id, score]));
  const views = await signalsById(deps.db.query, tenant, [...scores.keys()], filters.asOf);
  return { items: views.map((view) => ({ ...view, score: scores.get(view.signal_id)! })), ...(next ? { next } : {}), warnings };
}

async function vectorOf(embedder: Embedder | null, query: string): Promise<{ vector?: Float32Array; model?: string; warnings: string[] }> {
  if (!embedder) return { warnings: ['No embedding model is configured: the search used words only.'] };
  try {
    const [vector] = await embedder.embed([query], { priority: 'query', as: 'query', signal: AbortSignal.timeout(embedWithin) });
    return { ...(vector ? { vector } : {}), model: embedder.id, warnings: [] };
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof Error && error.name === 'TimeoutError')) throw error;
    return { warnings: ['The embedding model could not be used in time: searched by words alone.'] };
  }
}
