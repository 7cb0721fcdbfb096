import { expect, it } from 'vitest';
import type { Product } from './product.ts';
import { deepened, search, type Found } from './retrieval.ts';

/** Passages of documents, as a search would rank them. */
const passages = Array.from({ length: 450 }, (_, i) => `d${i < 90 ? i % 3 : i - 87}`);
const answer = (limit: number): Found => {
  const hits = passages.slice(0, limit);
  return { found: [...new Set(hits)].map((id) => [id]), followed: false, hits: hits.length, limit };
};

it('a ranking has its documents, however many passages each has', async () => {
  const asked: number[] = [];
  const again = async (limit: number): Promise<Found> => (asked.push(limit), answer(limit));
  const ranked = await deepened(answer(100), again);
  expect(asked).toEqual([200]);
  expect(ranked.length).toBe(100);
  expect(new Set(ranked).size).toBe(100);
  expect(ranked.slice(0, 4)).toEqual(['d0', 'd1', 'd2', 'd3']);
});

it('a ranking ends where there is nothing more to find', async () => {
  const few: Found = { found: [['a'], ['b']], followed: false, hits: 60, limit: 100 };
  expect(await deepened(few, () => expect.unreachable())).toEqual(['a', 'b']);
  // The same few documents in ever more passages.
  const again = async (limit: number): Promise<Found> => ({
    found: [['a'], ['b'], ['c']],
    followed: false,
    hits: Math.min(limit, 500),
    limit,
  });
  expect(await deepened({ ...few, hits: 100 }, again)).toEqual(['a', 'b', 'c']);
});

/** A product whose model answers too late for the first searches. */
function lateFor(searches: number): { product: Product; asked: () => number } {
  let asked = 0;
  const chunks = async () => {
    asked += 1;
    const warnings =
      asked <= searches ? ['The embedding model cannot be used at the moment, so this was searched by words only: late.'] : [];
    return { hits: [], followed: false, warnings };
  };
  const services = { knowledge: { search: { chunks } } };
  const product = { caller: { tenant: 'acme' }, services, run: (work: () => unknown) => work() } as unknown as Product;
  return { product, asked: () => asked };
}

it('a search that a busy machine answered by words alone is repeated, and never measured', async () => {
  const given = { bases: new Map([['', 'base']]), documents: new Map() };
  const query = { id: 'q', text: 'which', group: '', judged: new Map() };
  const late = lateFor(2);
  expect(await search(query, 'auto', { product: late.product, ...given })).toMatchObject({ hits: 0 });
  expect(late.asked()).toBe(3);
  await expect(search(query, 'dense', { product: lateFor(9).product, ...given })).rejects.toThrow('too busy to measure');
});
