import { z } from 'zod';
import { artifactTypes, issueTypes, templates } from '../../contracts/authoring/authoring.ts';
import { entityName, entityType } from '../../contracts/graph/graph.ts';
import { moment } from '../../contracts/times.ts';
import { defineTool } from '../catalogue/define.ts';
import { artifactAnswer, artifactData, audience, besides, opportunityId } from './authoring.shared.ts';

const input = z.object({
  artifact_type: z.enum(artifactTypes),
  opportunity_id: opportunityId.optional().describe('What it is about; or give entity_name'),
  entity_name: entityName.optional().describe('A feature, issue, theme or customer, instead of an opportunity'),
  entity_type: entityType.optional().describe('When the name means several things'),
  include_provenance: z.boolean().default(true).describe('Print where each statement comes from'),
  audience: audience.default('general'),
  template: z.enum(templates).default('standard').describe('How much: lightweight, standard, detailed'),
  issue_type: z.enum(issueTypes).default('story').describe('Of artifact_type jira'),
  as_of: moment.optional().describe('Written as of this day (UTC, its end) or instant: nothing said later is known. Default: now'),
});

const deprecated = { replacement: 'generate_artifact', removedIn: '3.0', since: '2026-11-22' };
const prd = z.object({ opportunity_id: opportunityId, template: z.enum(templates).default('standard') });
const jira = z.object({ opportunity_id: opportunityId, issue_type: z.enum(issueTypes).default('story') });

export default defineTool({
  name: 'authoring.artifact.generate',
  title: 'Generate a PRD, issues, an RFC or a one-pager',
  description:
    'Drafts an artifact about an opportunity or an entity from customer evidence: every statement has its sources; what nobody can know from evidence (solution, strategy) is left for the person and listed in to_fill_by_pm. jira gives issues with acceptance criteria; nothing is sent.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['authoring:write'],
  latency: 'L4',
  scoped: true,
  input,
  output: artifactAnswer,
  intents: [
    'write a PRD for this opportunity',
    'draft product requirements from customer feedback',
    'create Jira issues with acceptance criteria',
    'write an RFC about a feature',
    'one-pager for leadership',
    'turn customer evidence into user stories',
  ],
  aliases: [
    { name: 'generate_artifact', system: 'pm-intelligence', input, toInput: (args) => args as z.input<typeof input> },
    {
      name: 'generate_prd_draft',
      system: 'pm-intelligence',
      description: 'Drafts a PRD for an opportunity.',
      input: prd,
      toInput: (args) => ({ ...(args as z.input<typeof prd>), artifact_type: 'prd' as const }),
      deprecated,
    },
    {
      name: 'generate_jira_issues',
      system: 'pm-intelligence',
      description: 'Drafts issues for an opportunity.',
      input: jira,
      toInput: (args) => ({ ...(args as z.input<typeof jira>), artifact_type: 'jira' as const }),
      deprecated,
    },
  ],
  async handler(wanted, { caller, services, callKey, progress }) {
    const { id, job, draft } = await services.authoring.artifact(
      caller,
      {
        type: wanted.artifact_type,
        opportunityId: wanted.opportunity_id,
        entityName: wanted.entity_name,
        entityType: wanted.entity_type,
        audience: wanted.audience,
        template: wanted.template,
        issueType: wanted.issue_type,
        provenance: wanted.include_provenance,
        asOf: wanted.as_of,
      },
      { callKey, onProgress: progress },
    );
    const data = draft ? artifactData(draft, wanted.include_provenance) : { draft_id: id, job_id: job.job_id, status: job.status };
    return { data, ...besides(services, job, draft, wanted.include_provenance) };
  },
});
