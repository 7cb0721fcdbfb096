import type { Database } from '../../adapters/postgres/database.ts';
import { notFound } from '../../contracts/errors.ts';
import type { Channel, Notification, NotificationAttempt, NotificationStatus } from '../../contracts/outbound/notifications.ts';
import { keysetPage, matching, newest, type Page, type Paging } from '../kernel/paging.ts';
import type { NotificationRow } from './records.ts';

type Listed = NotificationRow & { keys: number };

const keys = '(select count(*)::int from notification_keys k where k.tenant_id = $1 and k.notification_id = n.id) as keys';

/** Newest first. */
export async function listNotifications(
  db: Database,
  tenant: string,
  { status, channel, ...paging }: { status?: NotificationStatus | undefined; channel?: Channel | undefined } & Paging,
): Promise<Page<Notification>> {
  const where = matching({ 'n.tenant_id = $': tenant, 'n.status = $': status, 'n.channel = $': channel });
  const list = { select: `n.*, ${keys}`, from: 'notifications n', ...where, order: newest('n.created_at', 'n.id') };
  return await keysetPage(db.query, list, paging, view);
}

/** With its message and attempts, oldest first. @throws AppError NOT_FOUND */
export async function getNotification(
  db: Database,
  tenant: string,
  id: string,
): Promise<{ notification: Notification; message: { title: string; body: string; url?: string }; attempts: NotificationAttempt[] }> {
  const [row] = await db.query<Listed>(`select n.*, ${keys} from notifications n where n.tenant_id = $1 and n.id = $2`, [tenant, id]);
  if (!row) throw notFound('notification', id, 'notification.message.list shows them.');
  const attempts = await db.query<{ number: number; started_at: Date; ended_at: Date | null; outcome: string; reason: string | null }>(
    `select number, started_at, ended_at, outcome, reason from notification_attempts
     where tenant_id = $1 and notification_id = $2 order by number limit 200`,
    [tenant, id],
  );
  return {
    notification: view(row),
    message: { title: row.title, body: row.body, ...(row.url === null ? {} : { url: row.url }) },
    attempts: attempts.map(({ started_at, ended_at, ...attempt }) => ({
      ...attempt,
      started_at: started_at.toISOString(),
      ended_at: ended_at?.toISOString() ?? null,
    })),
  };
}

const view = (row: Listed): Notification => ({
  notification_id: row.id,
  channel: row.channel,
  recipient: row.recipient_shown,
  title: row.title,
  priority: row.priority,
  status: row.status,
  attempts: row.attempts,
  repeats: Math.max(0, row.keys - 1),
  digest_id: row.digest_id,
  error: row.error && { code: row.error.code, message: row.error.message, ...(row.error.hint ? { hint: row.error.hint } : {}) },
  job_id: row.job_id,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  sent_at: row.sent_at?.toISOString() ?? null,
});
