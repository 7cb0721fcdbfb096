import { z } from 'zod';
import { entityName } from '../../contracts/graph/graph.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'entity.issue.flag',
  title: 'Flag an issue',
  description:
    'Notes that an issue was seen, with a reason and the signals that show it. An unknown one becomes an issue; if one is known under nearly that name, people are asked whether both are the same.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['graph:write'],
  latency: 'L1',
  input: z.object({
    issue_name: entityName,
    severity: z.enum(['low', 'medium', 'high', 'critical']).optional(),
    reason: words(2000),
    signal_ids: z.array(words(128)).max(100).default([]).describe('Signals that speak of it, or whole documents'),
  }),
  output: z.object({
    issue_id: z.string(),
    /** Whether it is new. */
    created: z.boolean(),
    /** The question whether it is the same as a known one. */
    feedback_id: z.string().optional(),
  }),
  intents: ['report a problem that customers have', 'raise an issue', 'escalate a bug', 'flag a new issue from triage'],
  aliases: [],
  async handler({ issue_name, severity, reason, signal_ids }, { caller, services, callKey }) {
    const flagged = await services.graph.flags.flag(caller, { name: issue_name, severity, reason, signalIds: signal_ids }, callKey);
    return {
      data: flagged,
      refs: [{ type: 'entity', id: flagged.issue_id }],
      warnings:
        flagged.feedback_id === undefined ? [] : ['An issue is known under nearly this name: entity.review.list shows the question.'],
    };
  },
});
