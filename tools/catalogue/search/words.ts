import { bm25, idf, terms } from '../../../engines/retrieval/terms.ts';
import type { AnyTool } from '../define.ts';
import { phrasesOf } from '../phrases/index.ts';

/** Terms of a query that are looked up, the rarest first: a long query must not cost more than a short one. */
const termsWanted = 40;

export interface Words {
  /** Terms of its names. */
  named: Set<string>;
  /** Term → weighted frequency; names and intents weigh more than prose. */
  frequencies: Map<string, number>;
  length: number;
}

export interface Entry extends Words {
  tool: AnyTool;
}

export interface WordIndex {
  entries: readonly Entry[];
  documentFrequency: ReadonlyMap<string, number>;
  averageLength: number;
}

/** Phrases of people who need the tool. */
export const intentsOf = (tool: AnyTool): string[] => [...tool.intents, ...phrasesOf(tool.name)];

const spaced = (name: string): string => name.replaceAll(/[._]/g, ' ');

export function wordsOf(tool: AnyTool): Words {
  const frequencies = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const term of terms(text)) frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
  };
  add(spaced(tool.name), 3);
  add(tool.title, 2);
  for (const alias of tool.aliases) add(spaced(alias.name), 1);
  add(tool.description, 1);
  for (const intent of intentsOf(tool)) add(intent, 1.5);
  const named = new Set([tool.name, ...tool.aliases.map((alias) => alias.name)].flatMap((name) => terms(spaced(name))));
  return { named, frequencies, length: [...frequencies.values()].reduce((sum, n) => sum + n, 0) };
}

export function wordIndexOf(entries: readonly Entry[]): WordIndex {
  const documentFrequency = new Map<string, number>();
  for (const { frequencies } of entries) {
    for (const term of frequencies.keys()) documentFrequency.set(term, (documentFrequency.get(term) ?? 0) + 1);
  }
  return { entries, documentFrequency, averageLength: entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, entries.length) };
}

/** About 1 for a tool that has all words of the query: the mean of its BM25 score, by the sum of their idfs, and of its share of them. */
export function wordScores(query: readonly string[], { entries, documentFrequency, averageLength }: WordIndex): number[] {
  const wanted = [...new Set(query)]
    .map((term) => ({ term, df: documentFrequency.get(term) ?? 0 }))
    .sort((a, b) => Number(a.df === 0) - Number(b.df === 0) || a.df - b.df)
    .slice(0, termsWanted);
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
