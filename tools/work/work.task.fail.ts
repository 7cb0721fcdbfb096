import { z } from 'zod';
import { failureReason, fencingToken, task, taskId } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.fail',
  title: 'Report a failed task',
  description:
    'Says that your task cannot be done and why; needs the fencing_token of your claim. A person or its creator may fail a ready one, too. It goes to review for triage, or with retry back to ready while attempts are left. Its dependants stay blocked.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({
    task_id: taskId,
    fencing_token: fencingToken.optional(),
    reason: failureReason,
    retry: z.boolean().default(false).describe('Another attempt may succeed'),
  }),
  output: z.object({ task }),
  intents: ['this task failed', 'I hit an error I cannot fix', 'send to triage'],
  core: true,
  aliases: [],
  async handler({ task_id, fencing_token, reason, retry }, { caller, services, callKey }) {
    const { task: failed, holder } = await services.work.changes.fail(caller, task_id, fencing_token, reason, retry, callKey);
    return { data: { task: failed }, refs: services.work.refs(caller.tenant, task_id, holder) };
  },
});
