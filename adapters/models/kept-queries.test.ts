import { describe, expect, it } from 'vitest';
import type { Embedder, EmbedOptions } from './embedder.ts';
import { keepingQueries } from './kept-queries.ts';

/** A model whose vectors tell how often it was called. */
function counting(): Embedder & { calls: { texts: readonly string[]; options: EmbedOptions | undefined }[]; id: string; closed: boolean } {
  const calls: { texts: readonly string[]; options: EmbedOptions | undefined }[] = [];
  return {
    id: 'one@1',
    dimensions: 2,
    calls,
    closed: false,
    embed(texts, options) {
      calls.push({ texts, options });
      if (texts[0] === 'broken') return Promise.reject(new Error('no model'));
      return Promise.resolve(texts.map((text) => Float32Array.of(text.length, calls.length)));
    },
    close() {
      this.closed = true;
      return Promise.resolve();
    },
  };
}

describe('keepingQueries', () => {
  it('embeds a query once, and gives each caller a vector of its own', async () => {
    const model = counting();
    const kept = keepingQueries(model);
    const [first] = await kept.embed(['lemurs'], { priority: 'query' });
    expect([...first!]).toEqual([6, 1]);
    first![0] = 99;
    const [second] = await kept.embed(['lemurs']);
    expect([...second!]).toEqual([6, 1]);
    second![0] = 98;
    expect([...(await kept.embed(['lemurs']))[0]!]).toEqual([6, 1]);
    expect(model.calls).toHaveLength(1);
  });

  it('tells texts, instructions and models apart', async () => {
    const model = counting();
    const kept = keepingQueries(model);
    for (const text of ['lemurs', 'lemurs ', 'Lemurs']) await kept.embed([text]);
    await kept.embed(['lemurs'], { instruct: true });
    expect(model.calls.at(-1)!.options).toMatchObject({ instruct: true });
    model.id = 'two@2';
    await kept.embed(['lemurs']);
    expect(model.calls).toHaveLength(5);
  });

  it('keeps no batches, and no failures', async () => {
    const model = counting();
    const kept = keepingQueries(model);
    for (const _ of [1, 2]) await kept.embed(['a', 'b']);
    for (const _ of [1, 2]) await kept.embed(['a'], { priority: 'batch' });
    for (const _ of [1, 2]) await expect(kept.embed(['broken'])).rejects.toThrow('no model');
    expect(await kept.embed([])).toEqual([]);
    expect(model.calls).toHaveLength(7);
    await expect(kept.embed(['a'], { signal: AbortSignal.abort() })).rejects.toThrow();
  });

  it('is bounded, and forgets what was used longest ago', async () => {
    const model = counting();
    // Room for two.
    const kept = keepingQueries(model, 300);
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await kept.embed([text]);
    expect(model.calls.map(({ texts }) => texts[0])).toEqual(['a', 'b', 'c', 'b']);
  });

  it('passes on the rest', async () => {
    const model = counting();
    const kept = keepingQueries(model);
    expect([kept.id, kept.dimensions, kept.encoder]).toEqual(['one@1', 2, undefined]);
    await kept.close();
    expect(model.closed).toBe(true);
    expect(keepingQueries(null)).toBeNull();
  });
});
