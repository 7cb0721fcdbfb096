import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { findLost, restart } from '../../services/sweep.ts';
import { hubspotDouble, slackDouble, type HubspotDouble, type SlackDouble } from '../setup/providers.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const slackToken = 'xoxb-very-secret-0001';
const hubspotToken = 'pat-eu1-very-secret-0002';

let slack: SlackDouble;
let hubspot: HubspotDouble;
let stack: TestStack;
let caller: Caller;

beforeAll(async () => {
  slack = await slackDouble(slackToken);
  hubspot = await hubspotDouble(hubspotToken);
  stack = await testStack({ model: false, env: { SLACK_API_URL: slack.url, HUBSPOT_API_URL: hubspot.url } });
  caller = await stack.caller({ name: 'ann', kind: 'human' });
  // Answers come with the end, however slow the machine.
  stack.services.connectors.waitMs = 60_000;
  await stack.ok(caller, 'connector.mount.set', { provider: 'slack', token: slackToken, dry_run: false });
  await stack.ok(caller, 'connector.mount.set', { provider: 'hubspot', token: hubspotToken, dry_run: false });
  hubspot.deals.set('77', { dealstage: 'qualified', amount: '10' });
});
afterAll(async () => {
  await stack.stop();
  await Promise.all([slack.close(), hubspot.close()]);
});
afterEach(() => {
  slack.readable = true;
  slack.hold = null;
  stack.services.connectors.waitMs = 60_000;
  if (slack.mishaps.length + hubspot.mishaps.length > 0) throw new Error('a mishap was prepared and did not happen');
});

const post = (text: string, more: object = {}, extra: { idempotencyKey?: string } = {}) =>
  stack.call(caller, 'connector.slack.post_message', { channel: 'C1', text, ...more }, extra);
const texts = (text: string): number => slack.posted.filter((message) => message.text === text).length;
/** The decoded payloads of a history. */
const payloads = (value: unknown): string => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  return value !== null && typeof value === 'object' ? Object.values(value).map(payloads).join(' ') : String(value);
};
const rows = <T extends Record<string, unknown>>(sql: string): Promise<T[]> => asTenant('acme', () => stack.db.query<T>(sql));

describe('mounts', () => {
  it('start in dry run, keep what is not said anew, and show no credentials', async () => {
    const other = await stack.caller({ tenant: 'globex', kind: 'human' });
    const { mount } = await stack.ok(other, 'connector.mount.set', { provider: 'slack', token: slackToken });
    expect(mount).toMatchObject({ provider: 'slack', dry_run: true, has_credentials: true });
    expect((await stack.ok(other, 'connector.mount.set', { provider: 'slack', dry_run: false })).mount).toMatchObject({
      has_credentials: true,
      dry_run: false,
    });
    expect((await stack.ok(other, 'connector.mount.set', { provider: 'slack', token: 'xoxb-another-one' })).mount).toMatchObject({
      dry_run: false,
    });
    const list = await stack.ok(other, 'connector.mount.list');
    expect(list.mounts).toHaveLength(1);
    expect(JSON.stringify(list)).not.toContain('xoxb');
    expect(await stack.ok(other, 'connector.mount.remove', { provider: 'slack' })).toEqual({ removed: true });
    expect(await stack.ok(other, 'connector.mount.remove', { provider: 'slack' })).toEqual({ removed: false });
    const bare = await stack.call(other, 'connector.mount.set', { provider: 'hubspot', dry_run: false });
    expect(bare.error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await stack.ok(other, 'connector.mount.list')).mounts).toEqual([]);
    const unmounted = await stack.call(other, 'connector.slack.post_message', { channel: 'C1', text: 'hello' });
    expect(unmounted.error?.code).toMatch(/NOT_FOUND|FORBIDDEN/);
  });

  it('are sealed in the database, and stand in no ledger, job or history', async () => {
    await post('for the record');
    const stored = JSON.stringify([
      await rows('select * from connector_mounts'),
      await rows('select * from connector_calls'),
      await rows('select * from jobs'),
      await rows('select * from ledger_events'),
    ]);
    expect(stored).not.toContain('very-secret');
    expect(stored).not.toContain('for the record');
    const [job] = await rows<{ id: string }>(`select id from jobs where kind = 'connector_call' order by created_at desc limit 1`);
    const history = payloads(await stack.temporal.handle(workflowIds.connectorCall('acme', job!.id)).fetchHistory());
    expect(history).toContain(job!.id);
    for (const text of ['very-secret', 'for the record']) expect(history).not.toContain(text);
  });

  it('in dry run send nothing and answer what would be sent', async () => {
    const other = await stack.caller({ tenant: 'initech', kind: 'human' });
    await stack.ok(other, 'connector.mount.set', { provider: 'slack', token: slackToken });
    const before = slack.requests.length;
    const answer = await stack.call(other, 'connector.slack.post_message', { channel: 'C1', text: 'hello' });
    expect(answer.data).toMatchObject({ dry_run: true, ts: null, would_send: { channel: 'C1', text: 'hello' } });
    expect(answer.envelope.warnings[0]).toMatch(/Dry run/);
    expect(slack.requests.length).toBe(before);
  });
});

describe('a message to Slack', () => {
  it('is posted once, also when repeated under its key, with its place and link', async () => {
    const [first, second] = [await post('once', {}, { idempotencyKey: 'k1' }), await post('once', {}, { idempotencyKey: 'k1' })];
    expect(first.error).toBeUndefined();
    expect(first.data).toMatchObject({ channel: 'C1', dry_run: false, permalink: expect.stringMatching(/^https:\/\/acme\.slack\.test/) });
    expect(second.data).toEqual(first.data);
    expect(texts('once')).toBe(1);
    await post('in a thread', { thread_ts: '1700000001.123456' });
    expect(slack.posted.at(-1)).toMatchObject({ thread_ts: '1700000001.123456' });
  });

  it('is sent again after a rate limit, when its pause is over', async () => {
    slack.mishaps.push({ status: 429, headers: { 'retry-after': '1' } });
    const started = Date.now();
    expect((await post('patient')).data).toMatchObject({ dry_run: false, ts: expect.any(String) });
    expect(Date.now() - started).toBeGreaterThanOrEqual(1_000);
    expect(texts('patient')).toBe(1);
  });

  it('whose answer was lost is found, not posted twice', async () => {
    slack.mishaps.push('lost_after');
    expect((await post('lost after')).data).toMatchObject({ ts: expect.any(String) });
    expect(texts('lost after')).toBe(1);
    expect(slack.requests).toContain('conversations.history');
  });

  it('that was lost on its way is posted after it was looked for', async () => {
    slack.mishaps.push('lost_before');
    expect((await post('lost before')).data).toMatchObject({ ts: expect.any(String) });
    expect(texts('lost before')).toBe(1);
  });

  it('of which nobody can tell is not repeated, and the caller is told', async () => {
    slack.readable = false;
    slack.mishaps.push('lost_after');
    const answer = await post('who knows', {}, { idempotencyKey: 'k2' });
    expect(answer.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'ambiguous' } });
    expect(answer.error?.retryable).toBe(false);
    expect(texts('who knows')).toBe(1);
    expect(await rows(`select status from connector_calls where status = 'ambiguous'`)).toHaveLength(1);
    expect((await post('who knows', {}, { idempotencyKey: 'k2' })).error).toMatchObject({ code: 'CONFLICT' });
    expect(texts('who knows')).toBe(1);
  });

  it.each([
    ['channel_not_found', 'NOT_FOUND', /channel/],
    ['invalid_auth', 'FORBIDDEN', /connector\.mount\.set/],
    ['not_in_channel', 'FORBIDDEN', /invite/i],
    ['is_archived', 'CONFLICT', /another/],
    ['something_new', 'VALIDATION_ERROR', /documentation/],
  ])('refused with %s is %s', async (platform, code, hint) => {
    slack.mishaps.push({ platform });
    const { error } = await post(`refused ${platform}`);
    expect(error).toMatchObject({ code });
    expect(error?.hint).toMatch(hint);
  });

  it('that takes longer goes on as a job, and its end is found there', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    stack.services.connectors.waitMs = 500;
    slack.mishaps.push({ status: 429, headers: { 'retry-after': '2' } });
    slack.hold = () => held;
    const answer = await post('slow');
    expect([answer.envelope.status, (answer.data as { ts: unknown }).ts]).toEqual(['accepted', null]);
    release();
    const { job_id } = answer.data as { job_id: string };
    const job = await eventually('the job ended', async () => {
      const { job: now } = await stack.ok(caller, 'system.job.get', { job_id });
      return now.status === 'completed' && now;
    });
    expect(job.result).toMatchObject({ ts: expect.any(String) });
    expect(texts('slow')).toBe(1);
  });

  it('cancelled while it waits is not sent', async () => {
    stack.services.connectors.waitMs = 500;
    slack.mishaps.push({ status: 429, headers: { 'retry-after': '200' } });
    const answer = await post('never mind');
    const { job_id } = answer.data as { job_id: string };
    await eventually('it was told to wait', () => Promise.resolve(slack.mishaps.length === 0));
    await stack.ok(caller, 'system.job.cancel', { job_id });
    await eventually('the job is cancelled', async () => (await stack.ok(caller, 'system.job.get', { job_id })).job.status === 'cancelled');
    expect(texts('never mind')).toBe(0);
    expect(await rows(`select status from connector_calls where error->>'message' like 'Cancelled%'`)).toEqual([{ status: 'failed' }]);
  });

  it('survives that the workers stop in between', async () => {
    stack.services.connectors.waitMs = 500;
    slack.mishaps.push({ status: 429, headers: { 'retry-after': '3' } });
    const answer = await post('through a stop');
    await stack.stopWorkers();
    await stack.startWorkers();
    const { job_id } = answer.data as { job_id: string };
    await eventually('the job ended', async () => (await stack.ok(caller, 'system.job.get', { job_id })).job.status === 'completed');
    expect(texts('through a stop')).toBe(1);
  });
});

describe('a message that is being sent', () => {
  it('when its worker stops is found by the next one', async () => {
    stack.services.connectors.waitMs = 300;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    slack.hold = () => held;
    const { data } = await post('in mid-air');
    await eventually('Slack has it', async () => texts('in mid-air') === 1);
    await stack.stopWorkers();
    release();
    slack.hold = null;
    await stack.startWorkers();
    const { job_id } = data as { job_id: string };
    const job = await eventually('the job ended', async () => {
      const { job: now } = await stack.ok(caller, 'system.job.get', { job_id });
      return now.status === 'completed' && now;
    });
    expect([texts('in mid-air'), job.result.ts]).toEqual([1, slack.posted.at(-1)!.ts]);
  });
});

describe('a call whose process is gone', () => {
  it('is found by the sweep, looked for at the provider, and then sent', async () => {
    stack.services.connectors.waitMs = 300;
    slack.mishaps.push({ status: 429, headers: { 'retry-after': '200' } });
    const { job_id } = (await post('orphan')).data as { job_id: string };
    await eventually('it was refused for a while', async () => slack.mishaps.length === 0);
    const before = slack.requests.length;
    await stack.temporal.handle(workflowIds.connectorCall('acme', job_id)).terminate('lost');
    await eventually('it is lost', async () => {
      const lost = (await findLost(stack, 0)).filter(({ id }) => id === job_id);
      return lost.length > 0 && (await restart(stack.services, lost));
    });
    await eventually('the job ended', async () => (await stack.ok(caller, 'system.job.get', { job_id })).job.status === 'completed');
    expect(texts('orphan')).toBe(1);
    expect(slack.requests.slice(before, before + 2)).toEqual(['conversations.history', 'chat.postMessage']);
  });
});

describe('a change of a HubSpot deal', () => {
  const update = (deal_id: string, properties: object) => stack.call(caller, 'connector.hubspot.update_deal', { deal_id, properties });

  it('is written, as HubSpot keeps values', async () => {
    const { data, error } = await update('77', { dealstage: 'won', amount: 1500, note: null });
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ deal_id: '77', updated_at: '2026-11-22T09:00:00.000Z', dry_run: false });
    expect(hubspot.deals.get('77')).toEqual({ dealstage: 'won', amount: '1500', note: '' });
  });

  it('whose answer was lost is looked up', async () => {
    hubspot.mishaps.push('lost_after');
    expect((await update('77', { amount: 7 })).data).toMatchObject({ deal_id: '77' });
    expect(hubspot.requests.filter((one) => one.startsWith('GET'))).toHaveLength(1);
  });

  it('is tried again after 429 and 5xx', async () => {
    hubspot.mishaps.push({ status: 429, headers: { 'retry-after': '1' } }, { status: 502 });
    expect((await update('77', { amount: 8 })).data).toMatchObject({ deal_id: '77', dry_run: false });
    expect(hubspot.deals.get('77')).toMatchObject({ amount: '8' });
  });

  it('is refused for an unknown deal, a bad property, and too many', async () => {
    expect((await update('404', { amount: 1 })).error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await update('77', {})).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await update('77', { 'Bad Name': 1 })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    hubspot.mishaps.push({ status: 400, body: { category: 'VALIDATION_ERROR', message: 'Property values were not valid' } });
    expect((await update('77', { nonsense: 'x' })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
