import { expect, it } from 'vitest';
import { fresh, actor } from '../../workflows/work/task/testing.ts';
import type { TaskState } from '../../workflows/work/task/state.ts';
import { changeOf } from './change.ts';

const rowOf = ({ current }: TaskState) => ({
  rev: current.rev,
  status: current.status,
  token: current.token,
  attempts: current.attempts,
  agent: current.agent,
  ended_as: current.endedAs ?? null,
});
const ann = actor('k1', 'ann');
const inSession = (session: string) => actor('k1', 'ann', { named: true, session });

/** The name of the last of some changes of a new task. */
function named(...changes: ((task: TaskState) => unknown)[]) {
  const task = fresh({ maxAttempts: 2 });
  let before = rowOf(task);
  for (const change of changes) {
    before = rowOf(task);
    change(task);
  }
  return changeOf(rowOf(task), changes.length === 0 ? null : before);
}
const claim = (task: TaskState) => task.claim(ann, undefined, 0);

it.each([
  ['created', []],
  ['blocked', [(task: TaskState) => task.block(['b'])]],
  ['ready', [(task: TaskState) => task.block(['b']), (task: TaskState) => task.blockerDone('b')]],
  ['claimed', [claim]],
  [
    'taken_over',
    [(task: TaskState) => task.claim(inSession('a'), undefined, 0), (task: TaskState) => task.claim(inSession('b'), undefined, 1)],
  ],
  ['sent_back', [claim, (task: TaskState) => task.fail('no', false, ann, 1), (task: TaskState) => task.sendBack(ann)]],
  ['released', [claim, (task: TaskState) => task.release(ann, 1)]],
  ['lapsed', [claim, (task: TaskState) => task.expireLease()]],
  ['retried', [claim, (task: TaskState) => task.fail('no', true, ann, 1)]],
  ['failed', [claim, (task: TaskState) => task.fail('no', false, ann, 1)]],
  ['completed', [claim, (task: TaskState) => task.complete('yes', 1, ann, 1)]],
  // The lease of ann ended and bob's began before a row was written in between.
  ['claimed', [claim, (task: TaskState) => task.claim(actor('k2', 'bob'), undefined, 90_000)]],
  // The last attempt.
  ['lapsed', [claim, (task: TaskState) => task.expireLease(), claim, (task: TaskState) => task.expireLease()]],
] as const)('a change is called %s', (name, changes) => expect(named(...changes)).toBe(name));

it('work that waits for approval is submitted', () => {
  const task = fresh({ needsReview: true });
  task.claim(ann, undefined, 0);
  const before = rowOf(task);
  task.complete('x', 1, ann, 1);
  expect(changeOf(rowOf(task), before)).toBe('submitted');
});
