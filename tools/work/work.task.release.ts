import { z } from 'zod';
import { fencingToken, task, taskId } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.release',
  title: 'Give a task back',
  description:
    'Hands your claimed task back unfinished, for another agent to claim; needs the fencing_token of your claim. Leave a comment on how far you got.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({ task_id: taskId, fencing_token: fencingToken.optional() }),
  output: z.object({ task }),
  intents: ['I cannot do this one', 'unassign my task', 'put the task back on the board'],
  core: true,
  aliases: [],
  async handler({ task_id, fencing_token }, { caller, services, callKey }) {
    const { task: released, holder } = await services.work.changes.release(caller, task_id, fencing_token, callKey);
    return { data: { task: released }, refs: services.work.refs(caller.tenant, task_id, holder) };
  },
});
