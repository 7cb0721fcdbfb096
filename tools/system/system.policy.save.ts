import { z } from 'zod';
import { isPerson } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { policyDefinition, policyName } from '../../contracts/governance/policy.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'system.policy.save',
  title: 'Save a policy',
  description:
    'Makes a new version of a policy: a level of care, and rules in CEL that allow, ask or deny before it. Approvals given under an older version no longer work. For admins.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: { people: 'A0', agents: 'A2' },
  scopes: ['policy:write'],
  latency: 'L1',
  input: policyDefinition.extend({ name: policyName, note: z.string().trim().max(2_000).optional().describe('What was changed and why') }),
  output: z.object({ name: z.string(), version: z.number() }),
  intents: ['agents must ask before posting to Slack', 'forbid a tool', 'change what needs approval'],
  aliases: [],
  async handler({ name, note, ...definition }, { caller, services }) {
    if (!isPerson(caller) || caller.role !== 'admin') {
      throw new AppError('FORBIDDEN', 'Only a person with the role admin may change policies.', { hint: 'Ask one of them.' });
    }
    const saved = await services.governance.policies.save(caller, name, definition, note ?? null);
    return { data: { name: saved.name, version: saved.version } };
  },
});
