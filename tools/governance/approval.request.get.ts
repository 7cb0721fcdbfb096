import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { approvalId, output } from './approval.shared.ts';

export default defineTool({
  name: 'approval.request.get',
  title: 'Look at an approval',
  description:
    'How a call that had to wait stands, and its answer once it has run: whole for whoever asked, without secrets for those who decide. wait_seconds waits for its end.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  ungoverned: true,
  scopes: [],
  latency: 'L1',
  input: z.object({ approval_id: approvalId, wait_seconds: z.number().int().min(0).max(60).default(0) }),
  output: output,
  intents: ['was my call approved', 'result of an approved call', 'is the approval still pending'],
  aliases: [],
  async handler({ approval_id, wait_seconds }, { caller, services, signal }) {
    const found = await services.governance.approvals.settle(caller, approval_id, wait_seconds * 1_000, signal);
    return { data: { approval: found }, refs: services.governance.approvals.refs(caller.tenant, approval_id) };
  },
});
