import { z } from 'zod';
import { isPerson } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { capabilityName } from '../../contracts/governance/policy.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'system.capability.save',
  title: 'Say what a capability stands for',
  description:
    'Names the tools that keys with a capability may use; a star at the end stands for the rest. An empty list takes your own meaning back. For admins.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: { people: 'A0', agents: 'A2' },
  scopes: ['policy:write'],
  latency: 'L1',
  input: z.object({
    name: capabilityName,
    tools: z.array(z.string().min(1).max(128)).max(500).describe('Canonical names, e.g. work.task.claim or index.*'),
    description: z.string().max(500).default(''),
  }),
  output: z.object({ name: z.string(), tools: z.array(z.string()) }),
  intents: ['define a capability', 'which tools should this agent be allowed', 'restrict agents to a set of tools'],
  aliases: [],
  async handler({ name, tools, description }, { caller, services }) {
    if (!isPerson(caller) || caller.role !== 'admin') {
      throw new AppError('FORBIDDEN', 'Only a person with the role admin may say what capabilities stand for.', {
        hint: 'Ask one of them.',
      });
    }
    await services.governance.policies.saveCapability(caller, name, tools, description);
    return { data: { name, tools } };
  },
});
