import { z } from 'zod';
import { entity } from '../../contracts/graph/graph.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import type { ToolContext } from '../catalogue/define.ts';

/** Shared by confirming and rejecting. */

export const decisionInput = z.object({
  feedback_id: words(64).describe('Of entity.review.list'),
  notes: words(2_000).optional().describe('Why; kept with the decision'),
});

export const decisionOutput = z.object({
  feedback_id: z.string(),
  decision: z.enum(['confirmed', 'rejected']),
  /** Its current state; null: deleted. */
  entity: entity.nullable(),
  aliases_added: z.array(z.string()),
});

export async function decided(
  { caller, services }: ToolContext<'entity'>,
  decision: 'confirm' | 'reject',
  { feedback_id, notes }: z.output<typeof decisionInput>,
) {
  const { repeated, refs, ...data } = await services.graph.reviews.decide(caller, feedback_id, decision, notes ?? null);
  return {
    data,
    refs: [...(data.entity ? [{ type: 'entity' as const, id: data.entity.entity_id }] : []), ...refs],
    warnings: repeated ? ['It was decided this way before: nothing was done.'] : [],
  };
}
