/** Links in alerts: whoever gets one decides once, about exactly what the page shows, and only by sending its form. */
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Approval } from '../../contracts/governance/policy.ts';
import type { Subscription } from '../../contracts/outbound/subscriptions.ts';
import { apiOf } from '../setup/api.ts';
import { notificationStack, type NotificationStack } from '../setup/notifications.ts';
import { eventually, type TestStack } from '../setup/stack.ts';

const base = 'https://box.example.com';
let fakes: NotificationStack;
let stack: TestStack;
let app: FastifyInstance;
let pam: Caller;
beforeAll(async () => {
  fakes = await notificationStack({ PUBLIC_URL: `${base}/` });
  stack = fakes.stack;
  stack.services.events.waker.start();
  app = apiOf(stack);
  pam = await stack.caller({ role: 'pm', name: 'pam' });
});
afterEach(() => fakes.reset());
afterAll(async () => {
  await app?.close();
  await fakes?.stop();
});

/** A tool that agents ask for, and people do not. */
const asking = 'schema.definition.register';
const schema = (name: string) => ({ name, version: '1.0.0', json_schema: { type: 'object', title: 'in\u202evisible' } });
const registered = async (prefix: string): Promise<number> =>
  (await stack.ok<{ schemas: unknown[] }>(pam, 'schema.definition.list', { prefix })).schemas.length;

let people = 0;
interface Alerted {
  who: string;
  subscription: Subscription;
}
/** Somebody who gets alerts about waiting calls, with links unless told otherwise. */
async function alerted(more: object = {}, by = pam): Promise<Alerted> {
  const who = `ann${(people += 1)}@example.com`;
  const { subscription } = await stack.ok<{ subscription: Subscription }>(by, 'event.subscription.save', {
    target: 'notification',
    channel: 'email',
    recipient: who,
    types: ['approval.requested'],
    approve_links: true,
    ...more,
  });
  return { who, subscription };
}
const remove = ({ subscription: { subscription_id } }: Alerted) => stack.ok(pam, 'event.subscription.remove', { subscription_id });

const text = (raw: string): string =>
  raw.replaceAll(/=\r?\n/g, '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
/** The mail about a call, decoded. */
const mailAbout = ({ who }: Alerted, approval: string): Promise<string> =>
  eventually(`the mail to ${who}`, async () => {
    const mail = fakes.smtp.mails.find(({ to, raw }) => to === who && text(raw).includes(approval));
    return mail && text(mail.raw);
  });
const pathOf = (mail: string): string | undefined => /https:\/\/box\.example\.com(\/approve\?token=[A-Za-z0-9._-]+)/.exec(mail)?.[1];
async function asked(name: string, by?: Caller): Promise<string> {
  const robo = by ?? (await stack.caller({ role: 'agent', name: 'robo' }));
  return (await stack.ok<{ approval_id: string }>(robo, asking, schema(name))).approval_id;
}
/** A call that waits, and the path of the link to it. */
async function linked(name: string, to?: Alerted) {
  const alert = to ?? (await alerted());
  const id = await asked(name);
  return { alert, id, path: pathOf(await mailAbout(alert, id))! };
}

const look = (path: string) => app.inject({ method: 'GET', url: path, headers: { host: 'box.example.com' } });
const tokenOf = (path: string): string => new URL(path, base).searchParams.get('token')!;
const press = (path: string, decision: string) =>
  app.inject({
    method: 'POST',
    url: '/approve',
    headers: { host: 'box.example.com', origin: base, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ token: tokenOf(path), decision }).toString(),
  });
const approvalOf = async (id: string, wait_seconds = 0): Promise<Approval> =>
  (await stack.ok<{ approval: Approval }>(pam, 'approval.request.get', { approval_id: id, wait_seconds })).approval;

describe('a link to a waiting call', () => {
  it('shows what would be approved, does nothing by itself, and decides once when its form is sent', async () => {
    const { alert, id, path } = await linked('tapped');
    expect(await mailAbout(alert, id)).toContain('approves or rejects it once, without signing in');
    expect(alert.subscription).toMatchObject({ approve_links: true });
    const page = await look(path);
    expect(page.statusCode).toBe(200);
    for (const part of [asking, 'robo', 'an agent', 'tapped', 'U+202E', alert.who, 'Approve', 'Reject', (await approvalOf(id)).input_hash])
      expect(page.body).toContain(part);
    expect(page.body).not.toContain('\u202e');
    expect(page.body).not.toMatch(/<script|style="|onclick/);
    expect(page.headers).toMatchObject({ 'cache-control': 'private, no-store', 'referrer-policy': 'same-origin' });
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    await Promise.all([1, 2, 3, 4].map(() => look(path)));
    expect((await approvalOf(id)).status).toBe('pending');

    const pressed = await press(path, 'approve');
    expect([pressed.statusCode, pressed.headers.location]).toEqual([303, path.slice(1)]);
    expect(await approvalOf(id, 10)).toMatchObject({ status: 'completed', decided_by: `email:${alert.who}` });
    expect(await registered('tapped')).toBe(1);
    const after = await look(path);
    expect(after.body).toContain('Approved, and done');
    expect(after.body).toContain(`email:${alert.who}`);
    expect(after.body).not.toContain('<form');

    // Repeated, and another decision: too late for both.
    expect((await press(path, 'approve')).statusCode).toBe(303);
    expect((await press(path, 'reject')).statusCode).toBe(303);
    expect((await approvalOf(id)).status).toBe('completed');
    const { approval } = await stack.ok<{ approval: { tool_call_id: string } }>(pam, 'approval.request.get', { approval_id: id });
    const entries = await asTenant('acme', () =>
      stack.db.query<{ type: string; front: string; principal: string; key_id: string }>(
        `select type, front, principal, key_id from ledger_events where tenant_id = 'acme' and tool_call_id = $1 and type = 'tool.call.approved'`,
        [approval.tool_call_id],
      ),
    );
    expect(entries).toEqual([{ type: 'tool.call.approved', front: 'link', principal: `email:${alert.who}`, key_id: pam.keyId }]);
    await remove(alert);
  });

  it('rejects, too', async () => {
    const { alert, id, path } = await linked('refused');
    expect((await press(path, 'reject')).statusCode).toBe(303);
    expect(await approvalOf(id)).toMatchObject({ status: 'rejected', decided_by: `email:${alert.who}` });
    expect((await look(path)).body).toContain('Rejected: it does not run');
    expect(await registered('refused')).toBe(0);
    await remove(alert);
  });

  it('comes by Slack, in the name of its channel', async () => {
    const alert = await alerted({ channel: 'slack', recipient: 'C0123456789' });
    const id = await asked('slacked');
    const post = await eventually('the post', async () => fakes.slack.posted.find((one) => one.text.includes(id)));
    expect((await press(pathOf(post.text)!, 'approve')).statusCode).toBe(303);
    expect(await approvalOf(id, 10)).toMatchObject({ status: 'completed', decided_by: 'slack:C0123456789' });
    await remove(alert);
  });

  it('of several recipients decides for the first of them, and tells the others', async () => {
    const [ann, bob] = [await alerted(), await alerted()];
    const { id, path } = await linked('several', ann);
    const other = pathOf(await mailAbout(bob, id))!;
    expect(other).not.toBe(path);
    await press(other, 'reject');
    expect((await press(path, 'approve')).statusCode).toBe(303);
    const page = (await look(path)).body;
    expect(page).toContain('Rejected');
    expect(page).toContain(`email:${bob.who}`);
    await Promise.all([ann, bob].map(remove));
  });

  it('is no part of what is stored about the message', async () => {
    const { alert, path } = await linked('unseen');
    const mac = tokenOf(path).split('.').at(-1)!;
    const rows = await asTenant('acme', () =>
      stack.db.query<{ all: string }>(
        `select (select jsonb_agg(n)::text from notifications n where tenant_id = 'acme') || (select jsonb_agg(o)::text from outbox o where tenant_id = 'acme') as all`,
      ),
    );
    expect(rows[0]!.all).toContain(alert.subscription.subscription_id);
    expect(rows[0]!.all).not.toContain(mac);
    await remove(alert);
  });
});

describe('taps that meet', () => {
  it('give one decision, and one effect at most', async () => {
    const alert = await alerted();
    for (const decisions of [
      ['approve', 'approve'],
      ['approve', 'reject'],
      ['reject', 'approve', 'approve', 'reject'],
    ]) {
      const name = `meet-${decisions.length}-${decisions[1]}`;
      const { id, path } = await linked(name, alert);
      const answers = await Promise.all(decisions.map((decision) => press(path, decision)));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(decisions.map(() => 303));
      const { status } = await approvalOf(id, 10);
      expect(['completed', 'rejected']).toContain(status);
      expect(await registered(name)).toBe(status === 'completed' ? 1 : 0);
    }
    await remove(alert);
  });

  it('survive the end of the workers: the decision is taken once', async () => {
    const { alert, id, path } = await linked('killed');
    await stack.stopWorkers();
    // Nobody waits for these answers: the phone was put away.
    const lost = [press(path, 'approve'), press(path, 'approve')];
    expect((await look(path)).body).toContain('A call waits for you');
    await stack.startWorkers();
    await Promise.all(lost);
    await eventually(
      'it was decided',
      async () => (await press(path, 'approve')).statusCode === 303 && (await approvalOf(id)).status !== 'pending',
    );
    expect(await approvalOf(id, 10)).toMatchObject({ status: 'completed', decided_by: `email:${alert.who}` });
    expect(await registered('killed')).toBe(1);
    await remove(alert);
  });
});

describe('a link that must not work', () => {
  it('was changed, is for another call or tenant, or was never made', async () => {
    const { alert, id, path } = await linked('forged');
    const other = await linked('forged-other', alert);
    const [tenant, approval, subscription, until, mac] = tokenOf(path).split('.') as [string, string, string, string, string];
    const theirs = await stack.caller({ tenant: 'globex', role: 'pm', name: 'gil' });
    await stack.ok(theirs, 'system.policy.list');
    for (const token of [
      [tenant, approval, subscription, Number(until) + 3_600, mac],
      [tenant, other.id, subscription, until, mac],
      ['globex', approval, subscription, until, mac],
      [tenant, approval, 'sub_00000000000000000000', until, mac],
      [tenant, approval, subscription, until, `${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`],
      ['x'],
      [],
    ].map((parts) => parts.join('.'))) {
      const [page, pressed] = [await look(`/approve?token=${token}`), await press(`/approve?token=${token}`, 'approve')];
      expect([token, page.statusCode, pressed.statusCode]).toEqual([token, 401, 401]);
      expect(page.body).toContain('This link cannot be used');
      expect(page.body).not.toContain('<form');
    }
    expect((await look('/approve')).statusCode).toBe(401);
    expect((await press(path, 'maybe')).statusCode).toBe(400);
    // From a page elsewhere.
    const foreign = await app.inject({
      method: 'POST',
      url: '/approve',
      headers: { host: 'box.example.com', origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ token: tokenOf(path), decision: 'approve' }).toString(),
    });
    expect(foreign.statusCode).toBe(403);
    expect((await approvalOf(id)).status).toBe('pending');
    await remove(alert);
  });

  it('has expired, a day after the call at the latest', async () => {
    const { alert, id, path } = await linked('late');
    const until = Number(tokenOf(path).split('.')[3]);
    expect(until * 1_000).toBeLessThanOrEqual(Date.parse((await approvalOf(id)).expires_at));
    await asTenant('acme', () =>
      stack.db.query(`update approvals set created_at = created_at - interval '25 hours' where tenant_id = 'acme' and id = $1`, [id]),
    );
    const old = await asTenant('acme', () => stack.services.approvalLinks.address('acme', id, alert.subscription.subscription_id));
    const page = await look(pathOf(old!)!);
    expect(page.statusCode).toBe(410);
    expect(page.body).toContain('expired');
    expect((await press(pathOf(old!)!, 'approve')).statusCode).toBe(410);
    expect((await approvalOf(id)).status).toBe('pending');
    await remove(alert);
  });

  it('was withdrawn: by the subscription, by another recipient, by the end of the key that allowed it', async () => {
    const given = await stack.services.governance.keys.create({ tenant: 'acme', role: 'operator', name: 'olga', kind: 'human' });
    const olga = (await stack.services.governance.keys.authenticate(given.api_key))!;
    const [first, second, third] = [await alerted(), await alerted(), await alerted({}, olga)];
    const id = await asked('withdrawn');
    const [a, b, c] = (await Promise.all([first, second, third].map(async (alert) => pathOf(await mailAbout(alert, id))!))) as [
      string,
      string,
      string,
    ];
    const again = (alert: Alerted, more: object) =>
      stack.ok(pam, 'event.subscription.save', {
        subscription_id: alert.subscription.subscription_id,
        target: 'notification',
        channel: 'email',
        types: ['approval.requested'],
        ...more,
      });
    await again(first, { recipient: first.who });
    await again(second, { recipient: 'mallory@example.com', approve_links: true });
    expect((await look(c)).statusCode).toBe(200);
    const admin = await stack.caller({ role: 'admin', name: 'ada' });
    await stack.ok(admin, 'access.key.revoke', { key_id: olga.keyId });
    for (const [path, code] of [
      [a, 410],
      [b, 401],
      [c, 410],
    ] as const) {
      expect([path, (await look(path)).statusCode]).toEqual([path, code]);
      expect([path, (await press(path, 'approve')).statusCode]).toEqual([path, code]);
    }
    expect((await approvalOf(id)).status).toBe('pending');
    await Promise.all([first, second, third].map(remove));
  });
});

describe('links are made', () => {
  it('for no call of the strictest level, and none that a second person decides', async () => {
    const alert = await alerted();
    await stack.ok(await stack.caller({ role: 'admin', name: 'ada' }), 'system.policy.save', {
      name: 'two',
      base: 'standard',
      four_eyes: true,
      rules: [],
    });
    for (const policy of ['strict', 'two']) {
      const given = await stack.services.governance.keys.create({ tenant: 'acme', role: 'agent', name: `robo-${policy}`, policy });
      const id = await asked(`grave-${policy}`, (await stack.services.governance.keys.authenticate(given.api_key))!);
      const mail = await mailAbout(alert, id);
      expect(mail).toContain(asking);
      expect(pathOf(mail)).toBeUndefined();
      expect(await stack.services.approvalLinks.address('acme', id, alert.subscription.subscription_id)).toBeNull();
    }
    await remove(alert);
  });

  it('only where somebody asked for them who may approve, by Slack or e-mail', async () => {
    const without = await alerted({ approve_links: false });
    const id = await asked('plain');
    expect(pathOf(await mailAbout(without, id))).toBeUndefined();
    const wanted = { target: 'notification', channel: 'email', recipient: 'ann@example.com', types: [], approve_links: true };
    const robo = await stack.caller({ role: 'agent', name: 'robo' });
    expect((await stack.afterApproval(robo, 'event.subscription.save', wanted)).error?.code).toBe('FORBIDDEN');
    const scoped = await stack.caller({ role: 'pm', name: 'narrow', scopes: ['event:*'] });
    expect((await stack.call(scoped, 'event.subscription.save', wanted)).error?.code).toBe('FORBIDDEN');
    for (const target of [
      { ...wanted, channel: 'webhook', recipient: fakes.hooks.url },
      { target: 'webhook', url: fakes.hooks.url, approve_links: true },
    ])
      expect((await stack.call(pam, 'event.subscription.save', target)).error?.code).toBe('VALIDATION_ERROR');
    await remove(without);
  });
});
