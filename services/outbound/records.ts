import type { Database, Row } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import type { Channel, NotificationMessage, NotificationStatus, Priority } from '../../contracts/outbound/notifications.ts';
import type { Columns } from '../../prisma/rows.ts';
import { lock } from '../kernel/locks.ts';
import { noteEvent } from '../kernel/outbox.ts';

type Query = Database['query'];

export interface NotificationRow
  extends
    Row,
    Columns<
      'notifications',
      | 'id'
      | 'recipient'
      | 'recipient_hash'
      | 'recipient_shown'
      | 'title'
      | 'body'
      | 'url'
      | 'is_digest'
      | 'digest_id'
      | 'attempts'
      | 'decided'
      | 'job_id'
      | 'created_by'
      | 'created_at'
      | 'sent_at'
      | 'approval_id'
      | 'subscription_id'
    > {
  channel: Channel;
  priority: Priority;
  status: NotificationStatus;
  error: { code: string; message: string; hint?: string; details?: Record<string, string | number> } | null;
}

export interface NewNotification {
  key: string;
  channel: Channel;
  /** Sealed. */
  recipient: string;
  recipientHash: string;
  recipientShown: string;
  message: NotificationMessage;
  priority: Priority;
  contentHash: string;
  /** Dry run: nothing is sent. */
  dryRun: boolean;
  decides?: { approval: string; subscription: string } | undefined;
  repeatMs: number;
  createdBy: string;
}

/** Serializes writes for a recipient, so that duplicates are found and a digest takes all waiting notifications. */
export async function lockRecipient(query: Query, tenant: string, recipientHash: string): Promise<void> {
  await lock(query, `notify/${tenant}/${recipientHash}`);
}

/**
 * The notification with this key, or a recent equal one, or a new one. Call it in a transaction.
 * @throws AppError CONFLICT when the key was used for another message
 */
export async function openNotification(query: Query, tenant: string, wanted: NewNotification): Promise<NotificationRow> {
  const { key, message, contentHash } = wanted;
  await lock(query, `notify-key/${tenant}/${key}`);
  await lockRecipient(query, tenant, wanted.recipientHash);
  const [known] = await query<{ notification_id: string; content_hash: string }>(
    'select notification_id, content_hash from notification_keys where tenant_id = $1 and key = $2',
    [tenant, key],
  );
  if (known && known.content_hash !== contentHash) {
    throw new AppError('CONFLICT', 'Another notification was asked for under this key before.', {
      hint: 'Take a new idempotency key for a new notification.',
    });
  }
  if (known) return (await rowOf(query, tenant, known.notification_id))!;
  const [equal] = await query<NotificationRow>(
    `select * from notifications where tenant_id = $1 and content_hash = $2 and created_at > now() - make_interval(secs => $3)
       and status in ('queued', 'delivered', 'digested', 'dry_run', 'unknown')
       -- What is urgent does not wait for a digest.
       and ($4 = 'low' or priority <> 'low' or status <> 'queued')
     order by created_at limit 1`,
    [tenant, contentHash, wanted.repeatMs / 1_000, wanted.priority],
  );
  const id = equal?.id ?? derivedId('notif', tenant, key);
  if (!equal) {
    await query(
      `insert into notifications (tenant_id, id, channel, recipient, recipient_hash, recipient_shown, title, body, url, priority, content_hash, status, created_by,
         approval_id, subscription_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) on conflict do nothing`,
      [
        tenant,
        id,
        wanted.channel,
        wanted.recipient,
        wanted.recipientHash,
        wanted.recipientShown,
        message.title,
        message.body,
        message.url ?? null,
        wanted.priority,
        contentHash,
        wanted.dryRun ? 'dry_run' : 'queued',
        wanted.createdBy,
        wanted.decides?.approval ?? null,
        wanted.decides?.subscription ?? null,
      ],
    );
  }
  await query('insert into notification_keys (tenant_id, key, notification_id, content_hash) values ($1, $2, $3, $4)', [
    tenant,
    key,
    id,
    contentHash,
  ]);
  return equal ?? (await rowOf(query, tenant, id))!;
}

export async function rowOf(query: Query, tenant: string, id: string): Promise<NotificationRow | null> {
  const [row] = await query<NotificationRow>('select * from notifications where tenant_id = $1 and id = $2', [tenant, id]);
  return row ?? null;
}

/** Reserves an attempt number. Only one process can. @returns whether it was free */
export async function takeAttempt(query: Query, tenant: string, id: string, attempt: number): Promise<boolean> {
  const rows = await query(
    `with taken as (
       update notifications set attempts = $3, updated_at = now()
       where tenant_id = $1 and id = $2 and attempts < $3 and status = 'queued' returning id)
     insert into notification_attempts (tenant_id, notification_id, number) select $1, id, $3 from taken returning 1`,
    [tenant, id, attempt],
  );
  return rows.length > 0;
}

export async function noteAttempt(
  query: Query,
  tenant: string,
  id: string,
  attempt: number,
  outcome: string,
  reason: string | null,
): Promise<void> {
  await query(
    `update notification_attempts set outcome = $4, reason = $5, ended_at = now()
     where tenant_id = $1 and notification_id = $2 and number = $3 and ended_at is null`,
    [tenant, id, attempt, outcome, reason],
  );
}

/** Does not change a row that has ended. A digest's end also ends the notifications that it contains. */
export async function endRow(
  db: Database,
  tenant: string,
  id: string,
  status: 'delivered' | 'failed' | 'unknown' | 'cancelled',
  error: NotificationRow['error'],
): Promise<void> {
  await db.transaction(async (query) => {
    const ended = await query<{ is_digest: boolean }>(
      `update notifications set status = $3, error = $4, updated_at = now(), sent_at = case when $3 = 'delivered' then now() end
       where tenant_id = $1 and id = $2 and status = 'queued' returning is_digest`,
      [tenant, id, status, error === null ? null : JSON.stringify(error)],
    );
    if (!ended[0]) return;
    if (status === 'failed' || status === 'unknown') await noteFailure(query, tenant, id, { status, error_code: error?.code ?? null });
    if (!ended[0].is_digest) return;
    await query(
      `update notifications set status = $3, error = $4, updated_at = now(), sent_at = case when $3 = 'digested' then now() end
       where tenant_id = $1 and digest_id = $2 and status <> 'digested'`,
      [tenant, id, status === 'delivered' ? 'digested' : status, error === null ? null : JSON.stringify(error)],
    );
  });
}

/** Not about what a subscription sends: its failure would be the next event for the same subscription, without end. */
async function noteFailure(query: Query, tenant: string, id: string, data: { status: string; error_code: string | null }): Promise<void> {
  const [row] = await query<{ channel: string }>(
    `select channel from notifications n where n.tenant_id = $1 and n.id = $2 and not exists (
       select from notification_keys k join event_subscriptions s on s.tenant_id = k.tenant_id and s.id = split_part(k.key, ':', 1)
       where k.tenant_id = $1 and k.notification_id = n.id)`,
    [tenant, id],
  );
  if (row) await noteEvent(query, tenant, 'notification.failed', id, { channel: row.channel, ...data });
}
