import { z } from 'zod';
import { entity } from '../../contracts/graph/graph.ts';
import { AppError } from '../../contracts/errors.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'entity.change.undo',
  title: 'Undo a change of entities',
  description:
    'Undoes a merge, a split, an added name, or a decision of entity.review.list: restores names, mentions and links exactly, and opens the review again. Unlike entity.record.split it does not block a later merge. A repeat does nothing.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: { people: 'A0', agents: 'A1' },
  scopes: ['graph:write'],
  latency: 'L1',
  input: z.object({
    change_id: words(64).optional().describe('From the history in entity.record.get'),
    feedback_id: words(64).optional().describe('Instead of change_id: a decided review of entity.review.list'),
  }),
  output: z.object({
    change_id: z.string().nullable(),
    /** Null: a no was taken back, which had changed nothing. */
    change: z.enum(['merge', 'split', 'alias']).nullable(),
    /** False: it was taken back before. */
    undone: z.boolean(),
    /** Those concerned that exist now. */
    entities: z.array(entity),
    /** The question that was decided is open again, under this feedback_id. */
    reopened: z.string().nullable(),
  }),
  intents: ['undo a merge', 'take my decision back', 'that merge was a mistake', 'restore the entity as it was'],
  aliases: [],
  async handler({ change_id, feedback_id }, { caller, services }) {
    if ((change_id === undefined) === (feedback_id === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'Give either change_id or feedback_id.', {
        hint: 'entity.record.get shows changes, entity.review.list decided reviews.',
      });
    }
    const which = change_id === undefined ? { feedbackId: feedback_id! } : { changeId: change_id };
    const data = await services.graph.undo.undo(caller, which);
    return {
      data,
      refs: data.entities.map((each) => ({ type: 'entity' as const, id: each.entity_id })),
      warnings: data.undone ? [] : ['It was taken back before: nothing was done.'],
    };
  },
});
