/**
 * Recall of search for questions that need several passages, beside words alone and vectors alone: multi-hop files and
 * long conversations. Uses real ingestion and the real search service.
 */
import { spread, timed, type Spread } from '../bench/stats.ts';
import { readConversations, type Conversations } from './conversations.ts';
import { read, readMultihop, type Collection, type Query } from './datasets.ts';
import { mean, recall } from './metrics.ts';
import type { Product } from './product.ts';
import { basesOf, documentsOf, search, takeIn, type Ingest } from './retrieval.ts';

/** `auto` decides about a second round, `hybrid` makes none, `graph` always does. */
const asking = ['bm25', 'dense', 'hybrid', 'graph', 'auto'] as const;
type Asking = (typeof asking)[number];

export interface Recalls {
  questions: number;
  'recall@5': Record<Asking, number>;
  'recall@10': Record<Asking, number>;
}

export interface MemoryReport {
  collection: string;
  /** For conversations: turns. */
  passages: number;
  questions: number;
  /** Number of conversations; 1 if everything is pooled. */
  groups: number;
  ingest: Ingest;
  /** Characters of a passage, if it was given. */
  size?: number;
  /** Questions for which `auto` made a second round. */
  secondRounds: number;
  /** For conversations: questions without evidence, and evidence ids that no turn has. */
  leftOut?: { questions: number; ids: number };
  all: Recalls;
  /** By category, if questions have one. */
  categories: Record<string, Recalls>;
  ms: Record<Asking, Spread>;
}

/** Minimum number of calls for a percentile. */
const enough = 100;

type Remembered = Collection & Partial<Pick<Conversations, 'sessions' | 'without' | 'unknown'>>;

/** Reads conversations if there are sessions, otherwise multi-hop questions. @throws Error when it is neither */
export function readMemory(file: string): Remembered {
  return /"session_\d+"\s*:/.test(read(file)) ? readConversations(file) : readMultihop(file);
}

/** @param size characters of a passage. Recall counts what the first passages show: in conversations, several turns each. */
export async function evalMemory(
  collection: Remembered,
  product: Product,
  say: (line: string) => void,
  size?: number,
): Promise<MemoryReport> {
  const bases = basesOf(collection);
  const taken = { passages: collection.sessions ?? collection.passages };
  const ingest = await takeIn(taken, bases, product, say, size);
  const documents = documentsOf(taken, bases, product);
  const { queries } = collection;
  const methods = asking.filter((method) => product.model || method !== 'dense');
  const each = <T>(of: (method: Asking) => T): Record<Asking, T> =>
    Object.fromEntries(asking.map((method) => [method, of(method)])) as Record<Asking, T>;
  const found = each(() => new Map<Query, string[][]>());
  const times = each((): number[] => []);
  const second = new Set<Query>();
  const ask = async (query: Query, method: Asking): Promise<void> => {
    const answer = await search(query, method, { product, bases, documents });
    found[method].set(query, answer.found);
    if (method === 'auto' && answer.followed) second.add(query);
  };

  say(`asking ${queries.length} questions: ${methods.join(', ')}`);
  // Models and indexes load with the first query.
  for (const method of methods) await ask(queries[0]!, method);
  for (let round = 0; round < Math.ceil(enough / queries.length); round += 1) {
    for (const query of queries) {
      for (const method of methods) times[method].push(await timed(() => ask(query, method)));
    }
  }

  const recalls = (some: readonly Query[]): Recalls => {
    const of = (method: Asking, k: number): number =>
      mean(some.map((query) => recall((found[method].get(query) ?? []).slice(0, k).flat(), query.judged, Infinity)));
    return { questions: some.length, 'recall@5': each((method) => of(method, 5)), 'recall@10': each((method) => of(method, 10)) };
  };
  const categories = [...Map.groupBy(queries, (query) => query.category ?? '')].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    collection: collection.name,
    passages: collection.passages.length,
    questions: queries.length,
    groups: bases.size,
    ingest,
    ...(size === undefined ? {} : { size }),
    secondRounds: second.size,
    ...(collection.without === undefined ? {} : { leftOut: { questions: collection.without, ids: collection.unknown ?? 0 } }),
    all: recalls(queries),
    categories: Object.fromEntries(categories.filter(([name]) => name !== '').map(([name, some]) => [name, recalls(some)])),
    ms: each((method) => spread(times[method].length > 0 ? times[method] : [0])),
  };
}

const heads = ['category', 'questions', ...[5, 10].flatMap((k) => asking.map((method) => `${method}@${k}`))];

export function memoryTableOf(report: MemoryReport): string {
  const { collection, passages, questions, groups, ingest, size, secondRounds, leftOut, all, categories, ms } = report;
  const row = (name: string, { questions: n, 'recall@5': five, 'recall@10': ten }: Recalls): string[] => [
    name,
    String(n),
    ...[five, ten].flatMap((recalls) => asking.map((method) => recalls[method].toFixed(3))),
  ];
  const rows = [...Object.entries(categories).map(([name, each]) => row(name, each)), row('all', all)];
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((cells) => cells[i]!.length)));
  const text = (cells: string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ');
  const time = (method: Asking): string => `${method}: p50 ${ms[method].p50.toFixed(1)} ms, p95 ${ms[method].p95.toFixed(1)} ms`;
  return [
    `${collection}: ${passages} ${groups > 1 ? `turns in ${groups} conversations` : 'passages'}, ${questions} questions`,
    `taken in, graph included, within ${ingest.seconds.toFixed(1)} s${size === undefined ? '' : `, in passages of ${size} characters`}${ingest.notTaken > 0 ? `; ${ingest.notTaken} were refused` : ''}`,
    ...(leftOut && leftOut.questions + leftOut.ids > 0
      ? [`left out: ${leftOut.questions} questions without evidence; ${leftOut.ids} ids given as evidence that no turn has`]
      : []),
    `auto made a second round for ${secondRounds} questions`,
    '',
    'evidence recall in the first 5 and 10 passages',
    text(heads),
    widths.map((width) => '─'.repeat(width)).join('  '),
    ...rows.map(text),
    '',
    ...asking.map(time),
  ].join('\n');
}
