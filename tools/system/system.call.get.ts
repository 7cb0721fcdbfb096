import { z } from 'zod';
import { callDetail } from '../../contracts/governance/calls.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'system.call.get',
  title: 'Get one call',
  description:
    'One call in full: caller, verdict and policy, outcome, decision, records in its answer, its jobs, and a timeline with the calls of its trace. Only the hash of the arguments is stored. system.ledger.search finds calls.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['ledger:read'],
  latency: 'L1',
  input: z.object({ tool_call_id: z.string().min(1).max(64) }),
  output: z.object({ call: callDetail }),
  intents: ['what happened in this call', 'why did this call fail', 'trace of a call', 'which process did this call start'],
  aliases: [],
  async handler({ tool_call_id }, { caller, services }) {
    return { data: { call: await services.governance.calls.get(caller, tool_call_id) } };
  },
});
