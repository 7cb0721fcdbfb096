import type { Ref } from '../../contracts/envelope.ts';
import type { Channel, NotificationMessage, NotificationStatus, Priority } from '../../contracts/outbound/notifications.ts';

export type NotificationNames = 'processes' | 'secrets' | 'notify' | 'jobs';

export interface Sending {
  channel: Channel;
  /** Id of a Slack channel, an e-mail address or a webhook's address. */
  recipient: string;
  message: NotificationMessage;
  priority: Priority;
  createdBy: string;
}

export interface Sent {
  notification_id: string;
  channel: Channel;
  /** When it was delivered, else when it was taken; ISO 8601. */
  sent_at: string;
  status: NotificationStatus;
  /** Of its delivery; null when none was begun. */
  job_id: string | null;
  refs: Ref[];
}
