import { z } from 'zod';
import { entityName, profiled } from '../../contracts/graph/graph.ts';
import { severities } from '../../contracts/signals/signals.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { asOf, direction, linked, missing, profileAnswer, totals } from '../signals/insight.shared.ts';

const input = z.object({ issue_name: entityName.describe('Any name of the issue, or what it is about'), as_of: asOf });
const output = z.object({
  issue: profiled,
  /** As reported by a person or another system: open, fixed, … */
  state: z.string().nullable(),
  affected_customer_count: z.number(),
  affected_customers: z.array(linked),
  /** The mean over its signals. */
  severity: z.enum(severities),
  frequency: z.object({ signals: z.number(), per_week: z.number(), last_28_days: z.number(), previous_28_days: z.number() }),
  trend_direction: direction,
  change_pct: z.number().nullable(),
  affected_features: z.array(linked),
  related_issues: z.array(
    z.object({
      name: z.string(),
      entity_id: z.string(),
      state: z.string().nullable(),
      relations: z.array(z.string()),
      passages: z.number(),
    }),
  ),
  totals,
  missing,
});

const getIssueImpact: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'get_issue_impact',
  system: 'pm-intelligence',
  description: 'Who an issue hits, how badly and how often, which way it goes, and which issues hang together with it.',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'entity.issue.get_impact',
  title: 'Impact of an issue',
  description:
    'Which customers an issue hits and how many, how severe and how frequent it is, whether it grows, the features it touches and the issues told together with it. Takes a name or a description.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['graph:read'],
  latency: 'L2',
  input,
  output,
  intents: [
    'who is affected by this issue',
    'how bad is this bug',
    'is this issue getting worse',
    'which customers complain about this',
    'blast radius of a problem',
  ],
  aliases: [getIssueImpact],
  async handler({ issue_name, as_of }, { caller, services }) {
    const profile = await services.insight.issue(caller.tenant, issue_name, as_of);
    return profileAnswer(profile.issue.entity_id, profile);
  },
});
