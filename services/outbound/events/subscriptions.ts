import type { Database, Row } from '../../../adapters/postgres/database.ts';
import type { WebClient } from '../../../adapters/web/types.ts';
import type { Caller } from '../../../contracts/caller.ts';
import { AppError, notFound } from '../../../contracts/errors.ts';
import type { WantedType } from '../../../contracts/outbound/events.ts';
import { derivedId } from '../../../contracts/ids.ts';
import { topics } from '../../../contracts/notices.ts';
import type { Channel } from '../../../contracts/outbound/notifications.ts';
import type { Subscription, SubscriptionTarget } from '../../../contracts/outbound/subscriptions.ts';
import type { ApprovalLinks } from '../approval-links.ts';
import type { Notifications } from '../index.ts';
import { notify } from '../../kernel/notify.ts';
import { assertRoom } from '../../kernel/room.ts';
import { isWebhookSecret, newWebhookSecret } from '../../kernel/webhook-signing.ts';
import { Service } from '../../kernel/service.ts';
import type { Columns, Tables } from '../../../prisma/rows.ts';
import { placeAfter } from './places.ts';

export interface NewSubscription {
  target: SubscriptionTarget;
  url?: string | undefined;
  secret?: string | undefined;
  channel?: Channel | undefined;
  recipient?: string | undefined;
  types: WantedType[];
  subject?: string | undefined;
  approve_links: boolean;
  description: string;
}

export interface SubscriptionRow
  extends
    Row,
    Columns<
      'event_subscriptions',
      | 'tenant_id'
      | 'id'
      | 'secret'
      | 'recipient'
      | 'subject'
      | 'description'
      | 'paused_reason'
      | 'seq'
      | 'attempts'
      | 'failing_since'
      | 'retry_at'
      | 'last_error'
      | 'last_delivered_at'
      | 'delivered'
      | 'given_up'
      | 'missed'
      | 'created_by'
      | 'created_at'
      | 'updated_at'
      | 'approve_links'
      | 'links_key'
    > {
  target: SubscriptionTarget;
  /** Sealed, like `secret` and `recipient`. */
  url: Tables['event_subscriptions']['url'];
  channel: Channel | null;
  /** The part of the url or the recipient that may be shown. */
  shown: Tables['event_subscriptions']['shown'];
  types: WantedType[];
  status: 'active' | 'paused';
  /** Increased by each change and each resume. */
  rev: Tables['event_subscriptions']['rev'];
}

const maxPerTenant = 200;

/** Subscriptions to events. Secrets and addresses are stored sealed, because a webhook's address gives access. */
export class Subscriptions extends Service<
  'secrets',
  { peers: Pick<WebClient, 'check'>; notifications: Pick<Notifications, 'check' | 'shown'>; links: ApprovalLinks }
> {
  /**
   * Creates a subscription, which receives events from now on, or changes an existing one. Secret and address stay unless
   * new ones are given: they are never shown, so a caller who changes the subscription need not know them.
   * @throws AppError NOT_FOUND, VALIDATION_ERROR; FORBIDDEN, CONFLICT when links for approvals are not possible
   */
  async save(
    caller: Caller,
    wanted: NewSubscription,
    { id, callKey, after }: { id?: string | undefined; callKey: string; after?: string | undefined },
  ): Promise<Subscription> {
    const { tenant } = caller;
    const { secrets } = this.deps;
    if (wanted.approve_links) this.deps.links.assertMayAllow(caller, wanted.target, wanted.channel);
    const key = id ?? derivedId('sub', tenant, callKey);
    await this.db.transaction(async (query) => {
      const before = id === undefined ? null : await lockedRow(query, tenant, id);
      const { target, address, shown } = this.checked(wanted, before);
      const ofWebhook = target === 'webhook';
      const keptSecret = wanted.secret === undefined ? before?.secret : null;
      const values = [
        target,
        ofWebhook ? address : null,
        ofWebhook ? null : wanted.channel,
        ofWebhook ? null : address,
        shown,
        wanted.types,
        wanted.subject ?? null,
        wanted.description,
        ofWebhook ? (keptSecret ?? secrets.seal(wanted.secret ?? newWebhookSecret())) : null,
        wanted.approve_links,
        wanted.approve_links ? caller.keyId : null,
      ];
      if (before) {
        await query(
          `update event_subscriptions set target = $3, url = $4, channel = $5, recipient = $6, shown = $7, types = $8, subject = $9,
             description = $10, secret = $11, approve_links = $12, links_key = $13, attempts = 0, failing_since = null, retry_at = null, last_error = null, given_up = 0,
             rev = rev + 1, updated_at = now()
           where tenant_id = $1 and id = $2`,
          [tenant, key, ...values],
        );
      } else {
        await assertRoom(query, {
          of: `event_subscriptions/${tenant}`,
          most: maxPerTenant,
          count: 'select count(*)::int as n from event_subscriptions where tenant_id = $1 and id <> $2',
          values: [tenant, key],
          refusal: () => new AppError('CONFLICT', `A tenant has ${maxPerTenant} subscriptions at most.`, { hint: 'Remove one first.' }),
        });
        const { from } = await placeAfter(query, tenant, after);
        await query(
          `insert into event_subscriptions (tenant_id, id, target, url, channel, recipient, shown, types, subject, description, secret, approve_links, links_key,
             seq, created_by)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) on conflict (tenant_id, id) do nothing`,
          [tenant, key, ...values, from, caller.principal],
        );
      }
      await notify(query, topics.subscriptions());
    });
    return await this.get(tenant, key);
  }

  async list(tenant: string): Promise<Subscription[]> {
    const rows = await this.db.query<SubscriptionRow & { dead: number }>(`${select} where s.tenant_id = $1 order by s.created_at, s.id`, [
      tenant,
    ]);
    return rows.map(view);
  }

  /** @throws AppError NOT_FOUND */
  async get(tenant: string, id: string): Promise<Subscription> {
    const [row] = await this.db.query<SubscriptionRow & { dead: number }>(`${select} where s.tenant_id = $1 and s.id = $2`, [tenant, id]);
    if (!row) throw unknownSubscription(id);
    return view(row);
  }

  /** The secret that signs its deliveries. @throws AppError NOT_FOUND; CONFLICT when it is not a webhook */
  async secret(tenant: string, id: string): Promise<string> {
    const row = await this.row(tenant, id);
    if (!row) throw unknownSubscription(id);
    if (row.secret !== null) return this.deps.secrets.open(row.secret);
    throw new AppError('CONFLICT', 'This subscription notifies people, not a webhook, so it has no secret.');
  }

  /** Also deletes its dead letters. @throws AppError NOT_FOUND */
  async remove(tenant: string, id: string): Promise<void> {
    const rows = await this.db.query('delete from event_subscriptions where tenant_id = $1 and id = $2 returning 1', [tenant, id]);
    if (rows.length === 0) throw unknownSubscription(id);
  }

  /** Continues after the last delivered event, or at the oldest event that is kept. @throws AppError NOT_FOUND */
  async resume(tenant: string, id: string): Promise<Subscription> {
    await this.db.transaction(async (query) => {
      const rows = await query(
        `update event_subscriptions set status = 'active', paused_reason = null, attempts = 0, failing_since = null, retry_at = null, given_up = 0,
           rev = rev + 1, updated_at = now() where tenant_id = $1 and id = $2 returning 1`,
        [tenant, id],
      );
      if (rows.length === 0) throw unknownSubscription(id);
      await notify(query, topics.subscriptions());
    });
    return await this.get(tenant, id);
  }

  async row(tenant: string, id: string): Promise<SubscriptionRow | null> {
    const [row] = await this.db.query<SubscriptionRow>('select * from event_subscriptions where tenant_id = $1 and id = $2', [tenant, id]);
    return row ?? null;
  }

  /** Checks and seals the target. @param before the subscription to change: values that are not given stay */
  private checked(
    { target, url, secret, channel, recipient }: NewSubscription,
    before: SubscriptionRow | null,
  ): { target: SubscriptionTarget; address: string; shown: string } {
    const { peers, secrets, notifications } = this.deps;
    const sealed = (address: string, shown: string) => ({ target, address: secrets.seal(address), shown });
    if (target === 'webhook') {
      if (channel !== undefined || recipient !== undefined) {
        throw new AppError('VALIDATION_ERROR', 'channel and recipient are for the target notification.', { details: { field: 'channel' } });
      }
      if (secret !== undefined && !isWebhookSecret(secret)) {
        throw new AppError('VALIDATION_ERROR', 'The secret is not one of Standard Webhooks.', {
          hint: 'whsec_ and 24 to 64 bytes in base64.',
        });
      }
      if (before?.url && (url === undefined || url === before.shown)) return { target, address: before.url, shown: before.shown };
      if (url === undefined) throw new AppError('VALIDATION_ERROR', 'A webhook needs a url.', { details: { field: 'url' } });
      const address = peers.check(url);
      return sealed(address, `${new URL(address).origin}/…`);
    }
    if (url !== undefined || secret !== undefined) {
      throw new AppError('VALIDATION_ERROR', 'url and secret are for the target webhook.', { details: { field: 'url' } });
    }
    if (before?.recipient && channel === before.channel && (recipient === undefined || recipient === before.shown)) {
      return { target, address: before.recipient, shown: before.shown };
    }
    if (channel === undefined || recipient === undefined) {
      throw new AppError('VALIDATION_ERROR', 'A notification needs channel and recipient.', { details: { field: 'recipient' } });
    }
    const address = notifications.check(channel, recipient);
    return sealed(address, notifications.shown(channel, address));
  }
}

async function lockedRow(query: Database['query'], tenant: string, id: string): Promise<SubscriptionRow> {
  const [row] = await query<SubscriptionRow>('select * from event_subscriptions where tenant_id = $1 and id = $2 for update', [tenant, id]);
  if (!row) throw unknownSubscription(id);
  return row;
}

export const unknownSubscription = (id: string): AppError => notFound('subscription', id, 'event.subscription.list shows those there are.');

const select = `select s.*, (select count(*)::int from event_deliveries d
  where d.tenant_id = s.tenant_id and d.subscription_id = s.id and d.status <> 'delivered') as dead from event_subscriptions s`;

const view = (row: SubscriptionRow & { dead: number }): Subscription => ({
  subscription_id: row.id,
  target: row.target,
  url: row.target === 'webhook' ? row.shown : null,
  channel: row.channel,
  recipient: row.target === 'notification' ? row.shown : null,
  types: row.types,
  subject: row.subject,
  approve_links: row.approve_links,
  description: row.description,
  status: row.status,
  paused_reason: row.paused_reason,
  delivered: Number(row.delivered),
  last_delivered_at: row.last_delivered_at?.toISOString() ?? null,
  attempts: row.attempts,
  failing_since: row.failing_since?.toISOString() ?? null,
  retry_at: row.retry_at?.toISOString() ?? null,
  last_error: row.last_error,
  dead_letters: row.dead,
  missed: Number(row.missed),
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
