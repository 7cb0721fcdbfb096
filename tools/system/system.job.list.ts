import { z } from 'zod';
import { jobStatuses, listedJob } from '../../contracts/jobs.ts';
import { jobKinds, type JobKind } from '../../contracts/temporal.ts';
import { defineTool } from '../catalogue/define.ts';
import { countedPages } from '../catalogue/pages.ts';

export default defineTool({
  name: 'system.job.list',
  title: 'List jobs',
  description:
    'Work that goes on after its call was answered (ingestions, drafts, merges, exports …), newest first, with stage and progress, its parked stages and its process. system.job.get shows one, system.job.cancel stops it.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input: z.object({
    status: z
      .enum([...jobStatuses, 'unfinished'])
      .optional()
      .describe('unfinished: queued and running'),
    kind: z.enum(Object.keys(jobKinds) as [JobKind, ...JobKind[]]).optional(),
    job_ids: z.array(z.string().min(1).max(64)).max(100).optional().describe('Only these'),
    limit: z.number().int().min(1).max(100).default(50),
    cursor: z.string().max(512).optional().describe('metadata.next_cursor of the page before'),
  }),
  output: z.object({
    jobs: z.array(listedJob),
  }),
  intents: ['which jobs are running', 'list long calls', 'which ingestions failed', 'progress of everything in the background'],
  aliases: [],
  async handler({ job_ids, ...filter }, { caller, services }) {
    return countedPages('jobs', await services.jobs.list(caller.tenant, { ids: job_ids, ...filter }));
  },
});
