/** Subscriptions: changes during deliveries, their views, and pruned events. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Event } from '../../contracts/outbound/events.ts';
import type { Delivery, Subscription } from '../../contracts/outbound/subscriptions.ts';
import { pruneOutbox } from '../../services/kernel/outbox.ts';
import { openTarget, type Answer, type Target } from '../setup/peers.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
let tenants = 0;
let target: Target;
let answer: (event: Event, path: string) => Answer = () => ({ body: {} });

beforeAll(async () => {
  stack = await testStack({ model: false, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  stack.services.events.waker.start();
  target = await openTarget(({ body, path }) => answer(body as Event, path) ?? { body: {} });
});
beforeEach(async () => {
  pm = await stack.caller({ tenant: `pm${(tenants += 1)}`, name: 'pm' });
  target.seen.length = 0;
  answer = () => undefined;
});
afterAll(async () => {
  await target?.close();
  await stack?.stop();
});

const rows = <T extends Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> =>
  asTenant(pm.tenant, () => stack.db.query<T>(sql, [pm.tenant, ...values]));
const write = (type: string, subject: string, data: object = {}, daysAgo = 0): Promise<unknown> =>
  rows(`insert into outbox (tenant_id, type, subject, data, created_at) values ($1, $2, $3, $4, now() - make_interval(days => $5))`, [
    type,
    subject,
    JSON.stringify(data),
    daysAgo,
  ]);
const save = async (args: object): Promise<Subscription> =>
  (await stack.ok<{ subscription: Subscription }>(pm, 'event.subscription.save', args)).subscription;
const get = async ({ subscription_id }: Subscription): Promise<Subscription> =>
  (await stack.ok<{ subscription: Subscription }>(pm, 'event.subscription.get', { subscription_id })).subscription;
const errorOf = async (tool: string, args: object): Promise<unknown> => {
  const { error } = await stack.call(pm, tool, args);
  expect(error?.hint ?? '').not.toBe('');
  return error?.code;
};
const at = (path: string, of = target): unknown[] => of.seen.filter((seen) => seen.path === path).map(({ body }) => body.data.n);

/** A target that does not answer until it is released. */
async function slowTarget(late: Answer): Promise<Target & { free(): void }> {
  let free = (): void => {};
  const freed = new Promise<void>((resolve) => (free = resolve));
  const slow = await openTarget(async () => {
    await freed;
    return late;
  });
  return { ...slow, free };
}

describe('what a person says while a delivery is under way holds', () => {
  it('a new address is not paused for what the old one answered', async () => {
    const slow = await slowTarget({ status: 410 });
    const hook = await save({ url: `${slow.url}/old`, types: ['issue.flagged'] });
    await write('issue.flagged', 'ent_1', { n: 1 });
    await eventually('it is under way', async () => slow.seen.length === 1);
    await save({ subscription_id: hook.subscription_id, url: `${target.url}/new`, types: ['issue.flagged'] });
    slow.free();
    await eventually('it arrives at the new one', async () => (await get(hook)).delivered === 1);
    expect(at('/new')).toEqual([1]);
    expect(await get(hook)).toMatchObject({ status: 'active', paused_reason: null, dead_letters: 0, last_error: null });
    await slow.close();
  });

  it('a resumed one begins to count anew', async () => {
    const slow = await slowTarget({ status: 500 });
    const hook = await save({ url: `${slow.url}/hook`, types: ['issue.flagged'] });
    await rows('update event_subscriptions set given_up = 9 where tenant_id = $1');
    await write('issue.flagged', 'ent_1', { n: 1 });
    await eventually('it is under way', async () => slow.seen.length === 1);
    await stack.ok(pm, 'event.subscription.resume', { subscription_id: hook.subscription_id });
    slow.free();
    expect(await eventually('it is tried again', async () => (await get(hook)).attempts > 0 && (await get(hook)))).toMatchObject({
      status: 'active',
      dead_letters: 0,
    });
    await slow.close();
  });

  it('and what it has been moved past meanwhile is not told again', async () => {
    const slow = await slowTarget({ status: 200 });
    const hook = await save({ url: `${slow.url}/hook`, types: ['issue.flagged'] });
    await write('issue.flagged', 'ent_1', { n: 1 });
    await eventually('it is under way', async () => slow.seen.length === 1);
    await rows('update event_subscriptions set seq = seq + 100 where tenant_id = $1');
    const place = async () => (await rows<{ seq: string }>('select seq from event_subscriptions where tenant_id = $1'))[0]!.seq;
    const moved = await place();
    slow.free();
    await eventually('it has arrived', async () => (await get(hook)).delivered === 1);
    expect(await place()).toBe(moved);
    await slow.close();
  });

  it('and for what is queued already', async () => {
    const slow = await slowTarget({ status: 200 });
    const hook = await save({ url: `${slow.url}/hook`, types: ['issue.flagged'] });
    for (let n = 0; n < 10; n += 1) await write('issue.flagged', 'ent_1', { n });
    await eventually('the first is under way', async () => slow.seen.length === 1);
    await save({ subscription_id: hook.subscription_id, url: `${target.url}/hook`, types: ['issue.flagged'] });
    slow.free();
    await eventually('all have arrived', async () => (await get(hook)).delivered === 10);
    expect(at('/hook', slow)).toEqual([0]);
    expect(at('/hook')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await slow.close();
  });
});

describe('addresses', () => {
  it('of webhooks are shown to nobody and stand nowhere in plain text', async () => {
    answer = (_event, path) => (path.endsWith('SECRET') ? { status: 410 } : undefined);
    const address = `${target.url}/hooks/T0/SECRET`;
    const hook = await save({ url: address, types: ['issue.flagged'] });
    const people = await save({ target: 'notification', channel: 'webhook', recipient: address, types: ['brief.generated'] });
    const watching = await save({ url: `${target.url}/watching`, types: ['subscription.paused'] });
    expect(hook.url).toBe(`${target.url}/…`);
    expect([people.url, people.recipient]).toEqual([null, target.url.slice('http://'.length)]);
    await write('issue.flagged', 'ent_1');
    await eventually('the pause is told', async () => at('/watching').length === 1);
    const { deliveries } = await stack.ok<{ deliveries: Delivery[] }>(pm, 'event.delivery.list');
    expect(deliveries[0]!.last_error).toBe(`${target.url}/… answered with HTTP 410.`);
    const seen = [
      await stack.ok(pm, 'event.subscription.list'),
      await get(hook),
      deliveries,
      await stack.ok(pm, 'event.subscription.test', { subscription_id: hook.subscription_id }),
      await stack.ok(pm, 'event.stream.subscribe', { after: 'oldest' }),
      target.seen.filter(({ path }) => path === '/watching'),
      await rows('select * from event_subscriptions where tenant_id = $1'),
      await rows('select * from event_deliveries where tenant_id = $1'),
      await rows('select * from outbox where tenant_id = $1'),
    ];
    expect(JSON.stringify(seen)).not.toContain('SECRET');
    await eventually('it is counted', async () => (await get(watching)).delivered === 1);
  });

  it('stay when a change does not name them', async () => {
    const hook = await save({ url: `${target.url}/kept`, types: ['issue.flagged'] });
    for (const more of [{}, { url: hook.url }]) {
      const saved = await save({ subscription_id: hook.subscription_id, types: ['brief.generated'], description: 'now briefs', ...more });
      expect(saved).toMatchObject({ url: hook.url, types: ['brief.generated'] });
    }
    await write('brief.generated', 'brief_1', { n: 1 });
    await eventually('it arrives', async () => at('/kept').length === 1);
    expect(await errorOf('event.subscription.save', { target: 'notification', channel: 'email', recipient: 'nobody' })).toBe(
      'VALIDATION_ERROR',
    );
  });
});

it('a webhook has taken what it answered 2xx, whatever its body is', async () => {
  answer = () => ({ headers: { 'content-encoding': 'rot13' } });
  const hook = await save({ url: `${target.url}/odd`, types: ['issue.flagged'] });
  await write('issue.flagged', 'ent_1', { n: 1 });
  await eventually('it counts as delivered', async () => (await get(hook)).delivered === 1);
  expect(at('/odd')).toEqual([1]);
});

describe('dead letters', () => {
  const bury = (hook: Subscription, many: number): Promise<unknown> =>
    rows(
      `insert into event_deliveries (tenant_id, id, subscription_id, event_id, type, event, status, attempts, first_failed_at)
       select $1, 'del_' || $2 || n, $2, 'evt_' || n, 'issue.flagged', jsonb_build_object('id', 'evt_' || n, 'data', jsonb_build_object('n', n)), 'dead', 1, now()
       from generate_series(1, $3::int) n`,
      [hook.subscription_id, many],
    );

  it('are all retried at once, also where new events wait for the target to recover', async () => {
    const hook = await save({ url: `${target.url}/back`, types: ['issue.flagged'] });
    await bury(hook, 45);
    await rows(
      `update event_subscriptions set attempts = 1, failing_since = now(), retry_at = now() + interval '1 hour' where tenant_id = $1`,
    );
    expect(await stack.ok(pm, 'event.delivery.retry', { subscription_id: hook.subscription_id })).toEqual({ retrying: 45 });
    await eventually('all have arrived', async () => (await get(hook)).dead_letters === 0);
    expect(new Set(at('/back')).size).toBe(45);
  });

  it('wait for the new address when the old one fails while it is changed', async () => {
    const slow = await slowTarget({ status: 410 });
    const hook = await save({ url: `${slow.url}/old`, types: ['issue.flagged'] });
    await bury(hook, 1);
    await stack.ok(pm, 'event.delivery.retry', { subscription_id: hook.subscription_id });
    await eventually('it is under way', async () => slow.seen.length === 1);
    await save({ subscription_id: hook.subscription_id, url: `${target.url}/new`, types: ['issue.flagged'] });
    slow.free();
    await eventually('it arrives at the new one', async () => at('/new').length === 1);
    await eventually('it is settled', async () => (await get(hook)).dead_letters === 0);
    await slow.close();
  });

  it('are retried where they are', async () => {
    const [one, two] = [await save({ url: `${target.url}/one`, types: [] }), await save({ url: `${target.url}/two`, types: [] })];
    await bury(one, 1);
    const retry = (args: object): Promise<unknown> => errorOf('event.delivery.retry', args);
    expect(await retry({ subscription_id: 'sub_none' })).toBe('NOT_FOUND');
    expect(await retry({ subscription_id: two.subscription_id })).toBe('CONFLICT');
    expect(await retry({ subscription_id: two.subscription_id, delivery_id: `del_${one.subscription_id}1` })).toBe('CONFLICT');
    expect(await retry({ subscription_id: one.subscription_id, delivery_id: 'del_none' })).toBe('NOT_FOUND');
    expect((await get(one)).dead_letters).toBe(1);
  });
});

describe('what is pruned', () => {
  const prune = (): Promise<number> => asTenant(pm.tenant, () => pruneOutbox(stack.db, pm.tenant, 7));
  // Of the key itself.
  beforeEach(async () => void (await rows(`delete from outbox where tenant_id = $1 and type = 'key.changed'`)));

  it('counts as missed where it was wanted', async () => {
    const hook = await save({ url: `${target.url}/briefs`, types: ['brief.generated'] });
    const paused = await save({ url: `${target.url}/paused`, types: ['report.generated'] });
    await rows(`update event_subscriptions set status = 'paused' where tenant_id = $1 and id = $2`, [paused.subscription_id]);
    for (let n = 0; n < 20; n += 1) await write('issue.flagged', `ent_${n}`, {}, 9);
    for (const n of [1, 2]) await write('report.generated', `draft_${n}`, { n }, 9);
    await write('issue.flagged', 'ent_1');
    expect(await prune()).toBe(22);
    const [{ seq }] = (await rows('select seq::int as seq from event_subscriptions where tenant_id = $1 and id = $2', [
      paused.subscription_id,
    ])) as [{ seq: number }];
    expect(seq).toBe(22);
    await write('brief.generated', 'brief_1', { n: 1 });
    await eventually('it is delivered', async () => (await get(hook)).delivered === 1);
    expect(await get(hook)).toMatchObject({ missed: 0, status: 'active' });
    expect(await get(paused)).toMatchObject({ missed: 2 });
    await stack.ok(pm, 'event.subscription.resume', { subscription_id: paused.subscription_id });
    await write('report.generated', 'draft_3', { n: 3 });
    await eventually('it goes on', async () => (await get(paused)).delivered === 1);
    expect(at('/paused')).toEqual([3]);
  });

  it('does not wait for a follower that is none any more', async () => {
    for (const n of [1, 2, 3]) await write('document.published', `doc_${n}`, {}, 9);
    const follow = (follower: string, days: number, place: string): Promise<unknown> =>
      rows(
        `insert into outbox_cursors (tenant_id, follower, xid, id, updated_at)
         select $1, $2, xid, id, now() - make_interval(days => $3) from outbox where tenant_id = $1 order by xid ${place}, id ${place} limit 1`,
        [follower, days],
      );
    await follow('former-model', 10, 'asc');
    // It has skipped all events; none has matched since.
    await follow('quiet', 10, 'desc');
    await follow('late', 0, 'asc');
    expect(await prune()).toBe(1);
    const followers = await rows<{ follower: string }>('select follower from outbox_cursors where tenant_id = $1 order by follower');
    expect(followers.map(({ follower }) => follower)).toEqual(['late', 'quiet']);
    await rows(`delete from outbox_cursors where tenant_id = $1 and follower = 'late'`);
    expect(await prune()).toBe(2);
  });
});
