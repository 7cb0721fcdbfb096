import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { approvalId, note, output } from './approval.shared.ts';

export default defineTool({
  name: 'approval.request.reject',
  title: 'Reject a call',
  description: 'Rejects a waiting call: it never runs. For people with the role operator, pm, pm_leader or admin.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['approval:decide'],
  latency: 'L1',
  input: z.object({ approval_id: approvalId, note }),
  output: output,
  intents: ['reject the call', 'do not let the agent do it', 'deny the request'],
  aliases: [],
  async handler({ approval_id, note: given }, { caller, front, services }) {
    const { approvals } = services.governance;
    return {
      data: { approval: await approvals.decide(caller, approval_id, 'rejected', { note: given ?? null, front }) },
      refs: approvals.refs(caller.tenant, approval_id),
    };
  },
});
