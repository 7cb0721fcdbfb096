import { LRUCache } from 'lru-cache';
import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Caller } from '../../contracts/caller.ts';
import { hashOf } from '../../contracts/ids.ts';
import { bm25, idf, terms } from '../../engines/retrieval/terms.ts';
import type { Catalogue } from './catalogue.ts';
import type { AnyTool } from './define.ts';
import { phrasesOf } from './phrases/index.ts';

/** Number of a tool's texts that count, nearest to the query first: a single one may be near by chance. */
const nearest = 2;
/** Intents per vector: fewer vectors to compute, and a chance match of one intent weighs less. */
const intentsTogether = 3;
/** The rank from which a tool's similarity counts as zero, and the usual distance of the best cosine above that rank. */
const middling = 50;
const usualSpread = 0.25;
/** Weight of a match of all query words, relative to similarity. */
const wordShare = 0.4;
/**
 * How long searches wait for the tools' vectors after their computation has begun, in ms. After that, searches use words
 * only until the vectors are ready.
 */
const patienceMs = 1_000;
const queriesKept = 500;
/** Maximum number of other servers' tools whose words are cached, so that one changed tool does not cause the others to be read again. */
const wordsKept = 5_000;

interface Words {
  /** Terms of its names. */
  named: Set<string>;
  /** Term → weighted frequency; names and intents weigh more than prose. */
  frequencies: Map<string, number>;
  length: number;
}

interface Entry extends Words {
  tool: AnyTool;
}

interface Index {
  entries: readonly Entry[];
  documentFrequency: ReadonlyMap<string, number>;
  averageLength: number;
}

export interface Found {
  tool: AnyTool;
  /** 0–1, comparable within one search only. */
  score: number;
}

/** Stores vectors across restarts. */
export interface VectorMemory {
  recall(key: string): Promise<number[][][] | null>;
  remember(key: string, vectors: number[][][]): Promise<void>;
}

/**
 * Finds tools by what they do: by the words of names, aliases, descriptions and intents, and by meaning if an embedding
 * model is configured.
 */
export class ToolDirectory {
  readonly catalogue: Catalogue;
  private readonly versions: ReadonlyMap<string, number>;
  private readonly embedder: Embedder | null;
  private readonly own: Index;
  private readonly memory: VectorMemory | null;
  private readonly extended = new WeakMap<readonly AnyTool[], Index>();
  private readonly words = new LRUCache<string, Words>({ max: wordsKept });
  private readonly queries = new LRUCache<string, Float32Array>({ max: queriesKept });
  private making: Promise<void> | null = null;
  private makingSince = 0;
  /** By tool, in the catalogue's order; null until computed. */
  private vectors: Float32Array[][] | null = null;

  constructor(catalogue: Catalogue, versions: ReadonlyMap<string, number>, embedder: Embedder | null, memory: VectorMemory | null = null) {
    this.catalogue = catalogue;
    this.versions = versions;
    this.embedder = embedder;
    this.memory = memory;
    this.own = indexOf(catalogue.tools.map((tool) => ({ tool, ...wordsOf(tool) })));
  }

  /** Version of a tool's schema as registered in the database; 0 when it is not registered. */
  version(name: string): number {
    return this.versions.get(name) ?? 0;
  }

  /** @param others tools of other servers, found by words only; pass the same list as long as nothing changes */
  async search(caller: Caller, query: string, limit: number, others: readonly AnyTool[] = []): Promise<Found[]> {
    const index = this.indexWith(others);
    const wanted = terms(query);
    const byWords = wordScores(wanted, index);
    const byMeaning = await this.meaning(query);
    const found = index.entries
      .map(({ tool, named }, i) => {
        const meaning = byMeaning?.[i];
        const score = meaning === undefined ? byWords[i]! : (meaning + wordShare * byWords[i]!) / (1 + wordShare);
        // A query with all words of a tool's name always finds that tool.
        return { tool, score: wanted.length > 0 && wanted.every((term) => named.has(term)) ? (1 + score) / 2 : score / 2 };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.tool.name.localeCompare(b.tool.name));
    const allowed: Found[] = [];
    for (const each of found) {
      if (allowed.length >= limit) break;
      if (this.catalogue.allows(caller, each.tool)) allowed.push(each);
    }
    return allowed;
  }

  /** Computes the tools' vectors now; otherwise the first search starts it. */
  async warmUp(): Promise<void> {
    if (this.embedder && !this.vectors) await this.made(this.embedder);
  }

  private indexWith(others: readonly AnyTool[]): Index {
    if (others.length === 0) return this.own;
    let index = this.extended.get(others);
    if (!index) this.extended.set(others, (index = indexOf([...this.own.entries, ...others.map((tool) => this.foreign(tool))])));
    return index;
  }

  private foreign(tool: AnyTool): Entry {
    const key = JSON.stringify([tool.name, tool.title, tool.description]);
    let words = this.words.get(key);
    if (!words) this.words.set(key, (words = wordsOf(tool)));
    return { tool, ...words };
  }

  /** Similarity of each own tool to the query, 0 to 1; null without a model, or while the tools' vectors are being computed. */
  private async meaning(query: string): Promise<number[] | null> {
    if (!this.embedder) return null;
    try {
      const vectors = await this.described(this.embedder);
      if (!vectors) return null;
      const wanted = await this.vectorOf(this.embedder, query);
      const cosines = vectors.map((own) => meanOfBest(own.map((vector) => dot(vector, wanted))));
      const sorted = cosines.toSorted((a, b) => b - a);
      const floor = sorted[Math.min(middling, sorted.length) - 1] ?? 0;
      const scale = Math.max(usualSpread, (sorted[0] ?? 0) - floor);
      return cosines.map((cosine) => Math.max(0, cosine - floor) / scale);
    } catch {
      // Continue with words only; /health reports the model's problem.
      return null;
    }
  }

  private async vectorOf(embedder: Embedder, query: string): Promise<Float32Array> {
    const known = this.queries.get(query);
    if (known) return known;
    const [made] = (await embedder.embed([query], { priority: 'query' })) as [Float32Array];
    this.queries.set(query, made);
    return made;
  }

  private async described(embedder: Embedder): Promise<Float32Array[][] | null> {
    if (this.vectors) return this.vectors;
    const made = this.made(embedder);
    const left = patienceMs - (performance.now() - this.makingSince);
    if (left > 0) {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((done) => (timer = setTimeout(done, left)));
      await Promise.race([made, patience]).finally(() => clearTimeout(timer));
    } else made.catch(() => {});
    return this.vectors;
  }

  private made(embedder: Embedder): Promise<void> {
    if (!this.making) {
      this.makingSince = performance.now();
      this.making = this.describe(embedder).finally(() => (this.making = null));
    }
    return this.making;
  }

  /** Vectors of each tool's texts. They change only with the tools, so they are stored across restarts. */
  private async describe(embedder: Embedder): Promise<void> {
    const texts = this.own.entries.map(({ tool }) => [`${tool.title}. ${tool.description}`, ...grouped(intentsOf(tool))]);
    const key = hashOf({ model: embedder.id, texts });
    let vectors = await this.memory?.recall(key);
    if (!vectors) {
      const made = await Promise.all(texts.map((own) => embedder.embed(own, { priority: 'batch' })));
      // Rounded, because more digits would only make the file larger.
      vectors = made.map((own) => own.map((vector) => Array.from(vector, (x) => Math.round(x * 1e4) / 1e4)));
      await this.memory?.remember(key, vectors);
    }
    this.vectors = vectors.map((own) => own.map((vector) => Float32Array.from(vector)));
  }
}

const intentsOf = (tool: AnyTool): string[] => [...tool.intents, ...phrasesOf(tool.name)];

function grouped(intents: readonly string[]): string[] {
  const groups = Math.ceil(intents.length / intentsTogether);
  return Array.from({ length: groups }, (_, group) => intents.filter((_intent, i) => i % groups === group).join('. '));
}

function meanOfBest(cosines: number[]): number {
  const best = cosines.sort((a, b) => b - a).slice(0, nearest);
  return best.reduce((sum, cosine) => sum + cosine, 0) / best.length;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
  return sum;
}

function wordsOf(tool: AnyTool): Words {
  const frequencies = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const term of terms(text)) frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
  };
  add(tool.name.replaceAll(/[._]/g, ' '), 3);
  add(tool.title, 2);
  for (const alias of tool.aliases) add(alias.name.replaceAll(/[._]/g, ' '), 1);
  add(tool.description, 1);
  for (const intent of intentsOf(tool)) add(intent, 1.5);
  const named = new Set([tool.name, ...tool.aliases.map((alias) => alias.name)].flatMap((name) => terms(name.replaceAll(/[._]/g, ' '))));
  return { named, frequencies, length: [...frequencies.values()].reduce((sum, n) => sum + n, 0) };
}

function indexOf(entries: readonly Entry[]): Index {
  const documentFrequency = new Map<string, number>();
  for (const { frequencies } of entries) {
    for (const term of frequencies.keys()) documentFrequency.set(term, (documentFrequency.get(term) ?? 0) + 1);
  }
  return { entries, documentFrequency, averageLength: entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, entries.length) };
}

/** About 1 for a tool that has all words of the query: the mean of its BM25 score, by the sum of their idfs, and of its share of them. */
function wordScores(query: readonly string[], { entries, documentFrequency, averageLength }: Index): number[] {
  const wanted = [...new Set(query)].map((term) => ({ term, df: documentFrequency.get(term) ?? 0 }));
  const whole = wanted.reduce((sum, { df }) => sum + idf(df, entries.length), 0) || 1;
  return entries.map(({ frequencies, length }) => {
    let score = 0;
    for (const { term, df } of wanted) {
      const tf = frequencies.get(term);
      if (tf) score += bm25(tf, length, averageLength, df, entries.length) + idf(df, entries.length);
    }
    return score / whole / 2;
  });
}
