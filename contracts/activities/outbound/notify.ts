import type { ConnectorAttempt, ConnectorEnd } from './connector.ts';

/** Delivery of notifications. Imports types only, so that workflow code may use it. The content stays in the row. */

export interface NotifyRef {
  tenant: string;
  /** Id of the notification. */
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
   * Sends the notification as attempt number `attempt`, at most once per number.
   * @param check an earlier attempt may have arrived: ask the channel first, if it can tell
   */
  attemptNotification(ref: NotifyRef, attempt: number, check: boolean): Promise<ConnectorAttempt>;
  /** Writes the outcome; an existing outcome stays. */
  endNotification(ref: NotifyRef, end: ConnectorEnd, cancelled: boolean): Promise<void>;
  /**
   * Combines a recipient's waiting notifications into one and sends it.
   * @returns how many were included
   */
  sendDigest(ref: DigestRef): Promise<number>;
}
