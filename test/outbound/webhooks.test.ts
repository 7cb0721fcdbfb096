/** Delivery of events to webhooks: signed, in order, at least once, also with failures. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Event } from '../../contracts/outbound/events.ts';
import type { Delivery, Subscription } from '../../contracts/outbound/subscriptions.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { messageOf } from '../../services/outbound/event-message.ts';
import { openTarget, type Answer, type Target } from '../setup/peers.ts';
import { replayCourses } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
let target: Target;
/** What the target answers to an event's n-th delivery. */
let answer: (event: Event, nth: number) => Answer | Promise<Answer> = () => ({ body: {} });
const times = new Map<string, number>();

beforeAll(async () => {
  stack = await testStack({ model: false, env: { ALLOW_PRIVATE_NETWORK: 'true', WEBHOOK_GIVE_UP_SECONDS: '8' } });
  stack.services.events.waker.start();
  pm = await stack.caller({ name: 'pm' });
  target = await openTarget(async ({ body }) => {
    const key = `${body['id']}`;
    times.set(key, (times.get(key) ?? 0) + 1);
    return (await answer(body as Event, times.get(key)!)) ?? { body: {} };
  });
});
afterAll(async () => {
  await target?.close();
  await stack?.stop();
});

const write = (type: string, subject: string, data: object = {}, tenant = 'acme'): Promise<unknown> =>
  asTenant(tenant, () =>
    stack.db.query('insert into outbox (tenant_id, type, subject, data) values ($1, $2, $3, $4)', [
      tenant,
      type,
      subject,
      JSON.stringify(data),
    ]),
  );

const save = async (args: object, who = pm): Promise<Subscription> =>
  (await stack.ok<{ subscription: Subscription }>(who, 'event.subscription.save', args)).subscription;
const get = async ({ subscription_id }: Subscription, who = pm): Promise<Subscription> =>
  (await stack.ok<{ subscription: Subscription }>(who, 'event.subscription.get', { subscription_id })).subscription;
const remove = ({ subscription_id }: Subscription): Promise<unknown> => stack.ok(pm, 'event.subscription.remove', { subscription_id });
const dead = async ({ subscription_id }: Subscription, more: object = {}): Promise<Delivery[]> =>
  (await stack.ok<{ deliveries: Delivery[] }>(pm, 'event.delivery.list', { subscription_id, ...more })).deliveries;

/** Deliveries at a path, repeats included. */
const at = (path: string): Event[] => target.seen.filter((seen) => seen.path === path).map(({ body }) => body as Event);
const numbers = (events: Event[]): unknown[] => events.map(({ data }) => data['n']);
const once = (events: Event[]): Event[] => [...new Map(events.map((event) => [event.id, event])).values()];

describe('a webhook', () => {
  it('gets what it asked for, in order and signed', async () => {
    const hook = await save({ url: `${target.url}/signed`, types: ['issue.flagged'], description: 'for the board' });
    expect(hook).toMatchObject({ target: 'webhook', status: 'active', delivered: 0, dead_letters: 0, types: ['issue.flagged'] });
    expect(JSON.stringify(hook)).not.toContain('whsec_');
    for (let n = 0; n < 20; n += 1) await write(n % 2 === 0 ? 'issue.flagged' : 'report.generated', `ent_${n % 3}`, { n });
    await eventually('all are there', async () => at('/signed').length >= 10);
    expect(numbers(at('/signed'))).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);

    const { secret } = await stack.ok<{ secret: string }>(pm, 'event.subscription.get_secret', { subscription_id: hook.subscription_id });
    for (const { headers, body } of target.seen.filter((seen) => seen.path === '/signed')) {
      const [id, at] = [headers['webhook-id'], headers['webhook-timestamp']];
      const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(`${id}.${at}.${JSON.stringify(body)}`)
        .digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${mac}`);
      expect(id).toBe(body['id']);
      expect(Math.abs(Number(at) - Date.now() / 1_000)).toBeLessThan(60);
    }
    expect(await eventually('it is counted', async () => (await get(hook)).delivered === 10 && (await get(hook)))).toMatchObject({
      attempts: 0,
    });
    const rows = await asTenant('acme', () =>
      stack.db.query<{ secret: string }>('select secret from event_subscriptions where tenant_id = $1', ['acme']),
    );
    expect(rows.every((row) => !row.secret.includes(secret.slice(6)))).toBe(true);

    const ping = await stack.ok(pm, 'event.subscription.test', { subscription_id: hook.subscription_id });
    expect(ping).toMatchObject({ arrived: true, error: null });
    expect(at('/signed').at(-1)).toMatchObject({ id: ping.ping_id, type: 'ping' });
    await remove(hook);
    await write('issue.flagged', 'ent_1', { n: 99 });
    const late = await save({ url: `${target.url}/late`, types: ['issue.flagged'], after: 'oldest' });
    await eventually('what is kept', async () => at('/late').length >= 11);
    expect(numbers(at('/signed'))).not.toContain(99);
    await remove(late);
  });

  it('is tried again, keeps its order meanwhile, and hears how long it may wait', async () => {
    const seen = Promise.withResolvers<void>();
    answer = async ({ data }, nth) => {
      if (data['n'] !== 1 || nth > 2) return undefined;
      if (nth === 2) await seen.promise;
      return { status: 503, headers: { 'retry-after': '1' } };
    };
    const hook = await save({ url: `${target.url}/again`, types: ['issue.flagged'] });
    for (let n = 0; n < 4; n += 1) await write('issue.flagged', 'ent_1', { n });
    const failing = await eventually('it fails', async () => {
      const now = await get(hook);
      return now.attempts > 0 && now;
    });
    seen.resolve();
    expect(failing).toMatchObject({ attempts: 1, status: 'active' });
    expect(failing.last_error).toContain('503');
    await eventually('all are there', async () => at('/again').length >= 6);
    expect(numbers(at('/again'))).toEqual([0, 1, 1, 1, 2, 3]);
    expect(
      new Set(
        at('/again')
          .slice(1, 4)
          .map(({ id }) => id),
      ).size,
    ).toBe(1);
    expect(await eventually('it has recovered', async () => (await get(hook)).delivered === 4 && (await get(hook)))).toMatchObject({
      attempts: 0,
      last_error: null,
      failing_since: null,
    });
    await remove(hook);
  });

  it('that stays down makes dead letters, is paused, tells so, and goes on when it is resumed', async () => {
    let down = true;
    answer = () => (down ? { status: 500 } : undefined);
    const hook = await save({ url: `${target.url}/down`, types: ['opportunity.created'] });
    const watching = await save({ url: `${target.url}/watching`, types: ['subscription.paused'] });
    for (let n = 0; n < 12; n += 1) await write('opportunity.created', `opp_${n}`, { n });
    const paused = await eventually('it is paused', async () => {
      const now = await get(hook);
      return now.status === 'paused' && now;
    });
    expect(paused).toMatchObject({ dead_letters: 10, delivered: 0, attempts: 0 });
    expect(paused.paused_reason).toContain('10 events in a row');
    const letters = await dead(hook);
    expect(new Set(numbers(letters.map(({ event }) => event)))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    const first = letters.find(({ event }) => event.data['n'] === 0)!;
    // The first has had its time, the others one try each.
    expect(first.attempts).toBeGreaterThan(1);
    expect(letters.filter(({ attempts }) => attempts === 1)).toHaveLength(9);

    down = false;
    await eventually('the pause is told', async () => at('/watching').length > 0);
    expect(at('/watching')[0]).toMatchObject({ type: 'subscription.paused', subject: hook.subscription_id });
    const before = at('/down').length;
    expect((await stack.ok<{ retrying: number }>(pm, 'event.delivery.retry', { delivery_id: first.delivery_id })).retrying).toBe(1);
    await stack.ok(pm, 'event.subscription.resume', { subscription_id: hook.subscription_id });
    await eventually('it goes on', async () => at('/down').length >= before + 3);
    expect(numbers(at('/down').slice(before))).toEqual([0, 10, 11]);
    expect(at('/down').slice(before)[0]!.id).toBe(first.event.id);
    await stack.ok(pm, 'event.delivery.retry', { subscription_id: hook.subscription_id });
    await eventually('the dead ones have arrived', async () => (await dead(hook)).length === 0);
    expect(new Set(numbers(at('/down')))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]));
    expect(await dead(hook, { include_delivered: true, limit: 100 })).toHaveLength(10);
    expect((await stack.call(pm, 'event.delivery.retry', { delivery_id: first.delivery_id })).error?.code).toBe('CONFLICT');
    await remove(hook);
    await remove(watching);
  });

  it('that is gone is paused at once; one that redirects is not followed', async () => {
    answer = ({ type }) => (type === 'entity.merged' ? { status: 410 } : { status: 302, headers: { location: `${target.url}/elsewhere` } });
    const gone = await save({ url: `${target.url}/gone`, types: ['entity.merged'] });
    const moved = await save({ url: `${target.url}/moved`, types: ['entity.split'] });
    await write('entity.merged', 'ent_1', { survivor: 'ent_1', merged: 'ent_2' });
    await write('entity.split', 'ent_1', { original: 'ent_1', created: 'ent_2' });
    await eventually('it is paused', async () => (await get(gone)).status === 'paused');
    expect(await eventually('it is a dead letter', async () => (await get(moved)).dead_letters === 1 && (await get(moved)))).toMatchObject({
      status: 'active',
      last_error: expect.stringContaining('redirects'),
    });
    expect(at('/moved')).toHaveLength(1);
    expect(at('/elsewhere')).toHaveLength(0);
    await remove(gone);
    await remove(moved);
    answer = () => undefined;
  });

  it('loses nothing when the worker goes in the middle of deliveries', async () => {
    const hook = await save({ url: `${target.url}/killed`, types: ['issue.flagged'] });
    const release: (() => void)[] = [];
    const slow = await openTarget(async () => {
      await new Promise<void>((resolve) => release.push(resolve));
      return { body: {} };
    });
    await save({ subscription_id: hook.subscription_id, url: `${slow.url}/killed`, types: ['issue.flagged'] });
    for (let n = 0; n < 5; n += 1) await write('issue.flagged', 'ent_1', { n });
    await eventually('one is under way', async () => release.length > 0);
    const stopped = stack.stopWorkers();
    for (let n = 5; n < 10; n += 1) await write('issue.flagged', 'ent_1', { n });
    await stopped;
    // Woken while no worker ran, so the wakes of notices are lost.
    const cut = slow.seen.length;
    await stack.startWorkers();
    const freeing = setInterval(() => release.splice(0).forEach((free) => free()), 5);
    await eventually(
      'all have arrived',
      async () => new Set(slow.seen.map(({ body }) => body['id'])).size === 10 && (await get(hook)).delivered >= 10,
    );
    clearInterval(freeing);
    const events = slow.seen.map(({ body }) => body as Event);
    expect(numbers(once(events))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(numbers(events.slice(cut))[0]).toBe(0);
    expect(new Set(events.filter(({ data }) => data['n'] === 0).map(({ id }) => id)).size).toBe(1);
    await remove(hook);
    await slow.close();
  });
});

describe('subscriptions', () => {
  it('are checked, belong to their tenant, and need a person where an agent wants one', async () => {
    const refused = async (args: object, who = pm): Promise<unknown> =>
      (await stack.call(who, 'event.subscription.save', args)).error?.code;
    expect(await refused({})).toBe('VALIDATION_ERROR');
    expect(await refused({ url: 'ftp://example.com/x' })).toBe('VALIDATION_ERROR');
    expect(await refused({ url: 'http://169.254.169.254/latest' })).toBe('VALIDATION_ERROR');
    expect(await refused({ url: target.url, types: ['issue.burnt'] })).toBe('VALIDATION_ERROR');
    expect(await refused({ url: target.url, secret: 'whsec_short' })).toBe('VALIDATION_ERROR');
    expect(await refused({ target: 'notification', channel: 'slack' })).toBe('VALIDATION_ERROR');
    expect(await refused({ subscription_id: 'sub_none', url: target.url })).toBe('NOT_FOUND');
    const agent = await stack.caller({ role: 'agent', name: 'bot' });
    expect((await stack.call(agent, 'event.subscription.save', { url: target.url })).envelope.status).toBe('pending_approval');

    const hook = await save({ url: `${target.url}/mine`, types: ['brief.generated'] });
    const far = await stack.caller({ tenant: 'far' });
    for (const tool of ['get', 'remove', 'resume', 'test', 'get_secret']) {
      const { error } = await stack.call(far, `event.subscription.${tool}`, { subscription_id: hook.subscription_id });
      expect(error?.code).toBe('NOT_FOUND');
    }
    expect(await stack.ok(far, 'event.subscription.list')).toEqual({ subscriptions: [] });
    await write('brief.generated', 'brief_1', {}, 'far');
    await write('brief.generated', 'brief_2');
    await eventually('its own arrives', async () => at('/mine').length > 0);
    expect(at('/mine').map(({ subject }) => subject)).toEqual(['brief_2']);

    const key = { idempotencyKey: 'once' };
    const [one, two] = [
      await stack.call(pm, 'event.subscription.save', { url: `${target.url}/once` }, key),
      await stack.call(pm, 'event.subscription.save', { url: `${target.url}/once` }, key),
    ];
    expect((one.data as { subscription: Subscription }).subscription.subscription_id).toBe(
      (two.data as { subscription: Subscription }).subscription.subscription_id,
    );
    await remove((one.data as { subscription: Subscription }).subscription);
    await remove(hook);
  });

  it('of notifications tell people, each event once', async () => {
    const alert = await save({
      target: 'notification',
      channel: 'webhook',
      recipient: `${target.url}/people`,
      types: ['issue.flagged'],
      subject: 'ent_9',
    });
    await write('issue.flagged', 'ent_8', { name: 'other' });
    await write('issue.flagged', 'ent_9', { name: 'Login fails', severity: 'high' });
    await eventually('it is handed over', async () => (await get(alert)).delivered === 1);
    const rows = await asTenant('acme', () =>
      stack.db.query<{ n: number }>(`select count(*)::int as n from notifications where tenant_id = 'acme'`),
    );
    expect(rows[0]!.n).toBe(1);
    await remove(alert);
    const said = messageOf({
      type: 'issue.flagged',
      occurred_at: 'now',
      subject: 'ent_9',
      data: { name: 'Login fails', severity: 'high' },
    });
    expect(said.title).toBe('An issue was flagged: Login fails');
    expect(said.body).toContain('- severity: high');
  });

  it('leave no process behind when there is nothing to tell, and what they did replays', async () => {
    const hook = await save({ url: `${target.url}/idle`, types: ['issue.flagged'] });
    await write('issue.flagged', 'ent_1', { n: 1 });
    await eventually('it has arrived', async () => at('/idle').length === 1);
    const id = workflowIds.eventDelivery('acme', hook.subscription_id);
    await eventually('it has ended', async () => (await stack.temporal.handle(id).describe()).status.name === 'COMPLETED', 30_000);
    expect(await replayCourses(stack.temporal.client, 'eventDelivery')).toBeGreaterThan(0);
  });
});
