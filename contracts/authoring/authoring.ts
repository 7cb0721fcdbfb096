import { z } from 'zod';
import { evidence } from '../graph/graph.ts';

export const artifactTypes = ['prd', 'jira', 'rfc', 'one_pager'] as const;
export type ArtifactType = (typeof artifactTypes)[number];
export const audiences = ['engineering', 'design', 'leadership', 'cs_sales', 'general'] as const;
export type Audience = (typeof audiences)[number];
export const reportTypes = [
  'customer_health_summary',
  'roadmap_summary',
  'customer_impact_brief',
  'weekly_digest',
  'competitive_intel',
  'product_area_overview',
] as const;
export type ReportType = (typeof reportTypes)[number];
export const reportFormats = ['executive_summary', 'detailed', 'one_pager'] as const;
export type ReportFormat = (typeof reportFormats)[number];
export const templates = ['standard', 'lightweight', 'detailed'] as const;
export type Template = (typeof templates)[number];
export const issueTypes = ['epic', 'story', 'bug', 'task'] as const;
export type IssueType = (typeof issueTypes)[number];

/** A source of a draft; `number` is printed in brackets. */
export const draftSource = evidence.extend({ number: z.number(), excerpt: z.string(), occurred_at: z.string(), weight: z.number() });
export type DraftSource = z.infer<typeof draftSource>;

export const draftStatement = z.object({
  text: z.string().describe('Plain text'),
  sources: z.array(z.number()).describe('Numbers of provenance'),
});

export const draftSection = z.object({
  heading: z.string(),
  text: z.string().describe('Markdown'),
  statements: z.array(draftStatement),
  to_fill: z.boolean().describe('Left for the person'),
});
export type DraftSection = z.infer<typeof draftSection>;

export const draftIssue = z.object({
  title: z.string(),
  description: z.string().describe('Markdown'),
  acceptance_criteria: z.array(z.string()),
  labels: z.array(z.string()),
  priority: z.enum(['Highest', 'High', 'Medium', 'Low']),
  issue_type: z.enum(issueTypes),
});
export type DraftIssue = z.infer<typeof draftIssue>;

export const draftFreshness = z.object({
  newest_signal_at: z.string(),
  oldest_signal_at: z.string(),
  generated_at: z.string(),
});

export type DraftFreshness = z.infer<typeof draftFreshness>;

/** A draft without its text. */
export const draftSummary = z.object({
  draft_id: z.string(),
  kind: z.enum(['artifact', 'report']),
  type: z.string(),
  format: z.string().nullable(),
  audience: z.enum(audiences),
  title: z.string(),
  status: z.enum(['writing', 'ready', 'failed', 'cancelled', 'withdrawn']).describe('withdrawn: a source that it quoted was deleted'),
  job_id: z.string(),
  statements: z.number().describe('Printed, each with its sources'),
  dropped: z.number().describe('Not printed, as their sources did not support them'),
  model: z.string().nullable().describe('The language model that wrote it; null: assembled from the evidence'),
  created_by: z.string(),
  created_at: z.string(),
});
export type DraftSummary = z.infer<typeof draftSummary>;

/** A draft that is ready. */
export const draft = draftSummary.extend({
  content: z.string().describe('Markdown'),
  text: z.string().describe('The same as plain text'),
  sections: z.array(draftSection),
  issues: z.array(draftIssue).nullable(),
  to_fill_by_pm: z.array(z.string()),
  provenance: z.array(draftSource),
  freshness: draftFreshness,
  warnings: z.array(z.string()),
});
export type Draft = z.infer<typeof draft>;

/** A number of a statement. */
export const draftFigure = z.object({
  n: z.number(),
  of: z.enum(['signals', 'customers', 'group']),
  how: z.string().describe('What was counted, in words'),
});

/** A source of a draft with the place where it stands. */
export const tracedSource = draftSource.extend({
  title: z.string().nullable().describe('Of its document or opportunity'),
  citation: z.string().nullable().describe('`{document_id}#{ordinal}` of its passage; null: it has none, or you may not see it'),
  start: z.number().nullable().describe('UTF-16 offsets of the excerpt in the passage, end exclusive'),
  end: z.number().nullable(),
  author: z.string().nullable(),
  customers: z.array(z.string()),
});
export type TracedSource = z.infer<typeof tracedSource>;

export const tracedStatement = z.object({
  ordinal: z.number(),
  text: z.string().describe('Plain text'),
  sources: z.array(z.number()).describe('Numbers of sources'),
  figures: z.array(draftFigure),
});
export type TracedStatement = z.infer<typeof tracedStatement>;

export const tracedDraft = z.object({
  draft_id: z.string(),
  blocks: z.array(
    z.object({
      heading: z.string(),
      to_fill: z.string().nullable().describe('Markdown: what is left for the person to write'),
      statements: z.array(tracedStatement),
    }),
  ),
  sources: z.array(tracedSource),
  dropped: z.array(z.object({ text: z.string(), reason: z.string() })).describe('Left out, because their sources do not support them'),
});
export type TracedDraft = z.infer<typeof tracedDraft>;

export const recountedFigure = draftFigure.extend({
  now: z.number().describe('The same, counted now'),
  statements: z.array(
    z.object({ signal_id: z.string(), text: z.string(), citation: z.string(), occurred_at: z.string(), customers: z.array(z.string()) }),
  ),
});
export type RecountedFigure = z.infer<typeof recountedFigure>;
