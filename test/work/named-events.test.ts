/** Names of events of work: asked for like types, by every kind of reader, without a second row per change. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Event } from '../../contracts/outbound/events.ts';
import type { Subscription } from '../../contracts/outbound/subscriptions.ts';
import type { WorkRun } from '../../contracts/work/runs.ts';
import type { Task } from '../../contracts/work/work.ts';
import { apiOf } from '../setup/api.ts';
import { openSource } from '../setup/event-source.ts';
import { openTarget, type Target } from '../setup/peers.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller & { apiKey: string };
let target: Target;
beforeAll(async () => {
  stack = await testStack({ model: false, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  stack.services.events.waker.start();
  pm = await stack.caller({ name: 'pm', kind: 'human' });
  target = await openTarget(() => ({ body: {} }));
});
afterAll(async () => {
  await target?.close();
  await stack?.stop();
});

interface Page {
  events: Event[];
  next: string;
}
const read = (args: object = {}): Promise<Page> => stack.ok<Page>(pm, 'event.stream.subscribe', args);
const create = async (fields: object = {}): Promise<Task> =>
  (await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'Do it', phase_id: 2, ...fields })).task;
const claim = async (who: Caller, task_id: string): Promise<number> =>
  (await stack.ok<{ task: Task }>(who, 'work.task.claim', { task_id, lease_seconds: 60 })).task.fencing_token!;
const named = (events: Event[]) => events.map(({ name }) => name ?? null);

describe('named events', () => {
  it('tell what became of a task, and nothing of what changed neither status nor lease', async () => {
    const worker = await stack.caller({ role: 'agent', name: 'worker' });
    await stack.ok(pm, 'work.phase.set', { phase_id: 41, name: 'Reviewed', needs_review: true });
    const { next } = await read();
    const { id } = await create({ phase_id: 41 });
    await stack.ok(pm, 'work.task.comment', { task_id: id, body: 'Mind the tests.' });
    await stack.ok(pm, 'work.task.edit', { task_id: id, title: 'Do it well' });
    await stack.ok(pm, 'work.task.move', { task_id: id, priority: 'high' });
    const token = await claim(worker, id);
    await stack.ok(worker, 'work.task.heartbeat', { task_id: id, fencing_token: token, progress: 'half' });
    await stack.ok(worker, 'work.task.release', { task_id: id, fencing_token: token });
    const second = await claim(worker, id);
    await stack.ok(worker, 'work.task.complete', { task_id: id, fencing_token: second, result: 'There.' });
    await stack.ok(pm, 'work.task.update_status', { task_id: id, status: 'done' });
    const all = (await read({ after: next, subject: id })).events.filter(({ type }) => type === 'work.task_changed');
    expect(named(all).filter((name) => name !== null)).toEqual([
      'work.task_ready',
      'work.task_claimed',
      'work.task_ready',
      'work.task_claimed',
      'work.task_review',
      'work.task_done',
    ]);
    expect(all.length).toBeGreaterThan(6);
    const some = await read({ after: next, types: ['work.task_claimed', 'work.task_done'], subject: id });
    expect(named(some.events)).toEqual(['work.task_claimed', 'work.task_claimed', 'work.task_done']);
    expect(some.events.every(({ type }) => type === 'work.task_changed')).toBe(true);
    // A type still stands for all its events, each once, whatever is named beside it.
    const both = await read({ after: next, types: ['work.task_changed', 'work.task_ready'], subject: id });
    expect(both.events.map((event) => event.id)).toEqual(all.map((event) => event.id));
  });

  it('need one row per change: a claim writes no second one', async () => {
    const worker = await stack.caller({ role: 'agent', name: 'counted' });
    const { id } = await create();
    const count = async (): Promise<number> =>
      (
        await asTenant('acme', () =>
          stack.db.query<{ n: number }>(`select count(*)::int as n from outbox where tenant_id = 'acme' and subject = $1`, [id]),
        )
      )[0]!.n;
    expect(await count()).toBe(1);
    const token = await claim(worker, id);
    expect(await count()).toBe(2);
    await stack.ok(worker, 'work.task.fail', { task_id: id, fencing_token: token, reason: 'no luck', retry: false });
    expect(await count()).toBe(3);
    expect(named((await read({ after: 'oldest', types: ['work.task_failed'], subject: id })).events)).toEqual(['work.task_failed']);
  });

  it('tell that an agent waits: for an answer, or for an approval', async () => {
    const { next } = await read();
    const worker = await stack.caller({ role: 'agent', name: 'asking' });
    const { id } = await create();
    const token = await claim(worker, id);
    const { run } = await stack.ok<{ run: WorkRun }>(worker, 'work.run.open', {
      task_id: id,
      fencing_token: token,
      agent: 'claude',
      host: 'laptop',
      branch: 'signalbox/x',
    });
    const end = { run_id: run.id, fencing_token: token, outcome: 'question', reason: 'Which database?' };
    await stack.ok(worker, 'work.run.close', end);
    await stack.ok(worker, 'work.run.close', end);
    const { approval_id } = await stack.ok<{ approval_id: string }>(worker, 'schema.definition.register', {
      name: 'waits',
      version: '1.0.0',
      json_schema: { type: 'object' },
    });
    const { events } = await read({ after: next, types: ['work.agent_waiting'] });
    expect(events.map(({ type, subject }) => [type, subject])).toEqual([
      ['work.run_ended', run.id],
      ['approval.requested', approval_id],
    ]);
  });

  it('reach webhooks and streams that name them, and those that name the type as before', async () => {
    const worker = await stack.caller({ role: 'agent', name: 'heard' });
    const save = async (path: string, types: string[]): Promise<Subscription> =>
      (await stack.ok<{ subscription: Subscription }>(pm, 'event.subscription.save', { url: `${target.url}/${path}`, types })).subscription;
    const byName = await save('name', ['work.task_claimed']);
    expect(byName.types).toEqual(['work.task_claimed']);
    await save('type', ['work.task_changed']);
    const app = apiOf(stack);
    const base = await app.listen({ host: '127.0.0.1', port: 0 });
    const source = openSource(`${base}/api/agents/v1/events?types=work.task_claimed,work.task_failed`, { key: pm.apiKey });
    await source.ready;
    const { id } = await create();
    const token = await claim(worker, id);
    await stack.ok(worker, 'work.task.fail', { task_id: id, fencing_token: token, reason: 'no luck', retry: false });
    const at = (path: string): Event[] => target.seen.filter((seen) => seen.path === `/${path}`).map(({ body }) => body as Event);
    await eventually('the stream hears both', async () => source.heard.length === 2);
    expect(source.heard.map(({ event, data }) => [event, (JSON.parse(data) as Event).name])).toEqual([
      ['work.task_changed', 'work.task_claimed'],
      ['work.task_changed', 'work.task_failed'],
    ]);
    await eventually('the webhook of the type', async () => at('type').length === 3);
    await eventually('the webhook of the name', async () => at('name').length === 1);
    expect(named(at('type'))).toEqual(['work.task_ready', 'work.task_claimed', 'work.task_failed']);
    expect(at('name')[0]).toMatchObject({ type: 'work.task_changed', name: 'work.task_claimed', subject: id });
    expect((await stack.call(pm, 'event.stream.subscribe', { types: ['work.task_lost'] })).error?.code).toBe('VALIDATION_ERROR');
    source.close();
    await app.close();
  });
});
