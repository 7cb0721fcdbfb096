/** A stack that really sends notifications, to fakes of Slack, a mail server and webhooks. */
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Channel, Notification, NotificationAttempt } from '../../contracts/outbound/notifications.ts';
import { slackDouble, type Posted, type SlackDouble } from './providers.ts';
import { smtpDouble, type Mail, type SmtpDouble } from './smtp.ts';
import { eventually, testStack, type TestStack } from './stack.ts';
import { webhookDouble, type Received, type WebhookDouble } from './webhook.ts';

export const slackToken = 'xoxb-very-secret-0001';

interface Wanted {
  channel: Channel;
  recipient: string;
  title: string;
  body?: string;
  url?: string;
  priority?: string;
}

interface Shown {
  notification: Notification;
  message: { title: string; body: string };
  attempts: NotificationAttempt[];
}

export interface NotificationStack {
  slack: SlackDouble;
  smtp: SmtpDouble;
  hooks: WebhookDouble;
  stack: TestStack;
  caller: Caller;
  send(wanted: Wanted): ReturnType<TestStack['call']>;
  get(id: string): Promise<Shown>;
  ended(id: string, status: string): Promise<Shown>;
  /** What arrived under a title. */
  posts(title: string): Posted[];
  mails(title: string): Mail[];
  calls(title: string): Received[];
  rows<T extends Record<string, unknown>>(sql: string): Promise<T[]>;
  /** After each test. @throws Error when something was to go wrong and did not */
  reset(): void;
  stop(): Promise<void>;
}

/** @param env further settings */
export async function notificationStack(env: Record<string, string> = {}): Promise<NotificationStack> {
  const [slack, smtp, hooks] = await Promise.all([slackDouble(slackToken), smtpDouble(), webhookDouble()]);
  const stack = await testStack({
    model: false,
    env: {
      SLACK_API_URL: slack.url,
      SMTP_URL: smtp.url,
      SMTP_FROM: 'Signalbox <box@signalbox.test>',
      NOTIFICATIONS_DRY_RUN: 'false',
      ALLOW_PRIVATE_NETWORK: 'true',
      ...env,
    },
  });
  // The digest's batch window is a moment instead of an hour.
  stack.notify.digestMs = 1_500;
  // Answers come with the end, however slow the machine.
  stack.services.notifications.waitMs = 60_000;
  const caller = await stack.caller({ name: 'ann', kind: 'human' });
  await stack.ok(caller, 'connector.mount.set', { provider: 'slack', token: slackToken, dry_run: false });
  const get = (notification_id: string) => stack.ok<Shown>(caller, 'notification.message.get', { notification_id });
  return {
    slack,
    smtp,
    hooks,
    stack,
    caller,
    get,
    send: ({ channel, recipient, title, body = 'Text.', url, priority }) =>
      stack.call(caller, 'notification.message.send', {
        channel,
        recipient,
        message: { title, body, ...(url ? { url } : {}) },
        ...(priority ? { priority } : {}),
      }),
    ended: (id, status) =>
      eventually(`${id} is ${status}`, async () => {
        const found = await get(id);
        return found.notification.status === status && found;
      }),
    posts: (title) => slack.posted.filter(({ text }) => text.includes(title)),
    mails: (title) => smtp.mails.filter(({ raw }) => raw.includes(title)),
    calls: (title) => hooks.received.filter(({ body }) => body.data.title === title),
    rows: (sql) => asTenant('acme', () => stack.db.query(sql)),
    reset() {
      slack.readable = true;
      slack.hold = null;
      stack.services.notifications.waitMs = 60_000;
      if (slack.mishaps.length + smtp.mishaps.length + hooks.mishaps.length > 0)
        throw new Error('a mishap was prepared and did not happen');
    },
    async stop() {
      await stack.stop();
      await Promise.all([slack.close(), smtp.close(), hooks.close()]);
    },
  };
}
