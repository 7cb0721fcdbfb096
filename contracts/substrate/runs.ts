import { z } from 'zod';
import { ref } from '../envelope.ts';
import { jsonValue } from '../json.ts';
import { words } from '../knowledge/knowledge.ts';

export const runStatuses = ['created', 'running', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof runStatuses)[number];
export const runEndings = ['completed', 'failed', 'cancelled'] as const;
export type RunEnding = (typeof runEndings)[number];

/** Maximum bytes, as JSON, of a run's input and output and of a step's data. Larger data belongs in artifacts. */
const maxRunJson = 262_144;
const maxStepJson = 65_536;
const maxState = 1_048_576;

export const runJson = jsonValue(maxRunJson);
export const stepJson = jsonValue(maxStepJson);
export const stateJson = jsonValue(maxState);

export const runId = z.string().min(1).max(64).describe('Id of a run');
export const stepRef = ref.extend({ id: words(512), url: z.string().max(2_000).optional() });

export const run = z.object({
  run_id: z.string(),
  name: z.string(),
  kind: z.string(),
  parent_run_id: z.string().nullable(),
  status: z.enum(runStatuses),
  created_by: z.string(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
});
export type Run = z.infer<typeof run>;

export const runDetail = run.extend({ input: z.unknown().nullable(), outputs: z.unknown().nullable(), error: z.string().nullable() });
export type RunDetail = z.infer<typeof runDetail>;

export const runStep = z.object({
  step_id: z.string(),
  /** From 1, without gaps. */
  seq: z.number(),
  step: z.string(),
  status: z.string().nullable(),
  data: z.unknown().nullable(),
  refs: z.array(ref),
  logged_by: z.string(),
  at: z.string(),
});
export type RunStep = z.infer<typeof runStep>;

/** A tool call that named the run, from the ledger. */
export const runCall = z.object({
  tool_call_id: z.string(),
  tool: z.string(),
  principal: z.string(),
  status: z.string().nullable(),
  duration_ms: z.number().nullable(),
  at: z.string(),
});
export type RunCall = z.infer<typeof runCall>;

export const runTotals = z.object({
  steps: z.number(),
  checkpoints: z.number(),
  children: z.number(),
  calls: z.number(),
  /** Milliseconds from its start to its end or until now; null before the start. */
  duration_ms: z.number().nullable(),
});
export type RunTotals = z.infer<typeof runTotals>;

export const checkpoint = z.object({
  checkpoint_id: z.string(),
  run_id: z.string(),
  seq: z.number(),
  label: z.string().nullable(),
  state: z.unknown().optional(),
  /** The artifact that holds the state. */
  state_ref: z.string().nullable(),
  saved_by: z.string(),
  at: z.string(),
});
export type Checkpoint = z.infer<typeof checkpoint>;
