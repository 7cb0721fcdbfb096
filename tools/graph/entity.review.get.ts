import { z } from 'zod';
import { reviewCase } from '../../contracts/graph/graph.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'entity.review.get',
  title: 'Get an entity review',
  description:
    'One review of entity.review.list in full: both sides with names, counts and passages, the features that the matcher compared with their weights, and what a confirmation would change.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['graph:read'],
  latency: 'L1',
  input: z.object({ feedback_id: words(64).describe('From entity.review.list') }),
  output: z.object({ review: reviewCase }),
  intents: ['why may these two be the same', 'what happens if I merge these', 'compare two possible duplicates', 'match weights of a pair'],
  aliases: [],
  async handler({ feedback_id }, { caller, services }) {
    const review = await services.graph.cases.get(caller.tenant, feedback_id);
    const ids = [review.a.entity_id, review.b.entity_id].filter((id) => id !== null);
    return { data: { review }, refs: ids.map((id) => ({ type: 'entity' as const, id })) };
  },
});
