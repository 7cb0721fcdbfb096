import type { Standing, TaskStatus } from '../../contracts/activities/work/work.ts';
import type { TaskChange } from '../../contracts/work/history.ts';

/** What a row of a task's history has. */
interface State {
  status: TaskStatus;
  token: number;
  attempts: number;
  agent: string | null;
}

/** What made a task's former state the present one. @param former null: the task was created, or came before the history */
export function changeOf(now: State & { rev: number; ended_as: Standing | null }, former: State | null): TaskChange {
  const { status, token } = now;
  if (!former) return now.rev === 0 ? 'created' : status === 'in_progress' ? 'claimed' : ended(now, 'changed');
  if (status === 'in_progress') return former.status === 'in_progress' && former.attempts === now.attempts ? 'taken_over' : 'claimed';
  if (status === 'blocked') return 'blocked';
  if (status === 'ready' && former.status === 'blocked') return 'ready';
  if (status === 'ready' && (former.status === 'review' || former.status === 'failed')) return 'sent_back';
  if (status === 'ready') {
    if (now.ended_as === null) return 'lapsed';
    // A release gives the attempt back. The claim may be in the same write.
    return now.attempts < former.attempts || token !== former.token ? 'released' : 'retried';
  }
  return ended(now, 'changed');
}

const ended = ({ status, ended_as: as }: { status: TaskStatus; ended_as: Standing | null }, otherwise: TaskChange): TaskChange => {
  if (status === 'done') return 'completed';
  if (status === 'review') return 'submitted';
  if (status === 'failed') return as === null ? 'lapsed' : 'failed';
  return otherwise;
};
