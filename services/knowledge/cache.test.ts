import { describe, expect, it } from 'vitest';
import type { Database } from '../../adapters/postgres/database.ts';
import { Versions } from './cache.ts';

/** Answers the statement of versions. @param changed of each scope; null: a transaction is still open */
function documents(changed: (string | null)[]): { query: Database['query']; asked: number } {
  const given = {
    asked: 0,
    query: (() => {
      given.asked += 1;
      return Promise.resolve(changed.map((each) => ({ changed: each, documents: 2, settled: each !== null })));
    }) as unknown as Database['query'],
  };
  return given;
}

describe('Versions', () => {
  it('reads the version of a known state once', async () => {
    const versions = new Versions();
    const [one, two] = [{}, {}];
    const before = documents(['10', '11']);
    const version = await versions.of(before.query, 'acme', [1, 2], [one, two]);
    expect(version).toBe('1:10:2 2:11:2');
    expect(await versions.of(before.query, 'acme', [1, 2], [one, two])).toBe(version);
    expect(before.asked).toBe(1);
    // One of them changed.
    const after = documents(['10', '12']);
    expect(await versions.of(after.query, 'acme', [1, 2], [one, {}])).toBe('1:10:2 2:12:2');
    expect(after.asked).toBe(1);
    // Known from a search of more.
    expect(await versions.of(after.query, 'acme', [1], [one])).toBe('1:10:2');
    expect(after.asked).toBe(1);
  });

  it('reads it each time where the state is not known', async () => {
    const versions = new Versions();
    const { query } = documents(['10']);
    for (const settled of [[null], undefined]) {
      const given = documents(['10']);
      for (const _ of [1, 2]) expect(await versions.of(given.query, 'acme', [1], settled)).toBe('1:10:2');
      expect(given.asked).toBe(2);
    }
    const open = documents([null]);
    const state = {};
    for (const _ of [1, 2]) expect(await versions.of(open.query, 'acme', [1], [state])).toBeNull();
    expect(open.asked).toBe(2);
    expect(await versions.of(query, 'acme', [1], [state])).toBe('1:10:2');
  });

  it('has none for no scopes', async () => {
    expect(await new Versions().of(documents([]).query, 'acme', [], [])).toBe('');
  });
});
