import { z } from 'zod';
import { draft } from '../../contracts/authoring/authoring.ts';
import { defineTool } from '../catalogue/define.ts';
import { draftId } from './authoring.shared.ts';

export default defineTool({
  name: 'authoring.draft.get',
  title: 'Get a generated draft',
  description:
    'An artifact or a report with its text, its sections or issues, and the source of every statement. authoring.statement.list shows where each source stands and how numbers were counted.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['authoring:read'],
  latency: 'L1',
  scoped: true,
  input: z.object({
    draft_id: draftId.describe('draft_id or report_id'),
    sources: z.boolean().default(true).describe('false: content without the list of sources and their numbers'),
  }),
  output: z.object({ draft }),
  intents: ['open the PRD that was generated', 'show a draft with its sources', 'read a generated report by id'],
  aliases: [],
  async handler({ draft_id, sources }, { caller, services }) {
    const found = await services.authoring.queries.get(caller.tenant, draft_id, { sources });
    return { data: { draft: found }, warnings: found.warnings };
  },
});
