import { z } from 'zod';
import { opportunityDetails, opportunityId } from '../../contracts/signals/opportunities.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'opportunity.record.get',
  title: 'Show an opportunity',
  description:
    'One opportunity with everything behind it: the factors of its score with reasons, the most typical customer statements with passages to cite, the customers, and what became of it. Statements are quoted as customers wrote them.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['opportunity:read'],
  latency: 'L2',
  input: z.object({ opportunity_id: opportunityId, limit: z.number().int().min(1).max(100).default(10).describe('Of statements') }),
  output: opportunityDetails,
  intents: [
    'show the evidence for this opportunity',
    'which customers asked for this',
    'why is this opportunity scored so high',
    'what did customers say about it',
  ],
  aliases: [],
  async handler({ opportunity_id, limit }, { caller, services }) {
    const details = await services.opportunities.evidence.get(caller.tenant, opportunity_id, limit);
    const { closed } = details;
    return {
      data: details,
      metadata: { result_count: details.evidence.length, total_count: details.statement_count },
      refs: [
        { type: 'opportunity', id: opportunity_id },
        ...details.evidence.map(({ signal_id }) => ({ type: 'signal' as const, id: signal_id })),
      ],
      warnings: closed
        ? [
            closed.reason === 'merged'
              ? `It was merged into another opportunity: get ${closed.merged_into}.`
              : 'It is closed: its evidence is gone.',
          ]
        : [],
    };
  },
});
