import type { Embedder } from '../adapters/models/embedder.ts';
import type { Caller } from '../contracts/caller.ts';
import { bm25, terms } from '../services/knowledge/terms.ts';
import type { Catalogue } from './catalogue.ts';
import type { AnyTool } from './define.ts';

interface Entry {
  tool: AnyTool;
  /** Term → weighted frequency; names and intents weigh more than prose. */
  frequencies: Map<string, number>;
  length: number;
}

export interface Found {
  tool: AnyTool;
  /** 0–1, comparable within one search only. */
  score: number;
}

/** Finds tools by what they do: words over names, aliases, descriptions and intents, and meaning when a model is at hand. */
export class ToolDirectory {
  readonly catalogue: Catalogue;
  private readonly versions: ReadonlyMap<string, number>;
  private readonly embedder: Embedder | null;
  private readonly entries: Entry[];
  private readonly documentFrequency = new Map<string, number>();
  private vectors: Promise<Float32Array[][]> | null = null;

  constructor(catalogue: Catalogue, versions: ReadonlyMap<string, number>, embedder: Embedder | null) {
    this.catalogue = catalogue;
    this.versions = versions;
    this.embedder = embedder;
    this.entries = catalogue.tools.map((tool) => {
      const frequencies = new Map<string, number>();
      const add = (text: string, weight: number): void => {
        for (const term of terms(text)) frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
      };
      add(tool.name.replaceAll(/[._]/g, ' '), 2);
      add(tool.title, 2);
      for (const alias of tool.aliases) add(alias.name.replaceAll(/[._]/g, ' '), 1);
      add(tool.description, 1);
      for (const intent of tool.intents) add(intent, 1.5);
      for (const term of frequencies.keys()) this.documentFrequency.set(term, (this.documentFrequency.get(term) ?? 0) + 1);
      return { tool, frequencies, length: [...frequencies.values()].reduce((sum, n) => sum + n, 0) };
    });
  }

  /** Version of a tool's schema as registered in the database; 0 when it is not registered. */
  version(name: string): number {
    return this.versions.get(name) ?? 0;
  }

  async search(caller: Caller, query: string, limit: number): Promise<Found[]> {
    const lexical = this.lexical(query);
    const dense = await this.dense(query);
    const top = Math.max(...lexical, 1e-9);
    return this.entries
      .map((entry, i) => ({ tool: entry.tool, words: (lexical[i] ?? 0) / top, meaning: dense?.[i] ?? 0, matched: (lexical[i] ?? 0) > 0 }))
      .filter((entry) => this.catalogue.allows(caller, entry.tool) && (entry.matched || entry.meaning > 0.6))
      .map(({ tool, words, meaning }) => ({ tool, score: dense ? 0.4 * words + 0.6 * meaning : words }))
      .sort((a, b) => b.score - a.score || a.tool.name.localeCompare(b.tool.name))
      .slice(0, limit);
  }

  private lexical(query: string): number[] {
    const wanted = new Set(terms(query));
    const average = this.entries.reduce((sum, entry) => sum + entry.length, 0) / Math.max(1, this.entries.length);
    return this.entries.map((entry) => {
      let score = 0;
      for (const term of wanted) {
        const tf = entry.frequencies.get(term);
        if (tf) score += bm25(tf, entry.length, average, this.documentFrequency.get(term) ?? 0, this.entries.length);
      }
      return score;
    });
  }

  /** Best cosine of the query with a tool's description or one of its intents; null without a model. */
  private async dense(query: string): Promise<number[] | null> {
    if (!this.embedder) return null;
    const { embedder } = this;
    try {
      this.vectors ??= Promise.all(
        this.entries.map(({ tool }) => embedder.embed([`${tool.title}. ${tool.description}`, ...tool.intents], { priority: 'batch' })),
      );
      const [wanted] = await embedder.embed([query], { priority: 'query' });
      if (!wanted) return null;
      return (await this.vectors).map((own) => Math.max(...own.map((vector) => dot(vector, wanted))));
    } catch {
      // Words alone still find tools; the model's own trouble shows in /health.
      this.vectors = null;
      return null;
    }
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
