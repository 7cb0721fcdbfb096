import { expect, it } from 'vitest';
import { poolOf } from './embedder-pool.ts';
import type { Embedder, EmbedOptions } from './embedder.ts';

/** Answers each text with its length when released; records its texts. */
function member() {
  const given: string[][] = [];
  const waiting: (() => void)[] = [];
  let closed = false;
  const embedder: Embedder = {
    id: 'counter',
    dimensions: 1,
    embed: (texts: readonly string[], _options?: EmbedOptions) =>
      new Promise((resolve, reject) => {
        given.push([...texts]);
        waiting.push(() =>
          texts.includes('bad') ? reject(new Error('bad text')) : resolve(texts.map((text) => Float32Array.of(text.length))),
        );
      }),
    close: async () => void (closed = true),
  };
  return { embedder, given, letGo: () => waiting.splice(0).forEach((go) => go()), isClosed: () => closed };
}

it('keeps to one process while there is little to do, and spreads queries when there is more', async () => {
  const [a, b] = [member(), member()];
  const pool = poolOf([a.embedder, b.embedder]);
  const first = pool.embed(['one']);
  a.letGo();
  expect(await first).toEqual([Float32Array.of(3)]);
  expect(b.given).toEqual([]);
  const many = ['q', 'qq', 'qqq', 'qqqq', 'qqqqq'].map((text) => pool.embed([text]));
  expect([a.given.length - 1, b.given.length]).toEqual([3, 2]);
  a.letGo();
  b.letGo();
  expect((await Promise.all(many)).map(([vector]) => vector![0])).toEqual([1, 2, 3, 4, 5]);
});

it('shares a batch out and puts it together in order; one that fails fails it', async () => {
  const [a, b] = [member(), member()];
  const pool = poolOf([a.embedder, b.embedder]);
  const texts = Array.from({ length: 9 }, (_, i) => 'x'.repeat(i + 1));
  const made = pool.embed(texts);
  a.letGo();
  b.letGo();
  expect((await made).map((vector) => vector[0])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect([a.given[0]!.length, b.given[0]!.length]).toEqual([5, 4]);
  const failing = pool.embed([...texts, 'bad']).catch((error: Error) => error.message);
  a.letGo();
  b.letGo();
  expect(await failing).toBe('bad text');
  await pool.close();
  expect([a.isClosed(), b.isClosed()]).toEqual([true, true]);
});

it('a small batch goes to the process with less to do', () => {
  const [a, b] = [member(), member()];
  const pool = poolOf([a.embedder, b.embedder]);
  void pool.embed(['one', 'two', 'three']);
  void pool.embed(['four', 'five']);
  expect([a.given, b.given]).toEqual([[['one', 'two', 'three']], [['four', 'five']]]);
});
