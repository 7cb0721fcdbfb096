import type { Caller } from '../../../contracts/caller.ts';
import type { Delivered, SubscriptionRef } from '../../../contracts/activities/outbound/webhook.ts';
import type { Event } from '../../../contracts/outbound/events.ts';
import { newId } from '../../../contracts/ids.ts';
import { topics } from '../../../contracts/notices.ts';
import type { Subscription } from '../../../contracts/outbound/subscriptions.ts';
import { untilSeen } from '../../kernel/waiting.ts';
import { Service } from '../../kernel/service.ts';
import type { ApprovalLinks } from '../approval-links.ts';
import type { Notifications } from '../index.ts';
import { deliverSome } from './deliver.ts';
import { Deliveries, forgetDeliveries } from './deliveries.ts';
import { EventHub } from './hub.ts';
import { placeAfter, readPlace, writePlace } from './places.ts';
import { everything, numberedAfter, type Filter } from './read.ts';
import { sendEvent } from './send.ts';
import { Subscriptions, unknownSubscription, type NewSubscription } from './subscriptions.ts';
import { Waker } from './waker.ts';

/** Events in order, and the position after them. */
export interface Page {
  events: Event[];
  next: string;
}

/** How long dead letters are kept, in days. */
const keepDeadDays = 30;

/** Events for readers outside: by page, as a live stream, or delivered to subscriptions. */
export class Events extends Service<
  'processes' | 'notices' | 'peers' | 'secrets' | 'webhookGiveUpSeconds' | 'log',
  { notifications: Pick<Notifications, 'send' | 'check' | 'shown'>; links: ApprovalLinks }
> {
  readonly subscriptions = new Subscriptions(this.deps);
  readonly deliveries = new Deliveries(this.deps);
  /** Wakes the workflows of subscriptions; runs in worker processes. */
  readonly waker = new Waker(this.deps);
  private readonly hub = new EventHub(this.deps);

  /** The position of a reader that wants only new events. */
  async latest(tenant: string): Promise<string> {
    return writePlace((await placeAfter(this.db.query, tenant, undefined)).head);
  }

  /**
   * @param after id of the last event the reader has, `next` of its last page, or `oldest`; null: from now on
   * @throws AppError VALIDATION_ERROR; GONE when events after it are no longer kept, or the id is from another
   * installation
   */
  async after(tenant: string, after: string | null, filter: Partial<Filter>, limit: number): Promise<Page> {
    const { query } = this.db;
    const { from, head } = await placeAfter(query, tenant, after ?? undefined);
    const numbered = await numberedAfter(query, tenant, from, { ...everything, ...filter }, limit);
    const events = numbered.map(({ event }) => event);
    // A page that is not full has reached the head.
    const last = numbered.at(-1);
    return { events, next: last && (numbered.length === limit || last.seq > head.seq) ? last.event.id : writePlace(head) };
  }

  /** As `after`, but waits until there is an event. */
  async wait(
    tenant: string,
    after: string | null,
    filter: Partial<Filter>,
    { limit, ms, signal }: { limit: number; ms: number; signal: AbortSignal },
  ): Promise<Page> {
    if (ms > 0) await this.db.query('select follow_events($1)', [tenant]);
    let place = after ?? (await this.latest(tenant));
    return await untilSeen(this.deps.notices, topics.events(tenant), ms, signal, async () => {
      const seen = await this.after(tenant, place, filter, limit);
      // The next round does not read the same events again.
      place = seen.next;
      return { seen, enough: seen.events.length > 0 };
    });
  }

  /**
   * Follows the events after a position, without end; stops when `signal` fires.
   * @param after `next` of a page
   * @throws AppError VALIDATION_ERROR, GONE
   */
  async *follow(tenant: string, after: string, filter: Partial<Filter>, signal: AbortSignal): AsyncGenerator<Page, void, undefined> {
    const from = after === 'oldest' ? (await placeAfter(this.db.query, tenant, after)).from : readPlace(after).seq;
    yield* this.hub.follow(tenant, { ...everything, ...filter }, from, signal);
  }

  /** @throws AppError NOT_FOUND, VALIDATION_ERROR */
  async save(
    caller: Caller,
    wanted: NewSubscription,
    given: { id?: string | undefined; callKey: string; after?: string | undefined },
  ): Promise<Subscription> {
    const saved = await this.subscriptions.save(caller, wanted, given);
    if (given.id !== undefined) await this.hurry(caller.tenant, saved.subscription_id);
    return saved;
  }

  /** @throws AppError NOT_FOUND */
  async remove(tenant: string, id: string): Promise<void> {
    await this.subscriptions.remove(tenant, id);
    await this.hurry(tenant, id);
  }

  /** @throws AppError NOT_FOUND */
  async resume(tenant: string, id: string): Promise<Subscription> {
    const resumed = await this.subscriptions.resume(tenant, id);
    await this.hurry(tenant, id);
    return resumed;
  }

  /** Sends one ping to its target. @throws AppError NOT_FOUND */
  async test(
    tenant: string,
    id: string,
    signal: AbortSignal,
  ): Promise<{ arrived: boolean; error: string | null; ping_id: string; latency_ms: number }> {
    const row = await this.subscriptions.row(tenant, id);
    if (!row) throw unknownSubscription(id);
    const ping = newId('ping');
    const started = performance.now();
    const outcome = await sendEvent(
      this.deps,
      row,
      {
        id: ping,
        type: 'ping',
        occurred_at: new Date().toISOString(),
        tenant_id: tenant,
        subject: id,
        data: {},
        refs: [{ type: 'subscription', id }],
      },
      signal,
    );
    return {
      arrived: outcome.arrived,
      error: outcome.arrived ? null : outcome.error,
      ping_id: ping,
      latency_ms: Math.round(performance.now() - started),
    };
  }

  /** Schedules dead letters for another delivery. @throws AppError NOT_FOUND, CONFLICT */
  async retry(tenant: string, wanted: { id?: string | undefined; subscriptionId?: string | undefined }): Promise<number> {
    const { subscriptions, retrying } = await this.deliveries.retry(tenant, wanted);
    await Promise.all(subscriptions.map((id) => this.hurry(tenant, id)));
    return retrying;
  }

  /** Delivers a subscription's events until the time is spent. */
  async deliver(ref: SubscriptionRef, work: { signal: AbortSignal; spent(): boolean }): Promise<Delivered> {
    return await deliverSome(this.deps, ref, work);
  }

  /** Deletes old dead letters that nobody has decided. @returns how many */
  async sweep(tenant: string): Promise<number> {
    return await forgetDeliveries(this.db.query, tenant, keepDeadDays);
  }

  /** Ends the followers and the waker. */
  async close(): Promise<void> {
    this.hub.close();
    await this.waker.close();
  }

  /** If this signal is lost, the waker's next poll replaces it. */
  private async hurry(tenant: string, id: string): Promise<void> {
    await this.waker
      .signal(tenant, id, 'hurry')
      .catch((error: unknown) => this.deps.log.debug({ err: error, tenant }, 'a subscription is woken later'));
  }
}
