import { z } from 'zod';
import { policyDefinition, policyName } from '../../contracts/governance/policy.ts';
import { imaginedCaller, whatIf } from '../../contracts/governance/what-if.ts';
import { defineTool } from '../catalogue/define.ts';
import { externalTools } from '../catalogue/external.ts';
import { changedOf, chosen, replayed, verdicts } from '../catalogue/what-if.ts';

export default defineTool({
  name: 'system.policy.simulate',
  title: 'Simulate a change of a policy',
  description:
    'Before a policy is saved: the verdict of each tool as saved and as drafted, for any role, kind, team, scopes and capabilities; how many calls of the last days would get another verdict, and which; which approvals would become void. Changes nothing.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['policy:read'],
  latency: 'L2',
  input: z.object({
    policy: policyName.optional().describe('The policy in question; default: your own'),
    definition: policyDefinition.optional().describe('The draft; absent: the definition in force'),
    as: imaginedCaller.optional(),
    tools: z.array(z.string().min(1).max(128)).min(1).max(1_000).optional().describe('Only these; absent: all'),
    show: z.enum(['changed', 'all']).optional().describe('Which tools to return; default: changed tools of a draft, else all'),
    replay_days: z.number().int().min(0).max(90).default(0).describe('Days whose calls are judged again; needs ledger:read'),
  }),
  output: whatIf,
  intents: [
    'what would this policy change',
    'who may use which tool',
    'try a policy before saving it',
    'which past calls would have been refused',
  ],
  aliases: [],
  async handler(
    { policy: named, definition, as, tools: names, show, replay_days },
    { caller, front: own, services, tools: { catalogue } },
  ) {
    const { whatIfs } = services.governance;
    const name = named ?? caller.policy;
    const policies = await whatIfs.policies(caller.tenant, name, definition);
    const who = whatIfs.imagined(caller, as);
    const [before, after, others, invalidated] = await Promise.all([
      whatIfs.under(who, policies.saved),
      whatIfs.under(who, policies.drafted),
      externalTools(services, caller),
      whatIfs.invalidated(caller, name),
    ]);
    const every = [...catalogue.tools, ...others];
    const front = as?.front ?? own;
    const all = verdicts(
      chosen(every, names, (one) => catalogue.named(one).tool),
      before,
      after,
      front,
    );
    const changed = changedOf(all);
    const byName = new Map(every.map((tool) => [tool.name, tool]));
    const past = replay_days > 0 ? await whatIfs.past(caller, replay_days, policies) : null;
    return {
      data: {
        policy: { name, version: policies.version, drafted: definition !== undefined },
        as: { role: who.role, kind: who.principalKind, team: who.team, scopes: before.scopes, capabilities: who.capabilities, front },
        judged: all.length,
        changed: changed.length,
        tools: (show ?? (definition ? 'changed' : 'all')) === 'changed' ? changed : all,
        invalidated,
        replay: past && replayed(past, replay_days, (one) => byName.get(one)),
      },
      metadata: { result_count: changed.length },
    };
  },
});
