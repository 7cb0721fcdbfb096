/** Activities of the toolCall workflow. Imports nothing, so that workflow code may use it. */

export interface ApprovalRef {
  tenant: string;
  id: string;
}

export interface ApprovalDecision {
  decision: 'approved' | 'rejected' | 'cancelled';
  by: string;
  byKind: string;
  /** Key and role of the person who decided, for the ledger. Absent in older decisions. */
  keyId?: string;
  role?: string;
  /** The front end at which the person decided. Absent in older decisions: then the ledger has that of the call. */
  front?: string;
  note: string | null;
}

/** State of the row, as far as the process needs it. */
export interface ApprovalState {
  status: string;
  expiresAt: number;
  tool: string;
}

export interface ToolCallActivities {
  approvalState(ref: ApprovalRef): Promise<ApprovalState>;
  /**
   * Writes a decision, once.
   * @returns the state of the row
   */
  noteDecision(ref: ApprovalRef, decision: ApprovalDecision): Promise<ApprovalState>;
  /** The deadline passed without a decision. */
  expireApproval(ref: ApprovalRef): Promise<void>;
  /** Runs the approved call: marks it as started first, and never runs it twice. One attempt. */
  executeApproved(ref: ApprovalRef): Promise<void>;
  /** A call that was started and never reported: its effect is unknown. */
  settleAmbiguous(ref: ApprovalRef, why: string): Promise<void>;
}
