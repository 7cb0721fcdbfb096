import { z } from 'zod';
import { policyVersion } from '../../contracts/governance/policy.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'system.policy.list',
  title: 'List policies',
  description:
    'The levels of care and the policies of your own, each with its newest version. A key or a session names the one that holds for it.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['policy:read'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({ policies: z.array(policyVersion) }),
  intents: ['which policies are there', 'show the levels of care', 'what rules hold'],
  aliases: [],
  async handler(_input, { caller, services }) {
    const policies = await services.governance.policies.list(caller.tenant);
    return { data: { policies }, metadata: { result_count: policies.length } };
  },
});
