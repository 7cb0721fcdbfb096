import { z } from 'zod';
import { policyEffects } from '../../contracts/governance/policy.ts';
import { defineTool } from '../catalogue/define.ts';
import { judge, subjectOf } from '../catalogue/policy.ts';

export default defineTool({
  name: 'system.policy.explain',
  title: 'Explain what a call may do',
  description:
    'Why a call of yours is allowed, refused, or would wait for a person: which rule decides, under which policy and version, and what rules can see of it. Calls nothing.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  ungoverned: true,
  scopes: [],
  latency: 'L1',
  input: z.object({ tool: z.string().min(1).max(128).describe('Any spelling') }),
  output: z.object({
    tool: z.string(),
    effect: z.enum(policyEffects),
    rule: z.string(),
    reason: z.string(),
    hint: z.string().nullable(),
    policy: z.object({ name: z.string(), version: z.string(), level: z.string(), rules: z.number() }),
    session_id: z.string().nullable(),
    seen: z.record(z.string(), z.unknown()).describe('What rules see of the call'),
  }),
  intents: ['why was my call refused', 'why does this need approval', 'may I use this tool'],
  aliases: [],
  async handler({ tool: name }, { caller, front, tools }) {
    const { tool } = tools.catalogue.named(name);
    const { effect, rule, reason, hint } = judge(tool, caller, front);
    const policy = caller.access?.policy;
    return {
      data: {
        tool: tool.name,
        effect,
        rule,
        reason,
        hint: hint ?? null,
        policy: {
          name: policy?.name ?? caller.policy,
          version: policy?.version ?? '0',
          level: policy?.level ?? 'standard',
          rules: policy?.rules.length ?? 0,
        },
        session_id: caller.access?.session?.id ?? null,
        seen: { ...subjectOf(tool, caller, front) },
      },
    };
  },
});
