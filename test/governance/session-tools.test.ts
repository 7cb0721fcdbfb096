/** Signed-in browsers: everybody sees and ends their own, admins all of their tenant; tabs learn it at once. */
import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import type { ConsoleSessionView } from '../../contracts/governance/console-sessions.ts';
import { noticeChannel } from '../../contracts/notices.ts';
import { apiOf } from '../setup/api.ts';
import { openSource } from '../setup/event-source.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let app: FastifyInstance;
let url: string;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
  app = apiOf(stack, { notices: () => stack.notices });
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await app?.close();
  await stack?.stop();
});

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const signIn = async (caller: { apiKey: string }, userAgent = chrome): Promise<string> =>
  await stack.services.governance.consoleSessions.open(caller.apiKey, userAgent);
const known = async (cookie: string): Promise<Caller | null> => {
  stack.services.governance.consoleSessions.forget();
  return (await stack.services.governance.consoleSessions.known(cookie))?.caller ?? null;
};
const list = async (caller: Caller, args: object = {}) =>
  (await stack.ok<{ sessions: ConsoleSessionView[] }>(caller, 'access.session.list', args)).sessions;
const end = async (caller: Caller, args: object) =>
  (await stack.ok<{ ended: { session_id: string }[] }>(caller, 'access.session.end', args)).ended;

it('lists those of the caller, and says which one asks', async () => {
  const ann = await stack.caller({ name: 'ann' });
  const bob = await stack.caller({ name: 'bob' });
  const cookies = [await signIn(ann), await signIn(ann, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')];
  await signIn(bob);
  await stack.services.governance.consoleSessions.code(ann);
  const mine = await list((await known(cookies[0]!))!);
  expect(mine.map(({ browser, current, means, principal }) => ({ browser, current, means, principal }))).toEqual([
    { browser: 'Firefox on Linux', current: false, means: 'key', principal: 'ann' },
    { browser: 'Chrome on Windows', current: true, means: 'key', principal: 'ann' },
  ]);
  expect(await list(await stack.caller({ tenant: 'globex', name: 'ann' }), { all: true })).toEqual([]);
});

it('belongs to the key and its replacements', async () => {
  const cid = await stack.caller({ name: 'cid' });
  const cookie = await signIn(cid);
  const next = await stack.services.governance.keys.rotate('acme', cid.keyId, { graceMs: 60_000 });
  const replaced = (await stack.services.governance.keys.authenticate(next.api_key))!;
  expect(await list(replaced)).toHaveLength(1);
  await end(replaced, { others: true });
  expect(await known(cookie)).toBeNull();
});

it.each(['readonly', 'stakeholder', 'agent', 'pm'] as const)('the role %s ends its own, and no others', async (role) => {
  const own = await stack.caller({ name: `own-${role}`, role, ...(role === 'stakeholder' ? { team: 'sales' } : {}) });
  const other = await stack.caller({ name: `other-${role}` });
  const [here, there, theirs] = [await signIn(own), await signIn(own), await signIn(other)];
  const me = (await known(here))!;
  const [session] = await list(other);
  // As if it did not exist.
  expect(await end(me, { session_id: session!.session_id })).toEqual([]);
  for (const args of [{ key_id: other.keyId }, { person: `other-${role}` }])
    expect((await stack.call(me, 'access.session.end', args)).error).toMatchObject({ code: 'FORBIDDEN' });
  expect((await stack.call(me, 'access.session.list', { all: true })).error).toMatchObject({ code: 'FORBIDDEN' });
  expect(await end(me, { others: true })).toHaveLength(1);
  expect([await known(here), await known(there), await known(theirs)].map((one) => one?.keyName)).toEqual([
    `own-${role}`,
    undefined,
    `other-${role}`,
  ]);
});

it('admins end those of a key or a person; an agent that is an admin does not', async () => {
  const admin = await stack.caller({ name: 'admin' });
  const dora = await stack.caller({ name: 'dora', role: 'pm' });
  const again = await stack.caller({ name: 'dora', role: 'pm' });
  const cookies = [await signIn(dora), await signIn(dora), await signIn(again)];
  expect(await list(admin, { all: true, person: 'dora' })).toHaveLength(3);
  const bot = await stack.caller({ name: 'bot', kind: 'agent' });
  expect((await stack.call(bot, 'access.session.end', { person: 'dora' })).error).toMatchObject({ code: 'FORBIDDEN' });
  const narrow = await stack.caller({ name: 'narrow', scopes: ['work:*'] });
  expect((await stack.call(narrow, 'access.session.end', { person: 'dora' })).error).toMatchObject({ code: 'FORBIDDEN' });
  expect(await end(admin, { key_id: dora.keyId })).toHaveLength(2);
  expect(await end(admin, { person: 'dora' })).toHaveLength(1);
  expect(await Promise.all(cookies.map(known))).toEqual([null, null, null]);
  // Late, and repeated: nothing is left to do.
  const late = await stack.call(admin, 'access.session.end', { person: 'dora' });
  expect([late.envelope.status, late.envelope.warnings]).toEqual([
    'success',
    ['No session ended: there was none, or it has ended already.'],
  ]);
});

it('says which; one way at a time', async () => {
  const ann = await stack.caller({ name: 'ann2' });
  for (const args of [{}, { others: true, person: 'ann2' }, { session_id: 'con_x', key_id: 'key_x' }])
    expect((await stack.call(ann, 'access.session.end', args)).error).toMatchObject({ code: 'VALIDATION_ERROR' });
});

it('ends each once when two end all others at the same time', async () => {
  const eli = await stack.caller({ name: 'eli' });
  const cookies = await Promise.all(Array.from({ length: 6 }, () => signIn(eli)));
  const me = (await known(cookies[0]!))!;
  const ended = await Promise.all([end(me, { others: true }), end(me, { others: true })]);
  expect(ended.flat()).toHaveLength(5);
  expect((await known(cookies[0]!))?.keyName).toBe('eli');
});

it('tells the open page at once', async () => {
  const fay = await stack.caller({ name: 'fay' });
  const [here, there] = [await signIn(fay), await signIn(fay)];
  const name = stack.services.governance.consoleSessions.cookieName;
  // Only the notice can tell it: the stream's own look at its key, every few seconds, never comes.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const source = openSource(`${url}/console/api/events`, {
    key: '',
    headers: { 'sec-fetch-site': 'same-origin', cookie: `${name}=${there}` },
    retryMs: 60_000,
  });
  await source.ready;
  vi.useRealTimers();
  // The process listens from its first stream on.
  await eventually('notices arrive', async () => {
    const came = stack.notices.wait('warm', 500);
    await stack.db.query('select pg_notify($1, $2)', [noticeChannel, 'warm']);
    return await came;
  });
  await end((await known(here))!, { others: true });
  await eventually('the stream says so', async () => source.heard.some(({ event }) => event === 'session.ended'));
  source.close();
});
