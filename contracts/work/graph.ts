import { z } from 'zod';
import { task } from './work.ts';

/** A task around another one. */
export const graphTask = task
  .pick({
    id: true,
    title: true,
    description: true,
    status: true,
    phase_id: true,
    priority: true,
    assigned_agent_id: true,
    cancelled: true,
  })
  .extend({
    distance: z.number().int().describe('Negative: it is waited for; 0: the task itself; positive: it waits'),
  });
export type GraphTask = z.infer<typeof graphTask>;

export const taskGraph = z.object({
  tasks: z.array(graphTask).describe('Nearest first; descriptions are cut'),
  edges: z.array(
    z.object({ task_id: z.string(), blocker_id: z.string(), waits: z.boolean().describe('false: the blocker no longer holds it up') }),
  ),
  more: z.boolean().describe('Tasks beyond the depth or the limit are left out'),
});
export type TaskGraph = z.infer<typeof taskGraph>;
