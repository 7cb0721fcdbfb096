import { describe, expect, it } from 'vitest';
import type { Overview } from '../../../../contracts/overview.ts';
import { isNew, waitingOf } from './model.ts';

const none = { count: 0, oldest_at: null };
const quiet: Overview = {
  at: '2026-01-01T00:00:00Z',
  tasks: { blocked: 0, ready: 0, in_progress: 0, review: 0, done: 0, failed: 0 },
  stuck: { ...none, lapsed: 0, silent: 0, blocked: 0, exhausted: 0, waiting: 0 },
  approvals: { ...none, next_expires_at: null },
  ambiguous: none,
  reviews: none,
  dead_letters: none,
  outputs: none,
  external_tools: { waiting: 0, changed: 0 },
  undelivered: none,
  failed_notices: none,
  agents: { healthy: 0, unhealthy: 0, offline: 0, none: 0, paused: 0 },
  today: { tasks_created: { now: 0, week_before: 0 }, tasks_done: { now: 0, week_before: 0 } },
  jobs: { count: 0, running: [] },
};

describe('what needs a person', () => {
  it('is nothing when nothing waits, and the tenant is new until something is there', () => {
    expect(waitingOf(quiet)).toEqual([]);
    expect(isNew(quiet)).toBe(true);
    expect(isNew({ ...quiet, agents: { ...quiet.agents, paused: 1 } })).toBe(false);
  });

  it('is told by gravity, in seven lines at most, in the singular for one', () => {
    const many = { count: 2, oldest_at: '2026-01-01T00:00:00Z' };
    const lines = waitingOf({
      ...quiet,
      approvals: { count: 1, oldest_at: '2026-01-01T00:00:00Z', next_expires_at: '2026-01-02T00:00:00Z' },
      ambiguous: many,
      stuck: { ...quiet.stuck, count: 4, lapsed: 2, blocked: 1, waiting: 1 },
      reviews: many,
      dead_letters: many,
      outputs: many,
      external_tools: { waiting: 1, changed: 1 },
      undelivered: many,
      agents: { ...quiet.agents, offline: 1 },
    });
    expect(lines).toHaveLength(7);
    expect(lines[0]).toMatchObject({ text: '1 call waits for a decision', until: '2026-01-02T00:00:00Z' });
    expect(lines[2]!.text).toBe('4 tasks are stuck: 2 with an expired lease, 1 blocked by a failed task, 1 waiting far longer than usual');
    expect(lines.map(({ text }) => text)).toContain('1 agent is offline');
  });
});
