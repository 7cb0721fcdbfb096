import { expect, it } from 'vitest';
import type { RunEvent } from '../../../../contracts/work/runs.ts';
import { filesOf, lasted, price, statOf, stepsOf } from './run.ts';

let seq = 0;
const event = (kind: RunEvent['kind'], text: string, data?: RunEvent['data']): RunEvent => ({
  seq: (seq += 1),
  at: '2026-01-01T00:00:00.000Z',
  kind,
  text,
  ...(data ? { data } : {}),
});
const told = (events: RunEvent[]) => stepsOf(events).map(({ event: { text }, result }) => [text, result?.text ?? null]);

it('puts results beside their calls, by id or by order, and keeps a result whose call is not here', () => {
  expect(
    told([
      event('tool_result', 'of an earlier call'),
      event('tool', 'one', { id: 'a' }),
      event('tool', 'two', { id: 'b' }),
      event('tool_result', 'of two', { id: 'b' }),
      event('tool_result', 'of one', { id: 'a' }),
      event('text', 'thinking'),
      event('tool', 'three'),
      event('tool_result', 'of three'),
      event('tool_result', 'of nothing'),
    ]),
  ).toEqual([
    ['of an earlier call', null],
    ['one', 'of one'],
    ['two', 'of two'],
    ['thinking', null],
    ['three', 'of three'],
    ['of nothing', null],
  ]);
});

it('names each touched file once', () => {
  expect(filesOf([event('file', 'changed', { path: 'a.ts' }), event('file', 'b.ts'), event('file', 'again', { path: 'a.ts' })])).toEqual([
    'a.ts',
    'b.ts',
  ]);
});

it('says durations, prices and changes as people read them', () => {
  expect([400, 59_400, 200_000, 7_500_000].map(lasted)).toEqual(['0 s', '59 s', '3 min 20 s', '2 h 5 min']);
  expect([null, 0, 0.0034, 1.2].map(price)).toEqual([null, '$0.00', '$0.0034', '$1.20']);
  expect(statOf({ files_changed: 0, insertions: 0, deletions: 0 })).toBe('');
  expect(statOf({ files_changed: 1, insertions: 1_200, deletions: 3 })).toBe('+1,200 −3 in 1 file');
});
