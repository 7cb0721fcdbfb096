import { z } from 'zod';
import { recountedFigure } from '../../contracts/authoring/authoring.ts';
import { defineTool } from '../catalogue/define.ts';
import { draftId } from './authoring.shared.ts';

export default defineTool({
  name: 'authoring.figure.count',
  title: 'Count the numbers of a statement again',
  description:
    'Counts each number in a statement of a draft anew, from the signals known now, in the way it was counted when the draft was written, and lists the statements that it counts with their passages. The draft stays as it is.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['authoring:read'],
  latency: 'L2',
  scoped: true,
  input: z.object({
    draft_id: draftId.describe('draft_id or report_id'),
    ordinal: z.number().int().min(0).max(100_000).describe('Of the statement in authoring.statement.list'),
    limit: z.number().int().min(1).max(100).default(20).describe('Of counted statements per number'),
  }),
  output: z.object({ figures: z.array(recountedFigure) }),
  intents: ['is the number in the report still right', 'count this figure again', 'which statements are behind this number'],
  aliases: [],
  async handler({ draft_id, ordinal, limit }, { caller, services }) {
    const figures = await services.authoring.statements.recount(caller.tenant, draft_id, ordinal, limit);
    return { data: { figures }, metadata: { result_count: figures.length } };
  },
});
