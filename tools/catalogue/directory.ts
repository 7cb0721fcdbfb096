import { LRUCache } from 'lru-cache';
import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Caller } from '../../contracts/caller.ts';
import { hashOf } from '../../contracts/ids.ts';
import { discriminate } from '../../engines/retrieval/discriminant.ts';
import { terms } from '../../engines/retrieval/terms.ts';
import type { Catalogue } from './catalogue.ts';
import type { AnyTool } from './define.ts';
import { learnWeights, method, shippedWeights, textsOf } from './search/learnt.ts';
import { withoutIds } from './search/record-ids.ts';
import { stepsOf } from './search/steps.ts';
import { wordIndexOf, wordScores, wordsOf, type Entry, type WordIndex, type Words } from './search/words.ts';

/** The rank from which a tool's meaning counts as zero, and the least distance of the best one above that rank. */
const middling = 50;
const leastSpread = 0.04;
/** Weight of a match of all query words, relative to meaning. */
const usualWordShare = 0.7;
/**
 * How long searches wait for the tools' weights after their computation has begun, in ms. After that, searches use words
 * only until the weights are ready.
 */
const patienceMs = 1_000;
const queriesKept = 500;
/** Of a long query, as much is embedded at once; its sentences are searched on their own. */
const longestEmbedded = 800;
/** Maximum number of other servers' tools whose words are cached, so that one changed tool does not cause the others to be read again. */
const wordsKept = 5_000;

export interface Found {
  tool: AnyTool;
  /** 0–1, comparable within one search only. */
  score: number;
}

export interface Step {
  /** The part of the query. */
  text: string;
  found: Found[];
}

export interface FoundTools {
  found: Found[];
  /** Of a query that asks for several things or tells a long story; otherwise empty. */
  steps: Step[];
}

/** Stores the tools' weights across restarts. */
export interface VectorMemory {
  recall(key: string): Promise<number[][] | null>;
  remember(key: string, vectors: number[][]): Promise<void>;
}

/**
 * Finds tools by what they do: by the words of names, aliases, descriptions and intents, and by meaning if an embedding
 * model is configured: a linear classifier learns from the vectors of these texts which tool a query is for.
 */
export class ToolDirectory {
  readonly catalogue: Catalogue;
  private readonly versions: ReadonlyMap<string, number>;
  private readonly embedder: Embedder | null;
  private readonly wordShare: number;
  private readonly own: WordIndex;
  private readonly memory: VectorMemory | null;
  private readonly extended = new WeakMap<readonly AnyTool[], WordIndex>();
  private readonly words = new LRUCache<string, Words>({ max: wordsKept });
  private readonly queries = new LRUCache<string, Float32Array>({ max: queriesKept });
  private making: Promise<void> | null = null;
  private makingSince = 0;
  /** By tool, in the catalogue's order; null until computed. */
  private weights: Float32Array[] | null = null;

  /** @param wordShare 0: by meaning alone, for comparisons */
  constructor(
    catalogue: Catalogue,
    versions: ReadonlyMap<string, number>,
    embedder: Embedder | null,
    memory: VectorMemory | null = null,
    wordShare = usualWordShare,
  ) {
    this.wordShare = wordShare;
    this.catalogue = catalogue;
    this.versions = versions;
    this.embedder = embedder;
    this.memory = memory;
    this.own = wordIndexOf(catalogue.tools.map((tool) => ({ tool, ...wordsOf(tool) })));
  }

  /** Version of a tool's schema as registered in the database; 0 when it is not registered. */
  version(name: string): number {
    return this.versions.get(name) ?? 0;
  }

  /**
   * A query with several steps is searched step by step and as a whole, and the results are merged by their best rank.
   * @param others tools of other servers, found by words only; pass the same list as long as nothing changes
   */
  async search(caller: Caller, query: string, limit: number, others: readonly AnyTool[] = []): Promise<FoundTools> {
    const index = this.indexWith(others);
    const { text, tool } = withoutIds(query);
    const parts = stepsOf(text);
    const texts = [text, ...parts];
    const meanings = await this.meaning(texts.map((each) => each.slice(0, longestEmbedded)));
    const lists = texts.map((each, i) => this.allowed(caller, ranked(terms(each), meanings?.[i], index, this.wordShare), limit));
    const shown = tool === undefined ? undefined : this.catalogue.find(tool)?.tool;
    const first = shown && this.catalogue.allows(caller, shown) ? [[{ tool: shown, score: 1 }]] : [];
    return { found: merged([...first, ...lists]).slice(0, limit), steps: parts.map((part, i) => ({ text: part, found: lists[i + 1]! })) };
  }

  /** Computes the tools' weights now; otherwise the first search starts it. */
  async warmUp(): Promise<void> {
    if (this.embedder && !this.weights) await this.made(this.embedder);
  }

  private allowed(caller: Caller, found: readonly Found[], limit: number): Found[] {
    const allowed: Found[] = [];
    for (const each of found) {
      if (allowed.length >= limit) break;
      if (this.catalogue.allows(caller, each.tool)) allowed.push(each);
    }
    return allowed;
  }

  private indexWith(others: readonly AnyTool[]): WordIndex {
    if (others.length === 0) return this.own;
    let index = this.extended.get(others);
    if (!index) this.extended.set(others, (index = wordIndexOf([...this.own.entries, ...others.map((tool) => this.foreign(tool))])));
    return index;
  }

  private foreign(tool: AnyTool): Entry {
    const key = JSON.stringify([tool.name, tool.title, tool.description]);
    let words = this.words.get(key);
    if (!words) this.words.set(key, (words = wordsOf(tool)));
    return { tool, ...words };
  }

  /** How well each own tool's meaning fits each text, 0 to 1; null without a model, or while the weights are being computed. */
  private async meaning(texts: readonly string[]): Promise<number[][] | null> {
    if (!this.embedder) return null;
    try {
      const weights = await this.learned(this.embedder);
      if (!weights) return null;
      const vectors = await this.vectorsOf(this.embedder, texts);
      return vectors.map((vector) => {
        const scores = weights.map((own) => discriminate(own, vector));
        const sorted = scores.toSorted((a, b) => b - a);
        const floor = sorted[Math.min(middling, sorted.length) - 1] ?? 0;
        const spread = Math.max(leastSpread, (sorted[0] ?? 0) - floor);
        return scores.map((score) => Math.max(0, score - floor) / spread);
      });
    } catch {
      // Continue with words only; /health reports the model's problem.
      return null;
    }
  }

  private async vectorsOf(embedder: Embedder, texts: readonly string[]): Promise<Float32Array[]> {
    const unknown = texts.filter((text) => !this.queries.has(text));
    const made = unknown.length === 0 ? [] : await embedder.embed(unknown, { priority: 'query' });
    const now = new Map(unknown.map((text, i) => [text, made[i]!]));
    for (const [text, vector] of now) this.queries.set(text, vector);
    return texts.map((text) => now.get(text) ?? this.queries.get(text)!);
  }

  private async learned(embedder: Embedder): Promise<Float32Array[] | null> {
    if (this.weights) return this.weights;
    const made = this.made(embedder);
    const left = patienceMs - (performance.now() - this.makingSince);
    if (left > 0) {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((done) => (timer = setTimeout(done, left)));
      await Promise.race([made, patience]).finally(() => clearTimeout(timer));
    } else made.catch(() => {});
    return this.weights;
  }

  private made(embedder: Embedder): Promise<void> {
    if (!this.making) {
      this.makingSince = performance.now();
      this.making = this.learn(embedder).finally(() => (this.making = null));
    }
    return this.making;
  }

  /**
   * The weights that are shipped for these tools and this model, or those learned here before. Otherwise they are learned
   * now and stored across restarts.
   */
  private async learn(embedder: Embedder): Promise<void> {
    const tools = this.own.entries.map(({ tool }) => tool);
    this.weights = shippedWeights(tools, embedder.id);
    if (this.weights) return;
    const key = hashOf({ model: embedder.id, method, texts: tools.map(textsOf) });
    let weights = await this.memory?.recall(key);
    if (!weights) {
      const learned = await learnWeights(tools, embedder);
      // Rounded, because more digits would only make the file larger.
      weights = learned.map((own) => Array.from(own, (x) => Number(x.toPrecision(6))));
      await this.memory?.remember(key, weights);
    }
    this.weights = weights.map((own) => Float32Array.from(own));
  }
}

function ranked(wanted: readonly string[], meaning: readonly number[] | undefined, index: WordIndex, wordShare: number): Found[] {
  const byWords = wordScores(wanted, index);
  return index.entries
    .map(({ tool, named }, i) => {
      const own = meaning?.[i];
      const score = own === undefined ? byWords[i]! : (own + wordShare * byWords[i]!) / (1 + wordShare);
      // A query with all words of a tool's name always finds that tool.
      return { tool, score: wanted.length > 0 && wanted.every((term) => named.has(term)) ? (1 + score) / 2 : score / 2 };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.tool.name.localeCompare(b.tool.name));
}

/** The first of each list, then the second of each, and so on; a tool once, with its best score. */
function merged(lists: readonly Found[][]): Found[] {
  if (lists.length === 1) return lists[0]!;
  const best = new Map<AnyTool, Found>();
  for (let rank = 0; lists.some((list) => rank < list.length); rank += 1) {
    for (const list of lists) {
      const each = list[rank];
      if (!each) continue;
      const known = best.get(each.tool);
      if (!known) best.set(each.tool, { ...each });
      else known.score = Math.max(known.score, each.score);
    }
  }
  return [...best.values()];
}
