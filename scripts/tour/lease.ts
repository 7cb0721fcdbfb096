import type { Agent } from './agent.ts';
import { expect, type Tell } from './narrate.ts';

/** A holder that has lost its lease to another agent returns and tries to complete the task: refused in every way. */
export async function fromTheDead(mole: Agent, lost: { id: string; fencing_token: number }, tell: Tell): Promise<void> {
  const late = await mole.call('work.task.complete', { task_id: lost.id, fencing_token: lost.fencing_token, result: 'late' });
  expect(late.error !== undefined, 'the late completion is refused');
  tell(`${mole.name} is back and completes it with token ${lost.fencing_token}: ${late.error.code}, ${late.error.message}`);
  const { task } = await mole.ok<{ task: { status: string; attempts: number; fencing_token: number | null } }>('work.task.get', {
    task_id: lost.id,
  });
  expect(task.status === 'in_progress' && task.attempts === 2, 'the task stays with its second holder');
  expect(task.fencing_token === null, "nobody reads another's token");
}
