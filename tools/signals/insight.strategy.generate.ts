import { z } from 'zod';
import { evidence } from '../../contracts/graph/graph.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { asOf, assumptions, missing } from './insight.shared.ts';

const input = z.object({
  focus_area: words(200)
    .optional()
    .describe('A product area, theme, feature, customer or any topic, e.g. security, enterprise customers, performance'),
  time_window_days: z.number().int().min(1).max(730).default(30).describe('Days, ending with as_of'),
  as_of: asOf,
});
const output = z.object({
  insights: z.array(
    z.object({
      kind: z.enum(['pattern', 'risk', 'opportunity']),
      statement: z.string(),
      /** 0 to 1 */
      confidence: z.number(),
      evidence: z.array(evidence),
      entity: z.object({ entity_id: z.string(), name: z.string(), type: z.string() }),
      /** Different statements, documents, kinds of sources and customers. */
      breadth: z.object({ statements: z.number(), documents: z.number(), sources: z.number(), customers: z.number() }),
    }),
  ),
  window: z.object({ from: z.string(), to: z.string(), days: z.number() }),
  /** How the focus was interpreted. */
  focus: z.string().nullable(),
  signals_considered: z.number(),
  missing,
  assumptions,
});

const getStrategicInsights: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'get_strategic_insights',
  system: 'pm-intelligence',
  description: 'Patterns, risks and opportunities across all sources, each with its evidence and how sure it is.',
  input,
  toInput: (args) => args,
};

export default defineTool({
  name: 'insight.strategy.generate',
  title: 'Strategic insights',
  description:
    'Patterns (what comes up or grows), risks (who may leave or is unhappy, which issues are grave) and opportunities (what is asked for) in the signals of a window, each with cited passages and a confidence. Says plainly when the evidence is not enough, and what is missing.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['graph:read'],
  latency: 'L4',
  input,
  output,
  intents: [
    'what should leadership know',
    'risks and opportunities',
    'patterns across sources',
    'which customers may churn',
    'what do customers ask for most',
    'strategic insights about security',
  ],
  aliases: [getStrategicInsights],
  async handler({ focus_area, time_window_days, as_of }, { caller, services }) {
    const data = await services.insight.strategy(caller.tenant, { focusArea: focus_area, windowDays: time_window_days, asOf: as_of });
    return {
      data,
      metadata: { result_count: data.insights.length, provenance: data.insights.flatMap((each) => each.evidence) },
      warnings: data.insights.length === 0 ? data.missing : [],
    };
  },
});
