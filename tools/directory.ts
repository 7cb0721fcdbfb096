import type { Embedder } from '../adapters/models/embedder.ts';
import type { Caller } from '../contracts/caller.ts';
import { hashOf } from '../contracts/ids.ts';
import { fuse, type Ranked } from '../services/knowledge/fusion.ts';
import { bm25, idf, terms } from '../services/knowledge/terms.ts';
import type { Catalogue } from './catalogue.ts';
import type { AnyTool } from './define.ts';

/** Tools nearest in meaning that are looked at. */
const considered = 50;

interface Entry {
  tool: AnyTool;
  /** Terms of its names. */
  named: Set<string>;
  /** Term → weighted frequency; names and intents weigh more than prose. */
  frequencies: Map<string, number>;
  length: number;
}

interface Index {
  entries: readonly Entry[];
  documentFrequency: Map<string, number>;
}

export interface Found {
  tool: AnyTool;
  /** 0–1, comparable within one search only. */
  score: number;
}

/** Keeps vectors between runs of the process. */
export interface VectorMemory {
  recall(key: string): Promise<number[][][] | null>;
  remember(key: string, vectors: number[][][]): Promise<void>;
}

/** Finds tools by what they do: words over names, aliases, descriptions and intents, and meaning when a model is at hand. */
export class ToolDirectory {
  readonly catalogue: Catalogue;
  private readonly versions: ReadonlyMap<string, number>;
  private readonly embedder: Embedder | null;
  private readonly entries: Entry[];
  private readonly documentFrequency = new Map<string, number>();
  private readonly memory: VectorMemory | null;
  private vectors: Promise<number[][][]> | null = null;
  private readonly extended = new WeakMap<readonly AnyTool[], Index>();

  constructor(catalogue: Catalogue, versions: ReadonlyMap<string, number>, embedder: Embedder | null, memory: VectorMemory | null = null) {
    this.catalogue = catalogue;
    this.versions = versions;
    this.embedder = embedder;
    this.memory = memory;
    this.entries = catalogue.tools.map(entryOf);
    for (const entry of this.entries) count(entry, this.documentFrequency);
  }

  /** Version of a tool's schema as registered in the database; 0 when it is not registered. */
  version(name: string): number {
    return this.versions.get(name) ?? 0;
  }

  /** @param others tools of other servers, found by words alone; the same list as long as nothing changes */
  async search(caller: Caller, query: string, limit: number, others: readonly AnyTool[] = []): Promise<Found[]> {
    const { entries, documentFrequency } = this.indexWith(others);
    const wanted = terms(query);
    const dense = ranked((await this.dense(query)) ?? []).slice(0, considered);
    const idfs = wanted.map((term) => idf(documentFrequency.get(term) ?? 0, entries.length));
    const whole = idfs.reduce((sum, each) => sum + each, 0) || 1;
    const lexical = ranked(lexicalScores(wanted, entries, documentFrequency))
      .filter((hit) => hit.score > 0)
      .map((hit) => {
        const { frequencies } = entries[Number(hit.id)]!;
        const has = wanted.reduce((sum, term, i) => sum + (frequencies.has(term) ? idfs[i]! : 0), 0);
        return { ...hit, coverage: has / whole };
      });
    return fuse(lexical, dense, { idfs })
      .map(({ id, score }) => {
        const { tool, named } = entries[Number(id)]!;
        // Whoever types a tool's name in other words has found it, whatever else sounds alike.
        return { tool, score: wanted.length > 0 && wanted.every((term) => named.has(term)) ? (1 + score) / 2 : score / 2 };
      })
      .filter(({ tool }) => this.catalogue.allows(caller, tool))
      .sort((a, b) => b.score - a.score || a.tool.name.localeCompare(b.tool.name))
      .slice(0, limit);
  }

  private indexWith(others: readonly AnyTool[]): Index {
    if (others.length === 0) return { entries: this.entries, documentFrequency: this.documentFrequency };
    let index = this.extended.get(others);
    if (!index) {
      const documentFrequency = new Map(this.documentFrequency);
      const more = others.map(entryOf);
      for (const entry of more) count(entry, documentFrequency);
      index = { entries: [...this.entries, ...more], documentFrequency };
      this.extended.set(others, index);
    }
    return index;
  }

  /** Best cosine of the query with a tool's description or one of its intents; null without a model. */
  private async dense(query: string): Promise<number[] | null> {
    if (!this.embedder) return null;
    const { embedder } = this;
    try {
      this.vectors ??= this.describedIn(embedder);
      const [wanted] = await embedder.embed([query], { priority: 'query' });
      if (!wanted) return null;
      return (await this.vectors).map((own) => Math.max(...own.map((vector) => dot(vector, wanted))));
    } catch {
      // Words alone still find tools; the model's own trouble shows in /health.
      this.vectors = null;
      return null;
    }
  }

  /** Vectors of what each tool says of itself. They change with the tools only, so a restart need not make them again. */
  private async describedIn(embedder: Embedder): Promise<number[][][]> {
    const texts = this.entries.map(({ tool }) => [`${tool.title}. ${tool.description}`, ...tool.intents]);
    const key = hashOf({ model: embedder.id, texts });
    const known = await this.memory?.recall(key);
    if (known) return known;
    const made = await Promise.all(texts.map((own) => embedder.embed(own, { priority: 'batch' })));
    const vectors = made.map((own) => own.map((vector) => [...vector]));
    await this.memory?.remember(key, vectors);
    return vectors;
  }
}

const ranked = (scores: readonly number[]): Ranked[] =>
  scores.map((score, i) => ({ id: String(i), score })).sort((a, b) => b.score - a.score);

function dot(a: number[], b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

function entryOf(tool: AnyTool): Entry {
  const frequencies = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const term of terms(text)) frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
  };
  add(tool.name.replaceAll(/[._]/g, ' '), 3);
  add(tool.title, 2);
  for (const alias of tool.aliases) add(alias.name.replaceAll(/[._]/g, ' '), 1);
  add(tool.description, 1);
  for (const intent of tool.intents) add(intent, 1.5);
  const named = new Set([tool.name, ...tool.aliases.map((alias) => alias.name)].flatMap((name) => terms(name.replaceAll(/[._]/g, ' '))));
  return { tool, named, frequencies, length: [...frequencies.values()].reduce((sum, n) => sum + n, 0) };
}

function count({ frequencies }: Entry, documentFrequency: Map<string, number>): void {
  for (const term of frequencies.keys()) documentFrequency.set(term, (documentFrequency.get(term) ?? 0) + 1);
}

function lexicalScores(query: readonly string[], entries: readonly Entry[], documentFrequency: ReadonlyMap<string, number>): number[] {
  const wanted = new Set(query);
  const average = entries.reduce((sum, entry) => sum + entry.length, 0) / Math.max(1, entries.length);
  return entries.map((entry) => {
    let score = 0;
    for (const term of wanted) {
      const tf = entry.frequencies.get(term);
      if (tf) score += bm25(tf, entry.length, average, documentFrequency.get(term) ?? 0, entries.length);
    }
    return score;
  });
}
