import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'agent.capability.list',
  title: 'List what agents can do',
  description: 'All capabilities in your tenant, each with the ids of the agents that have it. agent.peer.list shows their schemas.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:read'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({ capabilities: z.record(z.string(), z.array(z.string())) }),
  intents: ['what can other agents do', 'list capabilities', 'which capability has which agent'],
  aliases: [],
  async handler(_input, { caller, services }) {
    const capabilities = await services.agents.queries.capabilities(caller.tenant);
    return { data: { capabilities }, metadata: { result_count: Object.keys(capabilities).length } };
  },
});
