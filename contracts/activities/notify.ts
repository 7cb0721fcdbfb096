import type { ConnectorAttempt, ConnectorEnd } from './connector.ts';

/** Delivering notifications. Imports types only, so that workflow code may use it. What is sent stands in the row alone. */

export interface NotifyRef {
  tenant: string;
  /** The notification's. */
  id: string;
  jobId: string;
}

export interface DigestRef {
  tenant: string;
  /** Hash of channel and address. */
  recipient: string;
}

export interface NotifyActivities {
  /**
   * Sends the notification, as attempt number `attempt` and never twice under that number.
   * @param check an earlier attempt may have arrived: first looked for where the channel can tell
   */
  attemptNotification(ref: NotifyRef, attempt: number, check: boolean): Promise<ConnectorAttempt>;
  /** Writes how it ended; what stands there already stays. */
  endNotification(ref: NotifyRef, end: ConnectorEnd, cancelled: boolean): Promise<void>;
  /** Puts what waits for a recipient into one notification and sends that. @returns how many went in */
  sendDigest(ref: DigestRef): Promise<number>;
}
