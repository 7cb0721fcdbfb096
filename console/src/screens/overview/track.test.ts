import { expect, it } from 'vitest';
import type { Board } from '../../../../contracts/work/board.ts';
import type { Phase, TaskSummary } from '../../../../contracts/work/work.ts';
import { linesOf, mostTrains } from './track.ts';

const counts = { total_tasks: 0, ready: 0, done: 0, in_progress: 0, blocked: 0, review: 0, failed: 0 };
const phase = (id: number): Phase => ({
  id,
  name: `P${id}`,
  description: '',
  done_definitions: [],
  additional_notes: null,
  working_directory: null,
  needs_review: false,
  setup: [],
  checks: [],
  merge: null,
  stuck_minutes: null,
  stuck_repeats: null,
});
const held = (n: number, phase_id: number, stuck: TaskSummary['stuck'] = null) =>
  ({ id: `task_${n}`, assigned_agent_id: `w${n}`, phase_id, stuck }) as TaskSummary;
const board = (tasks: TaskSummary[]): Board => ({
  columns: { backlog: [], ready: [], in_progress: tasks, review: [], done: [] },
  next: {},
  stats: { ...counts, in_progress: tasks.length },
  by_phase: [{ ...counts, phase_id: 1, in_progress: tasks.length, ready: 3 }],
  rev: 'a',
  changed: null,
});

it('has a line for each phase, with its holders as trains', () => {
  const lines = linesOf(board([held(1, 1), held(2, 1, 'lapsed')]), [phase(1), phase(2)]);
  expect(lines.map(({ name }) => name)).toEqual(['P1', 'P2']);
  expect(lines[0]!.sections.map(({ count }) => count)).toEqual([0, 3, 2, 0, 0, 0]);
  expect(lines[0]!.sections[2]!.trains).toEqual([
    { id: 'task_1', agent: 'w1', stuck: false },
    { id: 'task_2', agent: 'w2', stuck: true },
  ]);
  expect(lines[1]!.sections.every(({ count, trains }) => count === 0 && trains.length === 0)).toBe(true);
});

it('shows counts alone where there are too many trains', () => {
  const many = Array.from({ length: mostTrains + 1 }, (_, n) => held(n, 1));
  expect(linesOf(board(many), [phase(1)])[0]!.sections[2]).toMatchObject({ count: mostTrains + 1, trains: [] });
});
