import { describe, expect, it } from 'vitest';
import type { Board } from '../../../../contracts/work/board.ts';
import { taskStatuses, type TaskSummary } from '../../../../contracts/work/work.ts';
import { byAgent, columnOf, columns, defaults, extended, filterOf, laneFilter, laneName, laneOf, leaseRest, patched } from './model.ts';
import { moveTo, movesOf, whyNot } from './moves.ts';

const at = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString();
const task = (n: number, fields: Partial<TaskSummary> = {}): TaskSummary => ({
  id: `task_${String(n).padStart(3, '0')}`,
  title: null,
  due_at: null,
  reserved_for: null,
  parent_id: null,
  cancelled: false,
  archived_at: null,
  parts: null,
  description: `Task ${n}`,
  phase_id: 1,
  status: 'ready',
  priority: 'medium',
  assigned_agent_id: null,
  created_at: at(n),
  tags: [],
  lease_seconds: 300,
  lease_expires_at: null,
  attempts: 0,
  max_attempts: 3,
  needs_review: false,
  failure: null,
  blocked_by: [],
  stuck: null,
  updated_at: at(n),
  completed_at: null,
  rev: 1,
  ...fields,
});
const none = { backlog: [], ready: [], in_progress: [], review: [], done: [] };
const stats = { total_tasks: 0, ready: 0, done: 0, in_progress: 0, blocked: 0, review: 0, failed: 0 };
const board = (tasks: TaskSummary[], more: Partial<Board> = {}): Board => {
  const all: Board['columns'] = { ...none };
  for (const column of columns) all[column] = tasks.filter((one) => columnOf(one) === column);
  return { columns: all, next: {}, stats, by_phase: [], rev: 'a', changed: null, ...more };
};
const ids = (tasks: TaskSummary[]) => tasks.map(({ id }) => Number(id.slice(5)));

describe('what changed', () => {
  it('moves a task to its column, in its order, and takes away what no longer matches', () => {
    const now = board([task(1), task(2), task(3), task(9, { status: 'in_progress' })]);
    const delta = board([task(2, { status: 'in_progress', priority: 'high', rev: 2 })], { changed: ['task_002', 'task_003'], rev: 'b' });
    const next = patched(now, delta, 'priority');
    expect(ids(next.columns.ready)).toEqual([1]);
    expect(ids(next.columns.in_progress)).toEqual([2, 9]);
    expect(next.rev).toBe('b');
    expect(next.columns.done).toBe(now.columns.done);
  });

  it('never puts an older revision in the place of a newer one', () => {
    const now = board([task(1, { status: 'done', rev: 7 })]);
    const next = patched(now, board([task(1, { status: 'ready', rev: 6 })], { changed: ['task_001'] }), 'priority');
    expect(ids(next.columns.done)).toEqual([1]);
    expect(next.columns.ready).toEqual([]);
  });

  it('leaves to the next page what belongs there, and pages double nothing', () => {
    const now = board([task(1), task(2)], { next: { ready: 'c' } });
    const next = patched(now, board([task(0), task(5)], { changed: ['task_000', 'task_005'] }), 'priority');
    expect(ids(next.columns.ready)).toEqual([0, 1, 2]);
    const all = extended(next, board([task(2), task(5), task(6)]), 'ready');
    expect(ids(all.columns.ready)).toEqual([0, 1, 2, 5, 6]);
    expect(all.next.ready).toBeUndefined();
  });

  it('is the same however it is cut', () => {
    let whole = board([]);
    const tasks = Array.from({ length: 60 }, (_, n) => task((n * 37) % 60, { priority: (['low', 'high', 'medium'] as const)[n % 3]! }));
    for (const one of tasks) whole = patched(whole, board([one], { changed: [one.id] }), 'priority');
    const once = patched(board([]), board(tasks, { changed: tasks.map(({ id }) => id) }), 'priority');
    expect(whole.columns).toEqual(once.columns);
  });
});

describe('moves', () => {
  it('are those of the process, each with words; all others say why not', () => {
    for (const status of taskStatuses) {
      for (const to of columns) {
        const one = task(1, { status, assigned_agent_id: 'w' });
        const move = moveTo(one, to);
        const reason = whyNot(one, to);
        expect([status, to, move === undefined]).toEqual([status, to, reason !== null]);
        if (move) expect(move.words.length).toBeGreaterThan(20);
        else expect(reason!.length).toBeGreaterThan(10);
      }
    }
    expect(movesOf(task(1, { status: 'in_progress' })).map(({ verb }) => verb)).toEqual(['Release', 'Complete', 'Fail']);
    expect(movesOf(task(1, { status: 'failed' })).map(({ verb, to }) => [verb, to])).toEqual([
      ['Retry', 'ready'],
      ['Take up', 'in_progress'],
    ]);
    expect(moveTo(task(1, { status: 'in_progress', needs_review: true }), 'review')!.verb).toBe('Complete');
  });
});

it('filters of the address become arguments, and what is no filter becomes none', () => {
  expect(filterOf(defaults)).toEqual({ order: 'priority' });
  expect(filterOf({ ...defaults, phase: '2', q: ' a  b ', priority: 'high', tag: 'x, y', stuck: 'any', agent: 'w' })).toEqual({
    phase_id: 2,
    search: 'a  b',
    priority: 'high',
    tags: ['x', 'y'],
    stuck: 'any',
    assigned_to: 'w',
    order: 'priority',
  });
  expect(filterOf({ ...defaults, phase: 'two', priority: 'top', stuck: 'very', order: 'random' })).toEqual({ order: 'priority' });
});

it('a lease has a rest, and holders their tasks', () => {
  const held = task(1, { lease_expires_at: at(300), lease_seconds: 300 });
  expect(leaseRest(held, Date.parse(at(150)))).toBe(0.5);
  expect(leaseRest(held, Date.parse(at(900)))).toBe(0);
  expect(
    byAgent([task(1, { assigned_agent_id: 'a' }), task(2, { assigned_agent_id: 'b' }), task(3, { assigned_agent_id: 'b' })]).map(
      ({ agent }) => agent,
    ),
  ).toEqual(['b', 'a']);
});

describe('lanes', () => {
  it('have a name, and a filter that keeps the rest of the filters', () => {
    expect([laneName('phase', '2', [{ id: 2, name: 'Build' }]), laneName('phase', '9', []), laneName('priority', 'high', [])]).toEqual([
      '2 Build',
      '9',
      'High',
    ]);
    expect([laneName('assignee', '', []), laneName('assignee', 'ada', [])]).toEqual(['Nobody', 'ada']);
    expect(laneFilter('assignee', '', { search: 'x' })).toEqual({ search: 'x', assigned_to: '' });
    expect(laneFilter('phase', '2', { order: 'oldest' })).toEqual({ order: 'oldest', phase_id: 2 });
    expect(laneFilter('priority', 'low', { phase_id: 1 })).toEqual({ phase_id: 1, priority: 'low' });
  });

  it('are those of the address, where it names one', () => {
    expect(['phase', 'assignee', 'priority', '', 'status', 'toString'].map(laneOf)).toEqual([
      'phase',
      'assignee',
      'priority',
      null,
      null,
      null,
    ]);
  });
});
