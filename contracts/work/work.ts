import { z } from 'zod';
import { plainText } from '../json.ts';

export const taskStatuses = ['blocked', 'ready', 'in_progress', 'review', 'done', 'failed'] as const;
export const priorities = ['high', 'medium', 'low'] as const;
export type Priority = (typeof priorities)[number];
export const standings = ['holder', 'person', 'creator', 'reviewer', 'platform'] as const;
export const columns = ['backlog', 'ready', 'in_progress', 'review', 'done'] as const;
export type Column = (typeof columns)[number];

/** Column of the board for each status. */
export const columnOf: Record<(typeof taskStatuses)[number], Column> = {
  blocked: 'backlog',
  ready: 'ready',
  in_progress: 'in_progress',
  review: 'review',
  failed: 'review',
  done: 'done',
};
export const priorityRank: Record<Priority, number> = { high: 0, medium: 1, low: 2 };

export const taskId = z.string().min(1).max(64).describe('Task id, e.g. task_01jd3f8k2m9x4v7qn5ra');
/** Any 32-bit integer; whether the phase exists is checked elsewhere. */
export const phaseId = z.int32();
/** A progress note of a worker. */
export const progressNote = plainText(4_000);
export const resultText = plainText(16_000);
export const failureReason = plainText(4_000).trim().min(1);
export const fencingToken = z
  .number()
  .int()
  .positive()
  .describe('The fencing token that your claim gave you; whoever claimed must show it');
/** Lists count up to this number. */
export const countedTasks = 10_000;
export const leaseSeconds = z.number().int().min(1).max(86_400);

export const task = z.object({
  id: z.string(),
  description: z.string(),
  phase_id: z.number(),
  priority: z.enum(priorities),
  status: z.enum(taskStatuses),
  kanban_column: z.enum(columns),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  created_by: z.string(),
  assigned_agent_id: z.string().nullable(),
  fencing_token: z.number().nullable().describe('For whoever claimed, in the session of the claim; null for others'),
  lease_seconds: z.number(),
  lease_expires_at: z.string().nullable(),
  attempts: z.number(),
  max_attempts: z.number(),
  needs_review: z.boolean(),
  blocked_by: z.array(z.string()),
  progress: z.string().nullable(),
  result: z.string().nullable(),
  failure: z.string().nullable(),
  ended_by: z.string().nullable().describe('Who ended the last lease, or the task without one'),
  ended_as: z.enum(standings).nullable().describe('As what: the holder, its creator, a person, a reviewer, the platform'),
  created_at: z.string(),
  updated_at: z.string(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
});
export type Task = z.infer<typeof task>;

/** Fields of a task in lists and on the board. */
export const taskSummary = task.pick({
  id: true,
  description: true,
  phase_id: true,
  status: true,
  priority: true,
  assigned_agent_id: true,
  created_at: true,
});
export type TaskSummary = z.infer<typeof taskSummary>;

export const phase = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string(),
  done_definitions: z.array(z.string()),
  additional_notes: z.string().nullable(),
  working_directory: z.string().nullable(),
  needs_review: z.boolean(),
});
export type Phase = z.infer<typeof phase>;

export const comment = z.object({ id: z.string(), author: z.string(), body: z.string(), created_at: z.string() });
export type Comment = z.infer<typeof comment>;
