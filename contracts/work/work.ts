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
  title: z.string().nullable(),
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
  due_at: z.string().nullable(),
  reserved_for: z.string().nullable().describe('A claim gives it to this worker only'),
  parent_id: z.string().nullable().describe('The task that it is a part of'),
  cancelled: z.boolean().describe('It has failed because it is no longer wanted'),
  archived_at: z.string().nullable().describe('Left out of lists and boards since then'),
  created_at: z.string(),
  updated_at: z.string(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  rev: z.number().int().describe('Increases with each change of status, lease or blockers'),
  edit_rev: z.number().int().describe('Increases with each edit; pass it as expected_rev'),
});
export type Task = z.infer<typeof task>;

/** Why a task does not move. */
export const stuckReasons = ['lapsed', 'silent', 'blocked', 'exhausted', 'waiting'] as const;
export type StuckReason = (typeof stuckReasons)[number];

/** Fields of a task in the lists of devflow's contract. */
export const taskHeadline = task.pick({
  id: true,
  description: true,
  phase_id: true,
  status: true,
  priority: true,
  assigned_agent_id: true,
  created_at: true,
});

type TaskHeadline = z.infer<typeof taskHeadline>;
export const headlineOf = ({ id, description, phase_id, status, priority, assigned_agent_id, created_at }: TaskHeadline): TaskHeadline => ({
  id,
  description,
  phase_id,
  status,
  priority,
  assigned_agent_id,
  created_at,
});

const taskLabels = task.pick({ title: true, tags: true, blocked_by: true });
const taskDetails = z.object({
  ...task.pick({ lease_seconds: true, lease_expires_at: true, attempts: true, max_attempts: true, needs_review: true }).shape,
  ...task.pick({ due_at: true, reserved_for: true, parent_id: true, cancelled: true, archived_at: true }).shape,
  parts: z.object({ total: z.number().int(), done: z.number().int() }).nullable().describe('Null: it has no parts'),
  failure: z.string().nullable().describe('Its first 200 characters; work.task.get has all'),
  stuck: z
    .enum(stuckReasons)
    .nullable()
    .describe(
      'lapsed: its lease has ended; silent: no heartbeat for half the lease; blocked: a blocker has failed; exhausted: no attempt left; waiting: ready for three times as long as usual in its phase',
    ),
  updated_at: z.string(),
  completed_at: z.string().nullable(),
  rev: z.number().int().describe('Increases with each change of status, lease or blockers'),
});

/** Fields of a task in lists and on the board: without details, unless they are asked for. */
export const listedTask = taskHeadline.extend(taskLabels.shape).extend(taskDetails.partial().shape);
export type ListedTask = z.infer<typeof listedTask>;
/** With details. */
export type TaskSummary = z.infer<typeof taskHeadline> & z.infer<typeof taskLabels> & z.infer<typeof taskDetails>;
export const withDetails = z.boolean().default(false).describe('With lease, attempts, failure, why it is stuck, times and revision');

/** `priority`: high first, then the oldest; of done tasks the latest first. */
export const taskOrders = ['priority', 'oldest', 'newest', 'updated'] as const;

/** What lists of tasks and the board can be narrowed to. */
export const taskFilter = z.object({
  phase_id: phaseId.optional(),
  search: z.string().trim().min(1).max(200).optional().describe('Words of title and description, all of them, or an id'),
  priority: z.enum(priorities).optional(),
  tags: z.array(z.string()).max(32).optional().describe('Tasks that carry all of these'),
  assigned_to: z.string().max(128).optional().describe('Empty: nobody'),
  stuck: z
    .enum(['any', ...stuckReasons])
    .optional()
    .describe('Tasks that do not move, for this reason or any'),
  overdue: z.boolean().optional().describe('Open tasks whose due date has passed'),
  reserved_for: z.string().min(1).max(128).optional().describe('Tasks that only this worker is given'),
  parent_id: taskId.optional().describe('Parts of this task'),
  archived: z.boolean().optional().describe('Only archived ones; without it there are none'),
});

/** Counts of the parts of a task. */
export const partsCount = z.object({ total: z.number().int(), done: z.number().int(), cancelled: z.number().int() });
export type PartsCount = z.infer<typeof partsCount>;

/** A task that another waits for. */
export const taskLink = task.pick({ id: true, description: true, status: true, assigned_agent_id: true });
export type TaskLink = z.infer<typeof taskLink>;

/**
 * How finished work reaches the base branch. `patch`: not at all; the patch is kept as an artifact. `pull_request`: approved
 * work is pushed, and merged where its repository is reviewed.
 */
export const mergeWays = ['merge', 'rebase', 'patch', 'pull_request'] as const;
export type MergeWay = (typeof mergeWays)[number];

export const phase = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string(),
  done_definitions: z.array(z.string()),
  additional_notes: z.string().nullable(),
  working_directory: z.string().nullable(),
  needs_review: z.boolean(),
  setup: z.array(z.string()).describe('Commands that prepare a worktree for an agent'),
  checks: z.array(z.string()).describe('Commands that finished work must pass'),
  merge: z.enum(mergeWays).nullable().describe('How finished work reaches the base branch; null: the runner decides'),
  stuck_minutes: z.number().int().nullable().describe('Minutes without output after which an agent is stuck; null: 10'),
  stuck_repeats: z.number().int().nullable().describe('Equal steps in a row after which an agent is stuck; null: 5'),
});
export type Phase = z.infer<typeof phase>;

/** Of a comment on changes: the run that made them, the file, the line of its new version. */
export const commentPlace = {
  run_id: z.string().nullable(),
  path: z.string().nullable(),
  line: z.number().int().nullable(),
};
export const comment = z.object({ id: z.string(), author: z.string(), body: z.string(), created_at: z.string(), ...commentPlace });
export type Comment = z.infer<typeof comment>;

/** Fields of a task that are written by people and planners; shared by the tools that create and edit. */
export const taskTitle = plainText(200).trim().min(1);
export const taskDescription = plainText(20_000).trim().min(1);
export const taskTags = z.array(z.string().min(1).max(64)).max(32);
export const taskMetadata = z.record(z.string(), z.unknown());
export const maxAttempts = z.number().int().min(1).max(20);
export const dueDate = z.iso.datetime({ offset: true }).describe('With time zone, e.g. 2027-03-01T17:00:00Z');
export const workerName = plainText(128).trim().min(1).describe('Worker name: its X-Agent-Id, or the name of its key');
/** `edit_rev` of the task as the editor has seen it. */
export const expectedRev = z.number().int().min(0).optional().describe('edit_rev that you have read: refused if it was edited since');
/** What happens to tasks that wait for one that ends without being done. */
export const dependantsMode = z
  .enum(['refuse', 'free'])
  .default('refuse')
  .describe('If tasks wait for it: refuse, or free them, with a comment on each');
