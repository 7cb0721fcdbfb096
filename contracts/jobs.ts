import { z } from 'zod';

export const jobStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;

export const job = z.object({
  job_id: z.string(),
  kind: z.string(),
  title: z.string(),
  status: z.enum(jobStatuses),
  progress: z.record(z.string(), z.unknown()),
  result: z.record(z.string(), z.unknown()).nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  workflow_id: z.string(),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  finished_at: z.string().nullable(),
});
export type Job = z.infer<typeof job>;

/** As lists show it. */
export const listedJob = job.extend({
  dead_letters: z.number().describe('Its stages that are parked: ingest.dlq.list'),
  url: z.string().nullable().describe("Its process in Temporal's UI"),
});
export type ListedJob = z.infer<typeof listedJob>;
