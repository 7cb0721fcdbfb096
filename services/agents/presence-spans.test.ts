import { describe, expect, it } from 'vitest';
import { spansOf, type Change } from './presence-spans.ts';

const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 22, hour));
const change = (hour: number, event: string, more: Partial<Change> = {}): Change => ({
  event,
  from: null,
  reason: null,
  at: at(hour),
  ...more,
});
const told = (changes: Change[], now: 'none' | 'healthy' | 'unhealthy' | 'offline') =>
  spansOf(changes, now, at(0), at(24)).map(({ state, from, to, reason }) => [
    state,
    new Date(from).getUTCHours(),
    new Date(to).getUTCHours(),
    reason,
  ]);

describe('presence as intervals', () => {
  it('without changes is what it is now', () => {
    expect(told([], 'none')).toEqual([['none', 0, 0, null]]);
    expect(spansOf([], 'healthy', at(0), at(24))[0]?.seconds).toBe(86_400);
  });

  it('begins with the last change before', () => {
    const changes = [change(-5, 'registered'), change(-2, 'unhealthy', { from: 'healthy' }), change(3, 'offline', { from: 'unhealthy' })];
    expect(told(changes, 'offline')).toEqual([
      ['unhealthy', 0, 3, null],
      ['offline', 3, 0, null],
    ]);
  });

  it('knows from a change what was before it, and of an agent that it was not there before it was registered', () => {
    expect(told([change(6, 'unhealthy', { from: 'healthy' })], 'unhealthy')).toEqual([
      ['healthy', 0, 6, null],
      ['unhealthy', 6, 0, null],
    ]);
    expect(told([change(4, 'registered'), change(8, 'unhealthy', { from: 'healthy' })], 'unhealthy')).toEqual([
      ['absent', 0, 4, null],
      ['healthy', 4, 8, null],
      ['unhealthy', 8, 0, null],
    ]);
  });

  it('a pause stands before health, with its reason, and health goes on beneath it', () => {
    const changes = [
      change(-1, 'healthy', { from: 'offline' }),
      change(2, 'paused', { reason: 'floods us' }),
      change(3, 'offline', { from: 'healthy' }),
      change(5, 'activated'),
    ];
    expect(told(changes, 'offline')).toEqual([
      ['healthy', 0, 2, null],
      ['paused', 2, 5, 'floods us'],
      ['offline', 5, 0, null],
    ]);
  });

  it('is absent between a removal and the next registration, and not split by what does not concern it', () => {
    const changes = [
      change(-1, 'healthy', { from: 'offline' }),
      change(1, 'rolled_back'),
      change(2, 'updated'),
      change(7, 'unregistered'),
      change(9, 'updated'),
    ];
    expect(told(changes, 'healthy')).toEqual([
      ['healthy', 0, 7, null],
      ['absent', 7, 9, null],
      ['healthy', 9, 0, null],
    ]);
  });

  it('has no gaps and no overlaps, whatever comes', () => {
    const events = ['healthy', 'unhealthy', 'offline', 'paused', 'activated', 'updated', 'removed', 'registered', 'rolled_back'];
    const changes = Array.from({ length: 60 }, (_, i) =>
      change((i * 7) % 29 === 0 ? i / 2 : i / 2 + 0.1, events[(i * 5) % events.length]!),
    );
    const spans = spansOf(changes, 'healthy', at(0), at(24));
    expect(spans[0]?.from).toBe(at(0).toISOString());
    expect(spans.at(-1)?.to).toBe(at(24).toISOString());
    for (const [i, span] of spans.entries()) {
      if (i === 0) continue;
      expect(span.from).toBe(spans[i - 1]!.to);
      expect([span.state, span.reason]).not.toEqual([spans[i - 1]!.state, spans[i - 1]!.reason]);
    }
  });
});
