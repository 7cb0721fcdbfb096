import { tracedDraft } from '../../contracts/authoring/authoring.ts';
import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { draftId } from './authoring.shared.ts';

export default defineTool({
  name: 'authoring.statement.list',
  title: 'List the statements of a draft',
  description:
    'The text of an artifact or report as statements: the sources of each with the passage where they stand, how each number was counted, what was left out and why, and what is left for the person. authoring.figure.count counts the numbers of a statement again.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['authoring:read'],
  latency: 'L1',
  scoped: true,
  input: z.object({ draft_id: draftId.describe('draft_id or report_id') }),
  output: tracedDraft,
  intents: [
    'where does this sentence of the report come from',
    'which passages does the PRD quote',
    'how was the number in the draft counted',
  ],
  aliases: [],
  async handler({ draft_id }, { caller, services }) {
    const data = await services.authoring.statements.of(caller.tenant, draft_id);
    return { data, metadata: { result_count: data.blocks.reduce((sum, { statements }) => sum + statements.length, 0) } };
  },
});
