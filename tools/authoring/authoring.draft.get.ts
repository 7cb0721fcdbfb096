import { z } from 'zod';
import { draft } from '../../contracts/authoring/authoring.ts';
import { defineTool } from '../catalogue/define.ts';
import { draftId } from './authoring.shared.ts';

export default defineTool({
  name: 'authoring.draft.get',
  title: 'Get a generated draft',
  description: 'An artifact or a report with its text, its sections or issues, and the source of every statement.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['authoring:read'],
  latency: 'L1',
  scoped: true,
  input: z.object({ draft_id: draftId.describe('draft_id or report_id') }),
  output: z.object({ draft }),
  intents: ['open the PRD that was generated', 'show a draft with its sources', 'read a generated report by id'],
  aliases: [],
  async handler({ draft_id }, { caller, services }) {
    const found = await services.authoring.queries.get(caller.tenant, draft_id);
    return { data: { draft: found }, warnings: found.warnings };
  },
});
