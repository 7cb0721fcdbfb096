import { z } from 'zod';
import { reviewCase } from '../../contracts/graph/graph.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'entity.review.get',
  title: 'Look at a question about entities',
  description:
    'All about one question of entity.review.list: both sides with names, counts and passages, what the matcher compared and how much each feature weighs, and what a yes would change.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['graph:read'],
  latency: 'L1',
  input: z.object({ feedback_id: words(64).describe('Of entity.review.list') }),
  output: z.object({ review: reviewCase }),
  intents: ['why may these two be the same', 'what happens if I merge these', 'compare two possible duplicates', 'match weights of a pair'],
  aliases: [],
  async handler({ feedback_id }, { caller, services }) {
    const review = await services.graph.cases.get(caller.tenant, feedback_id);
    const ids = [review.a.entity_id, review.b.entity_id].filter((id) => id !== null);
    return { data: { review }, refs: ids.map((id) => ({ type: 'entity' as const, id })) };
  },
});
