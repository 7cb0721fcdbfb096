import { z } from 'zod';
import { claimDecisions, claimDetail, claimId } from '../../contracts/substrate/claims.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  claim_id: claimId,
  decision: z.enum(claimDecisions),
  rationale: words(4_000).describe('Why, in view of the evidence'),
});
const output = z.object({ claim: claimDetail });

const decide: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'claim.decide',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'claim.record.decide',
  title: 'Rule on a claim',
  description:
    'Accepts or rejects a claim, for good, or asks for more evidence. Every ruling is kept with its reasons. Agents need a person to approve it.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: { people: 'A0', agents: 'A2' },
  scopes: ['claim:write'],
  latency: 'L1',
  input,
  output,
  intents: ['accept a claim', 'reject a claim', 'decide whether this holds', 'ask for more evidence'],
  aliases: [decide],
  async handler({ claim_id, decision, rationale }, { caller, services }) {
    const { claim, repeated } = await services.claims.decide(caller, claim_id, { decision, rationale });
    return { data: { claim }, warnings: repeated ? ['You decided this way before: nothing was done.'] : [] };
  },
});
