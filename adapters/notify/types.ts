import type { NotificationMessage } from '../../contracts/outbound/notifications.ts';

export interface Outgoing {
  /** Identifies the notification: the same for all attempts, and sent to the receiver if the channel supports it. */
  id: string;
  /** As returned by `check`. */
  recipient: string;
  message: NotificationMessage;
  /** The tenant's token for Slack. */
  token?: string;
  /** Headers that authenticate the sender of a webhook's body. */
  sign?(body: string): Record<string, string>;
  /** Lower bound of the first attempt's time. */
  since: Date;
  signal?: AbortSignal;
}

/** A channel for notifications. */
export interface ChannelPort {
  /**
   * @returns the normalized recipient;
   * @throws AppError VALIDATION_ERROR when it is invalid
   */
  check(recipient: string): string;
  /** The displayable form of a recipient. */
  shown(recipient: string): string;
  /** Whether it stays on this machine: then it is sent in dry run, too. */
  stays(recipient: string): boolean;
  /**
   * One attempt, without retries.
   * @throws AppError with `details.outcome` (contracts/outbound/connectors.ts), and in `details` the other side's
   * error: `slack_error`, `smtp_error` or `http_status`
   */
  send(outgoing: Outgoing): Promise<void>;
  /**
   * Outcome of an attempt whose answer was lost. `absent`: it did not arrive, or a repeat is harmless; `unknown`: it
   * cannot be determined.
   * @throws AppError with `details.outcome` not_sent when it cannot be asked now
   */
  find(outgoing: Outgoing): Promise<'arrived' | 'absent' | 'unknown'>;
}

export interface NotifyPorts {
  slack: ChannelPort;
  email: ChannelPort;
  webhook: ChannelPort;
  /** Whether a mail server is configured: otherwise e-mail is refused, or stays a dry run. */
  mailServer: boolean;
}
