import { z } from 'zod';
import { recountedFigure } from '../../contracts/authoring/authoring.ts';
import { defineTool } from '../catalogue/define.ts';
import { draftId } from './authoring.shared.ts';

export default defineTool({
  name: 'authoring.figure.count',
  title: 'Count the numbers of a statement again',
  description:
    'Counts each number in a statement of a draft again, from the signals known now and by the method of the draft, and lists the counted statements with their passages. Does not change the draft.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['authoring:read'],
  latency: 'L2',
  scoped: true,
  input: z.object({
    draft_id: draftId.describe('draft_id or report_id'),
    ordinal: z.number().int().min(0).max(100_000).describe('Ordinal of the statement, from authoring.statement.list'),
    limit: z.number().int().min(1).max(100).default(20).describe('Counted statements per number'),
  }),
  output: z.object({ figures: z.array(recountedFigure) }),
  intents: ['is the number in the report still right', 'count this figure again', 'which statements are behind this number'],
  aliases: [],
  async handler({ draft_id, ordinal, limit }, { caller, services }) {
    const figures = await services.authoring.statements.recount(caller.tenant, draft_id, ordinal, limit);
    return { data: { figures }, metadata: { result_count: figures.length } };
  },
});
