/** Thousands of MCP sessions and work sessions, opened and dropped: what remains in the api process and in the tables. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import pg from 'pg';
import { Agent, request } from 'undici';
import { openOutside } from '../../adapters/open.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { createLogger } from '../../platform/logger.ts';
import { createServices } from '../../services/index.ts';
import { thinCaller } from '../clients.ts';
import { eventually, type Context } from '../context.ts';
import { memoryOf } from '../processes.ts';
import type { Line, Section } from '../report.ts';
import { each } from '../stats.ts';

const tenant = 'soak';
const width = 16;
/** The api keeps up to this many abandoned sessions in memory; only when this store is full does its size show a leak. */
const keptSessions = 2_000;
/** Allowed growth of the api's memory, for caches and fragmentation. */
const memoryGoal = 1.25;

interface Left {
  children: number;
  sockets: number;
  files: number;
  timers: number;
  /** Resources of the event loop, without timers. */
  resources: number;
  heapMb: number;
  rssMb: number;
  mcpSessions: number;
  workSessions: number;
}

interface Soak {
  api: string;
  pid: number;
  key: string;
  agent: Agent;
}

const version = '2025-06-18';
const accept = 'application/json, text/event-stream';

async function post({ api, key, agent }: Soak, body: object, headers: Record<string, string> = {}) {
  return await request(`${api}/mcp`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, 'x-api-key': key, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...body }),
  });
}

/** @returns the headers of its requests */
async function open(soak: Soak): Promise<Record<string, string>> {
  const clientInfo = { name: 'soak', version: '1' };
  const answer = await post(soak, { id: 1, method: 'initialize', params: { protocolVersion: version, capabilities: {}, clientInfo } });
  await answer.body.dump();
  const session = String(answer.headers['mcp-session-id']);
  if (answer.statusCode !== 200) throw new Error(`initialize: HTTP ${answer.statusCode}`);
  const headers = { 'mcp-session-id': session, 'mcp-protocol-version': version };
  await (await post(soak, { method: 'notifications/initialized' }, headers)).body.dump();
  return headers;
}

/** Opens a stream, reads its beginning, and cuts the connection. */
async function cut(
  soak: Soak,
  path: string,
  options: { headers?: Record<string, string>; body?: object; quiet?: boolean } = {},
): Promise<void> {
  // A separate connection, because destroying the request destroys its socket.
  const agent = new Agent({ connections: 1 });
  const { headers = {}, body, quiet = false } = options;
  const answer = await request(`${soak.api}${path}`, {
    dispatcher: agent,
    method: body ? 'POST' : 'GET',
    headers: { accept: body ? accept : 'text/event-stream', 'content-type': 'application/json', 'x-api-key': soak.key, ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (answer.statusCode !== 200) throw new Error(`${path}: HTTP ${answer.statusCode} ${await answer.body.text()}`);
  answer.body.on('error', () => {});
  if (!quiet) await new Promise<void>((heard) => answer.body.once('data', () => heard()));
  await agent.destroy();
}

const ways: ((soak: Soak, index: number) => Promise<void>)[] = [
  async function ended(soak) {
    const headers = await open(soak);
    await (await post(soak, { id: 2, method: 'tools/list', params: {} }, headers)).body.dump();
    const { body } = await request(`${soak.api}/mcp`, {
      dispatcher: soak.agent,
      method: 'DELETE',
      headers: { 'x-api-key': soak.key, ...headers },
    });
    await body.dump();
  },
  async function forgotten(soak) {
    await open(soak);
  },
  async function cutWhileListening(soak) {
    const headers = await open(soak);
    await cut(soak, '/mcp', { headers, quiet: true });
  },
  async function cutOldStream(soak) {
    await cut(soak, '/mcp/sse');
  },
  async function cutSubscription(soak, index) {
    const method = 'subscriptions/listen';
    await cut(soak, '/mcp', {
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
      body: {
        jsonrpc: '2.0',
        id: `listen:${index}`,
        method,
        params: {
          notifications: { toolsListChanged: true },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'soak', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
    });
  },
];

const sum = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0);

function descriptors(pid: number): { sockets: number; files: number } {
  const targets = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  const sockets = targets.filter((target) => target.startsWith('socket:')).length;
  return { sockets, files: targets.length - sockets };
}

const childrenOf = (pid: number): number => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).length;

async function left({ api, pid }: Soak, db: pg.Client): Promise<Left> {
  const answer = await request(`${api}/metrics`);
  const metrics = await answer.body.text();
  const timers = sum(metrics, /^nodejs_active_resources\{type="Timeout"\} (\d+)/gm);
  const { rows } = await db.query<{ mcp: number; work: number }>(
    'select (select count(*)::int from mcp_sessions) as mcp, (select count(*)::int from work_sessions) as work',
  );
  return {
    children: childrenOf(pid),
    ...descriptors(pid),
    timers,
    resources: sum(metrics, /^nodejs_active_resources\{type="[^"]*"\} (\d+)/gm) - timers,
    heapMb: sum(metrics, /^nodejs_heap_size_used_bytes (\d+)/gm) / 1e6,
    rssMb: memoryOf({ api: pid })['api']!.rss / 1e6,
    mcpSessions: rows[0]!.mcp,
    workSessions: rows[0]!.work,
  };
}

/** Closing takes time: waits until the numbers stop shrinking. */
async function settled(soak: Soak, db: pg.Client): Promise<Left> {
  let last = await left(soak, db);
  let same = 0;
  return await eventually('the api comes to rest', async () => {
    await new Promise((done) => setTimeout(done, 200));
    const now = await left(soak, db);
    const rest = now.sockets === last.sockets && now.timers === last.timers && now.resources === last.resources;
    same = rest ? same + 1 : 0;
    last = now;
    return same >= 5 && now;
  });
}

/** Opens, changes and closes work sessions, lets others expire, and runs the worker's sweep. */
async function workSessions({ stack }: Context, soak: Soak, owner: pg.Client, count: number): Promise<void> {
  const caller = thinCaller(`${soak.api}/mcp`, soak.key);
  try {
    await each(count, width, async (index) => {
      const { session } = await caller.ok<{ session: { session_id: string } }>('system.session.open', {
        name: `s${index}`,
        ttl_seconds: 60,
      });
      await caller.ok('system.session.update', { session_id: session.session_id, tools: ['work.board.get'] });
      if (index % 2 === 0) await caller.ok('system.session.close', { session_id: session.session_id });
      // Moves the clock, so that the session has expired.
      else await owner.query(`update work_sessions set expires_at = now() - interval '2 days' where id = $1`, [session.session_id]);
    });
  } finally {
    await caller.close();
  }
  await owner.query(`update work_sessions set closed_at = now() - interval '2 days' where closed_at is not null`);
  const outside = await openOutside(
    { ...stack.config, DATABASE_URL: stack.runtime.database_url, TEMPORAL_ADDRESS: stack.runtime.temporal },
    createLogger('bench', 'silent'),
  );
  try {
    const services = createServices(outside);
    await asTenant(tenant, () => services.governance.sessions.sweep(tenant));
  } finally {
    await outside.close();
  }
}

export async function measureSoak(context: Context): Promise<Section> {
  const { stack, quick, say } = context;
  const rounds = quick ? 500 : 10_000;
  const agent = new Agent({ connections: width });
  const key = await stack.key({ tenant, role: 'agent', name: 'soaker' });
  const soak: Soak = { api: stack.runtime.mcp.replace(/\/mcp$/, ''), pid: stack.runtime.pids['api']!, key, agent };
  const owner = new pg.Client({ connectionString: stack.runtime.database_owner_url });
  await owner.connect();
  try {
    say(`soak: ${keptSessions} forgotten sessions, until the api keeps no more`);
    await each(keptSessions + 200, width, (index) => (index < 200 ? ways[index % ways.length]!(soak, index) : open(soak).then(() => {})));
    await workSessions(context, soak, owner, 40);
    const before = await settled(soak, owner);

    say(`soak: ${rounds} sessions in ${ways.length} ways`);
    await each(rounds, width, async (index) => {
      await ways[index % ways.length]!(soak, index);
      if (index % 1_000 === 999) say(`soak: ${index + 1}`);
    });
    await workSessions(context, soak, owner, rounds / 10);
    // Moves the clock by a week.
    await owner.query(`update mcp_sessions set last_seen_at = last_seen_at - interval '8 days'`);
    await open(soak);
    const after = await settled(soak, owner);
    return { title: `Soak: ${rounds} MCP sessions opened and dropped, ${rounds / 10} work sessions`, lines: linesOf(before, after), notes };
  } finally {
    await owner.end();
    await agent.close();
  }
}

const notes = [
  'Product: after; floor: before, when the api already keeps as many forgotten sessions as it ever will.',
  'Ways: ended by DELETE; forgotten; cut while listening (2025); cut old SSE stream; cut subscription (2026-07-28).',
  'Rows: those of sessions unseen for a week go with the next new one, those of work sessions a day after their end; clocks are moved on.',
];

function linesOf(before: Left, after: Left): Line[] {
  const counted = (path: string, name: 'children' | 'sockets' | 'files' | 'timers' | 'resources'): Line => ({
    path,
    product: String(after[name]),
    floor: String(before[name]),
    goal: 'no more',
    met: after[name] <= before[name] + (name === 'children' ? 0 : slack),
    figures: { before: before[name], after: after[name] },
  });
  const memory = (path: string, name: 'heapMb' | 'rssMb', goal: number | null): Line => ({
    path,
    product: `${after[name].toFixed(0)} MB`,
    floor: `${before[name].toFixed(0)} MB`,
    ratio: after[name] / before[name],
    goal: goal === null ? '' : `≤ ${goal} ×`,
    ...(goal === null ? {} : { met: after[name] <= goal * before[name] }),
    figures: { before: before[name], after: after[name] },
  });
  const rows = (path: string, name: 'mcpSessions' | 'workSessions', goal: number): Line => ({
    path,
    product: String(after[name]),
    floor: String(before[name]),
    goal: String(goal),
    met: after[name] === goal,
    figures: { before: before[name], after: after[name] },
  });
  return [
    counted('child processes of the api', 'children'),
    counted('sockets', 'sockets'),
    counted('other open files', 'files'),
    counted('timers', 'timers'),
    counted('other resources of the event loop', 'resources'),
    memory('heap in use', 'heapMb', null),
    memory('resident memory', 'rssMb', memoryGoal),
    rows('rows of MCP sessions', 'mcpSessions', 1),
    rows('rows of work sessions', 'workSessions', 0),
  ];
}

/** Tolerance, because the numbers of pooled connections to Postgres and Temporal vary. */
const slack = 4;
