import { z } from 'zod';
import { task } from '../../contracts/work/work.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

type Output = { task: z.infer<typeof task> | null };

const getMyTask: Alias<Record<string, never>, Output> = {
  name: 'get_my_task',
  system: 'devflow',
  description: 'The task you hold, or null.',
  input: z.object({}),
  toInput: () => ({}),
  toAnswer: ({ task: held }) =>
    held && {
      id: held.id,
      description: held.description,
      phase_id: held.phase_id,
      priority: held.priority,
      status: held.status,
      created_by: held.created_by,
      created_at: held.created_at,
    },
};

export default defineTool({
  name: 'work.task.get_current',
  title: 'My current task',
  description: 'The task you hold under a valid lease, or null. Use it after a restart to find what you were doing.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({ task: task.nullable() }),
  intents: ['what was I doing', 'my task', 'resume after a restart'],
  aliases: [getMyTask],
  async handler(_args, { caller, services }) {
    const task = await services.work.queries.current(caller);
    return {
      data: { task },
      ...(task && task.fencing_token === null
        ? {
            warnings: [
              'You claimed it in another session, which has the fencing token. To go on with it here, claim it again by its task_id.',
            ],
          }
        : {}),
    };
  },
});
