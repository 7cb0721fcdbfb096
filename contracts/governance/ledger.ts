import { z } from 'zod';

/** Types of ledger entries for a call. */
export const ledgerTypes = [
  'tool.call.started',
  'tool.call.completed',
  'tool.call.failed',
  'tool.call.approval_requested',
  'tool.call.approved',
  'tool.call.rejected',
] as const;
export type LedgerType = (typeof ledgerTypes)[number];

export const ledgerEntry = z.object({
  event_id: z.string(),
  tool_call_id: z.string(),
  type: z.string(),
  tool: z.string(),
  called_as: z.string(),
  tool_version: z.number(),
  effect: z.string(),
  front: z.string(),
  key_id: z.string(),
  principal: z.string(),
  principal_kind: z.string(),
  persona: z.string(),
  input_hash: z.string(),
  status: z.string().nullable(),
  error_code: z.string().nullable(),
  refs: z.array(z.unknown()),
  duration_ms: z.number().nullable(),
  trace_id: z.string().nullable(),
  policy: z.string().nullable().describe('Name and version of the policy that judged it'),
  approval_id: z.string().nullable(),
  session_id: z.string().nullable(),
  at: z.string(),
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;
