import { expect, it } from 'vitest';
import type { Database } from '../../adapters/postgres/database.ts';
import { OneModel } from './search-models.ts';

/** Answers with these models, and counts the statements. */
function passagesOf(...models: string[]): { query: Database['query']; asked: () => number } {
  let asked = 0;
  const query = async <T>(): Promise<T[]> => {
    asked += 1;
    return models.map((model) => ({ model })) as T[];
  };
  return { query, asked: () => asked };
}

it('asks for other models once per version of the documents', async () => {
  const oneModel = new OneModel();
  const { query, asked } = passagesOf();
  for (const version of ['1:7:3', '1:7:3', '1:8:3', '1:7:3']) expect(await oneModel.others(query, 'acme', 'small', version)).toEqual([]);
  expect(asked()).toBe(2);
  await oneModel.others(query, 'other', 'small', '1:7:3');
  await oneModel.others(query, 'acme', 'large', '1:7:3');
  expect(asked()).toBe(4);
});

it('asks every time while the version is unknown, or while there are others', async () => {
  const oneModel = new OneModel();
  const none = passagesOf();
  for (let i = 0; i < 3; i += 1) await oneModel.others(none.query, 'acme', 'small', null);
  expect(none.asked()).toBe(3);
  const some = passagesOf('former');
  for (let i = 0; i < 3; i += 1) expect(await oneModel.others(some.query, 'acme', 'small', '1:7:3')).toEqual(['former']);
  expect(some.asked()).toBe(3);
});
