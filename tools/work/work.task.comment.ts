import { z } from 'zod';
import { runId } from '../../contracts/work/runs.ts';
import { comment, taskId } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.comment',
  title: 'Comment on a task',
  description:
    'Adds a note to a task, of any status, for whoever works on it next; with run_id, path and line a note on changes that a run made.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['work:write', 'work:comment'],
  latency: 'L1',
  input: z.object({
    task_id: taskId,
    body: z.string().trim().min(1).max(20_000),
    run_id: runId.optional(),
    path: z.string().min(1).max(1_000).optional().describe('File in the changes of the run'),
    line: z.int32().min(1).optional().describe('Of the new version of the file'),
  }),
  output: z.object({ comment }),
  intents: ['leave a note on a task', 'hand over what I found', 'ask a question about a task'],
  worker: true,
  aliases: [],
  async handler({ task_id, body, ...place }, { caller, services, callKey }) {
    return { data: { comment: await services.work.changes.comment(caller, task_id, body, place, callKey) } };
  },
});
