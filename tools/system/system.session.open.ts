import { z } from 'zod';
import { policyName } from '../../contracts/governance/policy.ts';
import { defineTool } from '../catalogue/define.ts';
import { mounts, mountedTools, session } from './system.session.shared.ts';

export default defineTool({
  name: 'system.session.open',
  title: 'Open a work session',
  description:
    'Opens a span of work of your own: which connectors and external servers may be used, which tools lists show, how careful to be. It narrows what your key may do, never widens it. Send its id with each call.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  ungoverned: true,
  scopes: [],
  latency: 'L1',
  input: z.object({
    name: z.string().max(200).optional(),
    mounts: mounts.optional(),
    tools: mountedTools.optional(),
    policy: policyName.optional(),
    ttl_seconds: z.number().int().min(60).max(604_800).default(28_800),
  }),
  output: session,
  intents: ['start a session', 'mount a connector for my work', 'be more careful from now on'],
  aliases: [],
  async handler({ name, mounts: wanted, tools, policy, ttl_seconds }, { caller, services }) {
    const wish = { name, mounts: wanted, tools, policy, ttlSeconds: ttl_seconds };
    return { data: { session: await services.governance.sessions.open(caller, wish) } };
  },
});
