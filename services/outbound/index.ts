import type { DigestRef, NotifyRef } from '../../contracts/activities/outbound/notify.ts';
import type { ConnectorAttempt, ConnectorEnd } from '../../contracts/activities/outbound/connector.ts';
import { AppError, errorCodes, notFound } from '../../contracts/errors.ts';
import { derivedId, hashOf, newId } from '../../contracts/ids.ts';
import type { Job } from '../../contracts/jobs.ts';
import type { Channel } from '../../contracts/outbound/notifications.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { notifyDigest } from '../../workflows/outbound/notify/workflow.ts';
import type { GovernanceService } from '../governance/index.ts';
import { eachInTurn } from '../kernel/isolation.ts';
import { isUnfinished } from '../kernel/jobs.ts';
import { Service } from '../kernel/service.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { ApprovalLinks } from './approval-links.ts';
import { gatherDigest } from './digest.ts';
import { startOnce } from './once.ts';
import { getNotification, listNotifications } from './queries.ts';
import { endRow, openNotification, rowOf, type NotificationRow } from './records.ts';
import { attemptNotification, parcelOf } from './sending.ts';
import type { NotificationNames, Sending, Sent } from './types.ts';
import { WebhookSecrets, type WebhookTarget } from './webhook-secrets.ts';
import { ConnectorService } from './connectors/index.ts';
import type { ConnectorMounts } from './connectors/mounts.ts';
import { Events } from './events/index.ts';

export type { Called } from './connectors/index.ts';
export type { Sent } from './types.ts';

/** Messages to people and other systems, each sent once by a workflow and recorded in a log. */
export class Notifications extends Service<NotificationNames, { mounts: ConnectorMounts; links: ApprovalLinks }> {
  readonly webhooks = new WebhookSecrets(this.deps);
  /** How long a caller waits for the delivery before it gets a job, in ms. */
  waitMs = 10_000;

  /**
   * Sends a message once per `key`; the delivery continues in the background. A message of low priority waits for the
   * recipient's next digest.
   * @throws AppError VALIDATION_ERROR for an invalid recipient; NOT_FOUND when Slack is not mounted; CONFLICT for another
   * message under the key, or without a mail server
   */
  async send(tenant: string, sending: Sending, key: string): Promise<Sent> {
    const { channel, message, priority } = sending;
    const { db, secrets, notify } = this.deps;
    const target = this.targetOf(channel, sending.recipient);
    const dryRun = (notify.dryRun && !notify.ports[channel].stays(target.recipient)) || (await this.isDry(tenant, channel));
    const row = await db.transaction((query) =>
      openNotification(query, tenant, {
        key,
        channel,
        recipient: secrets.seal(target.recipient),
        recipientHash: target.hash,
        recipientShown: target.shown,
        message,
        priority,
        contentHash: hashOf({ recipient: target.hash, message, ...(sending.decides ? { decides: sending.decides } : {}) }),
        decides: sending.decides,
        dryRun,
        repeatMs: notify.repeatMs,
        createdBy: sending.createdBy,
      }),
    );
    return await this.begin(tenant, row);
  }

  /**
   * As `send`, but waits up to ten seconds for the delivery.
   * @throws AppError also the delivery's own error; CONFLICT with `details.reason` unknown when it is not known whether
   * the message arrived
   */
  async deliver(tenant: string, sending: Sending, key: string): Promise<Sent> {
    const { notification_id } = await this.send(tenant, sending, key);
    return await this.settled(tenant, notification_id);
  }

  /**
   * Sends a message again that failed, was cancelled, or whose delivery is unknown. A person decides this.
   * @throws AppError NOT_FOUND; CONFLICT when there is nothing to repeat; otherwise as `deliver`
   */
  async retry(tenant: string, id: string): Promise<Sent> {
    const row = await rowOf(this.db.query, tenant, id);
    if (!row) throw notFound('notification', id, 'notification.message.list shows them.');
    if (row.digest_id !== null) {
      throw new AppError('CONFLICT', 'It is part of a digest.', {
        hint: 'Retry the digest.',
        details: { digest_id: row.digest_id },
      });
    }
    // The former workflow ends the message before its job: wait for the job.
    if (row.job_id !== null && row.status !== 'queued') await this.deps.jobs.settle(tenant, row.job_id, 3_000);
    const again = await this.db.query<NotificationRow>(
      `update notifications set status = 'queued', error = null, decided = attempts, job_id = $3, updated_at = now()
       where tenant_id = $1 and id = $2 and status in ('failed', 'unknown', 'cancelled') returning *`,
      // A new job, even if the former one ended before it reserved an attempt number.
      [tenant, id, newId('job')],
    );
    if (!again[0]) {
      throw new AppError('CONFLICT', `The notification is ${row.status}: there is nothing to repeat.`, {
        hint: 'notification.message.send sends a new one.',
        details: { reason: row.status },
      });
    }
    await this.begin(tenant, again[0]);
    return await this.settled(tenant, id);
  }

  list(tenant: string, wanted: Parameters<typeof listNotifications>[2]) {
    return listNotifications(this.db, tenant, wanted);
  }

  get(tenant: string, id: string) {
    return getNotification(this.db, tenant, id);
  }

  /** The key under which the secret of a webhook recipient is stored. @throws AppError VALIDATION_ERROR */
  webhook(url: string): WebhookTarget {
    return this.targetOf('webhook', url);
  }

  /** @returns the recipient in its stored form. @throws AppError VALIDATION_ERROR for an invalid recipient */
  check(channel: Channel, recipient: string): string {
    return this.deps.notify.ports[channel].check(recipient);
  }

  /** The part of a recipient that may be shown: the address of a webhook gives access. */
  shown(channel: Channel, recipient: string): string {
    return this.deps.notify.ports[channel].shown(recipient);
  }

  /** Starts the workflow of an unfinished job, unless it already runs. @throws AppError SERVICE_UNAVAILABLE */
  async restart(tenant: string, job: Job): Promise<void> {
    const [row] = await this.db.query<NotificationRow>('select * from notifications where tenant_id = $1 and job_id = $2', [
      tenant,
      job.job_id,
    ]);
    if (row) await this.start(tenant, row, job);
  }

  /** Starts notifications that a crash left without a workflow, and deletes expired ones. @returns how many were deleted */
  async tend(tenant: string, olderThanMs = 60_000): Promise<number> {
    const { db, notify } = this.deps;
    const left = await db.query<NotificationRow>(
      `select n.* from notifications n left join jobs j on j.tenant_id = $1 and j.id = n.job_id
       where n.tenant_id = $1 and n.status = 'queued' and n.digest_id is null and j.id is null
         and n.updated_at < now() - make_interval(secs => $2::float8 + case when n.priority = 'low' then $3::float8 else 0 end) limit 500`,
      [tenant, olderThanMs / 1_000, notify.digestMs / 1_000],
    );
    const old = await db.query(
      `delete from notifications where tenant_id = $1 and status <> 'queued' and created_at < now() - make_interval(days => $2) returning 1`,
      [tenant, notify.keepDays],
    );
    await eachInTurn(left, (row) => this.begin(tenant, row));
    return old.length;
  }

  /** For the process. */
  attempt(ref: NotifyRef, attempt: number, check: boolean, signal?: AbortSignal): Promise<ConnectorAttempt> {
    return attemptNotification(parcelOf({ ...this.deps, webhooks: this.webhooks }, ref, signal), attempt, check);
  }

  /** For the process. */
  async end({ tenant, id }: NotifyRef, end: ConnectorEnd, cancelled: boolean): Promise<void> {
    if (end.status === 'completed') await endRow(this.db, tenant, id, 'delivered', null);
    else await endRow(this.db, tenant, id, end.status === 'ambiguous' ? 'unknown' : cancelled ? 'cancelled' : 'failed', end.error);
  }

  /** For the digest workflow. @returns how many notifications it collected */
  async digest({ tenant, recipient }: DigestRef): Promise<number> {
    let count = 0;
    for (;;) {
      const { digests, taken } = await gatherDigest(this.db, tenant, recipient);
      for (const id of digests) await this.begin(tenant, (await rowOf(this.db.query, tenant, id))!);
      count += taken;
      if (taken === 0) return count;
    }
  }

  private targetOf(channel: Channel, text: string): WebhookTarget & { recipient: string } {
    const port = this.deps.notify.ports[channel];
    const recipient = port.check(text);
    return { recipient, hash: hashOf({ channel, recipient }).slice(0, 40), shown: port.shown(recipient) };
  }

  /** Whether sending is a dry run. @throws AppError when the channel is not set up */
  private async isDry(tenant: string, channel: Channel): Promise<boolean> {
    if (channel === 'email' && !this.deps.notify.ports.mailServer) {
      throw new AppError('CONFLICT', 'No mail server is configured.', {
        hint: 'Set SMTP_URL.',
        details: { reason: 'not_configured', smtp_error: 'not_configured' },
      });
    }
    if (channel !== 'slack') return false;
    const { dryRun } = await this.deps.mounts.open(tenant, 'slack').catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
      const { message, hint = '' } = error;
      throw new AppError('NOT_FOUND', message, { hint, details: { reason: 'not_configured', slack_error: 'not_mounted' } });
    });
    return dryRun;
  }

  /** Starts the workflow, if the notification needs one. */
  private async begin(tenant: string, row: NotificationRow): Promise<Sent> {
    if (row.status !== 'queued' || row.digest_id !== null) return this.sent(row, null);
    if (row.priority === 'low') {
      await this.gather(tenant, row);
      return this.sent(row, null);
    }
    const { db, jobs } = this.deps;
    const id = row.job_id ?? derivedId('job', tenant, 'notification', row.id, String(row.decided));
    await db.query('update notifications set job_id = $3 where tenant_id = $1 and id = $2 and job_id is null', [tenant, row.id, id]);
    const job = await jobs.open(tenant, {
      id,
      kind: 'notification',
      title: `Notification by ${row.channel}`,
      workflowId: workflowIds.notify(tenant, row.id),
      spec: {},
      createdBy: row.created_by,
    });
    await this.start(tenant, row, job);
    return this.sent({ ...row, job_id: id }, job);
  }

  private async start(tenant: string, { id }: NotificationRow, job: Job): Promise<void> {
    if (!isUnfinished(job)) return;
    const row = (await rowOf(this.db.query, tenant, id))!;
    await startOnce(this.deps.processes, job, { tenant, id, jobId: job.job_id }, row.attempts, job.job_id);
  }

  private async gather(tenant: string, row: NotificationRow): Promise<void> {
    await this.deps.processes.signalStarting<typeof notifyDigest>(
      {
        workflow: 'notifyDigest',
        id: workflowIds.digest(tenant, row.recipient_hash),
        queue: 'outbound',
        args: [{ ref: { tenant, recipient: row.recipient_hash }, everyMs: this.deps.notify.digestMs }],
        tenant,
        kind: 'digest',
        status: 'waiting',
        owner: row.created_by,
        summary: `Digest by ${row.channel}`,
      },
      'more',
    );
  }

  private async settled(tenant: string, id: string): Promise<Sent> {
    const { db, jobs } = this.deps;
    let row = (await rowOf(db.query, tenant, id))!;
    let job: Job | null = null;
    if (row.status === 'queued' && row.job_id !== null) {
      job = await jobs.settle(tenant, row.job_id, this.waitMs);
      row = (await rowOf(db.query, tenant, id))!;
    }
    if (row.status === 'failed' || row.status === 'unknown' || row.status === 'cancelled') throw failureOf(row);
    return this.sent(row, job);
  }

  private sent(row: NotificationRow, job: Job | null): Sent {
    return {
      notification_id: row.id,
      channel: row.channel,
      sent_at: (row.sent_at ?? row.created_at).toISOString(),
      status: row.status,
      job_id: row.job_id,
      refs: [{ type: 'notification', id: row.id }, ...(job ? this.deps.jobs.refs(job) : [])],
    };
  }
}

function failureOf({ id, channel, status, error }: NotificationRow): AppError {
  const { code, message, hint, details } = error ?? { code: 'CONFLICT', message: 'The notification was cancelled.' };
  return new AppError(errorCodes.find((known) => known === code) ?? 'CONFLICT', message, {
    ...(hint === undefined ? {} : { hint }),
    retryable: false,
    details: { notification_id: id, channel, ...details, reason: status === 'failed' ? (details?.['reason'] ?? 'failed') : status },
  });
}

export function createOutbound(kernel: Kernel, { governance }: { governance: GovernanceService }) {
  const connectors = new ConnectorService(kernel);
  const approvalLinks = new ApprovalLinks({ ...kernel, governance });
  const notifications = new Notifications({ ...kernel, mounts: connectors.mounts, links: approvalLinks });
  return { connectors, notifications, approvalLinks, events: new Events({ ...kernel, notifications, links: approvalLinks }) };
}
