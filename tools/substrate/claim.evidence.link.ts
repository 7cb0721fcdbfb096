import { z } from 'zod';
import { claimDetail, claimId, newEvidence, refText } from '../../contracts/substrate/claims.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({ claim_id: claimId, evidence: z.array(newEvidence).min(1).max(50) });
const output = z.object({ claim: claimDetail });

const linkEvidence: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'claim.link_evidence',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'claim.evidence.link',
  title: 'Link evidence to a claim',
  description:
    'Adds what supports or refutes an undecided claim, or gives it context: passages, entities, artifacts, runs, URLs. The same again adds nothing.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['claim:write'],
  latency: 'L1',
  input,
  output,
  intents: ['add evidence', 'this supports the claim', 'this speaks against the claim', 'cite a source for a claim'],
  aliases: [linkEvidence],
  async handler({ claim_id, evidence }, { caller, services }) {
    const given = evidence.map((each) => ({ ...each, ref: refText(each.ref) }));
    const { claim, added } = await services.claims.link(caller, claim_id, given);
    return { data: { claim }, warnings: added === 0 ? ['All of it was linked already.'] : [] };
  },
});
