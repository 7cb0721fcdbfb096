import { z } from 'zod';
import { healths } from '../agents/agents.ts';
import { columns, listedTask, type TaskSummary } from './work.ts';

const ofEach = <T extends z.ZodType>(type: T) =>
  z.object(Object.fromEntries(columns.map((name) => [name, type])) as Record<(typeof columns)[number], T>);

/** Tasks by status, of all that match. */
const counts = z.object({
  total_tasks: z.number(),
  ready: z.number(),
  done: z.number(),
  in_progress: z.number(),
  blocked: z.number(),
  review: z.number(),
  failed: z.number(),
});

/** What a board can be divided by. */
export const laneKinds = ['phase', 'assignee', 'priority'] as const;
export type LaneKind = (typeof laneKinds)[number];

export const lane = z.object({
  lane: z.string().describe('Id of the phase or agent, or the priority; empty: nobody'),
  stats: counts,
});
export type Lane = z.infer<typeof lane>;

export const presences = [...healths, 'paused'] as const;
export const holder = z.object({
  agent: z.string().describe('assigned_agent_id of its tasks'),
  presence: z.enum(presences).describe('healthy: heard from in time; unhealthy: quiet; none: not registered, or not watched'),
  since: z.string().nullable(),
  tasks: z.number().int(),
});
export type Holder = z.infer<typeof holder>;

export const board = z.object({
  columns: ofEach(z.array(listedTask)),
  next: ofEach(z.string().optional()).describe('The cursor of each column that has more tasks'),
  stats: counts,
  by_phase: z
    .array(counts.extend({ phase_id: z.number() }))
    .optional()
    .describe('With details'),
  rev: z.string().optional().describe('With details or since_rev: pass it as since_rev to get what changed afterwards'),
  changed: z
    .array(z.string())
    .nullable()
    .optional()
    .describe('With since_rev: all tasks that changed; the columns have those that match. Null: the board anew'),
});
export type BoardAnswer = z.infer<typeof board>;
/** With details. */
export type Board = Omit<BoardAnswer, 'columns' | 'by_phase' | 'rev'> & {
  columns: Record<(typeof columns)[number], TaskSummary[]>;
  by_phase: NonNullable<BoardAnswer['by_phase']>;
  rev: string;
};
