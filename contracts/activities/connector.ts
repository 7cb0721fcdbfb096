/** A call to another system. Imports types only, so that workflow code may use it. */

export interface ConnectorRef {
  tenant: string;
  /** Its job, which holds the request, sealed. */
  jobId: string;
  provider: string;
  callKey: string;
}

/** How one attempt went. Ids and times of the provider, never what was sent. */
export type ConnectorAttempt =
  | { kind: 'completed'; response: Record<string, string | null> }
  | { kind: 'failed'; error: ConnectorError }
  /** Not received: again after a while. */
  | { kind: 'again'; afterMs: number; error: ConnectorError }
  /** It may have been done. */
  | { kind: 'unknown'; error: ConnectorError }
  /** It may have been done, and nobody can tell. */
  | { kind: 'ambiguous'; error: ConnectorError };

export interface ConnectorError {
  code: string;
  message: string;
  hint?: string;
  /** What the other side said, in words of its protocol. */
  details?: Record<string, string | number>;
}

export type ConnectorEnd =
  { status: 'completed'; response: Record<string, string | null> } | { status: 'failed' | 'ambiguous'; error: ConnectorError };

export interface ConnectorActivities {
  /**
   * Sends the request, as attempt number `attempt` and never twice under that number.
   * @param check an earlier attempt may have arrived: first looked for at the provider
   */
  attemptConnectorCall(ref: ConnectorRef, attempt: number, check: boolean): Promise<ConnectorAttempt>;
  /** Writes how it ended; what stands there already stays. */
  endConnectorCall(ref: ConnectorRef, end: ConnectorEnd): Promise<void>;
}
