import type { Ref } from '../../contracts/envelope.ts';
import type { Channel, NotificationMessage, NotificationStatus, Priority } from '../../contracts/outbound/notifications.ts';

export type NotificationNames = 'processes' | 'secrets' | 'notify' | 'jobs';

export interface Sending {
  channel: Channel;
  /** Id of a Slack channel, an e-mail address or the URL of a webhook. */
  recipient: string;
  message: NotificationMessage;
  priority: Priority;
  createdBy: string;
  /** Its link decides about this waiting call. */
  decides?: { approval: string; subscription: string };
}

export interface Sent {
  notification_id: string;
  channel: Channel;
  /** When it was delivered, otherwise when it was accepted; ISO 8601. */
  sent_at: string;
  status: NotificationStatus;
  /** The job of its delivery; null when there was none. */
  job_id: string | null;
  refs: Ref[];
}
