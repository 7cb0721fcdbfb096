import { z } from 'zod';
import { fencingToken, progressNote, taskId } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.heartbeat',
  title: 'Keep a task',
  description:
    'Extends the lease of your task by its full length and notes how far you are; needs the fencing_token of your claim. Send one well before the lease ends.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({
    task_id: taskId,
    fencing_token: fencingToken,
    progress: progressNote.optional().describe('How far you are; whoever takes over after you reads it'),
  }),
  output: z.object({ task_id: z.string(), lease_expires_at: z.string().nullable(), fencing_token: z.number().nullable() }),
  intents: ['I am still working on it', 'extend my lease', 'report progress on my task'],
  core: true,
  aliases: [],
  async handler({ task_id, fencing_token, progress }, { caller, services, callKey }) {
    services.agents.presence.sign(caller.tenant, caller.principal);
    const { task } = await services.work.changes.heartbeat(caller, task_id, fencing_token, progress, callKey);
    return { data: { task_id, lease_expires_at: task.lease_expires_at, fencing_token: task.fencing_token } };
  },
});
