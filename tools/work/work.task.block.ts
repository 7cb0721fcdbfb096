import { z } from 'zod';
import { task, taskId } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.block',
  title: 'Make a task wait for others',
  description:
    'Adds blockers to a task that is not in progress yet. It becomes ready by itself when all of them are done. Cycles are refused.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({ task_id: taskId, blocked_by: z.array(taskId).min(1).max(100) }),
  output: z.object({ task }),
  intents: ['this depends on another task', 'add a dependency', 'do that one first'],
  aliases: [],
  async handler({ task_id, blocked_by }, { caller, services, callKey }) {
    const { task: blocked } = await services.work.changes.block(caller, task_id, [...new Set(blocked_by)], callKey);
    return { data: { task: blocked }, refs: services.work.refs(caller.tenant, task_id) };
  },
});
