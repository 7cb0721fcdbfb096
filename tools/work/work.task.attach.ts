import { z } from 'zod';
import { attachment } from '../../contracts/work/attachments.ts';
import { taskId } from '../../contracts/work/work.ts';
import { sha256 } from '../../contracts/substrate/substrate.ts';
import { plainText } from '../../contracts/json.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.attach',
  title: 'Attach an artifact to a task',
  description: 'Links a stored artifact to a task; work.task.get shows it. substrate.artifact.upload stores a file.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({
    task_id: taskId,
    artifact_sha256: sha256,
    name: plainText(200).trim().min(1).optional().describe('Default: the name of the artifact'),
  }),
  output: z.object({ attachments: z.array(attachment) }),
  intents: ['attach a file to a task', 'add the log to the task'],
  aliases: [],
  async handler({ task_id, artifact_sha256, name }, { caller, services }) {
    const artifact = await services.substrate.artifacts.describe(caller.tenant, artifact_sha256);
    const wanted = { sha256: artifact_sha256, name: name ?? artifact.filename ?? artifact_sha256.slice(0, 12) };
    return { data: { attachments: await services.work.attachments.attach(caller, task_id, wanted) } };
  },
});
