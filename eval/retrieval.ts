/** Quality of search on a judged collection, with real ingestion and the real search service. */
import { spread, timed, type Spread } from '../bench/stats.ts';
import { fuseByRank, type Ranked } from '../engines/retrieval/fusion.ts';
import { sourceIdOf } from '../services/knowledge/rules.ts';
import type { SearchHit } from '../contracts/knowledge/knowledge.ts';
import type { Collection, Passage, Query } from './datasets.ts';
import { averagePrecision, mean, ndcg, recall } from './metrics.ts';
import type { Product } from './product.ts';

export const methods = ['auto', 'hybrid', 'graph', 'bm25', 'dense', 'rrf'] as const;
export type Method = (typeof methods)[number];

export interface Scores {
  'ndcg@10': number;
  'recall@5': number;
  'recall@100': number;
  map: number;
}

export interface RetrievalReport {
  collection: string;
  passages: number;
  queries: number;
  groups: number;
  ingest: Ingest;
  /** Queries for which `auto` made a second round. */
  secondRounds: number;
  /** `auto` decides about a second round, `hybrid` makes none, `graph` always does; `rrf` fuses words and meaning by rank only, for comparison, and is not timed. */
  methods: Partial<Record<Method, { scores: Scores; ms: Spread | null }>>;
}

/** Documents per ranking; one with several passages counts once, at its best rank. */
const depth = 100;
/** Minimum number of calls for a percentile. */
const enough = 60;
const only = { auto: undefined, hybrid: undefined, graph: undefined, bm25: 'lexical', dense: 'dense' } as const;

export async function evalRetrieval(collection: Collection, product: Product, say: (line: string) => void): Promise<RetrievalReport> {
  const bases = basesOf(collection);
  const ingest = await takeIn(collection, bases, product, say);
  const documents = documentsOf(collection, bases, product);

  const ranked: Partial<Record<Method, Map<string, string[]>>> = {};
  const times: Partial<Record<Method, number[]>> = {};
  const second = new Set<string>();
  const searched = (['auto', 'hybrid', 'graph', 'bm25', 'dense'] as const).filter((method) => product.model || method !== 'dense');
  for (const method of searched) {
    say(`searching: ${method}`);
    const searching = { product, bases, documents };
    const ask = async (query: Query): Promise<Found> => {
      const answer = await search(query, method, searching);
      if (method === 'auto' && answer.followed) second.add(query.id);
      return answer;
    };
    // Models and indexes load with the first query.
    await ask(collection.queries[0]!);
    const own = new Map<string, string[]>();
    times[method] = [];
    for (let round = 0; round < Math.ceil(enough / collection.queries.length); round += 1) {
      for (const query of collection.queries) {
        let answer: Found | undefined;
        times[method].push(await timed(async () => (answer = await ask(query))));
        if (!own.has(query.id)) own.set(query.id, await deepened(answer!, (limit) => search(query, method, searching, limit)));
      }
    }
    ranked[method] = own;
  }
  if (ranked.bm25 && ranked.dense) {
    const asHits = (ids: readonly string[] | undefined): Ranked[] => (ids ?? []).map((id, i) => ({ id, score: -i }));
    ranked.rrf = new Map(
      collection.queries.map(({ id }) => [
        id,
        fuseByRank(asHits(ranked.bm25!.get(id)), asHits(ranked.dense!.get(id))).map((hit) => hit.id),
      ]),
    );
  }
  const report: RetrievalReport = {
    collection: collection.name,
    passages: collection.passages.length,
    queries: collection.queries.length,
    groups: bases.size,
    ingest,
    secondRounds: second.size,
    methods: {},
  };
  for (const method of methods) {
    const own = ranked[method];
    if (!own) continue;
    const ms = times[method];
    report.methods[method] = { scores: scoresOf(collection.queries, own), ms: ms ? spread(ms) : null };
  }
  return report;
}

/** A knowledge base for each group. */
export const basesOf = ({ passages }: Collection): Map<string, string> =>
  new Map([...new Set(passages.map((passage) => passage.group))].map((group, i) => [group, `eval-${i}`]));

/** Passages by the ids of the sources that they become. */
export const documentsOf = (
  { passages }: Pick<Collection, 'passages'>,
  bases: ReadonlyMap<string, string>,
  { caller }: Product,
): Map<string, Passage> =>
  new Map(
    passages.map((passage) => [sourceIdOf({ tenant: caller.tenant, kbId: bases.get(passage.group)!, identity: passage.id }), passage]),
  );

export interface Ingest {
  seconds: number;
  documentsPerSecond: number;
  notTaken: number;
}

/** Ingests each group's passages into its knowledge base, and their names into the graph. */
export async function takeIn(
  { passages }: Pick<Collection, 'passages'>,
  bases: ReadonlyMap<string, string>,
  { services, caller, run }: Product,
  say: (line: string) => void,
  chunkSize?: number,
): Promise<Ingest> {
  let notTaken = 0;
  const took = await timed(async () => {
    for (const [group, kbId] of bases) {
      const own = passages.filter((passage) => passage.group === group);
      say(`taking in ${own.length} documents${group ? ` of ${group}` : ''}`);
      // A text without a title gets an empty one, because its id must not be searched.
      const items = own.map(({ id, title = '', text, date }) => ({
        identity: id,
        title,
        text,
        filename: 'text.txt',
        ...(date === undefined ? {} : { metadata: { date } }),
      }));
      const { job } = await run(() =>
        services.knowledge.runs.submitItems(caller, { title: `eval ${kbId}`, kbId, items, chunkSize }, { waitMs: 3_600_000 }),
      );
      if (job.status !== 'completed') throw new Error(`Taking in ended ${job.status}: ${job.error?.message ?? 'no reason given'}`);
      const { counts } = (job.result ?? {}) as { counts?: { refused?: number; failed?: number } };
      notTaken += (counts?.refused ?? 0) + (counts?.failed ?? 0);
    }
  });
  return { seconds: took / 1000, documentsPerSecond: passages.length / (took / 1000), notTaken };
}

export interface Searched {
  product: Product;
  bases: ReadonlyMap<string, string>;
  documents: ReadonlyMap<string, Passage>;
}

export interface Found {
  /** The ids that each hit shows, best first; hits that show nothing new are left out. */
  found: string[][];
  followed: boolean;
  /** All hits, and how many were asked for. */
  hits: number;
  limit: number;
}

/**
 * Ranks `depth` documents if there are so many: passages of one document leave fewer than passages were asked for. The
 * first answer keeps its ranks; further documents follow it.
 */
export async function deepened(first: Found, again: (limit: number) => Promise<Found>): Promise<string[]> {
  const ids = new Set(first.found.flat());
  for (let last = first; ids.size < depth && last.hits >= last.limit;) {
    last = await again(last.limit * 2);
    for (const id of last.found.flat()) ids.add(id);
  }
  return [...ids].slice(0, depth);
}

/** A model that answers too late, on a busy machine, must not be measured as words alone. */
const withoutModel = 'The embedding model cannot be used';
const attempts = 5;

/** @param limit passages. @throws Error when the embedding model does not answer */
export async function search(
  { text, group }: Query,
  method: Exclude<Method, 'rrf'>,
  { product, bases, documents }: Searched,
  limit = depth,
): Promise<Found> {
  const ask = () =>
    product.run(() =>
      product.services.knowledge.search.chunks(product.caller.tenant, {
        query: text.slice(0, 10_000),
        mode: 'hybrid',
        only: only[method],
        includeGraph: method === 'auto' ? undefined : method === 'graph',
        limit,
        filters: { kb_id: bases.get(group)! },
      }),
    );
  let answer = await ask();
  for (let attempt = 1; answer.warnings.some((warning) => warning.startsWith(withoutModel)); attempt += 1) {
    if (attempt === attempts) throw new Error(`${answer.warnings.join(' ')} The machine is too busy to measure.`);
    answer = await ask();
  }
  const { hits, followed } = answer;
  const shown = new Set<string>();
  const found = hits.map((hit) => {
    const fresh = shownBy(hit, documents.get(hit.source_id)).filter((id) => !shown.has(id));
    for (const id of fresh) shown.add(id);
    return fresh;
  });
  return { found: found.filter((ids) => ids.length > 0), followed, hits: hits.length, limit };
}

/** The passage, or those of its lines that the hit has. */
function shownBy({ metadata: { place } }: SearchHit, passage: Passage | undefined): readonly string[] {
  if (passage?.lines === undefined) return passage ? [passage.id] : [];
  return passage.lines.slice((place.start_line ?? 1) - 1, place.end_line ?? passage.lines.length);
}

function scoresOf(queries: readonly Query[], ranked: ReadonlyMap<string, string[]>): Scores {
  const of = (score: (found: string[], query: Query) => number): number =>
    mean(queries.map((query) => score(ranked.get(query.id) ?? [], query)));
  return {
    'ndcg@10': of((found, { judged }) => ndcg(found, judged, 10)),
    'recall@5': of((found, { judged }) => recall(found, judged, 5)),
    'recall@100': of((found, { judged }) => recall(found, judged, 100)),
    map: of((found, { judged }) => averagePrecision(found, judged)),
  };
}

const heads = ['method', 'nDCG@10', 'recall@5', 'recall@100', 'MAP', 'p50 ms', 'p95 ms'];

export function tableOf(report: RetrievalReport): string {
  const { collection, passages, queries, groups, ingest, secondRounds } = report;
  const rows = methods.flatMap((method) => {
    const line = report.methods[method];
    if (!line) return [];
    const figures = Object.values(line.scores).map((score: number) => score.toFixed(3));
    return [[method, ...figures, ...(line.ms ? [line.ms.p50.toFixed(1), line.ms.p95.toFixed(1)] : ['–', '–'])]];
  });
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]!.length)));
  const text = (row: string[]): string => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ');
  return [
    `${collection}: ${passages} documents${groups > 1 ? ` in ${groups} knowledge bases` : ''}, ${queries} queries`,
    `taken in within ${ingest.seconds.toFixed(1)} s, ${ingest.documentsPerSecond.toFixed(1)} documents/s${ingest.notTaken > 0 ? `; ${ingest.notTaken} were refused` : ''}`,
    `auto made a second round for ${secondRounds} queries`,
    '',
    text(heads),
    widths.map((width) => '─'.repeat(width)).join('  '),
    ...rows.map(text),
  ].join('\n');
}
