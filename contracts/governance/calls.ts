import { z } from 'zod';
import { job } from '../jobs.ts';
import { ref } from '../envelope.ts';
import { ledgerEntry } from './ledger.ts';
import { approval } from './policy.ts';

/** Calls of one trace that are told at most. */
export const mostInTrace = 200;

/** A piece of the way of a call, for a timeline. Derived from records; nothing is measured for it. */
export const callStep = z.object({
  kind: z.enum(['call', 'wait', 'run', 'job']).describe('wait: for a person; run: of the approved call'),
  id: z.string(),
  name: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable().describe('null: not over'),
  status: z.string().nullable(),
  error_code: z.string().nullable(),
  url: z.string().nullable().describe('Of its process'),
});
export type CallStep = z.infer<typeof callStep>;

/** One call as the ledger has it: its entries folded, what was decided about it, and what it began. */
export const callDetail = z.object({
  tool_call_id: z.string(),
  tool: z.string(),
  called_as: z.string(),
  tool_version: z.number(),
  effect: z.string(),
  front: z.string(),
  key_id: z.string(),
  principal: z.string(),
  principal_kind: z.string(),
  persona: z.string(),
  session_id: z.string().nullable(),
  policy: z.string().nullable().describe('Name and version of the policy that judged it'),
  input_hash: z.string().describe('Hash of the arguments, which are not stored'),
  status: z.string().nullable().describe('null: no end was recorded'),
  error_code: z.string().nullable(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  duration_ms: z.number().nullable(),
  tokens: z.number().nullable(),
  trace_id: z.string().nullable(),
  refs: z.array(ref).describe('Records in its answer'),
  entries: z.array(ledgerEntry),
  approval: approval.nullable().describe('Only for those who may see it'),
  asked_by_call: z.string().nullable().describe('The call that asked for what this one ran'),
  ran_as_call: z.string().nullable().describe('The call that ran after the approval'),
  jobs: z.array(job.extend({ url: z.string().nullable() })),
  steps: z.array(callStep).describe(`By start: the call, its wait for a person, its jobs, and at most ${mostInTrace} calls of its trace`),
});
export type CallDetail = z.infer<typeof callDetail>;
