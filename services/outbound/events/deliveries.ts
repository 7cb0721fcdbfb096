import type { Database, Row } from '../../../adapters/postgres/database.ts';
import { AppError, notFound } from '../../../contracts/errors.ts';
import type { Event } from '../../../contracts/outbound/events.ts';
import type { Delivery } from '../../../contracts/outbound/subscriptions.ts';
import { derivedId } from '../../../contracts/ids.ts';
import { keysetPage, matching, newest, type Page, type Paging } from '../../kernel/paging.ts';
import { Service } from '../../kernel/service.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { unknownSubscription } from './subscriptions.ts';

type Query = Database['query'];

interface DeliveryRow
  extends Row, Columns<'event_deliveries', 'id' | 'subscription_id' | 'attempts' | 'last_error' | 'first_failed_at' | 'updated_at'> {
  event: Event;
  status: Delivery['status'];
}

/** Events that could not be delivered. They are kept until a person decides. */
export class Deliveries extends Service {
  /** Newest first; `all` includes those that were delivered later. @throws AppError VALIDATION_ERROR for a cursor of another list */
  async list(
    tenant: string,
    { subscriptionId, all, ...paging }: { subscriptionId?: string | undefined; all: boolean } & Paging,
  ): Promise<Page<Delivery>> {
    const where = matching({ 'tenant_id = $': tenant, 'subscription_id = $': subscriptionId, "status <> 'delivered'": !all });
    const list = { select: '*', from: 'event_deliveries', ...where, order: newest('updated_at', 'id') };
    return await keysetPage(this.db.query, list, paging, view);
  }

  /**
   * Schedules a retry of one event, or of all events of a subscription. @returns their ids @throws AppError NOT_FOUND;
   * CONFLICT when there is nothing to retry, or the event belongs to another subscription
   */
  async retry(
    tenant: string,
    { id, subscriptionId }: { id?: string | undefined; subscriptionId?: string | undefined },
  ): Promise<{ subscriptions: string[]; retrying: number }> {
    const rows = await this.db.query<{ subscription_id: string }>(
      `update event_deliveries set status = 'retrying', updated_at = now() where tenant_id = $1 and status in ('dead', 'retrying')
         and ($2::text is null or id = $2) and ($3::text is null or subscription_id = $3) returning subscription_id`,
      [tenant, id ?? null, subscriptionId ?? null],
    );
    if (rows.length === 0) throw await this.nothingToRetry(tenant, id, subscriptionId);
    return { subscriptions: [...new Set(rows.map((row) => row.subscription_id))], retrying: rows.length };
  }

  private async nothingToRetry(tenant: string, id: string | undefined, subscriptionId: string | undefined): Promise<AppError> {
    const { query } = this.db;
    if (subscriptionId !== undefined) {
      const known = await query('select 1 from event_subscriptions where tenant_id = $1 and id = $2', [tenant, subscriptionId]);
      if (known.length === 0) return unknownSubscription(subscriptionId);
    }
    if (id === undefined) {
      return new AppError('CONFLICT', 'This subscription has no dead letters: there is nothing to retry.', {
        hint: 'event.delivery.list with include_delivered shows those that have arrived since.',
      });
    }
    const [row] = await query<{ status: string; subscription_id: string }>(
      'select status, subscription_id from event_deliveries where tenant_id = $1 and id = $2',
      [tenant, id],
    );
    if (!row) return notFound('delivery', id, 'event.delivery.list shows those there are.');
    if (subscriptionId !== undefined && row.subscription_id !== subscriptionId) {
      return new AppError('CONFLICT', 'This dead letter is of another subscription.', {
        hint: 'Give delivery_id alone, or the subscription that it is of.',
        details: { subscription_id: row.subscription_id },
      });
    }
    return new AppError('CONFLICT', 'This event has arrived already.', {
      hint: 'event.delivery.list shows what has not.',
      details: { status: row.status },
    });
  }
}

export interface Retried {
  id: string;
  event: Event;
}

export const toRetry = async (query: Query, tenant: string, subscription: string, limit: number): Promise<Retried[]> =>
  await query<Retried & Row>(
    `select id, event from event_deliveries where tenant_id = $1 and subscription_id = $2 and status = 'retrying' order by event_id limit $3`,
    [tenant, subscription, limit],
  );

/**
 * Records the result of a retry. A failure with settings that a person has changed since does not count: the event stays
 * scheduled for a retry.
 * @returns false: the subscription has changed since `rev`
 */
export async function noteRetried(
  query: Query,
  { tenant, id, rev }: { tenant: string; id: string; rev: number },
  error: string | null,
): Promise<boolean> {
  const rows = await query<{ same: boolean }>(
    `with s as (select s.rev = $4 as same from event_subscriptions s join event_deliveries d on d.tenant_id = $1 and d.id = $2
       where s.tenant_id = $1 and s.id = d.subscription_id)
     update event_deliveries set status = case when $3::text is null then 'delivered' else 'dead' end, last_error = $3, attempts = attempts + 1,
       updated_at = now() from s where tenant_id = $1 and id = $2 and status = 'retrying' and ($3::text is null or s.same) returning s.same`,
    [tenant, id, error, rev],
  );
  return rows[0]?.same ?? false;
}

export async function noteDead(
  query: Query,
  tenant: string,
  subscription: string,
  event: Event,
  { attempts, error, since }: { attempts: number; error: string; since: Date | null },
): Promise<void> {
  await query(
    `insert into event_deliveries (tenant_id, id, subscription_id, event_id, type, event, status, attempts, last_error, first_failed_at)
     values ($1, $2, $3, $4, $5, $6, 'dead', $7, $8, coalesce($9, now())) on conflict do nothing`,
    [
      tenant,
      derivedId('del', tenant, subscription, event.id),
      subscription,
      event.id,
      event.type,
      JSON.stringify(event),
      attempts,
      error,
      since,
    ],
  );
}

/** Deletes old undecided events, and events that were delivered later. @returns how many */
export async function forgetDeliveries(query: Query, tenant: string, days: number): Promise<number> {
  const rows = await query(
    `delete from event_deliveries where tenant_id = $1
       and updated_at < now() - make_interval(days => case when status = 'delivered' then 7 else $2::int end) returning 1`,
    [tenant, days],
  );
  return rows.length;
}

const view = (row: DeliveryRow): Delivery => ({
  delivery_id: row.id,
  subscription_id: row.subscription_id,
  status: row.status,
  attempts: row.attempts,
  last_error: row.last_error,
  first_failed_at: row.first_failed_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  event: row.event,
});
