import type { Agent } from './agent.ts';
import { expect, type Tell } from './narrate.ts';

/** A holder whose lease went to somebody else is refused, whatever it says. */
export async function fromTheDead(mole: Agent, lost: { id: string; fencing_token: number }, tell: Tell): Promise<void> {
  const late = await mole.call('work.task.complete', { task_id: lost.id, fencing_token: lost.fencing_token, result: 'late' });
  expect(late.error !== undefined, 'the late completion is refused');
  tell(`${mole.name} completes ${lost.id} with token ${lost.fencing_token}:`);
  tell(`  ${late.error.code}: ${late.error.message}`);
  const { task } = await mole.ok<{ task: { result: string | null; fencing_token: number } }>('work.task.get', { task_id: lost.id });
  expect(task.result !== 'late' && task.fencing_token > lost.fencing_token, 'the task keeps the result of its second holder');
  tell(`  The task still says "${task.result}".`);
}
