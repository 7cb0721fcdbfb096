import { z } from 'zod';
import { fencingToken, resultText, task, taskId } from '../../contracts/work/work.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  task_id: taskId,
  status: z.enum(['ready', 'in_progress', 'done', 'failed']),
  result: resultText.optional().describe('What was achieved, or why it failed'),
  metadata: z.record(z.string(), z.unknown()).optional().describe('Merged into the task'),
  fencing_token: fencingToken.optional(),
});

/** The tool of devflow knows no way back to ready. */
const formerInput = input.extend({ status: input.shape.status.exclude(['ready']) });

type Output = { task: z.infer<typeof task>; unblocked_tasks: string[] };

const updateTaskStatus: Alias<z.input<typeof input>, Output> = {
  name: 'update_task_status',
  system: 'devflow',
  description:
    'Set your task in_progress, done or failed. Mark it done as soon as every requirement is met: other agents wait for it and are unblocked by this.',
  // Its contract has no token: a client that used claim_task may omit it in that session.
  input: formerInput,
  toInput: (args) => args as z.input<typeof input>,
  toAnswer: ({ task: changed, unblocked_tasks }) => ({
    task_id: changed.id,
    status: changed.status,
    ...(changed.completed_at ? { completed_at: changed.completed_at } : {}),
    unblocked_tasks,
  }),
};

export default defineTool({
  name: 'work.task.update_status',
  title: 'Set the status of a task',
  description:
    'Moves a task to ready, in_progress, done or failed. Mark it done as soon as every requirement is met: tasks that wait for it become ready. done and failed need the fencing_token of your claim. On a task in review, done approves. ready gives failed, reviewed or held work to the next claim; the attempt does not count.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input,
  output: z.object({ task, unblocked_tasks: z.array(z.string()) }),
  intents: [
    'mark this as done',
    'I finished the task',
    'approve reviewed work',
    'retry a failed task',
    'let agents try a failed task again',
  ],
  aliases: [updateTaskStatus],
  async handler({ task_id, status, result, metadata, fencing_token }, { caller, system, services, callKey }) {
    const { commands, changes } = services.work;
    const token = fencing_token ?? (system && status !== 'in_progress' ? await changes.tokenOfClaim(caller, task_id) : undefined);
    const changed =
      status === 'in_progress'
        ? { ...(await commands.take(caller, task_id, undefined, callKey)), unblocked: [], holder: null }
        : status === 'ready'
          ? await changes.putBack(caller, task_id, token, callKey)
          : status === 'done'
            ? await changes.complete(caller, task_id, token, result, callKey)
            : await changes.fail(caller, task_id, token, result ?? 'No reason was given.', false, callKey);
    if (metadata) await changes.annotate(caller.tenant, task_id, metadata);
    return {
      data: {
        task: metadata ? { ...changed.task, metadata: { ...changed.task.metadata, ...metadata } } : changed.task,
        unblocked_tasks: changed.unblocked,
      },
      refs: services.work.refs(caller.tenant, task_id, changed.holder ?? changed.task.assigned_agent_id),
      ...(changed.task.status === 'review' && status === 'done'
        ? { warnings: ['Its phase asks for a review: the task waits for approval.'] }
        : {}),
    };
  },
});
