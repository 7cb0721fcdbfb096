import { z } from 'zod';
import { dependantsMode, failureReason, taskId } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.delete',
  title: 'Delete a task',
  description:
    'Deletes a task with its comments and its history, and ends its process, also while somebody works on it. Only people may. work.task.cancel and work.task.archive keep it readable.',
  effect: 'destructive',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({
    task_id: taskId,
    reason: failureReason.default('It was deleted.').describe('Told to tasks that waited for it'),
    dependants: dependantsMode,
  }),
  output: z.object({ deleted: z.literal(true), unblocked_tasks: z.array(z.string()).describe('Became ready by it') }),
  intents: ['remove a task for good', 'delete a task that was filed by mistake'],
  aliases: [],
  async handler({ task_id, ...wanted }, { caller, services, callKey }) {
    const { unblocked } = await services.work.shaping.remove(caller, task_id, wanted, callKey);
    return { data: { deleted: true as const, unblocked_tasks: unblocked } };
  },
});
