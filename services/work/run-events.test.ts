import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../contracts/work/runs.ts';
import { continuing, kept } from './run-events.ts';

const event = (seq: number, fields: Partial<RunEvent> = {}): RunEvent => ({
  seq,
  at: '2026-05-01T10:00:00Z',
  kind: 'text',
  text: 'x',
  ...fields,
});
const seqs = (given: number[], next: number) =>
  continuing(
    given.map((seq) => event(seq)),
    next,
  ).map(({ seq }) => seq);

describe('events that continue a run', () => {
  it('are in order, once each, without those behind a gap', () => {
    expect(seqs([1, 2, 3], 1)).toEqual([1, 2, 3]);
    expect(seqs([3, 1, 2, 2], 1)).toEqual([1, 2, 3]);
    expect(seqs([1, 2, 3, 4], 3)).toEqual([3, 4]);
    expect(seqs([4, 5, 7], 4)).toEqual([4, 5]);
    expect(seqs([6, 7], 4)).toEqual([]);
  });
});

describe('an event', () => {
  it('is kept as Postgres can store it, without data that is too large', () => {
    const { text, data, bytes } = kept(event(1, { text: 'a\0b', data: { path: 'src/a.ts' } }));
    expect([text, data, bytes]).toEqual(['a\uFFFDb', '{"path":"src/a.ts"}', 24]);
    expect(kept(event(1, { data: { all: 'x'.repeat(9_000) } })).data).toBeNull();
  });

  it('has a time that Postgres can store', () => {
    expect(kept(event(1)).at).toBe('2026-05-01T10:00:00.000Z');
    for (const at of ['yesterday', '-010000-01-01T00:00:00Z', '1970-01-01T00:00:00Z'])
      expect(Math.abs(Date.parse(kept(event(1, { at })).at) - Date.now())).toBeLessThan(60_000);
  });
});
