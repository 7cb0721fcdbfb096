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
