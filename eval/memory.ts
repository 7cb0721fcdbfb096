/**
 * Recall of search for questions that need several passages, with the graph on and off: multi-hop files and long
 * conversations. Uses real ingestion and the real search service.
 */
import { spread, timed, type Spread } from '../bench/stats.ts';
import { readConversations } from './conversations.ts';
import { read, readMultihop, type Collection, type Query } from './datasets.ts';
import { mean, recall } from './metrics.ts';
import type { Product } from './product.ts';
import { basesOf, documentsOf, search, takeIn, type Ingest } from './retrieval.ts';

const graphs = ['off', 'on'] as const;
type Graph = (typeof graphs)[number];

export interface Recalls {
  questions: number;
  'recall@5': Record<Graph, number>;
  'recall@10': Record<Graph, number>;
}

export interface MemoryReport {
  collection: string;
  passages: number;
  questions: number;
  /** Number of conversations; 1 if everything is pooled. */
  groups: number;
  ingest: Ingest;
  /** For conversations: questions without evidence, and evidence ids that no turn has. */
  leftOut?: { questions: number; ids: number };
  all: Recalls;
  /** By category, if questions have one. */
  categories: Record<string, Recalls>;
  ms: Record<Graph, Spread>;
}

/** Minimum number of calls for a percentile. */
const enough = 100;

/** Reads conversations if there are sessions, otherwise multi-hop questions. @throws Error when it is neither */
export function readMemory(file: string): Collection & { without?: number; unknown?: number } {
  return /"session_\d+"\s*:/.test(read(file)) ? readConversations(file) : readMultihop(file);
}

export async function evalMemory(
  collection: Collection & { without?: number; unknown?: number },
  product: Product,
  say: (line: string) => void,
): Promise<MemoryReport> {
  const bases = basesOf(collection);
  const ingest = await takeIn(collection, bases, product, say);
  const documents = documentsOf(collection, bases, product);
  const ask = (query: Query, graph: Graph): Promise<string[]> =>
    search(query, graph === 'on' ? 'graph' : 'hybrid', { product, bases, documents });
  const { queries } = collection;
  const found: Record<Graph, Map<Query, string[]>> = { off: new Map(), on: new Map() };
  const times: Record<Graph, number[]> = { off: [], on: [] };

  say(`asking ${queries.length} questions, with the graph off and on`);
  // Models and indexes load with the first query.
  for (const graph of graphs) await ask(queries[0]!, graph);
  for (let round = 0; round < Math.ceil(enough / queries.length); round += 1) {
    for (const query of queries) {
      for (const graph of graphs) {
        times[graph].push(await timed(async () => void found[graph].set(query, await ask(query, graph))));
      }
    }
  }

  const recalls = (some: readonly Query[]): Recalls => {
    const of = (graph: Graph, k: number): number => mean(some.map((query) => recall(found[graph].get(query) ?? [], query.judged, k)));
    const both = (k: number): Record<Graph, number> => ({ off: of('off', k), on: of('on', k) });
    return { questions: some.length, 'recall@5': both(5), 'recall@10': both(10) };
  };
  const categories = [...Map.groupBy(queries, (query) => query.category ?? '')].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    collection: collection.name,
    passages: collection.passages.length,
    questions: queries.length,
    groups: bases.size,
    ingest,
    ...(collection.without === undefined ? {} : { leftOut: { questions: collection.without, ids: collection.unknown ?? 0 } }),
    all: recalls(queries),
    categories: Object.fromEntries(categories.filter(([name]) => name !== '').map(([name, some]) => [name, recalls(some)])),
    ms: { off: spread(times.off), on: spread(times.on) },
  };
}

const heads = ['category', 'questions', '@5 off', '@5 on', '@10 off', '@10 on'];

export function memoryTableOf(report: MemoryReport): string {
  const { collection, passages, questions, groups, ingest, leftOut, all, categories, ms } = report;
  const row = (name: string, { questions: n, 'recall@5': five, 'recall@10': ten }: Recalls): string[] => [
    name,
    String(n),
    ...[five.off, five.on, ten.off, ten.on].map((share) => share.toFixed(3)),
  ];
  const rows = [...Object.entries(categories).map(([name, each]) => row(name, each)), row('all', all)];
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((cells) => cells[i]!.length)));
  const text = (cells: string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ');
  const time = (graph: Graph): string => `graph ${graph}: p50 ${ms[graph].p50.toFixed(1)} ms, p95 ${ms[graph].p95.toFixed(1)} ms`;
  return [
    `${collection}: ${passages} passages${groups > 1 ? ` in ${groups} conversations` : ''}, ${questions} questions`,
    `taken in, graph included, within ${ingest.seconds.toFixed(1)} s, ${ingest.documentsPerSecond.toFixed(1)} passages/s${ingest.notTaken > 0 ? `; ${ingest.notTaken} were refused` : ''}`,
    ...(leftOut && leftOut.questions + leftOut.ids > 0
      ? [`left out: ${leftOut.questions} questions without evidence; ${leftOut.ids} ids given as evidence that no turn has`]
      : []),
    '',
    'evidence recall, graph off and on',
    text(heads),
    widths.map((width) => '─'.repeat(width)).join('  '),
    ...rows.map(text),
    '',
    ...graphs.map(time),
  ].join('\n');
}
