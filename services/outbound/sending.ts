import type { Outgoing } from '../../adapters/notify/types.ts';
import type { NotifyRef } from '../../contracts/activities/outbound/notify.ts';
import { sign } from '../kernel/webhook-signing.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { sendingOnce, type Parcel } from './once.ts';
import { noteAttempt, rowOf, takeAttempt, type NotificationRow } from './records.ts';
import type { ApprovalLinks } from './approval-links.ts';
import type { ConnectorMounts } from './connectors/mounts.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

export interface SendingParts extends Pick<Kernel, 'db' | 'secrets' | 'notify'> {
  webhooks: WebhookSecrets;
  /** Slack's token. */
  mounts: ConnectorMounts;
  links: ApprovalLinks;
}

export const attemptNotification = sendingOnce({
  longest: 60_000,
  mostImposed: 900_000,
  told: ['slack_error', 'smtp_error', 'http_status', 'reason'],
});

/** A notification in the form that `sendingOnce` sends. */
export function parcelOf(parts: SendingParts, { tenant, id }: NotifyRef, signal?: AbortSignal): Parcel<NotificationRow> {
  const { query } = parts.db;
  return {
    name: 'notification',
    row: () => rowOf(query, tenant, id),
    ended({ status, error }) {
      if (status === 'queued') return null;
      if (status === 'delivered') return { kind: 'completed', response: {} };
      return { kind: status === 'unknown' ? 'ambiguous' : 'failed', error: error ?? { code: 'CONFLICT', message: 'It has ended.' } };
    },
    async letter(row) {
      const port = parts.notify.ports[row.channel];
      const outgoing = await outgoingOf(parts, tenant, row, signal);
      return {
        async find() {
          const found = await port.find(outgoing);
          if (found === 'arrived') return {};
          // Attempts before a person's decision to send again do not count.
          return row.attempts > row.decided ? found : 'absent';
        },
        take: (attempt) => takeAttempt(query, tenant, id, attempt),
        async send() {
          await port.send(outgoing);
          return {};
        },
        note: (attempt, outcome, reason) => noteAttempt(query, tenant, id, attempt, outcome, reason),
      };
    },
    ambiguous: {
      code: 'CONFLICT',
      message: 'It is not known whether the notification arrived: the answer was lost.',
      hint: 'Look where it should be; notification.message.retry sends it again.',
    },
  };
}

async function outgoingOf(parts: SendingParts, tenant: string, row: NotificationRow, signal: AbortSignal | undefined): Promise<Outgoing> {
  const { id, channel, title, body, url, created_at: since } = row;
  const recipient = parts.secrets.open(row.recipient);
  const { approval_id: approval, subscription_id: subscription } = row;
  // Made here: what is stored about a message is read by people who may not decide.
  const link = approval === null || subscription === null ? null : await parts.links.address(tenant, approval, subscription);
  const address = link ?? url;
  const told =
    link === null ? body : `${body}\n\nThe link below shows the whole call, and approves or rejects it once, without signing in.`;
  const message = { title, body: told, ...(address === null ? {} : { url: address }) };
  const outgoing: Outgoing = { id, recipient, message, since, ...(signal ? { signal } : {}) };
  if (channel === 'slack') return { ...outgoing, token: await parts.mounts.token(tenant, 'slack') };
  if (channel === 'email') return outgoing;
  const secret = await parts.webhooks.of(tenant, row.recipient_hash);
  return { ...outgoing, sign: (text) => sign(secret, id, Math.floor(Date.now() / 1_000), text) };
}
