import { z } from 'zod';
import { timing } from '../authoring/report-schedules.ts';
import { leaseSeconds, maxAttempts, phaseId, priorities, taskDescription, taskMetadata, taskTags, taskTitle, workerName } from './work.ts';
import { plainText } from '../json.ts';

export const templateName = plainText(100).trim().min(1);

/** Fields of the tasks that a template makes. `{{name}}` in title, description and tags is a variable. */
export const templateTask = z.object({
  title: taskTitle.optional().describe('{{name}} is a variable, here and in description and tags'),
  description: taskDescription.optional(),
  phase_id: phaseId,
  priority: z.enum(priorities).default('medium'),
  tags: taskTags.default([]),
  metadata: taskMetadata.default({}),
  lease_seconds: leaseSeconds.default(300),
  max_attempts: maxAttempts.default(3),
  needs_review: z.boolean().optional(),
  assign_to: workerName.optional().describe('Reserve its tasks for this worker'),
});
export type TemplateTask = z.infer<typeof templateTask>;

export const variables = z.record(z.string().max(64), plainText(4_000)).describe('A value for each variable of the template');

export const template = z.object({
  name: z.string(),
  task: templateTask,
  variables: z.array(z.string()),
  created_by: z.string(),
  updated_at: z.string(),
});
export type Template = z.infer<typeof template>;

export const recurrenceId = z
  .string()
  .regex(/^recurrence_[0-9a-z]{20}$/)
  .meta({ examples: ['recurrence_4tq0zc8m1v6y2k9h5n3w'] });

export const recurrence = z.object({
  recurrence_id: z.string(),
  name: z.string(),
  template: z.string(),
  variables: z.record(z.string(), z.string()),
  timing,
  timezone: z.string(),
  status: z.enum(['active', 'paused']),
  last: z
    .object({ fired_at: z.string().nullable(), task_id: z.string().nullable(), error: z.string().nullable() })
    .nullable()
    .describe('Null: it has not run yet'),
  created_by: z.string(),
  updated_at: z.string(),
});
export type Recurrence = z.infer<typeof recurrence>;
