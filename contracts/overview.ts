import { z } from 'zod';
import { job } from './jobs.ts';
import { taskStatuses } from './work/work.ts';

/** Counts go up to this number; one more means: more than that. */
export const countedAtMost = 10_000;
/** Running jobs that are told with the counts. */
export const mostRunning = 10;

const count = z.number().int().describe('Up to 10,000; 10,001 means more');
const waiting = z.object({ count, oldest_at: z.string().nullable() });

/** How a tenant stands, in one read: what runs, and what waits for a person. */
export const overview = z.object({
  at: z.string().describe('When it was counted'),
  tasks: z.object(Object.fromEntries(taskStatuses.map((status) => [status, count])) as Record<(typeof taskStatuses)[number], typeof count>),
  stuck: z
    .object({ count, lapsed: count, blocked: count, oldest_at: z.string().nullable() })
    .describe('Tasks whose lease has lapsed, and tasks that wait for one that failed'),
  approvals: waiting
    .extend({ next_expires_at: z.string().nullable() })
    .describe('Calls that wait for a decision; of others only for whoever may decide'),
  ambiguous: waiting.describe('Approved calls of which nobody knows whether they took effect'),
  reviews: waiting.describe('Doubtful matches of entities'),
  dead_letters: waiting.describe('Parked stages of ingestions'),
  outputs: waiting.describe('Outputs of agents to judge'),
  external_tools: z.object({ waiting: count, changed: count }).describe('Tools of other servers: not approved yet, and changed since'),
  undelivered: waiting.describe('Events that a subscriber did not take'),
  failed_notices: waiting.describe('Notifications that were not delivered, or of which nobody knows'),
  agents: z
    .object({ healthy: count, unhealthy: count, offline: count, none: count, paused: count })
    .describe('By health; paused ones apart'),
  today: z
    .object({
      tasks_created: z.object({ now: count, week_before: count }),
      tasks_done: z.object({ now: count, week_before: count }),
    })
    .describe('Since midnight UTC, beside the same weekday a week before until the same time of day'),
  jobs: z.object({ count, running: z.array(job.extend({ url: z.string().nullable() })).describe(`The newest ${mostRunning} that run`) }),
});
export type Overview = z.infer<typeof overview>;
