/** Clients are notified when their list has changed, also by another process; other clients are not. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openOutside, type Outside } from '../../adapters/open.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { testServer, type TestServer } from '../../api/testing.ts';
import type { Caller } from '../../contracts/caller.ts';
import { topics } from '../../contracts/notices.ts';
import { createServices, type Services } from '../../services/index.ts';
import { echo, openUpstream, type Upstream } from '../setup/mcp.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let server: TestServer;
/** One that combines changes for longer than a busy machine takes for two. */
let patient: TestServer;
/** Simulates another process. */
let elsewhere: { outside: Outside; services: Services };
let upstream: Upstream;
let ann: Caller & { apiKey: string };
let far: Caller & { apiKey: string };
const clients: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  stack = await testStack({ workers: false, model: false, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  const { pipeline, services } = stack;
  const authenticate = (secret: string) => services.governance.keys.authenticate(secret);
  const parts = { pipeline: Object.assign(pipeline, { calls: [] }), authenticate, services: () => services, notices: () => stack.notices };
  server = await testServer(parts);
  patient = await testServer({ ...parts, togetherMs: 2_000 });
  const outside = await openOutside(stack.config, pino({ level: 'silent' }));
  elsewhere = { outside, services: createServices(outside) };
  ann = await stack.caller({ name: 'ann', kind: 'human' });
  far = await stack.caller({ tenant: 'far', name: 'far', kind: 'human' });
  upstream = await openUpstream('2025');
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await server.app.close();
  await patient.app.close();
  await upstream.stop();
  await elsewhere.services.governance.ledger.close();
  await elsewhere.outside.close();
  await stack.stop();
});

interface Ear {
  /** How often it was told. */
  heard: number;
  names(): Promise<string[]>;
}
type Kind = '2026' | '2025' | 'v1' | 'sse';

async function connect(kind: Kind, who: { apiKey: string }, { profile = 'core', session = '', at = server } = {}): Promise<Ear> {
  const ear: Ear = { heard: 0, names: async () => [] };
  const requestInit = { headers: { 'x-api-key': who.apiKey, ...(session === '' ? {} : { 'x-session-id': session }) } };
  const url = new URL(`${at.url}${kind === 'sse' ? `/mcp/sse?profile=${profile}` : `/mcp/p/${profile}`}`);
  const count = (): void => void (ear.heard += 1);
  if (kind === '2025' || kind === '2026') {
    const client = new Client(
      { name: kind, version: '1' },
      {
        ...(kind === '2026' ? { versionNegotiation: { mode: 'auto' as const } } : {}),
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: count } },
      },
    );
    clients.push(client);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    ear.names = async () => (await client.listTools()).tools.map(({ name }) => name.replaceAll('-', '.'));
  } else {
    const client = new OldClient({ name: kind, version: '1' });
    clients.push(client);
    client.setNotificationHandler(ToolListChangedNotificationSchema, count);
    await client.connect(kind === 'sse' ? new SSEClientTransport(url, { requestInit }) : new OldHttp(url, { requestInit }));
    ear.names = async () => (await client.listTools()).tools.map(({ name }) => name.replaceAll('-', '.'));
  }
  return ear;
}

/** Repeats a change until a notice arrives, because the stream may not be open at the first change. */
async function until(ear: Ear, change: (n: number) => Promise<unknown>, everyMs = 1_000): Promise<void> {
  const before = ear.heard;
  let n = 0;
  let changedAt = -Infinity;
  await eventually('the change is heard', async () => {
    if (ear.heard > before) return true;
    if (performance.now() - changedAt > everyMs) {
      await change((n += 1));
      changedAt = performance.now();
    }
    return false;
  });
}

it.each(['2026', '2025', 'v1', 'sse'] as const)(
  'of what was taken along in their session, changed by another process (%s)',
  async (kind) => {
    const open = () => asTenant('acme', () => elsewhere.services.governance.sessions.open(ann, { ttlSeconds: 600 }));
    const [mine, other] = [await open(), await open()];
    const ear = await connect(kind, ann, { session: mine.session_id });
    const deaf = await connect(kind, ann, { session: other.session_id });
    const stranger = await connect(kind, far);
    expect(await ear.names()).not.toContain('graph.store.clear');
    const take = (tools: string[]) =>
      asTenant('acme', () => elsewhere.services.governance.sessions.change(ann, mine.session_id, { tools }));
    await until(ear, (n) => take(n % 2 === 1 ? ['graph.store.clear'] : ['graph.store.clear', 'schema.definition.list']));
    expect(await ear.names()).toContain('graph.store.clear');
    expect([deaf.heard, stranger.heard]).toEqual([0, 0]);
  },
);

it('of tools of other servers, when they list such, and once for what comes together', async () => {
  const all = await connect('2025', ann, { profile: 'all' });
  const core = await connect('2025', ann);
  const stranger = await connect('2025', far, { profile: 'all' });
  await asTenant('acme', () => elsewhere.services.external.add(ann, { name: 'there', url: upstream.url, approval: 'A0' }));
  const approve = (): Promise<unknown> =>
    asTenant('acme', () => elsewhere.services.external.tools.approve(ann, 'there', { tools: ['echo'] }));
  await until(all, approve);
  expect(await all.names()).toContain('external.there.echo');

  const before = all.heard;
  upstream.tools = [{ ...echo, description: 'Says it again, louder.' }];
  await asTenant('acme', () => elsewhere.services.external.test(ann, 'there'));
  await eventually('the changed tool is gone from the list', async () => all.heard > before);
  expect(await all.names()).not.toContain('external.there.echo');

  const slow = await connect('2025', ann, { profile: 'all', at: patient });
  let timeoutMs = 8_000;
  const update = (): Promise<unknown> =>
    asTenant('acme', () => elsewhere.services.external.update(ann, 'there', { timeoutMs: (timeoutMs += 1) }));
  // Its stream is open, and all that was said before is told.
  await until(slow, update, 5_000);
  const now = slow.heard;
  await approve();
  await update();
  await eventually('they are heard', async () => slow.heard > now);
  expect(slow.heard - now).toBe(1);
  expect([core.heard, stranger.heard]).toEqual([0, 0]);
});

it('of a change while the server looks up when the session ends', async () => {
  const session = await asTenant('acme', () => elsewhere.services.governance.sessions.open(ann, { ttlSeconds: 600 }));
  const ear = await connect('2025', ann, { session: session.session_id });
  const take = (tools: string[]) =>
    asTenant('acme', () => elsewhere.services.governance.sessions.change(ann, session.session_id, { tools }));
  await until(ear, (n) => take(n % 2 === 1 ? ['graph.store.clear'] : []));
  const { sessions } = stack.services.governance;
  const left = sessions.left.bind(sessions);
  let first = true;
  const looks = vi.spyOn(sessions, 'left').mockImplementation(async (...given) => {
    if (first) {
      first = false;
      const heard = stack.notices.wait(topics.workSession('acme', session.session_id), 20_000);
      await take(['graph.store.clear', 'schema.definition.list']);
      await heard;
    }
    return await left(...given);
  });
  const before = ear.heard;
  await take(['schema.definition.list']);
  await eventually('both are heard', async () => ear.heard >= before + 2);
  looks.mockRestore();
});

it('of a changed policy, in the whole tenant and nowhere else', async () => {
  const ear = await connect('2025', ann, { profile: 'unified' });
  const stranger = await connect('2025', far, { profile: 'unified' });
  expect(await ear.names()).toContain('graph.store.clear');
  const forbid = (n: number): Promise<unknown> =>
    asTenant('acme', () =>
      elsewhere.services.governance.policies.save(
        ann,
        'standard',
        { base: 'standard', rules: [{ when: 'tool.name == "graph.store.clear"', effect: 'deny', reason: `Not here (${n}).` }] },
        null,
      ),
    );
  await until(ear, forbid);
  expect(await ear.names()).not.toContain('graph.store.clear');
  expect(stranger.heard).toBe(0);
});

it('of a session that ends by itself, once, and not of one that was closed before', { timeout: 90_000 }, async () => {
  const { sessions } = elsewhere.services.governance;
  const open = (ttlSeconds: number) => asTenant('acme', () => sessions.open(ann, { ttlSeconds, tools: ['schema.definition.list'] }));
  const [ending, closed, other] = [await open(20), await open(20), await open(600)];
  const ears = await Promise.all((['2026', '2025'] as const).map((kind) => connect(kind, ann, { session: ending.session_id })));
  const early = await connect('2025', ann, { session: closed.session_id });
  const deaf = await connect('2025', ann, { session: other.session_id });
  for (const ear of ears) expect(await ear.names()).toContain('schema.definition.list');
  await until(early, () => asTenant('acme', () => sessions.close(ann, closed.session_id)));
  const told = early.heard;
  expect(ears.map(({ heard }) => heard)).toEqual([0, 0]);
  await eventually('its end is heard', async () => ears.every(({ heard }) => heard > 0), 60_000);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(ending.expires_at));
  for (const ear of ears) await expect(ear.names()).rejects.toThrow(/is over/);
  expect([...ears.map(({ heard }) => heard), early.heard, deaf.heard]).toEqual([1, 1, told, 0]);
});

it('of a team that may look around now, and not of what it sees', async () => {
  const support = await stack.caller({ name: 'support', kind: 'human', role: 'stakeholder', team: 'support' });
  const ear = await connect('2025', support, { profile: 'unified' });
  const stranger = await connect('2025', far, { profile: 'unified' });
  expect(await ear.names()).not.toContain('signal.record.search');
  const configure = (team: string, areas: string[]): Promise<unknown> =>
    asTenant('acme', () =>
      elsewhere.services.governance.stakeholders.configure(ann, {
        team,
        product_areas: areas,
        entity_types: [],
        data_freshness: 'realtime',
      }),
    );
  // A team of another name each time: what is said of one again is not told.
  await until(ear, async (n) => {
    await configure(`other-${n}`, []);
    if (n === 1) await configure('support', ['Billing']);
  });
  expect(await ear.names()).toContain('signal.record.search');
  const before = ear.heard;
  await configure('support', ['Billing', 'Search']);
  // Notices keep their order: had the former been told, it would be heard no later than this one.
  await configure('another', []);
  await eventually('the other is heard', async () => ear.heard > before);
  expect(ear.heard - before).toBe(1);
  expect(stranger.heard).toBe(0);
});
