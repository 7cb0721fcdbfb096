import { z } from 'zod';
import { audiences, draftFreshness, draftIssue, draftSection, draftSource } from '../../contracts/authoring/authoring.ts';
import type { evidence } from '../../contracts/graph/graph.ts';
import type { Draft } from '../../contracts/authoring/authoring.ts';
import type { Job } from '../../contracts/jobs.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import type { Given } from '../catalogue/given.ts';

export const audience = z.enum(audiences).describe('Changes order, language and detail');
export const draftId = words(64).meta({ examples: ['report_4tq0zc8m1v6y2k9h5n3w'] });
export const opportunityId = z.uuid();

/** While its job is running, only the id. */
export const artifactAnswer = z.object({
  draft_id: z.string(),
  job_id: z.string(),
  status: z.string(),
  artifact_type: z.string().optional(),
  audience: audience.optional(),
  title: z.string().optional(),
  sections: z.array(draftSection).optional().describe('Of all but jira'),
  issues: z.array(draftIssue).optional().describe('Of jira; nothing is sent there'),
  content: z.string().optional().describe('The whole as Markdown'),
  provenance: z.array(draftSource).optional(),
  freshness: draftFreshness.optional(),
  to_fill_by_pm: z.array(z.string()).optional().describe('What is left for the person to write'),
});

export const reportAnswer = z.object({
  report_id: z.string(),
  job_id: z.string(),
  status: z.string(),
  report_type: z.string().optional(),
  format: z.string().optional(),
  audience: audience.optional(),
  title: z.string().optional(),
  content: z.string().optional().describe('Markdown'),
  text: z.string().optional().describe('The same as plain text, for e-mail and chat'),
  provenance: z.array(draftSource).optional(),
  freshness: draftFreshness.optional(),
});

export const reportData = (draft: Draft): z.input<typeof reportAnswer> => ({
  report_id: draft.draft_id,
  job_id: draft.job_id,
  status: draft.status,
  report_type: draft.type,
  ...(draft.format === null ? {} : { format: draft.format }),
  audience: draft.audience,
  title: draft.title,
  content: draft.content,
  text: draft.text,
  provenance: draft.provenance,
  freshness: draft.freshness,
});

export const artifactData = (draft: Draft, provenance: boolean): z.input<typeof artifactAnswer> => ({
  draft_id: draft.draft_id,
  job_id: draft.job_id,
  status: draft.status,
  artifact_type: draft.type,
  audience: draft.audience,
  title: draft.title,
  ...(draft.issues === null ? { sections: draft.sections } : { issues: draft.issues }),
  content: draft.content,
  ...(provenance ? { provenance: draft.provenance } : {}),
  freshness: draft.freshness,
  to_fill_by_pm: draft.to_fill_by_pm,
});

/** Further parts of an answer with a draft; clients also read the provenance in the metadata. */
export function besides(services: Given, job: Job, draft: Draft | null, listed = true) {
  const refs = services.jobs.refs(job);
  if (!draft) {
    return {
      refs,
      status: 'accepted' as const,
      warnings: ['Still running: system.job.get shows when it is done, authoring.draft.get then returns the draft.'],
    };
  }
  const provenance = draft.provenance.map(({ number: _, ...source }): z.infer<typeof evidence> => source);
  return { refs, warnings: draft.warnings, metadata: { result_count: draft.statements, ...(listed ? { provenance } : {}) } };
}
