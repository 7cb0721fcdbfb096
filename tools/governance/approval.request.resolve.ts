import { z } from 'zod';
import { plainText } from '../../contracts/json.ts';
import { defineTool } from '../catalogue/define.ts';
import { approvalId, output } from './approval.shared.ts';

export default defineTool({
  name: 'approval.request.resolve',
  title: 'Say what became of a call',
  description:
    'For an approved call whose outcome is unknown (ambiguous): a person who has looked says whether it took effect. It is not run again.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['approval:decide'],
  latency: 'L1',
  input: z.object({
    approval_id: approvalId,
    outcome: z.enum(['completed', 'failed']),
    note: plainText(2_000).trim().min(1).describe('How you know'),
  }),
  output: output,
  intents: ['the call did take effect', 'resolve an ambiguous call', 'it never arrived'],
  aliases: [],
  async handler({ approval_id, outcome, note }, { caller, services }) {
    const { approvals } = services.governance;
    return {
      data: { approval: await approvals.resolve(caller, approval_id, outcome, note) },
      refs: approvals.refs(caller.tenant, approval_id),
    };
  },
});
