import type { NotificationMessage } from '../../contracts/outbound/notifications.ts';

export interface Outgoing {
  /** Names the notification: equal for all its attempts, and told to the receiver where the channel has a place for it. */
  id: string;
  /** As `check` answered it. */
  recipient: string;
  message: NotificationMessage;
  /** The tenant's token for Slack. */
  token?: string;
  /** Headers that show a webhook's receiver who sent this body. */
  sign?(body: string): Record<string, string>;
  /** When it was first sent, at the earliest. */
  since: Date;
  signal?: AbortSignal;
}

/** One way to reach somebody. */
export interface ChannelPort {
  /** @returns the recipient as it is written; @throws AppError VALIDATION_ERROR when there can be none such */
  check(recipient: string): string;
  /** What may be shown of a recipient. */
  shown(recipient: string): string;
  /** Whether it stays on this machine: then it is sent in dry run, too. */
  stays(recipient: string): boolean;
  /**
   * One attempt, never repeated. @throws AppError with `details.outcome` (contracts/outbound/connectors.ts) and in `details` what
   * the other side said: `slack_error`, `smtp_error` or `http_status`
   */
  send(outgoing: Outgoing): Promise<void>;
  /**
   * What became of an attempt whose answer was lost. `absent`: it did not arrive, or sending it again does no harm;
   * `unknown`: nobody can tell.
   * @throws AppError with `details.outcome` not_sent when it cannot be asked just now
   */
  find(outgoing: Outgoing): Promise<'arrived' | 'absent' | 'unknown'>;
}

export interface NotifyPorts {
  slack: ChannelPort;
  email: ChannelPort;
  webhook: ChannelPort;
  /** Whether a mail server is configured: without one, e-mail is refused or stays a dry run. */
  mailServer: boolean;
}
