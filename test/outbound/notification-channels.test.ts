/** The format of a message in each channel, and failures. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { notificationStack, slackToken, type NotificationStack } from '../setup/notifications.ts';
import { replayCourses } from '../setup/replay.ts';
import { eventually } from '../setup/stack.ts';

let box: NotificationStack;

beforeAll(async () => {
  box = await notificationStack();
});
afterAll(() => box.stop());
afterEach(() => box.reset());

describe('by Slack', () => {
  it('has its Markdown as mrkdwn, and calls nobody', async () => {
    const body =
      '## News\n\n- **bold** <!channel> & [here](https://example.com/a|b)\n- [bad](javascript:alert) ![x](https://evil.test/p.png)\n\n`<@U1>`';
    await box.send({ channel: 'slack', recipient: 'C1', title: 'Mrk *down* <!here>', body });
    const { text } = box.posts('Mrk')[0]!;
    expect(text).toContain('*Mrk down &lt;!here&gt;*');
    expect(text).toContain('• *bold* &lt;!channel&gt; &amp; <https://example.com/a%7Cb|here>');
    expect(text).toContain('`&lt;@U1&gt;`');
    expect(text).toContain('[bad](javascript:alert)');
    expect(text).not.toMatch(/<[!@#]/);
  });

  it('is sent again after its pause, and found when the answer was lost', async () => {
    box.slack.mishaps.push({ status: 429, headers: { 'retry-after': '1' } }, 'lost_after');
    const started = Date.now();
    const { data } = await box.send({ channel: 'slack', recipient: 'C1', title: 'Patient' });
    expect(data).toMatchObject({ status: 'delivered' });
    expect(Date.now() - started).toBeGreaterThanOrEqual(1_000);
    expect(box.posts('Patient')).toHaveLength(1);
    const { attempts } = await box.get((data as { notification_id: string }).notification_id);
    expect(attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['again', 'unknown']);
  });

  it('is unknown when nobody can tell, and goes again when a person says so', async () => {
    box.slack.readable = false;
    box.slack.mishaps.push('lost_after');
    const { error } = await box.send({ channel: 'slack', recipient: 'C1', title: 'Who knows' });
    expect(error).toMatchObject({ code: 'CONFLICT', retryable: false, details: { reason: 'unknown' } });
    expect(box.posts('Who knows')).toHaveLength(1);
    const notification_id = error!.details!['notification_id'] as string;
    expect((await box.get(notification_id)).notification.status).toBe('unknown');
    // An equal message within minutes is a repeat and is not sent.
    expect((await box.send({ channel: 'slack', recipient: 'C1', title: 'Who knows' })).error).toMatchObject({
      details: { notification_id },
    });
    expect(box.posts('Who knows')).toHaveLength(1);
    expect(await box.stack.ok(box.caller, 'notification.message.retry', { notification_id })).toMatchObject({ status: 'delivered' });
    expect(box.posts('Who knows')).toHaveLength(2);
    const done = await box.stack.call(box.caller, 'notification.message.retry', { notification_id });
    expect(done.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'delivered' } });
  });

  it('tells what Slack said', async () => {
    box.slack.mishaps.push({ platform: 'channel_not_found' });
    const { error } = await box.send({ channel: 'slack', recipient: 'C404', title: 'Refused' });
    expect(error).toMatchObject({ code: 'NOT_FOUND', details: { channel: 'slack', slack_error: 'channel_not_found' } });
  });

  it('without a mount says what to do', async () => {
    const other = await box.stack.caller({ tenant: 'initech' });
    const message = { title: 'Unmounted', body: 'x' };
    const { error } = await box.stack.call(other, 'notification.message.send', { channel: 'slack', recipient: 'C1', message });
    expect(error).toMatchObject({ code: 'NOT_FOUND' });
    await box.stack.ok(other, 'connector.mount.set', { provider: 'slack', token: slackToken });
    const dry = await box.stack.call(other, 'notification.message.send', { channel: 'slack', recipient: 'C1', message });
    expect(dry.data).toMatchObject({ status: 'dry_run' });
    expect(box.posts('Unmounted')).toEqual([]);
  });
});

describe('by e-mail', () => {
  it('is text and HTML, with a lasting id and nothing smuggled into its headers', async () => {
    const title = 'Résumé\r\nBcc: eve@example.com';
    const body = '<script>alert(1)</script> **bold**\n\n.\n\n![x](https://evil.test/p.png)';
    const { data } = await box.send({ channel: 'email', recipient: 'ann@example.com', title, body, url: 'https://example.com/?a=1&b="2"' });
    const { notification_id } = data as { notification_id: string };
    const { raw, from, to } = box.mails(notification_id)[0]!;
    expect([from, to]).toEqual(['box@signalbox.test', 'ann@example.com']);
    expect(raw).toContain(`Message-ID: <${notification_id}@signalbox.test>`);
    const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
    expect(head).not.toMatch(/^Bcc:/im);
    expect(raw).toMatch(/text\/plain/);
    expect(raw).toMatch(/text\/html/);
    expect(raw).not.toMatch(/<script>alert\(1\)<\/script> <strong>/);
    expect(raw).toContain('&lt;script&gt;');
    expect(raw).not.toContain('<img');
    expect(raw).toContain('<strong>bold</strong>');
  });

  it('is tried again when it did not arrive', async () => {
    box.smtp.mishaps.push('lost_before', { refuse: '451 greylisted' });
    expect((await box.send({ channel: 'email', recipient: 'grey@example.com', title: 'Greylisted' })).data).toMatchObject({
      status: 'delivered',
    });
    expect(box.mails('Greylisted')).toHaveLength(1);
  });

  it('is not sent twice when the server did not confirm it', async () => {
    box.smtp.mishaps.push('lost_after');
    const { error } = await box.send({ channel: 'email', recipient: 'ann@example.com', title: 'Unconfirmed' });
    expect(error).toMatchObject({ code: 'CONFLICT', details: { reason: 'unknown' } });
    expect(box.mails('Unconfirmed')).toHaveLength(1);
    const notification_id = error!.details!['notification_id'] as string;
    expect(await box.stack.ok(box.caller, 'notification.message.retry', { notification_id })).toMatchObject({ status: 'delivered' });
    expect(box.mails('Unconfirmed')).toHaveLength(2);
    expect(new Set(box.mails('Unconfirmed').map(({ raw }) => /Message-ID: (\S+)/.exec(raw)![1]))).toHaveLength(1);
  });

  it('is refused for good by 5xx', async () => {
    box.smtp.mishaps.push({ refuse: '550 no such mailbox' });
    const { error } = await box.send({ channel: 'email', recipient: 'nobody@example.com', title: 'Bounced' });
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { smtp_error: 550 } });
    const [failed] = (await box.stack.ok(box.caller, 'notification.message.list', { status: 'failed', channel: 'email' })).notifications;
    expect(failed).toMatchObject({ title: 'Bounced', recipient: 'nobody@example.com', error: { code: 'VALIDATION_ERROR' } });
  });
});

describe('by webhook', () => {
  it('is signed, with its own secret or that of all', async () => {
    const { secret: all } = await box.stack.ok(box.caller, 'notification.webhook.set_secret');
    const url = `${box.hooks.url}/own`;
    const { secret: own } = await box.stack.ok(box.caller, 'notification.webhook.set_secret', { url });
    await box.send({ channel: 'webhook', recipient: url, title: 'Own' });
    await box.send({ channel: 'webhook', recipient: `${box.hooks.url}/all`, title: 'All', url: 'https://example.com/' });
    expect([box.calls('Own')[0]!.signedWith(own), box.calls('Own')[0]!.signedWith(all)]).toEqual([true, false]);
    expect([box.calls('All')[0]!.signedWith(all), box.calls('All')[0]!.signedWith(own)]).toEqual([true, false]);
    expect(box.calls('All')[0]!.body).toEqual({
      type: 'notification',
      id: box.calls('All')[0]!.id,
      timestamp: expect.stringMatching(/Z$/),
      data: { title: 'All', body: 'Text.', url: 'https://example.com/' },
    });
    const listed = await box.stack.ok(box.caller, 'notification.webhook.list');
    expect(listed.webhooks.map(({ host }: { host: string | null }) => host)).toEqual([null, new URL(url).host]);
    expect(
      JSON.stringify([listed, await box.rows('select * from webhook_secrets'), await box.rows('select * from ledger_events')]),
    ).not.toContain('whsec_');
    expect(await box.stack.ok(box.caller, 'notification.webhook.remove_secret', { url })).toEqual({ removed: true });
    const bad = await box.stack.call(box.caller, 'notification.webhook.set_secret', { url, secret: 'whsec_short' });
    expect(bad.error).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('shows a repeat by its id, is given three seconds, and is not followed elsewhere', async () => {
    box.hooks.mishaps.push('lost_after', 'silent', { status: 503 });
    const { data } = await box.send({ channel: 'webhook', recipient: `${box.hooks.url}/slow`, title: 'Repeats' });
    expect(data).toMatchObject({ status: 'delivered' });
    expect(box.calls('Repeats')).toHaveLength(4);
    expect(new Set(box.calls('Repeats').map(({ id }) => id))).toHaveLength(1);
    box.hooks.mishaps.push({ status: 302, headers: { location: `${box.hooks.url}/elsewhere` } });
    const { error } = await box.send({ channel: 'webhook', recipient: `${box.hooks.url}/moved`, title: 'Moved' });
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason: 'redirect' } });
    expect(box.calls('Moved').map(({ path }) => path)).toEqual(['/moved']);
  });

  it('is refused by 4xx, and shows no address in the log', async () => {
    box.hooks.mishaps.push({ status: 403 });
    const { error } = await box.send({ channel: 'webhook', recipient: `${box.hooks.url}/T000/B000/secret`, title: 'Forbidden' });
    expect(error).toMatchObject({ code: 'FORBIDDEN', details: { http_status: 403 } });
    const list = await box.stack.ok(box.caller, 'notification.message.list', { channel: 'webhook' });
    expect(JSON.stringify([list, await box.rows('select * from notifications')])).not.toContain('B000');
  });

  it('that takes longer goes on as a job, and is cancelled by it', async () => {
    box.stack.services.notifications.waitMs = 300;
    box.hooks.mishaps.push({ status: 429, headers: { 'retry-after': '200' } });
    const answer = await box.send({ channel: 'webhook', recipient: `${box.hooks.url}/later`, title: 'Later' });
    const { job_id, notification_id, status } = answer.data as { job_id: string; notification_id: string; status: string };
    expect([answer.envelope.status, status]).toEqual(['accepted', 'queued']);
    expect(answer.envelope.refs.map(({ type }) => type)).toEqual(expect.arrayContaining(['notification', 'job', 'workflow']));
    await eventually('it was refused for a while', async () => box.hooks.mishaps.length === 0);
    await box.stack.ok(box.caller, 'system.job.cancel', { job_id });
    await box.ended(notification_id, 'cancelled');
    expect(box.calls('Later')).toHaveLength(1);
  });
});

it('replays', async () => {
  expect(await replayCourses(box.stack.temporal.client, 'notify', 'notify-channels')).toBeGreaterThan(1);
});
