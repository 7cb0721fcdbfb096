import { LRUCache } from 'lru-cache';
import type { Embedder, EmbedOptions } from './embedder.ts';

/** Some 8,000 vectors of 384 numbers. */
const maxBytes = 16 * 1024 * 1024;

/** Keeps the vectors of single queries, so that a repeated one, with other filters or after a change of documents, needs no model. */
export function keepingQueries<E extends Embedder | null>(embedder: E, limit?: number): E;
export function keepingQueries(embedder: Embedder | null, limit = maxBytes): Embedder | null {
  if (!embedder) return null;
  const kept = new LRUCache<string, Float32Array>({
    maxSize: limit,
    sizeCalculation: (vector, key) => vector.byteLength + 2 * key.length + 100,
  });

  async function embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    const [text] = texts;
    if (texts.length !== 1 || text === undefined || options.priority === 'batch') return await embedder!.embed(texts, options);
    options.signal?.throwIfAborted();
    // Texts are embedded alone, so a kept vector is the one that the model would give.
    const key = `${embedder!.id} ${options.as ?? 'passage'} ${options.instruct ? 'instructed' : 'plain'} ${text}`;
    const known = kept.get(key);
    if (known) return [known.slice()];
    const made = await embedder!.embed(texts, options);
    if (made[0]) kept.set(key, made[0].slice());
    return made;
  }

  // All else is the embedder's own, also what it gains later.
  return Object.assign(Object.create(embedder) as Embedder, {
    embed,
    async close() {
      kept.clear();
      await embedder.close();
    },
  });
}
