import { z } from 'zod';
import { entityName, entityRef } from '../../contracts/graph/graph.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { assumptions, linked, missing, otherNames, signalView } from './insight.shared.ts';

const input = z.object({
  action: z.enum(['fix_issue', 'build_feature', 'deprecate_feature']),
  entity_name: entityName.describe('Of the issue, or of the feature'),
});
const output = z.object({
  action: z.string(),
  entity: entityRef,
  summary: z.string(),
  affected_customer_count: z.number(),
  affected_customers: z.array(linked),
  related_issues: z.array(
    z.object({
      name: z.string(),
      entity_id: z.string(),
      state: z.string().nullable(),
      /** Number of passages or signals. */
      shown_by: z.number(),
    }),
  ),
  downstream_dependencies: z.array(
    z.object({
      name: z.string(),
      entity_id: z.string(),
      type: z.string(),
      hops: z.number(),
      /** Names, starting at the entity. */
      path: z.array(z.string()),
      /** Kinds of the relations between them. */
      relations: z.array(z.string()),
    }),
  ),
  evidence: z.array(signalView),
  missing,
  assumptions,
});

const whatIf: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'what_if_analysis',
  system: 'pm-intelligence',
  description: 'What fixing an issue, building or deprecating a feature would reach: customers, related issues, what lies downstream.',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'insight.scenario.analyze',
  title: 'What if',
  description:
    'Before deciding: who would notice if an issue were fixed, a feature built or deprecated; which issues hang together with it; and what depends on it, with the path that leads there. Told by signals and facts, with evidence and with what is not known.',
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
    'what happens if we fix this issue',
    'who would be affected if we deprecate this feature',
    'who is waiting for this feature',
    'impact of a change',
    'what depends on this',
  ],
  aliases: [whatIf],
  async handler({ action, entity_name }, { caller, services }) {
    const { others, ...data } = await services.insight.scenario(caller.tenant, action, entity_name);
    return {
      data,
      refs: [{ type: 'entity', id: data.entity.entity_id }],
      warnings: [...otherNames(others), ...(data.evidence.length === 0 ? [`Not enough evidence: ${data.missing[0]}`] : [])],
    };
  },
});
