import type { Database } from '../../../adapters/postgres/database.ts';
import { asScoped } from '../../../adapters/postgres/tenancy.ts';
import { topics } from '../../../contracts/notices.ts';
import { workflowIds } from '../../../contracts/temporal.ts';
import type { eventDelivery } from '../../../workflows/outbound/webhook/workflow.ts';
import { isWanted } from '../../kernel/outbox.ts';
import { Service } from '../../kernel/service.ts';

/** Poll interval when no notice arrives, in ms: the delay after a lost notice. */
const lookEvery = 5_000;
/** Batch window, in ms: the events of one window cause one wake. */
const gatherFor = 200;
/** A subscription that is this many events behind, none of which it wants, is moved to the head. */
const passedOver = 1_000;

/**
 * Wakes the workflow of each subscription that has events to deliver. Every worker process runs a waker. An idle
 * subscription has no workflow; a notice or the next poll starts it.
 */
export class Waker extends Service<'processes' | 'notices' | 'log'> {
  private readonly ended = new AbortController();
  private readonly tenants = new Map<string, AbortController>();
  private readonly running = new Set<Promise<void>>();

  start(): void {
    this.running.add(this.watchTenants());
  }

  async close(): Promise<void> {
    this.ended.abort();
    for (const tenant of this.tenants.values()) tenant.abort();
    await Promise.all(this.running);
  }

  /** Signals a subscription's workflow, and starts it when it does not run. @throws AppError SERVICE_UNAVAILABLE */
  async signal(tenant: string, id: string, signal: 'wake' | 'hurry'): Promise<void> {
    await this.deps.processes.signalStarting<typeof eventDelivery>(
      {
        workflow: 'eventDelivery',
        id: workflowIds.eventDelivery(tenant, id),
        queue: 'outbound',
        args: [{ tenant, id }],
        tenant,
        kind: 'event-delivery',
        status: 'running',
        owner: 'signalbox',
        summary: 'Tells a subscription what happens',
      },
      signal,
    );
  }

  private async watchTenants(): Promise<void> {
    const { db, notices } = this.deps;
    while (!this.ended.signal.aborted) {
      const heard = notices.wait(topics.subscriptions(), lookEvery, this.ended.signal);
      const rows = await this.tried(() => db.query<{ id: string }>('select subscribed_tenants() as id'));
      if (rows) this.watchOnly(new Set(rows.map(({ id }) => id)));
      await heard;
    }
  }

  private watchOnly(wanted: Set<string>): void {
    for (const [tenant, watching] of this.tenants) {
      if (wanted.has(tenant)) continue;
      watching.abort();
      this.tenants.delete(tenant);
    }
    for (const tenant of wanted) {
      if (this.tenants.has(tenant) || this.ended.signal.aborted) continue;
      const watching = new AbortController();
      this.tenants.set(tenant, watching);
      const watched = this.watch(tenant, watching.signal).finally(() => this.running.delete(watched));
      this.running.add(watched);
    }
  }

  private async watch(tenant: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const heard = this.deps.notices.wait(topics.events(tenant), lookEvery, signal);
      const due = (await this.tried(() => asScoped(tenant, null, () => dueSubscriptions(this.db.query, tenant)))) ?? [];
      await Promise.all(due.map((id) => this.tried(() => this.signal(tenant, id, 'wake'))));
      await heard;
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, gatherFor));
    }
  }

  /** The next poll makes up for a failure. */
  private async tried<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.deps.log.debug({ err: error }, 'subscriptions are woken later');
      return null;
    }
  }
}

/** Subscriptions that have events to deliver and are not waiting to retry. */
async function dueSubscriptions(query: Database['query'], tenant: string): Promise<string[]> {
  await query('select number_events($1)', [tenant]);
  const rows = await query<{ id: string; due: boolean }>(
    `select s.id, (exists (select from outbox o where o.tenant_id = $1 and o.seq > s.seq and ${isWanted})
         or exists (select from event_deliveries d where d.tenant_id = $1 and d.subscription_id = s.id and d.status = 'retrying')) as due
     from event_subscriptions s join event_heads h on h.tenant_id = $1
     where s.tenant_id = $1 and s.status = 'active' and (s.retry_at is null or s.retry_at < now() - interval '5 seconds')
       and (s.seq < h.seq or exists (select from event_deliveries d where d.tenant_id = $1 and d.subscription_id = s.id and d.status = 'retrying'))`,
    [tenant],
  );
  // Moves subscriptions that are far behind but want none of those events, so that the next poll does not read the events again.
  await query(
    `update event_subscriptions s set seq = h.seq from event_heads h where s.tenant_id = $1 and h.tenant_id = $1 and s.status = 'active'
       and s.attempts = 0 and s.seq < h.seq - $2::bigint
       and not exists (select from outbox o where o.tenant_id = $1 and o.seq > s.seq and o.seq <= h.seq and ${isWanted})`,
    [tenant, passedOver],
  );
  return rows.filter(({ due }) => due).map(({ id }) => id);
}
