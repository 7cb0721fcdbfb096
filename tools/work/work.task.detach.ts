import { z } from 'zod';
import { taskId } from '../../contracts/work/work.ts';
import { sha256 } from '../../contracts/substrate/substrate.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.detach',
  title: 'Detach an artifact from a task',
  description: 'Takes an attachment off a task. The artifact itself stays.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({ task_id: taskId, artifact_sha256: sha256 }),
  output: z.object({ detached: z.boolean() }),
  intents: ['remove an attachment', 'the wrong file is attached'],
  aliases: [],
  async handler({ task_id, artifact_sha256 }, { caller, services }) {
    return { data: { detached: await services.work.attachments.detach(caller, task_id, artifact_sha256) } };
  },
});
