import { z } from 'zod';
import { job } from '../../contracts/jobs.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'system.job.cancel',
  title: 'Cancel a job',
  description: 'Asks a running job to stop. It takes back what it had half done.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: [],
  latency: 'L1',
  input: z.object({ job_id: z.string().min(1).max(64) }),
  output: z.object({ job }),
  intents: ['stop the ingestion', 'abort a long call'],
  core: true,
  aliases: [],
  async handler({ job_id }, { caller, services }) {
    const asked = await services.jobs.cancel(caller.tenant, job_id);
    const found = await services.jobs.settle(caller.tenant, asked.job_id, 5_000);
    return { data: { job: found }, refs: services.jobs.refs(found), ...(found.finished_at ? {} : { status: 'accepted' as const }) };
  },
});
