import { z } from 'zod';
import { claimDetail, claimId } from '../../contracts/substrate/claims.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'claim.record.get',
  title: 'Look at a claim',
  description: 'A claim with all its evidence, for and against, and every ruling on it, oldest first.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['claim:read'],
  latency: 'L1',
  input: z.object({ claim_id: claimId }),
  output: z.object({ claim: claimDetail }),
  intents: ['what speaks for this claim', 'evidence of a claim', 'why was this claim rejected'],
  aliases: [],
  async handler({ claim_id }, { caller, services }) {
    return { data: { claim: await services.claims.get(caller.tenant, claim_id) } };
  },
});
