import { z } from 'zod';
import { comment, taskId } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.comment',
  title: 'Comment on a task',
  description: 'Adds a note to a task, of any status, for whoever works on it next.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({ task_id: taskId, body: z.string().trim().min(1).max(20_000) }),
  output: z.object({ comment }),
  intents: ['leave a note on a task', 'hand over what I found', 'ask a question about a task'],
  aliases: [],
  async handler({ task_id, body }, { caller, services, callKey }) {
    return { data: { comment: await services.work.changes.comment(caller, task_id, body, callKey) } };
  },
});
