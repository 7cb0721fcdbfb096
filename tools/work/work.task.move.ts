import { z } from 'zod';
import { expectedRev, phaseId, priorities, task, taskId } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.move',
  title: 'Move a task',
  description: 'Gives a task another phase or priority, for people and its creator. Claims go by both; a running lease stays.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({
    task_id: taskId,
    phase_id: phaseId.optional(),
    priority: z.enum(priorities).optional(),
    expected_rev: expectedRev,
  }),
  output: z.object({ task }),
  intents: ['do this task first', 'raise the priority', 'put it into another phase'],
  aliases: [],
  async handler({ task_id, phase_id, priority, expected_rev }, { caller, services, callKey }) {
    const wanted = { phaseId: phase_id, priority, expected: expected_rev };
    const moved = await services.work.shaping.edit(caller, task_id, wanted, callKey);
    return { data: { task: moved }, refs: services.work.refs(caller.tenant, task_id) };
  },
});
