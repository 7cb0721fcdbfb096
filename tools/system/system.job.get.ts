import { z } from 'zod';
import { job } from '../../contracts/jobs.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'system.job.get',
  title: 'Look at a job',
  description:
    'State, progress and result of work that goes on after its call was answered, or waits for approval. wait_seconds waits for its end.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  ungoverned: true,
  scopes: [],
  latency: 'L1',
  input: z.object({ job_id: z.string().min(1).max(64), wait_seconds: z.number().int().min(0).max(60).default(0) }),
  output: z.object({ job }),
  intents: ['is my ingestion finished', 'progress of a long call', 'get the result of a job'],
  core: true,
  aliases: [],
  async handler({ job_id, wait_seconds }, { caller, services, progress, signal }) {
    if (job_id.startsWith('apr_')) {
      const { approvals } = services.governance;
      const found = await approvals.settle(caller, job_id, wait_seconds * 1_000, signal);
      return { data: { job: approvals.asJob(caller.tenant, found) }, refs: approvals.refs(caller.tenant, job_id) };
    }
    const found = await services.jobs.settle(caller.tenant, job_id, wait_seconds * 1000, (state) => {
      const { done, total, stage } = state.progress as { done?: number; total?: number; stage?: string };
      progress(done ?? 0, total, stage);
    });
    return { data: { job: found }, refs: services.jobs.refs(found) };
  },
});
