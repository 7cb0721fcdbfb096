/** A call to another system. Imports types only, so that workflow code may use it. */

export interface ConnectorRef {
  tenant: string;
  /** Its job, which holds the request, sealed. */
  jobId: string;
  provider: string;
  callKey: string;
}

/** Outcome of one attempt: ids and times of the provider, never the content. */
export type ConnectorAttempt =
  | { kind: 'completed'; response: Record<string, string | null> }
  | { kind: 'failed'; error: ConnectorError }
  /** Not received: retry after a pause. */
  | { kind: 'again'; afterMs: number; error: ConnectorError }
  /** It may have been done. */
  | { kind: 'unknown'; error: ConnectorError }
  /** It may have been done, and the provider cannot tell. */
  | { kind: 'ambiguous'; error: ConnectorError };

export interface ConnectorError {
  code: string;
  message: string;
  hint?: string;
  /** The provider's answer, in its protocol's terms. */
  details?: Record<string, string | number>;
}

export type ConnectorEnd =
  { status: 'completed'; response: Record<string, string | null> } | { status: 'failed' | 'ambiguous'; error: ConnectorError };

export interface ConnectorActivities {
  /**
   * Sends the request as attempt number `attempt`, at most once per number.
   * @param check an earlier attempt may have arrived: ask the provider first
   */
  attemptConnectorCall(ref: ConnectorRef, attempt: number, check: boolean): Promise<ConnectorAttempt>;
  /** Writes the outcome; an existing outcome stays. */
  endConnectorCall(ref: ConnectorRef, end: ConnectorEnd): Promise<void>;
}
