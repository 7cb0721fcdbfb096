import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'system.capability.list',
  title: 'List capabilities',
  description:
    'What the capabilities of keys stand for, where your tenant says so; cap:index and the like stand for a domain, cap:index:read and cap:index:write for parts of it.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['policy:read'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({
    capabilities: z.array(z.object({ name: z.string(), tools: z.array(z.string()), description: z.string() })),
    yours: z.array(z.string()).describe('Of your key; empty: it is not restricted by capabilities'),
  }),
  intents: ['which capabilities are there', 'what may a key with this capability call'],
  aliases: [],
  async handler(_input, { caller, services }) {
    const capabilities = await services.governance.policies.capabilities(caller.tenant);
    return { data: { capabilities, yours: caller.capabilities }, metadata: { result_count: capabilities.length } };
  },
});
