import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { approvalId, inputHash, note, output } from './approval.shared.ts';

export default defineTool({
  name: 'approval.request.approve',
  title: 'Approve a call',
  description:
    'Approves a waiting call: it runs once, with exactly the arguments of the request. For people with the role operator, pm, pm_leader or admin.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['approval:decide'],
  latency: 'L1',
  input: z.object({
    approval_id: approvalId,
    note,
    input_hash: inputHash,
    wait_seconds: z.number().int().min(0).max(30).default(10).describe('How long to wait for its answer'),
  }),
  output: output,
  intents: ['approve the call', 'let the agent do it', 'yes, go ahead'],
  aliases: [],
  async handler({ approval_id, note: given, input_hash, wait_seconds }, { caller, front, services, signal }) {
    const { approvals } = services.governance;
    await approvals.decide(caller, approval_id, 'approved', { note: given ?? null, front, inputHash: input_hash });
    const found = await approvals.settle(caller, approval_id, wait_seconds * 1_000, signal);
    return { data: { approval: found }, refs: approvals.refs(caller.tenant, approval_id) };
  },
});
