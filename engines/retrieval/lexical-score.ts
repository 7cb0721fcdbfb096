import type { LexicalHit } from './fusion.ts';
import type { ScopeIndex } from './lexical-index.ts';
import { idf } from './terms.ts';

/** An index as of one snapshot. */
export interface ScopeView {
  index: ScopeIndex;
  /** 1 for each chunk that the snapshot does not see; null: it sees all. */
  hidden: Uint8Array | null;
}

export interface ScoreQuery {
  /** Each with its number of occurrences in the query, or another factor of its idf. */
  terms: ReadonlyMap<string, number>;
  /** Number of passages of all scopes, and their average length in terms. */
  chunks: number;
  averageTerms: number;
  limit: number;
  sources: string[] | undefined;
  hasCode: boolean | undefined;
}

const k1 = 1.2;
const b = 0.75;

/**
 * Two numbers per chunk: its score, and the weights of its terms. Shared by all searches, because scoring never
 * awaits; all zero in between.
 */
let sums = new Float64Array(0);
let touched = new Int32Array(0);

/**
 * Exact BM25 (Okapi, as `bm25` in terms.ts) over one or several scopes.
 * @returns hits best first, ties by id, each with its coverage, and the idf of every term, repeated by its
 * occurrences in the query (without meaning for other factors)
 */
export function score(views: readonly ScopeView[], wanted: ScoreQuery): { hits: LexicalHit[]; idfs: number[] } {
  const idfs: number[] = [];
  let whole = 0;
  const weights = new Map<string, number>();
  for (const [term, value] of idfsOf(views, [...wanted.terms.keys()], wanted.chunks)) {
    const times = wanted.terms.get(term)!;
    whole += times * value;
    for (let i = 0; i < times; i += 1) idfs.push(value);
    weights.set(term, times * value);
  }
  const best = new Best(wanted.limit);
  for (const view of views) collect(view, weights, wanted, best);
  return { hits: best.hits(whole || 1), idfs };
}

/** The idf of each term, in the given order. @param chunks number of passages of all scopes */
export function idfsOf(views: readonly ScopeView[], terms: readonly string[], chunks: number): Map<string, number> {
  const df = (term: string): number => views.reduce((sum, view) => sum + frequency(view, term), 0);
  return new Map(terms.map((term) => [term, idf(df(term), chunks)]));
}

/** Number of visible chunks with the term. */
function frequency({ index, hidden }: ScopeView, term: string): number {
  let df = 0;
  for (const { terms, starts, chunks } of index.segments) {
    const number = terms.get(term);
    if (number === undefined) continue;
    const [from, to] = [starts[number]!, starts[number + 1]!];
    df += to - from;
    if (hidden !== null) for (let i = from; i < to; i += 1) df -= hidden[chunks[i]!]!;
  }
  return df;
}

function collect({ index, hidden }: ScopeView, weights: ReadonlyMap<string, number>, wanted: ScoreQuery, best: Best): void {
  if (touched.length < index.chunks) {
    sums = new Float64Array(index.chunks * 4);
    touched = new Int32Array(index.chunks * 2);
  }
  const { lengths, ids } = index;
  const base = k1 * (1 - b);
  const perTerm = (k1 * b) / (wanted.averageTerms || 1);
  let found = 0;
  for (const [term, weight] of weights) {
    const full = weight * (k1 + 1);
    for (const { terms, starts, chunks, tfs } of index.segments) {
      const number = terms.get(term);
      if (number === undefined) continue;
      const to = starts[number + 1]!;
      for (let i = starts[number]!; i < to; i += 1) {
        const chunk = chunks[i]!;
        if (hidden !== null && hidden[chunk] === 1) continue;
        const before = sums[2 * chunk]!;
        if (before === 0) touched[found++] = chunk;
        const tf = tfs[i]!;
        sums[2 * chunk] = before + (full * tf) / (tf + base + perTerm * lengths[chunk]!);
        sums[2 * chunk + 1]! += weight;
      }
    }
  }
  const passes = index.filter(wanted.sources, wanted.hasCode);
  for (let i = 0; i < found; i += 1) {
    const chunk = touched[i]!;
    const value = sums[2 * chunk]!;
    if (value >= best.threshold && (passes === null || passes(chunk))) best.add(value, ids[chunk]!, sums[2 * chunk + 1]!);
    sums[2 * chunk] = 0;
    sums[2 * chunk + 1] = 0;
  }
}

/** The best hits so far: a heap with the worst of them on top. */
export class Best {
  /** Minimum score of a hit. */
  threshold = -Infinity;
  private readonly limit: number;
  private readonly values: Float64Array;
  private readonly ids: Float64Array;
  private readonly matched: Float64Array;
  private size = 0;

  constructor(limit: number) {
    this.limit = limit;
    this.values = new Float64Array(limit + 1);
    this.ids = new Float64Array(limit + 1);
    this.matched = new Float64Array(limit + 1);
  }

  /** @param matched weights of its terms */
  add(value: number, id: number, matched: number): void {
    if (this.size < this.limit) {
      let at = ++this.size;
      for (; at > 1 && this.worse(value, id, at >> 1); at >>= 1) this.move(at >> 1, at);
      this.put(at, value, id, matched);
    } else {
      if (this.limit === 0 || this.worse(value, id, 1)) return;
      this.sink(value, id, matched);
    }
    if (this.size === this.limit) this.threshold = this.values[1]!;
  }

  /** @param whole weight of all terms */
  hits(whole: number): LexicalHit[] {
    return Array.from({ length: this.size }, (_, i) => i + 1)
      .sort((x, y) => this.values[y]! - this.values[x]! || this.ids[x]! - this.ids[y]!)
      .map((at) => ({ id: String(this.ids[at]!), score: this.values[at]!, coverage: Math.min(1, this.matched[at]! / whole) }));
  }

  /** Whether the given hit ranks below the one at an index. */
  private worse(value: number, id: number, place: number): boolean {
    const other = this.values[place]!;
    return value < other || (value === other && id > this.ids[place]!);
  }

  /** Replaces the worst. */
  private sink(value: number, id: number, matched: number): void {
    let at = 1;
    for (let child = 2; child <= this.size; child = 2 * at) {
      if (child < this.size && this.worse(this.values[child + 1]!, this.ids[child + 1]!, child)) child += 1;
      if (this.worse(value, id, child)) break;
      this.move(child, at);
      at = child;
    }
    this.put(at, value, id, matched);
  }

  private move(from: number, to: number): void {
    this.put(to, this.values[from]!, this.ids[from]!, this.matched[from]!);
  }

  private put(at: number, value: number, id: number, matched: number): void {
    this.values[at] = value;
    this.ids[at] = id;
    this.matched[at] = matched;
  }
}
