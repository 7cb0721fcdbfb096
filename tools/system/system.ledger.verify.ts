import { z } from 'zod';
import type { LedgerCheck } from '../../contracts/activities/governance/ledger.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'system.ledger.verify',
  title: 'Verify the ledger',
  description:
    'Reads the whole ledger of your tenant and holds it against its chain: rows that were changed, taken out or put in show. A long one goes on as a job, whose result it is. Keep the head elsewhere to show that the chain itself was not made anew.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['ledger:read'],
  latency: 'L5',
  input: z.object({
    head: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'the 64 hexadecimal characters of head.hash')
      .optional()
      .describe('Hash of an earlier head, to check that it belongs to this chain'),
  }),
  output: z.object({
    job_id: z.string(),
    status: z.string(),
    intact: z.boolean().optional().describe('Absent, as all below, while the job goes on'),
    events: z.number().optional(),
    links: z.number().optional(),
    unlinked: z.number().optional().describe('Written within the last seconds: their own signatures were checked, their order was not'),
    head: z.object({ link: z.string(), hash: z.string() }).nullable().optional(),
    contains: z
      .object({ link: z.string(), at: z.string() })
      .nullable()
      .optional()
      .describe('Link with the given head; null: the chain does not contain it'),
    breaches: z
      .array(
        z.object({
          kind: z.enum(['edited', 'missing', 'inserted', 'unsigned', 'broken_link']),
          event_id: z.string().optional(),
          link: z.string().optional(),
          what: z.string(),
        }),
      )
      .optional(),
  }),
  intents: ['has anybody tampered with the ledger', 'check the audit trail', 'prove the log is intact'],
  aliases: [],
  async handler({ head }, { caller, services, callKey, progress }) {
    const contains = head === undefined ? {} : { contains: await services.governance.chain.linkOf(caller.tenant, head) };
    const job = await services.governance.chain.verification(caller, callKey, { onProgress: progress });
    const { job_id, status } = job;
    const refs = services.jobs.refs(job);
    if (status === 'completed') return { data: { job_id, status, ...(job.result as unknown as LedgerCheck), ...contains }, refs };
    const told = `It is being verified: system.job.get with ${job_id} has the outcome as its result.`;
    return { data: { job_id, status, ...contains }, refs, status: 'accepted', warnings: [told] };
  },
});
