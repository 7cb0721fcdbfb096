import { z } from 'zod';
import { phaseId, priorities, taskDescription, taskTags, taskTitle } from './work.ts';

export const mostPlanned = 500;

export const planTask = z.object({
  ref: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_-]{0,31}$/)
    .describe('Name of the task within the plan'),
  title: taskTitle,
  description: taskDescription.optional(),
  phase_id: phaseId,
  priority: z.enum(priorities).default('medium'),
  tags: taskTags.default([]),
  after: z.array(z.string().max(64)).max(100).default([]).describe('refs, or ids of existing tasks, that must be done first'),
  part_of: z.string().max(64).nullable().default(null).describe('ref of the task that it is a part of'),
});
export type PlanTask = z.output<typeof planTask>;

export const plan = z.object({
  plan_id: z
    .string()
    .regex(/^plan_[0-9a-z]{20}$/)
    .describe('From work.plan.propose: accepted twice, it is filed once')
    .meta({ examples: ['plan_4tq0zc8m1v6y2k9h5n3w'] }),
  title: z.string().max(200).nullable().default(null),
  parent_id: z.string().max(64).nullable().default(null).describe('Existing task that the tasks become parts of'),
  // Not more than are checked at once; the limit itself is told by the check.
  tasks: z.array(planTask).max(2_000),
});
export type Plan = z.output<typeof plan>;
