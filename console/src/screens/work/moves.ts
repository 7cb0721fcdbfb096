/** The moves that a task's process accepts. The server decides; this describes a move beforehand. */
import type { Column, TaskSummary } from '../../../../contracts/work/work.ts';

export interface Move {
  to: Column;
  verb: string;
  tool: string;
  args: Record<string, unknown>;
  /** What it means, said before. */
  words: string;
  /** The text that goes along: asked for, or required. */
  text?: { field: 'reason' | 'result'; label: string; required: boolean };
}

/** What moves are decided by. */
export type Moved = Pick<TaskSummary, 'id' | 'status' | 'needs_review' | 'lease_seconds' | 'assigned_agent_id'>;

const claimed = (seconds: number): string =>
  `You claim it for yourself, under a lease of ${seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`}. Without a heartbeat in that time, the task returns to ready.`;
const lost = (agent: string | null): string => (agent === null ? '' : ` ${agent} loses its lease; its later writes are refused.`);

export function movesOf(task: Moved): Move[] {
  const { id, status, needs_review: reviewed, assigned_agent_id: agent } = task;
  const args = { task_id: id };
  const fail = (words: string): Move => ({
    to: 'review',
    verb: 'Fail',
    tool: 'work.task.fail',
    args: { ...args, retry: false },
    words,
    text: { field: 'reason', label: 'Why', required: true },
  });
  const complete = (words: string): Move => ({
    to: reviewed && status === 'in_progress' ? 'review' : 'done',
    verb: 'Complete',
    tool: 'work.task.complete',
    args,
    words,
    text: { field: 'result', label: 'Result', required: false },
  });
  const back: Move = {
    to: 'ready',
    verb: 'Make ready',
    tool: 'work.task.update_status',
    args: { ...args, status: 'ready' },
    words: 'It becomes ready for whoever claims it next; this attempt does not count.',
  };
  const takeUp: Move = {
    to: 'in_progress',
    verb: 'Take up',
    tool: 'work.task.update_status',
    args: { ...args, status: 'in_progress' },
    words: claimed(task.lease_seconds),
  };
  if (status === 'ready')
    return [
      { to: 'in_progress', verb: 'Claim', tool: 'work.task.claim', args, words: claimed(task.lease_seconds) },
      complete('It is done without having been claimed; tasks blocked by it become ready.'),
      fail('It ends without having been claimed; tasks blocked by it stay blocked.'),
    ];
  if (status === 'in_progress')
    return [
      {
        to: 'ready',
        verb: 'Release',
        tool: 'work.task.release',
        args,
        words: `It goes back unfinished, for another to claim.${lost(agent)}`,
      },
      complete(
        reviewed ? `It goes to review with this result.${lost(agent)}` : `It is done; tasks blocked by it become ready.${lost(agent)}`,
      ),
      fail(`It goes to triage.${lost(agent)}`),
    ];
  if (status === 'review')
    return [
      {
        to: 'done',
        verb: 'Approve',
        tool: 'work.task.update_status',
        args: { ...args, status: 'done' },
        words: 'The work is accepted; tasks blocked by it become ready.',
      },
      takeUp,
      back,
      fail('The work is rejected, and the task fails.'),
    ];
  if (status === 'failed') return [{ ...back, verb: 'Retry' }, takeUp];
  return [];
}

/** The move that a drop on a column means; of those that fit, the first. */
export const moveTo = (task: Moved, to: Column): Move | undefined => movesOf(task).find((move) => move.to === to);

const from: Record<Column, Partial<Record<TaskSummary['status'], string>>> = {
  backlog: {
    ready: 'It waits only for blockers: add one on its page.',
    in_progress: 'Release it first; then it can be given blockers.',
    review: 'Reviewed work cannot be given blockers.',
    failed: 'A failed task cannot be given blockers.',
  },
  ready: {
    blocked: 'It becomes ready by itself when its blockers are done.',
  },
  in_progress: { blocked: 'Its blockers must be done first.' },
  review: { blocked: 'Nobody has worked on it.', failed: 'It is in triage already.' },
  done: { blocked: 'Its blockers must be done first.', failed: 'Retry it first.' },
};

/** Why a task cannot go to a column. */
export function whyNot(task: Moved & Pick<TaskSummary, 'status'>, to: Column): string | null {
  if (moveTo(task, to)) return null;
  if (task.status === 'done') return 'What is done stays done: create a new task.';
  return from[to][task.status] ?? 'It is here already.';
}
