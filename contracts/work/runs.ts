/**
 * Runs of coding agents: what `signalbox work` did for one claim of a task. A run is the record of one attempt; the task's
 * own lifecycle stays with its lease.
 */
import { z } from 'zod';
import { instant } from '../times.ts';
import { pullRequest } from './trackers.ts';
import { comment, fencingToken, mergeWays, phaseId, taskId, taskStatuses } from './work.ts';

export { mergeWays, type MergeWay } from './work.ts';

/**
 * `running`: the task is under the run's lease. `review`: handed in, a person decides. `approved`: waits for its merge.
 * `completed`: the task is done. `failed`, `returned`: ended by the runner, for good or for another attempt. `lost`: its
 * lease ended before the run did.
 */
export const runStates = ['running', 'review', 'approved', 'completed', 'failed', 'returned', 'lost'] as const;
export type RunState = (typeof runStates)[number];

/**
 * `no_output`: no event came for some time, and no heartbeat either. `no_progress`: heartbeats came, but no event.
 * `repeating`: the same step with the same result, again and again.
 */
export const runStuckReasons = ['no_output', 'no_progress', 'repeating'] as const;
export const runStuck = z.object({
  reason: z.enum(runStuckReasons),
  since: z.string(),
  detail: z.string().nullable().describe('What is repeated, and how often'),
});
export type RunStuck = z.infer<typeof runStuck>;

/** What the runner says at the end. `blocked` and `question` wait for a person. */
export const runOutcomes = ['done', 'blocked', 'question', 'failed', 'released'] as const;
export type RunOutcome = (typeof runOutcomes)[number];

export const runEventKinds = ['text', 'tool', 'tool_result', 'file', 'usage', 'notice', 'raw'] as const;

/** One step of an agent, the same for all agents. */
export const agentEvent = z.object({
  kind: z.enum(runEventKinds),
  text: z.string().max(8_000),
  data: z.record(z.string(), z.unknown()).optional().describe('Small: name of a tool, path of a file, exit code'),
});
export type AgentEvent = z.infer<typeof agentEvent>;

/** `seq` counts the events of a run from 1, so a repeated append writes each once. */
export const runEvent = agentEvent.extend({ seq: z.number().int().positive(), at: z.string() });
export type RunEvent = z.infer<typeof runEvent>;

/** Sums over the run. `cost_usd` is null when the agent tells no price. */
export const runUsage = z.object({
  input_tokens: z.number().int().min(0).default(0),
  output_tokens: z.number().int().min(0).default(0),
  cached_tokens: z.number().int().min(0).default(0),
  cost_usd: z.number().min(0).nullable().default(null),
});
export type RunUsage = z.infer<typeof runUsage>;

/** A command of the phase, run in the worktree. */
export const runCheck = z.object({
  command: z.string().max(1_000),
  exit_code: z.number().int().nullable().describe('Null: it was stopped at its time limit'),
  seconds: z.number().min(0),
  output: z.string().max(4_000).describe('The last lines'),
});
export type RunCheck = z.infer<typeof runCheck>;

export const runId = z.string().min(1).max(64).describe('Run id, e.g. wrun_01jd3f8k2m9x4v7qn5ra');
export const commitId = z.string().regex(/^[0-9a-f]{7,64}$/);
export const branchName = z.string().min(1).max(250);
/** Remote address without credentials, or `host:folder`. */
export const repositoryName = z.string().min(1).max(500);

export const runReview = z.object({
  verdict: z.enum(['approve', 'send_back']),
  by: z.string(),
  at: z.string(),
  note: z.string().nullable(),
});

export const workRun = z.object({
  id: z.string(),
  task_id: z.string(),
  title: z.string().describe('First line of the task'),
  phase_id: z.number(),
  attempt: z.number().int(),
  agent: z.string().describe('claude, codex, …, or the name of a program'),
  agent_version: z.string().nullable(),
  worker: z.string(),
  host: z.string(),
  repository: z.string().nullable(),
  branch: z.string().nullable(),
  base: z.string().nullable().describe('The branch that the work is for'),
  base_commit: z.string().nullable(),
  head_commit: z.string().nullable(),
  session_id: z.string().nullable().describe("The agent's own session, with which it can be resumed"),
  state: z.enum(runStates),
  stuck: runStuck.nullable().describe('The agent seems to get nowhere, by the signs of its run; nothing is ended by it'),
  outcome: z.enum(runOutcomes).nullable(),
  summary: z.string().nullable(),
  reason: z.string().nullable(),
  checks: z.array(runCheck).describe('In lists without their output'),
  commits: z.number().int(),
  files_changed: z.number().int(),
  insertions: z.number().int(),
  deletions: z.number().int(),
  patch_artifact: z.string().nullable().describe('The diff; substrate.artifact.get returns it'),
  log_artifact: z.string().nullable().describe('What the agent printed'),
  events: z.number().int(),
  usage: runUsage,
  merge: z.enum(mergeWays),
  merged_commit: z.string().nullable(),
  pull_request: pullRequest.nullable(),
  review: runReview.nullable(),
  started_at: z.string(),
  last_event_at: z.string().nullable(),
  ended_at: z.string().nullable(),
});
export type WorkRun = z.infer<typeof workRun>;

/** Former runs in a briefing, at most. */
export const earlierRuns = 5;

/** What an agent must know to begin. */
export const briefing = z.object({
  task: z.object({
    id: z.string(),
    description: z.string(),
    tags: z.array(z.string()),
    attempt: z.number().int(),
    max_attempts: z.number().int(),
  }),
  phase: z.object({
    id: z.number(),
    name: z.string(),
    description: z.string(),
    done_definitions: z.array(z.string()),
    additional_notes: z.string().nullable(),
    setup: z.array(z.string()).describe('Commands that prepare a worktree'),
    checks: z.array(z.string()).describe('Commands that finished work must pass'),
    merge: z.enum(mergeWays).nullable().describe('Null: the runner decides'),
    needs_review: z.boolean(),
  }),
  blockers: z
    .array(z.object({ id: z.string(), description: z.string(), result: z.string().nullable() }))
    .describe('What the task waited for'),
  comments: z.array(comment.omit({ id: true })),
  earlier: z.array(workRun).describe('Former runs of the task, the latest first'),
});
export type Briefing = z.infer<typeof briefing>;

/** Both name the lease under which the runner writes. */
const held = { run_id: runId, fencing_token: fencingToken };

export const openRun = z.object({
  task_id: taskId,
  fencing_token: fencingToken,
  agent: z.string().min(1).max(64),
  agent_version: z.string().max(100).nullable().default(null),
  host: z.string().min(1).max(128),
  repository: repositoryName.nullable().default(null),
  branch: branchName.nullable().default(null),
  base: branchName.nullable().default(null),
  base_commit: commitId.nullable().default(null),
  merge: z.enum(mergeWays).default('merge'),
  with_key: z.boolean().default(true).describe('Make a key for the agent, which ends with the run; false when it works already'),
});

/**
 * `key`: null when none was wanted, and in the stored answer of a call that is repeated under its idempotency key. A
 * repeat without that key makes a new one and revokes the former.
 */
export const openedRun = z.object({
  run: workRun,
  briefing,
  key: z.object({ key_id: z.string(), api_key: z.string(), expires_at: z.string() }).nullable(),
});

export const appendEvents = z.object({
  ...held,
  events: z.array(runEvent).max(200).default([]),
  usage: runUsage.optional().describe('Sums so far'),
  session_id: z.string().max(200).optional(),
});

/** `next_seq`: the first number that is not stored yet. */
export const appended = z.object({ next_seq: z.number().int() });

export const closeRun = z.object({
  ...held,
  outcome: z.enum(runOutcomes),
  summary: z.string().max(16_000).nullable().default(null),
  reason: z.string().max(4_000).nullable().default(null).describe('Why it failed, is blocked, or what it asks'),
  retry: z.boolean().default(true).describe('A failed task becomes ready again while attempts are left'),
  head_commit: commitId.nullable().default(null),
  merged_commit: commitId.nullable().default(null),
  commits: z.int32().min(0).default(0),
  files_changed: z.int32().min(0).default(0),
  insertions: z.int32().min(0).default(0),
  deletions: z.int32().min(0).default(0),
  checks: z.array(runCheck).max(50).default([]),
  usage: runUsage.optional(),
  session_id: z.string().max(200).optional(),
  patch_artifact: z.string().max(128).nullable().default(null),
  log_artifact: z.string().max(128).nullable().default(null),
});

/** Of close, review and merged. A repeat gets the same answer. */
export const closedRun = z.object({ run: workRun, task_status: z.enum(taskStatuses) });

export const listRuns = z.object({
  task_id: taskId.optional(),
  phase_id: phaseId.optional(),
  state: z.enum(runStates).optional(),
  worker: z.string().max(128).optional(),
  host: z.string().max(128).optional(),
  repository: repositoryName.optional(),
  since: instant.optional().describe('Begun at or after this time'),
});

export const tailRun = z.object({
  run_id: runId,
  after: z.number().int().min(0).default(0).describe('Events after this number'),
  limit: z.number().int().min(1).max(500).default(200),
  wait_seconds: z.number().int().min(0).max(25).default(0).describe('Wait so long for the next one'),
});

/** `after`: where the next call begins. An event of kind `notice` stands in for events that were not kept. */
export const tailed = z.object({
  events: z.array(runEvent),
  after: z.number().int(),
  state: z.enum(runStates),
  run: workRun,
});

export const reviewRun = z.object({
  run_id: runId,
  verdict: z.enum(['approve', 'send_back']),
  note: z.string().max(4_000).optional().describe('Becomes a comment, which the next attempt reads'),
});

/** Said by whoever merged approved work: the commit, or why it cannot be merged. */
export const mergedRun = z.object({
  run_id: runId,
  commit: commitId.optional(),
  conflict: z.string().min(1).max(4_000).optional().describe('Instead of a commit: why it cannot be merged'),
});

/** Said by the runner that pushed the branch of approved work. */
export const pushedRun = z.object({
  run_id: runId.meta({ examples: ['wrun_01jd3f8k2m9x4v7qn5ra'] }),
  commit: commitId.meta({ examples: ['9fceb02d0ae598e95dc970b74767f19372d61af8'] }),
});

export const usageGroups = ['task', 'agent', 'phase', 'day'] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** Sums over runs. A run counts for the day (UTC) on which it began. `cost_usd` is null when no run tells a price. */
export const usageSum = z.object({
  runs: z.number().int(),
  input_tokens: z.number().int(),
  output_tokens: z.number().int(),
  cached_tokens: z.number().int(),
  cost_usd: z.number().nullable(),
  seconds: z.number(),
});
export const usageRow = usageSum.extend({ key: z.string().describe('Task, agent, number of a phase, or day') });
export type UsageRow = z.infer<typeof usageRow>;

/** What runs may use per day (UTC): those of one phase, or all. Tokens are those of input and output. */
export const runBudget = z.object({
  phase_id: z.number().nullable().describe('Null: all phases together'),
  tokens_per_day: z.number().int().nullable(),
  usd_per_day: z.number().nullable(),
  tokens_today: z.number().int(),
  usd_today: z.number(),
  spent: z.boolean().describe('Runners get no new task today'),
});
export type RunBudget = z.infer<typeof runBudget>;
