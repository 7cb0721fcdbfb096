/** What the toolCall workflow does to the world. Imports nothing, so that workflow code may use it. */

export interface ApprovalRef {
  tenant: string;
  id: string;
}

export interface ApprovalDecision {
  decision: 'approved' | 'rejected' | 'cancelled';
  by: string;
  byKind: string;
  /** Key and role of whoever decided, for the ledger. Absent: decided before they were told. */
  keyId?: string;
  role?: string;
  note: string | null;
}

/** How the row stands, as far as the process needs it. */
export interface ApprovalState {
  status: string;
  expiresAt: number;
  tool: string;
}

export interface ToolCallActivities {
  approvalState(ref: ApprovalRef): Promise<ApprovalState>;
  /** Writes a decision, once. @returns how the row stands then */
  noteDecision(ref: ApprovalRef, decision: ApprovalDecision): Promise<ApprovalState>;
  /** Nobody decided in time. */
  expireApproval(ref: ApprovalRef): Promise<void>;
  /** Runs the approved call: marks it as started first, and never a second time. One attempt. */
  executeApproved(ref: ApprovalRef): Promise<void>;
  /** A call that was started and never reported back: whether it took effect is not known. */
  settleAmbiguous(ref: ApprovalRef, why: string): Promise<void>;
}
