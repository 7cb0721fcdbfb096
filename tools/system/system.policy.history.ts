import { z } from 'zod';
import { policyName, policyVersion } from '../../contracts/governance/policy.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'system.policy.history',
  title: 'List the versions of a policy',
  description:
    'The saved versions of a policy, newest first: the definition of each, who saved it, when and why. An unchanged built-in level has none.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['policy:read'],
  latency: 'L1',
  input: z.object({
    name: policyName,
    limit: z.number().int().min(1).max(100).default(20),
    cursor: z.string().max(500).optional(),
  }),
  output: z.object({ versions: z.array(policyVersion) }),
  intents: ['who changed the policy', 'older versions of a policy', 'when did this rule come in'],
  aliases: [],
  async handler({ name, ...paging }, { caller, services }) {
    return paged('versions', await services.governance.policies.history(caller.tenant, name, paging));
  },
});
