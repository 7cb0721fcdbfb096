import { z } from 'zod';
import { claim, claimStatuses } from '../../contracts/substrate/claims.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { pageCursor } from '../../contracts/substrate/substrate.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'claim.record.list',
  title: 'List claims',
  description: 'The claims of your tenant, newest first, with how much speaks for and against each; by status or by what they are about.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['claim:read'],
  latency: 'L1',
  input: z.object({
    status: z.enum(claimStatuses).optional(),
    subject_ref: words(1_000).optional().describe('Only claims about exactly this'),
    limit: z.number().int().min(1).max(100).default(50),
    cursor: pageCursor.optional(),
  }),
  output: z.object({ claims: z.array(claim) }),
  intents: ['open claims', 'which claims wait for a decision', 'what is claimed about this entity'],
  aliases: [],
  async handler({ subject_ref: subjectRef, ...filter }, { caller, services }) {
    return paged('claims', await services.claims.list(caller.tenant, { subjectRef, ...filter }));
  },
});
