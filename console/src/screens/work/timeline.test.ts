import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../../contracts/work/history.ts';
import { axisOf, pictureOf, tableOf, wordsOf } from './timeline.ts';

const start = Date.UTC(2026, 0, 1);
const at = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();
const entry = (rev: number, minutes: number, fields: Partial<HistoryEntry>): HistoryEntry => ({
  id: String(rev),
  at: at(minutes),
  rev,
  kind: 'change',
  change: 'changed',
  status: 'ready',
  agent: null,
  fencing_token: null,
  attempt: 0,
  lease_expires_at: null,
  by: null,
  as: null,
  reason: null,
  blocked_by: [],
  edited: null,
  heartbeats: null,
  refused: null,
  ...fields,
});
const beats = { count: 9, first_at: at(1), last_at: at(4), longest_gap_seconds: 61 };
const story = [
  entry(0, 0, { change: 'created', by: 'pm' }),
  entry(1, 1, { change: 'claimed', status: 'in_progress', agent: 'a', fencing_token: 1, attempt: 1, lease_expires_at: at(6) }),
  entry(2, 9, { change: 'lapsed', fencing_token: 1, heartbeats: beats, reason: 'no sign of life' }),
  entry(3, 10, { change: 'claimed', status: 'in_progress', agent: 'b', fencing_token: 2, attempt: 2, lease_expires_at: at(15) }),
  entry(3, 11, {
    id: '3/1/a/complete',
    kind: 'refusal',
    change: null,
    status: 'in_progress',
    agent: 'b',
    fencing_token: 2,
    refused: { fencing_token: 1, agent: 'a', write: 'complete', times: 2, last_at: at(11.5), why: 'It has ended.' },
  }),
  entry(4, 12, { change: 'completed', status: 'done', agent: 'b', fencing_token: 2, by: 'b', as: 'holder' }),
];

describe('the picture', () => {
  it('has each lease with its end, its heartbeats and its token, and refusals', () => {
    const { leases, states, marks } = pictureOf(story, null, start + 20 * 60_000);
    expect(leases.map(({ token, agent, end, running }) => [token, agent, end, running])).toEqual([
      [1, 'a', 'expired without a heartbeat', false],
      [2, 'b', 'completed', false],
    ]);
    expect(leases[0]!.heartbeats).toEqual(beats);
    expect(leases[0]!.to).toBe(Date.parse(at(9)));
    expect(states.map(({ status }) => status)).toEqual(['ready', 'in_progress', 'ready', 'in_progress', 'done']);
    expect(marks.filter(({ lane }) => lane === 'refusal')).toHaveLength(1);
    const left = [{ field: 'issue', from: 'followed', to: 'moved elsewhere' }];
    expect(wordsOf(entry(5, 13, { kind: 'edit', change: null, edited: left, by: 'github:acme/shop' }))).toEqual({
      what: 'Issue: moved elsewhere',
      detail: 'by github:acme/shop',
    });
    expect(wordsOf(story[4]!)).toEqual({
      what: 'Token 1 was refused 2 times',
      detail: 'a sent complete; token 2 holds. It has ended.',
    });
  });

  it('lets a running lease go on to now and shows its rest', () => {
    const now = start + 12 * 60_000;
    const { leases, times } = pictureOf(
      story.slice(0, 4),
      { agent: 'b', fencing_token: 2, since: at(10), expires_at: at(15), heartbeats: beats },
      now,
    );
    expect(leases.at(-1)).toMatchObject({ running: true, to: now, expires: Date.parse(at(15)), heartbeats: beats });
    expect(times.at(-1)).toBe(Date.parse(at(15)));
  });

  it('has a table with one row for each entry', () => {
    const { head, rows } = tableOf(story);
    expect(rows).toHaveLength(story.length);
    expect(rows.every((row) => row.length === head.length)).toBe(true);
    expect(rows[4]!.slice(0, 4)).toEqual([at(11.5), 'Token 1 was refused 2 times', 1, 'a']);
  });
});

describe('the axis', () => {
  it('keeps the order and compresses pauses', () => {
    const times = [0, 10, 20, 30, 1_000_000, 1_000_010];
    const { place, pauses } = axisOf(times);
    const places = times.map(place);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect([places[0], places.at(-1)]).toEqual([0, 1]);
    expect(places[1]! - places[0]!).toBeGreaterThan(0.05);
    expect(pauses).toMatchObject([{ ms: 999_970 }]);
    expect(place(500_000)).toBeGreaterThan(place(30));
    expect(axisOf([5]).place(5)).toBe(0.5);
  });
});
