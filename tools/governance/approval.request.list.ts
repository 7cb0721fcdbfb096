import { z } from 'zod';
import { approval, approvalStatuses } from '../../contracts/governance/policy.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'approval.request.list',
  title: 'List calls that wait for a person',
  description:
    'Calls that were asked about, newest first: who wants what, with which arguments (secrets removed), and why a person is asked. Those who may decide see all, others their own.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  ungoverned: true,
  scopes: [],
  latency: 'L1',
  input: z.object({
    status: z.enum([...approvalStatuses, 'all']).default('pending'),
    tool: z.string().max(128).optional(),
    input_hash: z.string().max(64).optional().describe('Calls with equal arguments'),
    mine: z.boolean().default(false).describe('Only your own requests'),
    limit: z.number().int().min(1).max(100).default(20),
    cursor: z.string().max(512).optional(),
  }),
  output: z.object({ approvals: z.array(approval) }),
  intents: ['what waits for my approval', 'pending approvals', 'which calls need a decision'],
  aliases: [],
  async handler({ input_hash: inputHash, ...filter }, { caller, services }) {
    return paged('approvals', await services.governance.approvals.list(caller, { ...filter, inputHash }));
  },
});
