import { z } from 'zod';
import { expectedRev, task, taskId, workerName } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.assign',
  title: 'Reserve a task for a worker',
  description:
    'Reserves a task, so that work.task.claim gives it to this worker only; null lifts the reservation. Whoever holds it now keeps it. For people and its creator.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({ task_id: taskId, worker: workerName.nullable(), expected_rev: expectedRev }),
  output: z.object({ task }),
  intents: ['assign this task to an agent', 'unassign a task', 'only builder-1 shall do this'],
  aliases: [],
  async handler({ task_id, worker, expected_rev }, { caller, services, callKey }) {
    const assigned = await services.work.shaping.edit(caller, task_id, { reservedFor: worker, expected: expected_rev }, callKey);
    return { data: { task: assigned }, refs: services.work.refs(caller.tenant, task_id) };
  },
});
