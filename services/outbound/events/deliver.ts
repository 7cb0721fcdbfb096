import type { Database } from '../../../adapters/postgres/database.ts';
import type { Delivered, SubscriptionRef } from '../../../contracts/activities/outbound/webhook.ts';
import { noteEvent } from '../../kernel/outbox.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { noteDead, noteRetried, toRetry } from './deliveries.ts';
import { standing } from './places.ts';
import { numberedAfter, type Numbered } from './read.ts';
import { sendEvent, type Outcome, type SendParts } from './send.ts';
import type { SubscriptionRow } from './subscriptions.ts';

type DeliverParts = SendParts & Pick<Kernel, 'db' | 'log' | 'webhookGiveUpSeconds'>;

interface Work {
  signal: AbortSignal;
  spent(): boolean;
}

const pageSize = 50;
/** Dead letters to retry before new events are delivered. */
const retriesAtOnce = 20;
/** After this many events in a row have been given up, the subscription is paused. */
const pauseAfter = 10;
const longestPauseSeconds = 3_600;

/**
 * 1, 2, 4, … seconds, or the delay that the target asks for. Never longer than the time left, so that a last try happens
 * at the deadline.
 */
export function backoffSeconds(attempts: number, asked: number | null, left: number): number {
  const pause = Math.max(2 ** Math.min(attempts - 1, 20), asked ?? 0);
  return Math.max(1, Math.min(pause, longestPauseSeconds, Math.ceil(left)));
}

/**
 * Delivers a subscription's events in order, until all are delivered or the time is spent. The position is written after
 * each event; after a crash an event may be delivered again, with the same id.
 */
export async function deliverSome(parts: DeliverParts, { tenant, id }: SubscriptionRef, work: Work): Promise<Delivered> {
  const { query } = parts.db;
  const done = { delivered: 0, givenUp: 0 };
  const ended = (state: Delivered['state'], seconds = 0): Delivered => ({ state, seconds, ...done });
  let retried: Awaited<ReturnType<typeof retryDead>> | null = null;
  for (;;) {
    const [row] = await query<SubscriptionRow>('select * from event_subscriptions where tenant_id = $1 and id = $2', [tenant, id]);
    if (!row) return ended('gone');
    if (row.status === 'paused') return ended('paused');
    if (!retried) {
      retried = await retryDead(parts, row, work);
      done.delivered += retried.arrived;
      // Retries take time: a person may have changed the subscription meanwhile.
      if (retried.more) continue;
    }
    const left = row.retry_at ? Math.ceil((row.retry_at.getTime() - Date.now()) / 1_000) : 0;
    const page = left > 0 ? [] : await next(parts, row);
    if (page.length === 0) {
      if (retried.more) return ended('more');
      return left > 0 ? ended('waiting', left) : ended('empty');
    }
    for (const { seq, event } of page) {
      if (work.spent()) return ended('more');
      const outcome = await sendEvent(parts, row, event, work.signal);
      if (outcome.arrived) {
        done.delivered += 1;
        if (!(await noteArrived(parts.db, row, seq))) break;
        row.given_up = 0;
        row.attempts = 0;
        row.failing_since = null;
        continue;
      }
      if (await failed(parts, row, { seq, event }, outcome)) done.givenUp += 1;
      // `failed` has written the outcome to the row.
      break;
    }
  }
}

/**
 * The next events of a subscription. Skips events that do not match its filter. Events that were pruned before delivery
 * were counted when they were pruned.
 */
async function next({ db }: DeliverParts, row: SubscriptionRow): Promise<Numbered[]> {
  const { tenant_id: tenant, id } = row;
  const at = Number(row.seq);
  const { head } = await standing(db.query, tenant);
  const page = await numberedAfter(db.query, tenant, at, { types: row.types, subject: row.subject }, pageSize);
  const passed = page[0] ? page[0].seq - 1 : head.seq;
  if (passed > at) {
    // Only at this `rev`: a subscription that was changed meanwhile may want the skipped events.
    await db.query(
      'update event_subscriptions set seq = $4, updated_at = now() where tenant_id = $1 and id = $2 and seq = $3 and rev = $5',
      [tenant, id, at, passed, row.rev],
    );
  }
  return page;
}

/** @returns false: the subscription was removed, paused or changed meanwhile and must be read again */
async function noteArrived(db: Database, { tenant_id, id, rev }: SubscriptionRow, seq: number): Promise<boolean> {
  const [row] = await db.query<{ status: string; rev: number }>(
    `update event_subscriptions set seq = greatest(seq, $3), delivered = delivered + 1, last_delivered_at = now(), attempts = 0, given_up = 0,
       failing_since = null, retry_at = null, last_error = null where tenant_id = $1 and id = $2 returning status, rev`,
    [tenant_id, id, seq],
  );
  return row?.status === 'active' && row.rev === rev;
}

/**
 * Schedules the next try, or gives the event up. Writes nothing if a person has changed or resumed the subscription
 * since, because the failure is about its former settings.
 * @returns whether the event was given up
 */
async function failed(
  { db, log, webhookGiveUpSeconds }: DeliverParts,
  row: SubscriptionRow,
  { seq, event }: Numbered,
  { error, verdict, retryAfterSeconds }: Extract<Outcome, { arrived: false }>,
): Promise<boolean> {
  const { tenant_id: tenant, id } = row;
  const attempts = row.attempts + 1;
  const since = row.failing_since ?? new Date();
  const left = webhookGiveUpSeconds - (Date.now() - since.getTime()) / 1_000;
  // After one event was given up, the next events get only one try each, until the target works again.
  if (verdict === 'again' && left > 0 && row.given_up === 0) {
    await db.query(
      `update event_subscriptions set attempts = $3, failing_since = $4, last_error = $5, retry_at = now() + make_interval(secs => $6), updated_at = now()
       where tenant_id = $1 and id = $2 and seq < $7 and rev = $8`,
      [tenant, id, attempts, since, error, backoffSeconds(attempts, retryAfterSeconds, left), seq, row.rev],
    );
    return false;
  }
  const reason =
    verdict === 'gone'
      ? 'Its target says that it is gone (410).'
      : row.given_up + 1 >= pauseAfter
        ? `${row.given_up + 1} events in a row could not be delivered. The last error: ${error}`
        : null;
  const noted = await db.transaction(async (query) => {
    const kept = await query(
      `update event_subscriptions set seq = $3, given_up = given_up + 1, attempts = 0, failing_since = null, retry_at = null, last_error = $4,
         status = case when $5::text is null then status else 'paused' end, paused_reason = coalesce($5, paused_reason), updated_at = now()
       where tenant_id = $1 and id = $2 and seq < $3 and rev = $6 returning 1`,
      [tenant, id, seq, error, reason, row.rev],
    );
    if (kept.length === 0) return false;
    await noteDead(query, tenant, id, event, { attempts, error, since });
    if (reason !== null) await notePaused(query, row, reason);
    return true;
  });
  if (noted) {
    log.warn({ tenant, subscription_id: id, event_id: event.id, attempts, paused: reason !== null }, 'an event could not be delivered');
  }
  return noted;
}

async function notePaused(
  query: Database['query'],
  { tenant_id, id, target, description }: SubscriptionRow,
  reason: string,
): Promise<void> {
  await noteEvent(query, tenant_id, 'subscription.paused', id, { target, description, reason });
}

/** @returns how many arrived, and whether more wait for a retry */
async function retryDead(parts: DeliverParts, row: SubscriptionRow, work: Work): Promise<{ arrived: number; more: boolean }> {
  const { tenant_id: tenant, rev } = row;
  const letters = await toRetry(parts.db.query, tenant, row.id, retriesAtOnce);
  let arrived = 0;
  for (const { id, event } of letters) {
    if (work.spent()) return { arrived, more: true };
    const outcome = await sendEvent(parts, row, event, work.signal);
    if (outcome.arrived) arrived += 1;
    if (!(await noteRetried(parts.db.query, { tenant, id, rev }, outcome.arrived ? null : outcome.error))) return { arrived, more: true };
  }
  return { arrived, more: letters.length === retriesAtOnce };
}
