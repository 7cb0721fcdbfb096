/** A stream of events ends when the client, its key, its session or the policy's permission ends. */
import { request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerParts } from '../../api/parts.ts';
import type { Caller } from '../../contracts/caller.ts';
import { apiOf } from '../setup/api.ts';
import { openSource, type Source } from '../setup/event-source.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const perKey = 2;
let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false, env: { EVENT_STREAMS_PER_KEY: String(perKey) } });
});
afterAll(() => stack?.stop());

interface Api {
  url: string;
  /** Number of connections whose end the server has noticed. */
  closed(): number;
  close(): Promise<unknown>;
}

async function openApi(parts: Partial<ServerParts> = {}): Promise<Api> {
  const app = apiOf(stack, parts);
  let closed = 0;
  app.server.on('connection', (socket) => socket.on('close', () => (closed += 1)));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/api/agents/v1/events`, closed: () => closed, close: () => app.close() };
}

/** Blocks callers while it is closed. */
function gate() {
  const held: (() => void)[] = [];
  let shut = true;
  return {
    held,
    async pass(): Promise<void> {
      if (shut) await new Promise<void>((free) => held.push(free));
    },
    open(): void {
      shut = false;
      held.splice(0).forEach((free) => free());
    },
  };
}

/** Number of followers of a tenant's events in this process; null: none, and the reader has ended. */
const followers = (tenant: string): number | null => stack.services.events['hub']['lines'].get(tenant)?.followers ?? null;

describe('a client that goes', () => {
  const latch = gate();
  const opening = gate();
  it.each([
    [
      'while its key is looked at',
      'gone-1',
      latch,
      (): Partial<ServerParts> => ({
        authenticate: async (secret) => {
          await latch.pass();
          return await stack.services.governance.keys.authenticate(secret);
        },
      }),
    ],
    [
      'while its stream is opened',
      'gone-2',
      opening,
      (): Partial<ServerParts> => ({
        pipeline: {
          catalogue: stack.pipeline.catalogue,
          metrics: stack.pipeline.metrics,
          list: (...args) => stack.pipeline.list(...args),
          call: async (call) => {
            await opening.pass();
            return await stack.pipeline.call(call);
          },
        },
      }),
    ],
  ])('%s takes no place and follows nothing', async (_, tenant, door, parts) => {
    const who = await stack.caller({ tenant });
    const api = await openApi(parts());
    const connect = (): ClientRequest =>
      request(api.url, { headers: { 'x-api-key': who.apiKey }, agent: false })
        .on('error', () => {})
        .end();
    // Those that are under way count already: no more than there are places.
    const many = tenant === 'gone-1' ? perKey + 1 : perKey;
    for (let i = 1; i <= many; i += 1) {
      const client = connect();
      await eventually('it is held', async () => door.held.length === i);
      client.destroy();
      await eventually('the server knows', async () => api.closed() === i);
    }
    door.open();
    const open: Source[] = [];
    for (let i = 0; i < perKey; i += 1) {
      const source = openSource(api.url, { key: who.apiKey });
      await source.ready;
      expect(source.statuses).toEqual([200]);
      open.push(source);
    }
    await eventually('nobody else follows', async () => followers(tenant) === perKey);
    for (const source of open) source.close();
    // The reader ends with its last follower: no idle reader is left.
    await eventually('nobody follows, and the reader has ended', async () => followers(tenant) === null);
    await api.close();
  });
});

it('an open stream ends with its session, and with the policy that allowed it', async () => {
  const tenant = 'judged';
  const api = await openApi();
  const admin = await stack.caller({ tenant });
  const policy = (rules: object[]): Promise<unknown> => stack.ok(admin, 'system.policy.save', { name: 'watched', base: 'standard', rules });
  await policy([]);
  const keyed = async (): Promise<Caller & { apiKey: string }> => {
    const { api_key: apiKey } = await stack.services.governance.keys.create({ tenant, role: 'admin', policy: 'watched', rpm: 1_000_000 });
    return { ...(await stack.services.governance.keys.authenticate(apiKey))!, apiKey };
  };
  const ruled = await keyed();
  const { session } = await stack.ok<{ session: { session_id: string } }>(admin, 'system.session.open', {});
  const inSession = openSource(api.url, { key: admin.apiKey, headers: { 'x-session-id': session.session_id }, retryMs: 100 });
  const watched = openSource(api.url, { key: ruled.apiKey, retryMs: 100 });
  const untouched = openSource(api.url, { key: admin.apiKey });
  await Promise.all([inSession.ready, watched.ready, untouched.ready]);

  await stack.ok(admin, 'system.session.close', { session_id: session.session_id });
  await policy([
    { when: 'tool.name == "event.stream.subscribe" && caller.front == "rest"', effect: 'deny', reason: 'Nobody listens now.' },
  ]);
  await eventually('both have ended', async () => inSession.ends > 0 && watched.ends > 0);
  expect(inSession.heard.at(-1)).toMatchObject({ event: 'refused', data: expect.stringContaining('GONE') });
  expect(watched.heard.at(-1)).toMatchObject({ event: 'refused', data: expect.stringContaining('Nobody listens now.') });
  await eventually('they are not let in again', async () => inSession.statuses.includes(410) && watched.statuses.includes(403));
  expect([untouched.ends, untouched.statuses]).toEqual([0, [200]]);
  for (const source of [inSession, watched, untouched]) source.close();
  await api.close();
});
