import { z } from 'zod';
import { dependantsMode, failureReason, task, taskId } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.cancel',
  title: 'Cancel a task',
  description:
    'Ends a task that is not wanted any more, also one that somebody works on: its holder is refused from now on. It leaves the board and stays readable, as failed and cancelled. For people and its creator.',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({
    task_id: taskId,
    reason: failureReason.default('It is not wanted any more.'),
    dependants: dependantsMode,
  }),
  output: z.object({ task, unblocked_tasks: z.array(z.string()).describe('Became ready by it') }),
  intents: ['stop working on this', 'we do not need this task any more', 'abort a running task'],
  aliases: [],
  async handler({ task_id, ...wanted }, { caller, services, callKey }) {
    const { task: cancelled, unblocked } = await services.work.shaping.cancel(caller, task_id, wanted, callKey);
    return { data: { task: cancelled, unblocked_tasks: unblocked }, refs: services.work.refs(caller.tenant, task_id) };
  },
});
