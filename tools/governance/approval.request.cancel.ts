import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { approvalId, output } from './approval.shared.ts';

export default defineTool({
  name: 'approval.request.cancel',
  title: 'Take a waiting call back',
  description: 'Nobody wants it any longer: it never runs. For whoever asked, and for those who may decide.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  ungoverned: true,
  scopes: [],
  latency: 'L1',
  input: z.object({ approval_id: approvalId }),
  output: output,
  intents: ['I no longer need that call', 'withdraw my request for approval'],
  aliases: [],
  async handler({ approval_id }, { caller, front, services }) {
    const { approvals } = services.governance;
    return { data: { approval: await approvals.cancel(caller, approval_id, front) }, refs: approvals.refs(caller.tenant, approval_id) };
  },
});
