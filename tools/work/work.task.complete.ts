import { z } from 'zod';
import { fencingToken, resultText, task, taskId } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.complete',
  title: 'Complete a task',
  description:
    'Marks your claimed task done with its result; tasks that wait for it become ready. Needs the fencing_token of your claim. Call it as soon as every requirement is met.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({
    task_id: taskId,
    fencing_token: fencingToken.optional(),
    result: resultText.optional().describe('What was achieved; long output belongs into an artifact'),
  }),
  output: z.object({ task, unblocked_tasks: z.array(z.string()) }),
  intents: ['I am done', 'finish my task', 'hand in the result', 'unblock the tasks that wait for mine'],
  core: true,
  aliases: [],
  async handler({ task_id, fencing_token, result }, { caller, services, callKey }) {
    const changed = await services.work.changes.complete(caller, task_id, fencing_token, result, callKey);
    return {
      data: { task: changed.task, unblocked_tasks: changed.unblocked },
      refs: services.work.refs(caller.tenant, task_id, changed.holder),
      ...(changed.task.status === 'review' ? { warnings: ['Its phase asks for a review: the task waits for approval.'] } : {}),
    };
  },
});
