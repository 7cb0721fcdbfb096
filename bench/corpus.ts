/** Real text to ingest and search: customer reviews from the development data, several per document. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Corpus {
  documents: { title: string; text: string }[];
  queries: string[];
}

const folder = ['2-retrieval', 'app-review-search'];

/** @returns null without the data */
export function readCorpus(dataDir: string, documents: number, perDocument: number): Corpus | null {
  const file = (name: string): string => join(dataDir, ...folder, name);
  if (!existsSync(file('corpus.jsonl'))) return null;
  const lines = <T>(name: string): T[] =>
    readFileSync(file(name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as T);
  // Each document must be a single passage of the product's default size.
  const texts = lines<{ text: string }>('corpus.jsonl').map(({ text }) => text.slice(0, 900));
  return {
    documents: Array.from({ length: documents }, (_, d) => ({
      title: `Reviews ${d}`,
      text: Array.from({ length: perDocument }, (_unused, i) => `Review ${d}.${i}: ${texts[(d * perDocument + i) % texts.length]}`).join(
        '\n\n',
      ),
    })),
    queries: lines<{ text: string }>('queries.jsonl').map(({ text }) => text),
  };
}
