/** Notifications: one per key, repeats, digests, dry runs, and crashes in between. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { AppError } from '../../contracts/errors.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { findLost, restart } from '../../services/sweep.ts';
import { notificationStack, type NotificationStack } from '../setup/notifications.ts';
import { replayCourses } from '../setup/replay.ts';
import { eventually } from '../setup/stack.ts';

let box: NotificationStack;

beforeAll(async () => {
  box = await notificationStack();
});
afterAll(() => box.stop());
afterEach(() => box.reset());

describe('a notification', () => {
  it('is answered as perception asks', async () => {
    const { data, error } = await box.stack.call(box.caller, 'send_notification', {
      channel: 'slack' as const,
      recipient: 'C12345678',
      message: { title: 'Daily Brief Available', body: '23 articles.', url: 'https://example.com/briefs/2025-11-14' },
      priority: 'normal',
    });
    expect(error).toBeUndefined();
    expect(data).toEqual({
      notification_id: expect.stringMatching(/^notif_[0-9a-z]{20}$/),
      channel: 'slack' as const,
      sent_at: expect.stringMatching(/Z$/),
      status: 'delivered',
    });
    expect(box.posts('Daily Brief Available')[0]).toMatchObject({
      channel: 'C12345678',
      text: '*Daily Brief Available*\n23 articles.\n<https://example.com/briefs/2025-11-14>',
    });
  });

  it('is one under its key, and refused when something else is asked for under it', async () => {
    const sending = {
      channel: 'webhook' as const,
      recipient: `${box.hooks.url}/key`,
      message: { title: 'Keyed', body: 'a' },
      priority: 'normal' as const,
    };
    const { notifications } = box.stack.services;
    const [one, two] = await asTenant('acme', () =>
      Promise.all([1, 2].map(() => notifications.send('acme', { ...sending, createdBy: 'test' }, 'key-1'))),
    );
    expect(one!.notification_id).toBe(two!.notification_id);
    await box.ended(one!.notification_id, 'delivered');
    expect(box.calls('Keyed')).toHaveLength(1);
    const other = { ...sending, message: { title: 'Keyed', body: 'b' }, createdBy: 'test' };
    await expect(asTenant('acme', () => notifications.send('acme', other, 'key-1'))).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('is one of two that are asked for at once under a key', async () => {
    const { notifications } = box.stack.services;
    const asked = ['a', 'b', 'a', 'b'].map((path) => {
      const message = { title: 'At once', body: path };
      const wanted = {
        channel: 'webhook' as const,
        recipient: `${box.hooks.url}/${path}`,
        message,
        priority: 'normal' as const,
        createdBy: 'test',
      };
      return asTenant('acme', () => notifications.send('acme', wanted, 'key-2'));
    });
    const answers = await Promise.allSettled(asked);
    const sent = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.notification_id] : []));
    expect([sent.length, new Set(sent).size]).toEqual([2, 1]);
    for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'CONFLICT' });
    await box.ended(sent[0]!, 'delivered');
    expect(box.calls('At once')).toHaveLength(1);
  });

  it('with equal content is not sent again within minutes, but counted', async () => {
    const same = { channel: 'email' as const, recipient: 'ann@example.com', title: 'Equal' };
    const answers = [await box.send(same), await box.send(same), await box.send({ ...same, recipient: 'bob@example.com' })];
    expect(answers.map(({ data }) => (data as { status: string }).status)).toEqual(['delivered', 'delivered', 'delivered']);
    const [first, second, third] = answers.map(({ data }) => (data as { notification_id: string }).notification_id);
    expect([second === first, third === first]).toEqual([true, false]);
    expect((await box.get(first!)).notification).toMatchObject({ repeats: 1, attempts: 1 });
    expect(box.mails('Equal').map(({ to }) => to)).toEqual(['ann@example.com', 'bob@example.com']);
  });

  it('of another tenant is not found, and stays out of ledgers, jobs and histories', async () => {
    const { data } = await box.send({
      channel: 'email' as const,
      recipient: 'eve@example.com',
      title: 'For the record',
      body: 'quite private',
    });
    const { notification_id } = data as { notification_id: string };
    const other = await box.stack.caller({ tenant: 'globex' });
    expect((await box.stack.call(other, 'notification.message.get', { notification_id })).error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await box.stack.ok(other, 'notification.message.list')).notifications).toEqual([]);
    const stored = JSON.stringify([await box.rows('select * from jobs'), await box.rows('select * from ledger_events')]);
    const history = JSON.stringify(
      await box.stack.temporal.handle(workflowIds.notify('acme', notification_id)).fetchHistory(),
      (_key, value) => (value?.type === 'Buffer' ? Buffer.from(value.data as number[]).toString() : (value as unknown)),
    );
    expect(history).toContain(notification_id);
    for (const text of ['quite private', 'eve@example.com']) {
      expect(stored).not.toContain(text);
      expect(history).not.toContain(text);
    }
  });

  it.each([
    ['slack', 'not a channel!'],
    ['email', 'ann@example.com, bob@example.com'],
    ['email', 'Ann <ann@example.com>'],
    ['email', 'ann@example.com\r\nBcc: bob@example.com'],
    ['webhook', 'ftp://example.com'],
    ['webhook', 'http://169.254.169.254/latest'],
  ] as const)('to %s %j is refused', async (channel, recipient) => {
    expect((await box.send({ channel, recipient, title: 'Nowhere' })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('of low priority', () => {
  it('waits for the digest of its recipient, which takes all', async () => {
    const recipient = `${box.hooks.url}/digest`;
    const ids: string[] = [];
    // All come within its window.
    await box.stack.stopWorkers();
    for (const title of ['First', 'Second', 'Third']) {
      const { data, envelope } = await box.send({
        channel: 'webhook' as const,
        recipient,
        title,
        body: `${title} *body*`,
        priority: 'low',
      });
      expect([envelope.status, (data as { status: string }).status]).toEqual(['success', 'queued']);
      ids.push((data as { notification_id: string }).notification_id);
    }
    await box.stack.startWorkers();
    const [one] = await Promise.all(ids.map((id) => box.ended(id, 'digested')));
    const digests = box.hooks.received.filter(({ path }) => path === '/digest');
    expect(digests).toHaveLength(1);
    expect(digests[0]!.body.data.title).toBe('3 notifications');
    for (const title of ['First', 'Second', 'Third']) expect(digests[0]!.body.data.body).toContain(`## ${title}\n\n${title} *body*`);
    expect(one!.notification.digest_id).toBe(digests[0]!.id);
    const part = await box.stack.call(box.caller, 'notification.message.retry', { notification_id: ids[0]! });
    expect(part.error).toMatchObject({ code: 'CONFLICT', details: { digest_id: digests[0]!.id } });
    await digestOver(ids[0]!);
  });

  it('does not hold back the same when it is urgent', async () => {
    const same = { channel: 'webhook' as const, recipient: `${box.hooks.url}/urgent`, title: 'Urgent' };
    const low = await box.send({ ...same, priority: 'low' });
    const high = await box.send({ ...same, priority: 'high' });
    expect(high.data).toMatchObject({ status: 'delivered' });
    const waiting = (low.data as { notification_id: string }).notification_id;
    expect((high.data as { notification_id: string }).notification_id).not.toBe(waiting);
    // Its digest would come in the midst of what follows.
    await box.ended(waiting, 'digested');
    await digestOver(waiting);
  });
});

const digestOf = async (id: string): Promise<string> => {
  const [row] = await box.rows<{ recipient_hash: string }>(`select recipient_hash from notifications where id = '${id}'`);
  return workflowIds.digest('acme', row!.recipient_hash);
};

const digestOver = async (id: string): Promise<void> => {
  const workflowId = await digestOf(id);
  await eventually('the digest is over', async () => (await box.stack.temporal.handle(workflowId).describe()).status.name === 'COMPLETED');
};

describe('killed in between', () => {
  it.each([
    ['never begun', 'notif_00000000000000000000', null],
    ['repeated, and not begun again', 'notif_00000000000000000001', 'job_00000000000000000000'],
  ])('what was written and %s is begun by the sweep', async (what, id, job) => {
    const { notifications } = box.stack.services;
    const [sample] = await box.rows<Record<string, string>>(
      `select * from notifications where recipient_shown = 'ann@example.com' limit 1`,
    );
    await asTenant('acme', () =>
      box.stack.db.query(
        `insert into notifications (tenant_id, id, channel, recipient, recipient_hash, recipient_shown, title, body, priority, content_hash, status, job_id, created_by)
         values ('acme', $1, 'email', $2, $3, 'ann@example.com', $4, 'x', 'normal', 'h', 'queued', $5, 'test')`,
        [id, sample!['recipient'], sample!['recipient_hash'], `Left behind: ${what}`, job],
      ),
    );
    expect(await box.get(id)).toMatchObject({ notification: { status: 'queued', attempts: 0 } });
    await asTenant('acme', () => notifications.tend('acme', 0));
    await box.ended(id, 'delivered');
    expect(box.mails(`Left behind: ${what}`)).toHaveLength(1);
  });

  it('a process that is gone is started again, and does not send twice', async () => {
    box.stack.services.notifications.waitMs = 300;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    box.slack.hold = () => held;
    const { data } = await box.send({ channel: 'slack' as const, recipient: 'C1', title: 'In mid-air' });
    const { job_id, notification_id } = data as { job_id: string; notification_id: string };
    await eventually('Slack has it', async () => box.posts('In mid-air').length === 1);
    await box.stack.temporal.handle(workflowIds.notify('acme', notification_id)).terminate('lost');
    release();
    box.slack.hold = null;
    await eventually('it is lost', async () => {
      const lost = (await findLost(box.stack, 0)).filter((entry) => entry.id === job_id);
      return lost.length > 0 && (await restart(box.stack.services, lost));
    });
    await box.ended(notification_id, 'delivered');
    expect(box.posts('In mid-air')).toHaveLength(1);
  });

  it('survives that the workers stop', async () => {
    box.stack.services.notifications.waitMs = 300;
    box.hooks.mishaps.push({ status: 503, headers: { 'retry-after': '2' } });
    const { data } = await box.send({ channel: 'webhook' as const, recipient: `${box.hooks.url}/stop`, title: 'Through a stop' });
    await eventually('it was refused for a while', async () => box.hooks.mishaps.length === 0);
    await box.stack.stopWorkers();
    await box.stack.startWorkers();
    await box.ended((data as { notification_id: string }).notification_id, 'delivered');
    expect(box.calls('Through a stop')).toHaveLength(2);
  });
});

describe('Postgres away for a moment', () => {
  /** Fails statements of that text, each so many times, as they do without a connection. */
  const losing = (lost: Record<string, number>) => {
    const { query } = box.stack.db;
    const spy = vi.spyOn(box.stack.db, 'query').mockImplementation(async (text, values) => {
      const found = Object.keys(lost).find((start) => text.includes(start) && lost[start]! > 0);
      if (found === undefined) return await query(text, values);
      lost[found]! -= 1;
      throw new AppError('SERVICE_UNAVAILABLE', 'Postgres is away.');
    });
    return { left: () => Object.values(lost).reduce((a, b) => a + b), back: () => spy.mockRestore() };
  };
  const deliver = async (title: string, lost: Record<string, number>) => {
    box.stack.services.notifications.waitMs = 300;
    await box.stack.stopWorkers();
    const { data } = await box.send({ channel: 'webhook' as const, recipient: `${box.hooks.url}/away`, title });
    const away = losing(lost);
    await box.stack.startWorkers();
    const shown = await box.ended((data as { notification_id: string }).notification_id, 'delivered').finally(away.back);
    expect(away.left()).toBe(0);
    expect(box.calls(title)).toHaveLength(1);
    return shown;
  };

  it('before it was sent: it is sent afterwards', async () => {
    await deliver('Away before', { 'select * from notifications where': 3 });
  });

  it('after it was sent: it is not sent again', async () => {
    await deliver('Away after', { 'update notifications set attempts': 1, 'update notification_attempts': 1 });
  });
});

it('whose channel was put into dry run meanwhile can be repeated, again and again', async () => {
  box.stack.services.notifications.waitMs = 300;
  const mount = (dry_run: boolean) => box.stack.ok(box.caller, 'connector.mount.set', { provider: 'slack', dry_run });
  await box.stack.stopWorkers();
  const { data } = await box.send({ channel: 'slack' as const, recipient: 'C1', title: 'Dry meanwhile' });
  const { notification_id } = data as { notification_id: string };
  await mount(true);
  await box.stack.startWorkers();
  await box.ended(notification_id, 'failed');
  box.stack.services.notifications.waitMs = 60_000;
  const retry = () => box.stack.call(box.caller, 'notification.message.retry', { notification_id });
  expect((await retry()).error).toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(/dry run/) });
  await mount(false);
  expect((await retry()).data).toMatchObject({ status: 'delivered' });
  expect(box.posts('Dry meanwhile')).toHaveLength(1);
});

it('in dry run nothing leaves, and what would have is noted', async () => {
  box.stack.notify.dryRun = true;
  try {
    const before = box.hooks.received.length;
    for (const priority of ['low', 'high']) {
      const { data, envelope } = await box.send({
        channel: 'webhook' as const,
        recipient: 'https://hooks.example.com/dry',
        title: `Dry ${priority}`,
        priority,
      });
      expect(data).toMatchObject({ status: 'dry_run', job_id: null });
      expect(envelope.warnings[0]).toMatch(/Dry run/);
      expect(await box.get((data as { notification_id: string }).notification_id)).toMatchObject({
        message: { title: `Dry ${priority}`, body: 'Text.' },
        attempts: [],
      });
    }
    expect(box.hooks.received.length).toBe(before);
    const near = { channel: 'webhook' as const, recipient: `${box.hooks.url}/dry`, title: 'On this machine' };
    expect((await box.send(near)).data).toMatchObject({ status: 'delivered' });
    expect(box.hooks.received.length).toBe(before + 1);
  } finally {
    box.stack.notify.dryRun = false;
  }
});

it('old ones are forgotten with what belongs to them', async () => {
  await asTenant('acme', async () => {
    await box.stack.db.query(
      `update notifications set created_at = now() - interval '91 days' where tenant_id = 'acme' and title = 'For the record'`,
    );
    expect(await box.stack.services.notifications.tend('acme')).toBe(1);
  });
  expect(
    await box.rows(`select 1 from notification_keys k left join notifications n on n.id = k.notification_id where n.id is null`),
  ).toEqual([]);
});

it('replays', async () => {
  expect(await replayCourses(box.stack.temporal.client, 'notify')).toBeGreaterThan(1);
  expect(await replayCourses(box.stack.temporal.client, 'notifyDigest')).toBeGreaterThan(0);
});
