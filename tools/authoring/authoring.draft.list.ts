import { z } from 'zod';
import { draftSummary } from '../../contracts/authoring/authoring.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';
import { opportunityId } from './authoring.shared.ts';

export default defineTool({
  name: 'authoring.draft.list',
  title: 'List generated drafts',
  description: 'Artifacts and reports that were generated, newest first, with their state; those still written and those that failed, too.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['authoring:read'],
  latency: 'L1',
  scoped: true,
  input: z.object({
    kind: z.enum(['artifact', 'report']).optional(),
    type: words(64).optional().describe('prd, jira, rfc, one_pager or a report type'),
    status: draftSummary.shape.status.optional(),
    query: words(200).optional().describe('Part of the title'),
    opportunity_id: opportunityId.optional().describe('Only drafts about this opportunity'),
    limit: z.number().int().min(1).max(100).default(20),
    cursor: z.string().max(512).optional(),
  }),
  output: z.object({ drafts: z.array(draftSummary) }),
  intents: ['which reports were generated', 'list PRD drafts', 'find an artifact generated earlier'],
  aliases: [],
  async handler({ opportunity_id, ...wanted }, { caller, services }) {
    return paged('drafts', await services.authoring.queries.list(caller.tenant, { ...wanted, opportunityId: opportunity_id }));
  },
});
