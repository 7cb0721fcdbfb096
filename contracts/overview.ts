import { z } from 'zod';
import { job } from './jobs.ts';
import { stuckReasons, taskStatuses } from './work/work.ts';

/** Counts go up to this number; one more means: more than that. */
export const countedAtMost = 10_000;
/** Running jobs that are told with the counts. */
export const mostRunning = 10;

const count = z.number().int().describe('Up to 10,000; 10,001 means more');
const ofEach = <T extends string>(names: readonly T[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, count])) as Record<T, typeof count>);
const waiting = z.object({ count, oldest_at: z.string().nullable() });

/** How a tenant stands, in one read: what runs, and what waits for a person. */
export const overview = z.object({
  at: z.string().describe('When it was counted'),
  tasks: ofEach(taskStatuses),
  stuck: ofEach(stuckReasons)
    .extend({ count, oldest_at: z.string().nullable() })
    .describe('Tasks that do not move, also by reason: those that work.task.list lists with `stuck`'),
  approvals: waiting
    .extend({ next_expires_at: z.string().nullable() })
    .describe('Calls that wait for a decision; of others only for whoever may decide'),
  ambiguous: waiting.describe('Approved calls of which nobody knows whether they took effect'),
  reviews: waiting.describe('Doubtful matches of entities'),
  dead_letters: waiting.describe('Stages of ingestions that failed for good, and refused documents'),
  outputs: waiting.describe('Outputs of agents to judge'),
  external_tools: z.object({ waiting: count, changed: count }).describe('Tools of other servers: not approved yet, and changed since'),
  undelivered: waiting.describe('Events that a subscriber did not take'),
  failed_notices: waiting.describe('Notifications that were not delivered, or whose delivery is unknown; a failed digest counts once'),
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
