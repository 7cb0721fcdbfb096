import { describe, expect, test } from 'vitest';
import { blocksOf, nearlyTheSame, wordsOfStatement } from './blocks.ts';
import type { SignalClass } from '../../contracts/signals/signals.ts';
import { ranked } from './ranking.ts';
import { kindsIn } from './search-kinds.ts';

const of = (text: string, vector: number[] | null = null) => ({
  words: wordsOfStatement(text),
  vector: vector ? Float32Array.from(vector) : null,
});
const meet = (a: string, b: string): boolean => {
  const others = new Set(blocksOf(wordsOfStatement(b)));
  return blocksOf(wordsOfStatement(a)).some((block) => others.has(block));
};

describe('near duplicates', () => {
  const statement = 'The export to Excel fails with a timeout for large reports.';

  test('meet in a block and are nearly the same', () => {
    for (const other of [
      'the export to excel fails with a timeout for large reports!!',
      'The exports to Excel failed with timeouts for a large report',
    ]) {
      expect(meet(statement, other)).toBe(true);
      expect(nearlyTheSame(of(statement), of(other))).toBe(true);
    }
  });

  test('are not what shares a few words', () => {
    expect(nearlyTheSame(of(statement), of('The import from Excel works for large reports.'))).toBe(false);
    expect(nearlyTheSame(of('Add dark mode'), of('Remove dark mode'))).toBe(false);
  });

  test('are told by their meaning, too, where half of the words are shared', () => {
    const other = 'Export to Excel times out when large reports are chosen';
    expect(nearlyTheSame(of(statement, [1, 0]), of(other, [0.99, 0.1]))).toBe(true);
    expect(nearlyTheSame(of(statement, [1, 0]), of(other, [0, 1]))).toBe(false);
    expect(nearlyTheSame(of(statement), of(other, [1, 0]))).toBe(false);
  });

  test('blocks are the same always, and nothing has none', () => {
    expect(blocksOf(new Set(['b', 'a']))).toEqual(blocksOf(new Set(['a', 'b'])));
    expect(blocksOf(new Set())).toEqual([]);
    expect(wordsOfStatement('it is')).toEqual(new Set(['it', 'is']));
  });
});

describe('ranking', () => {
  const candidate = (
    id: string,
    statement: string,
    cosine: number | null,
    { at = 0, kind = 'information' }: { at?: number; kind?: SignalClass } = {},
  ) => ({
    id,
    statement,
    class: kind,
    cosine,
    at,
  });
  const idsOf = ({ found }: ReturnType<typeof ranked>): string[] => found.map(({ id }) => id);

  test('words and meaning count, unrelated ones are left out, the newer comes first', () => {
    const order = ranked(kindsIn('dark mode'), [
      candidate('far', 'The invoice is wrong', 0.55),
      candidate('old', 'Please add a dark mode', 0.85, { at: 1 }),
      candidate('new', 'Please add a dark mode', 0.85, { at: 2 }),
      candidate('meant', 'A black theme would be nice', 0.75),
    ]);
    expect(idsOf(order)).toEqual(['new', 'old', 'meant']);
  });

  test('by words alone where there are no vectors', () => {
    const order = ranked(kindsIn('export'), [candidate('a', 'Export stops', null), candidate('b', 'Login stops', null)]);
    expect(order).toEqual({ found: [{ id: 'a', score: 1 }], nearest: false });
  });

  test('a requested kind counts, alone and with a subject', () => {
    const said = [
      candidate('going', 'We move to another vendor in May', 0.5, { kind: 'churn_risk' }),
      candidate('slow', 'The export takes an hour', 0.6, { kind: 'complaint' }),
      candidate('nice', 'The export is quick', 0.6, { kind: 'praise' }),
    ];
    expect(idsOf(ranked(kindsIn('who threatens to leave?'), said))).toEqual(['going']);
    expect(idsOf(ranked(kindsIn('export problems'), said))).toEqual(['slow', 'nice']);
  });

  test('the nearest are shown when none fits, and without vectors none is', () => {
    const near = [candidate('b', 'The lift is out of order', 0.45), candidate('a', 'The stairs are steep', 0.52)];
    expect(ranked(kindsIn('parking'), near)).toMatchObject({ nearest: true, found: [{ id: 'a' }, { id: 'b' }] });
    expect(ranked(kindsIn('parking'), [candidate('a', 'The stairs are steep', null)])).toEqual({ nearest: false, found: [] });
  });
});
