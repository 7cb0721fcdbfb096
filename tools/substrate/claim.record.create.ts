import { z } from 'zod';
import { claimStatuses } from '../../contracts/substrate/claims.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  statement: words(4_000).meta({ examples: ['Churn fell after the March release.'] }),
  subject_ref: words(1_000).optional().describe('What it is about: an entity, a document, a URL'),
  confidence: z.number().min(0).max(1).optional().describe('Yours, 0 to 1'),
});
const output = z.object({ claim_id: z.string(), status: z.enum(claimStatuses) });

const create: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'claim.create',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'claim.record.create',
  title: 'State a claim',
  description:
    'Puts down a statement that is to be proved or refuted. claim.evidence.link adds what speaks for or against it, claim.record.decide rules on it.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['claim:write'],
  latency: 'L1',
  input,
  output,
  intents: ['state a claim', 'put forward a hypothesis', 'assert something that needs proof'],
  aliases: [create],
  async handler({ statement, subject_ref, confidence }, { caller, services, callKey }) {
    return { data: await services.claims.create(caller, { statement, subjectRef: subject_ref, confidence }, callKey) };
  },
});
