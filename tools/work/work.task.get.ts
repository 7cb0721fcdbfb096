import { z } from 'zod';
import { pullRequest, taskIssue } from '../../contracts/work/trackers.ts';
import { attachment } from '../../contracts/work/attachments.ts';
import { comment, partsCount, task, taskId, taskLink } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.get',
  title: 'Read a task',
  description: 'One task with everything known of it: status, lease, blockers, parts, attachments, progress, result, comments.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input: z.object({ task_id: taskId }),
  output: z.object({
    task: task.extend({
      comments: z.array(comment),
      blockers: z.array(taskLink),
      dependants: z.array(taskLink),
      parts: partsCount.extend({ tasks: z.array(taskLink) }),
      attachments: z.array(attachment),
      issue: taskIssue.nullable().describe('The issue that it was made from'),
      pull_request: pullRequest.nullable().describe('The latest one with its work'),
    }),
  }),
  intents: ['show me the details of a task', 'who works on this', 'why is it blocked'],
  core: true,
  worker: true,
  aliases: [],
  async handler({ task_id }, { caller, services }) {
    const { task: found, comments } = await services.work.queries.get(caller, task_id);
    return {
      data: { task: found },
      refs: services.work.refs(caller.tenant, task_id),
      ...(comments > found.comments.length
        ? { warnings: [`It has ${comments} comments; the latest ${found.comments.length} are shown.`] }
        : {}),
    };
  },
});
