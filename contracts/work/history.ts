import { z } from 'zod';
import { standings, taskStatuses } from './work.ts';

/** What a change did to a task. */
export const taskChanges = [
  'created',
  'blocked',
  'ready',
  'claimed',
  'taken_over',
  'released',
  'lapsed',
  'retried',
  'failed',
  'submitted',
  'sent_back',
  'completed',
  'changed',
] as const;
export type TaskChange = (typeof taskChanges)[number];

export const heartbeats = z.object({
  count: z.number().int(),
  first_at: z.string(),
  last_at: z.string(),
  longest_gap_seconds: z.number().describe('Longest time without one, from the beginning of the lease'),
});
export type Heartbeats = z.infer<typeof heartbeats>;

const fencingToken = z
  .number()
  .int()
  .nullable()
  .describe('Number of the lease; of a running one for people and its holder, null for others');

export const historyEntry = z.object({
  id: z.string(),
  at: z.string(),
  rev: z.number().int(),
  kind: z.enum(['change', 'refusal']),
  change: z.enum(taskChanges).nullable().describe('Null: a refusal'),
  status: z.enum(taskStatuses),
  agent: z.string().nullable(),
  fencing_token: fencingToken,
  attempt: z.number().int(),
  lease_expires_at: z.string().nullable(),
  by: z.string().nullable().describe('Who made the change; null: the platform, or the holder'),
  as: z.enum(standings).nullable(),
  reason: z.string().nullable(),
  blocked_by: z.array(z.string()),
  heartbeats: heartbeats.nullable().describe('Of the lease that this change ended'),
  refused: z
    .object({
      fencing_token: z.number().int(),
      agent: z.string(),
      write: z.string(),
      times: z.number().int(),
      last_at: z.string(),
      why: z.string(),
    })
    .nullable()
    .describe('A write with the fencing token of a lease that had ended'),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

/** The lease that runs now. */
export const runningLease = z.object({
  agent: z.string(),
  fencing_token: fencingToken,
  since: z.string(),
  expires_at: z.string().nullable(),
  heartbeats: heartbeats.nullable(),
});
export type RunningLease = z.infer<typeof runningLease>;
