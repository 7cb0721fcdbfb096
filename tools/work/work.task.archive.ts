import { z } from 'zod';
import { expectedRev, task, taskId } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.archive',
  title: 'Archive a task',
  description:
    'Takes a task that is done or has failed off lists and boards, or with archived false puts it back. It stays readable by its id.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({ task_id: taskId, archived: z.boolean().default(true), expected_rev: expectedRev }),
  output: z.object({ task }),
  intents: ['clear finished work away', 'hide an old task', 'put a task back on the board'],
  aliases: [],
  async handler({ task_id, archived, expected_rev }, { caller, services, callKey }) {
    const kept = await services.work.shaping.edit(caller, task_id, { archived, expected: expected_rev }, callKey);
    return { data: { task: kept }, refs: services.work.refs(caller.tenant, task_id) };
  },
});
