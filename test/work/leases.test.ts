/** Who holds a task, and what it takes to change one that is held: over HTTP, as clients call. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { sessionStore } from '../../api/mcp/session-store.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Envelope } from '../../contracts/envelope.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Task } from '../../contracts/work/work.ts';
import { apiOf } from '../setup/api.ts';
import { replay, save } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

type App = ReturnType<typeof apiOf>;
type Key = Caller & { apiKey: string };
let stack: TestStack;
let app: App;
/** Another api process: knows only the sessions in the database. */
let other: App;
let pm: Key;
beforeAll(async () => {
  stack = await testStack({ model: false });
  const sessions = sessionStore(() => stack.db);
  app = apiOf(stack, { sessions });
  other = apiOf(stack, { sessions });
  pm = await stack.caller({ name: 'pm' });
});
afterAll(async () => {
  await app.close();
  await other.close();
  await stack.stop();
});

type Call = <T = Record<string, any>>(tool: string, args?: object, more?: { app?: App; meta?: object }) => Promise<Envelope & { data: T }>;

/** A client with its own MCP session. */
async function session(key: { apiKey: string }, client = 'claude-code', headers: Record<string, string> = {}): Promise<Call> {
  const common = { 'x-api-key': key.apiKey, accept: 'application/json, text/event-stream', ...headers };
  const clientInfo = { name: client, version: '1' };
  const opened = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: common,
    payload: { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
  });
  const id = opened.headers['mcp-session-id'] as string;
  expect(id).toBeTypeOf('string');
  return async (tool, args = {}, more = {}) => {
    const answer = await (more.app ?? app).inject({
      method: 'POST',
      url: '/mcp',
      headers: { ...common, 'mcp-session-id': id, 'mcp-protocol-version': '2025-06-18' },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args, _meta: more.meta } },
    });
    return answer.json<{ result: { structuredContent: never } }>().result.structuredContent;
  };
}

/** A client without sessions. */
const plain =
  (key: { apiKey: string }, headers: Record<string, string> = {}): Call =>
  async (tool, args = {}) =>
    (
      await app.inject({ method: 'POST', url: `/api/tools/${tool}`, headers: { 'x-api-key': key.apiKey, ...headers }, payload: args })
    ).json();

let phases = 50;
async function freshPhase(tasks = 1, fields: Record<string, unknown> = {}): Promise<{ phase_id: number; ids: string[] }> {
  const phase_id = (phases += 1);
  await stack.ok(pm, 'work.phase.set', { phase_id, ...fields });
  const ids = [];
  for (let n = 0; n < tasks; n += 1) {
    ids.push((await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: `Do ${n}`, phase_id })).task.id);
  }
  return { phase_id, ids };
}
const row = async (id: string): Promise<Task> => (await stack.ok<{ task: Task }>(pm, 'work.task.get', { task_id: id })).task;
const reason = (answer: Envelope) => answer.error?.details?.['reason'];
type Claim = { task: Task; already_held: boolean };

describe('two clients under one key', () => {
  it.each(['human', 'agent'] as const)('of a %s are two workers, and neither completes what the other has claimed', async (kind) => {
    const key = await stack.caller({ name: `shared-${kind}`, kind });
    const { phase_id, ids } = await freshPhase(2);
    const [one, two] = [await session(key, 'Claude Code'), await session(key, 'opencode')];
    const first = (await one<Claim>('work.task.claim', { phase_id })).data.task;
    const second = (await two<Claim>('work.task.claim', { phase_id })).data.task;
    expect([first.id, second.id]).toEqual(ids);
    expect(first.assigned_agent_id).toMatch(new RegExp(`^shared-${kind}/claude-code-[0-9a-f]{8}$`));
    expect(second.assigned_agent_id).toMatch(new RegExp(`^shared-${kind}/opencode-[0-9a-f]{8}$`));
    for (const tool of ['work.task.complete', 'work.task.release', 'update_task_status']) {
      const args = tool === 'update_task_status' ? { status: 'done' } : {};
      const refused = await two(tool, { task_id: first.id, ...args });
      expect(refused.error?.code, tool).toBe('FORBIDDEN');
      expect(reason(refused)).toBe('fencing_token_required');
      expect(refused.error?.suggestion).toContain('Stop working on this task');
    }
    expect((await two('work.task.claim', { task_id: first.id })).error?.code).toBe('CONFLICT');
    expect((await two<Claim>('work.task.get', { task_id: first.id })).data.task.fencing_token).toBeNull();
    expect((await two<Claim>('work.task.get_current')).data.task).toMatchObject({ id: second.id, fencing_token: 1 });
    const again = await one<Claim>('work.task.claim', { phase_id });
    expect(again.data).toMatchObject({ task: { id: first.id, fencing_token: 1 }, already_held: true });
    expect(again.warnings[0]).toContain('already hold');
    // A client that opens a session for each call has its token.
    const later = await session(key, 'claude-code');
    const done = await later<Claim>('work.task.complete', { task_id: first.id, fencing_token: 1 });
    expect(done.data.task).toMatchObject({ status: 'done', ended_as: 'holder' });
  });

  it('outlive the api process: worker and token are found again by another', async () => {
    const key = await stack.caller({ name: 'surviving', kind: 'agent' });
    const { phase_id, ids } = await freshPhase(2);
    const call = await session(key);
    expect((await call<Task>('claim_task', { phase_id })).data.id).toBe(ids[0]);
    const held = await row(ids[0]!);
    expect((await call<Task>('get_my_task', {}, { app: other })).data.id).toBe(ids[0]);
    expect((await call<Claim>('work.task.claim', { phase_id }, { app: other })).data).toMatchObject({
      task: { id: ids[0], assigned_agent_id: held.assigned_agent_id, fencing_token: 1 },
      already_held: true,
    });
    const done = await call('update_task_status', { task_id: ids[0], status: 'done' }, { app: other });
    expect(done.data).toMatchObject({ status: 'done' });
    expect(await row(ids[0]!)).toMatchObject({ ended_as: 'holder', ended_by: held.assigned_agent_id });
  });
});

describe('a named worker', () => {
  it('holds its lease under its key: the name alone, sent with another key, changes nothing', async () => {
    const [mine, theirs] = [await stack.caller({ role: 'agent', name: 'mine' }), await stack.caller({ role: 'agent', name: 'theirs' })];
    const { phase_id, ids } = await freshPhase(2);
    const as = { 'x-agent-id': 'w1' };
    expect((await plain(mine, as)<Claim>('work.task.claim', { phase_id })).data.task).toMatchObject({
      id: ids[0],
      assigned_agent_id: 'w1',
    });
    for (const token of [{}, { fencing_token: 1 }]) {
      for (const [tool, args] of [
        ['work.task.heartbeat', { fencing_token: 1 }],
        ['work.task.complete', token],
        ['work.task.fail', { reason: 'x', ...token }],
        ['work.task.release', token],
        ['work.task.update_status', { status: 'done', ...token }],
        ['update_task_status', { status: 'done' }],
      ] as const) {
        expect((await plain(theirs, as)(tool, { task_id: ids[0], ...args })).error?.code, tool).toBe('FORBIDDEN');
      }
    }
    expect((await plain(theirs, as)('work.task.get_current')).data).toEqual({ task: null });
    // Nor are the two one worker when they claim.
    expect((await plain(theirs, as)<Claim>('work.task.claim', { phase_id })).data.task.id).toBe(ids[1]);
    expect((await plain(mine, as)('work.task.complete', { task_id: ids[0], fencing_token: 1 })).error).toBeUndefined();
  });

  it('is not the creator because it sends the name of one', async () => {
    const stranger = await stack.caller({ role: 'agent', name: 'stranger' });
    const maker = await stack.caller({ role: 'agent', name: 'maker' });
    const { phase_id } = await freshPhase(0);
    const { task } = (await plain(maker)<Claim>('work.task.create', { description: 'Mine', phase_id })).data;
    const as = plain(stranger, { 'x-agent-id': 'maker' });
    expect((await as('work.task.complete', { task_id: task.id })).error?.code).toBe('CONFLICT');
    expect((await as('work.task.fail', { task_id: task.id, reason: 'x' })).error?.code).toBe('CONFLICT');
    const holder = await stack.caller({ role: 'agent', name: 'holder' });
    await plain(holder)('work.task.claim', { task_id: task.id });
    expect((await as('work.task.complete', { task_id: task.id })).error?.code).toBe('FORBIDDEN');
    const done = await plain(maker)<Claim>('work.task.complete', { task_id: task.id });
    expect(done.data.task).toMatchObject({ ended_by: 'maker', ended_as: 'creator', assigned_agent_id: 'holder', fencing_token: null });
    expect(done.refs).toContainEqual({ type: 'agent', id: 'holder' });
  });

  it('that claims in another session goes on there, and what the former one still sends is refused', async () => {
    const key = await stack.caller({ role: 'agent', name: 'moving' });
    const { phase_id, ids } = await freshPhase(1);
    const [before, after] = [await session(key, 'codex', { 'x-agent-id': 'w2' }), await session(key, 'codex', { 'x-agent-id': 'w2' })];
    expect((await before<Claim>('work.task.claim', { phase_id })).data.task.fencing_token).toBe(1);
    const seen = await after<Claim>('work.task.get_current');
    expect(seen.data.task).toMatchObject({ id: ids[0], fencing_token: null });
    expect(seen.warnings[0]).toContain('claim it again');
    expect(reason(await after('update_task_status', { task_id: ids[0], status: 'done' }))).toBe('fencing_token_required');
    // It may see the token that it sends.
    const beaten = await after<{ fencing_token: number | null }>('work.task.heartbeat', { task_id: ids[0], fencing_token: 1 });
    expect(beaten.data.fencing_token).toBe(1);
    const taken = (await after<Claim>('work.task.claim', { phase_id })).data;
    expect(taken).toMatchObject({ task: { id: ids[0], fencing_token: 2, attempts: 1 }, already_held: true });
    const late = await before('work.task.complete', { task_id: ids[0], fencing_token: 1 });
    expect(reason(late)).toBe('stale_fencing_token');
    expect(reason(await before('update_task_status', { task_id: ids[0], status: 'done' }))).toBe('fencing_token_required');
    expect((await after('update_task_status', { task_id: ids[0], status: 'done' })).data).toMatchObject({ status: 'done' });
  });

  it('is the same under the key that replaces its key', async () => {
    const key = await stack.caller({ role: 'agent', name: 'rotating' });
    const { phase_id, ids } = await freshPhase(1);
    await plain(key)('claim_task', { phase_id });
    const rotated = await stack.services.governance.keys.rotate('acme', key.keyId, { graceMs: 60_000 });
    const fresh = plain({ apiKey: rotated.api_key });
    expect((await fresh<Task>('get_my_task')).data.id).toBe(ids[0]);
    expect((await fresh('work.task.heartbeat', { task_id: ids[0], fencing_token: 1 })).error).toBeUndefined();
    expect((await fresh('update_task_status', { task_id: ids[0], status: 'done' })).data).toMatchObject({ status: 'done' });
  });
});

describe('names of systems whose contracts have no token', () => {
  it('take it from the claim of this key and worker where there is no session', async () => {
    const key = await stack.caller({ role: 'agent', name: 'devflow' });
    const { phase_id, ids } = await freshPhase(2, { needs_review: true });
    const [one, two] = [plain(key, { 'x-agent-id': 'd1' }), plain(key, { 'x-agent-id': 'd2' })];
    expect((await one<Task>('claim_task', { phase_id })).data.id).toBe(ids[0]);
    expect((await one('claim_task', { phase_id })).data).toMatchObject({ id: ids[0], already_held: true });
    expect((await two('update_task_status', { task_id: ids[0], status: 'done' })).error?.code).toBe('FORBIDDEN');
    expect((await one('work.task.update_status', { task_id: ids[0], status: 'done' })).error?.code).toBe('FORBIDDEN');
    expect((await one('update_task_status', { task_id: ids[0], status: 'done' })).data).toMatchObject({ status: 'review' });
    // Its answer was lost: handed in again, and not approved by that.
    expect((await one('update_task_status', { task_id: ids[0], status: 'done' })).data).toMatchObject({ status: 'review' });
    expect((await two<Task>('claim_task', { phase_id })).data.id).toBe(ids[1]);
    expect((await two('update_task_status', { task_id: ids[1], status: 'failed', result: 'no' })).data).toMatchObject({ status: 'failed' });
  });

  it('refuse a worker that comes back after its lease, and tell it to stop', async () => {
    const [slow, fast] = [await stack.caller({ role: 'agent', name: 'slow' }), await stack.caller({ role: 'agent', name: 'fast' })];
    const { phase_id, ids } = await freshPhase(1);
    await plain(slow)('work.task.claim', { phase_id, lease_seconds: 1 });
    await eventually('the lease ends', async () => (await plain(fast)<Claim>('work.task.claim', { phase_id })).data.task);
    for (const late of [
      await plain(slow)('update_task_status', { task_id: ids[0], status: 'done' }),
      await plain(slow)('work.task.complete', { task_id: ids[0], fencing_token: 1 }),
    ]) {
      expect(['FORBIDDEN', 'CONFLICT']).toContain(late.error?.code);
      expect(late.error?.suggestion).toContain('Stop working on this task');
    }
  });
});

describe('a complete whose answer was lost', () => {
  it('is answered again to whoever shows the token of that lease, and to nobody else', async () => {
    const [worker, second] = [await stack.caller({ role: 'agent', name: 'losing' }), await stack.caller({ role: 'agent', name: 'second' })];
    const { phase_id, ids } = await freshPhase(1);
    const waiting = (await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'Then', phase_id, blocked_by: ids })).task;
    await plain(worker)('work.task.claim', { phase_id });
    const complete = (call: Call, fencing_token?: number) =>
      call('work.task.complete', { task_id: ids[0], fencing_token, result: 'built' });
    const first = await complete(plain(worker), 1);
    const again = await complete(plain(worker), 1);
    expect(again.error).toBeUndefined();
    expect(again.data['unblocked_tasks']).toEqual([waiting.id]);
    expect(again.data['unblocked_tasks']).toEqual(first.data['unblocked_tasks']);
    for (const refused of [await complete(plain(worker)), await complete(plain(worker), 2), await complete(plain(second), 1)]) {
      expect(refused.error?.code).toBe('CONFLICT');
    }
  });
});

describe('people', () => {
  it('act as people on what an agent holds, and it is recorded so', async () => {
    const agent = await stack.caller({ role: 'agent', name: 'stuck' });
    const { phase_id, ids } = await freshPhase(1);
    await plain(agent)('work.task.claim', { phase_id });
    const failed = await plain(pm)<Claim>('work.task.fail', { task_id: ids[0], reason: 'It takes too long.' });
    expect(failed.data.task).toMatchObject({ status: 'failed', ended_by: 'pm', ended_as: 'person', fencing_token: null });
    const entry = await eventually('the ledger has it', async () => {
      const { events } = await stack.ok<{ events: { type: string; refs: object[] | null }[] }>(pm, 'system.ledger.search', {
        tool: 'work.task.fail',
        principal: 'pm',
      });
      return events.find(({ type, refs }) => type === 'tool.call.completed' && JSON.stringify(refs).includes(ids[0]!));
    });
    expect(entry).toMatchObject({ principal: 'pm', principal_kind: 'human' });
    expect(entry.refs).toContainEqual({ type: 'agent', id: 'stuck' });
  });

  it('fail a task that nobody has claimed; agents do not', async () => {
    const { ids } = await freshPhase(2);
    const agent = await stack.caller({ role: 'agent', name: 'passing' });
    expect((await plain(agent)('update_task_status', { task_id: ids[0], status: 'failed' })).error?.code).toBe('CONFLICT');
    expect((await plain(pm)<Claim>('work.task.fail', { task_id: ids[0], reason: 'moot' })).data.task).toMatchObject({
      status: 'failed',
      failure: 'moot',
      ended_as: 'person',
      attempts: 0,
    });
    expect((await plain(pm)('update_task_status', { task_id: ids[1], status: 'failed' })).data).toMatchObject({ status: 'failed' });
    // And a claim takes it up again.
    expect((await plain(agent)<Claim>('work.task.claim', { task_id: ids[0] })).data.task.status).toBe('in_progress');
  });
});

describe('the token of another', () => {
  it('is read by nobody, wherever a task is shown', async () => {
    const worker = await stack.caller({ role: 'agent', name: 'secretive' });
    const { phase_id, ids } = await freshPhase(1);
    // A unique number.
    await asTenant('acme', () =>
      stack.db.query('update work_tasks set fencing_token = 73530 where tenant_id = $1 and id = $2', ['acme', ids[0]]),
    );
    await stack.temporal.handle(workflowIds.task('acme', ids[0]!)).terminate('started again from its row');
    expect((await plain(worker)<Claim>('work.task.claim', { phase_id })).data.task.fencing_token).toBe(73531);
    const reader = plain(await stack.caller({ name: 'reader' }));
    const shown = [];
    for (const [tool, args] of [
      ['work.task.get', { task_id: ids[0] }],
      ['work.task.list', { phase_id }],
      ['work.board.get', { phase_id }],
      ['get_kanban_board', {}],
      ['get_tasks', { phase_id }],
      ['work.task.claim', { task_id: ids[0] }],
      ['work.task.complete', { task_id: ids[0], fencing_token: 9 }],
      ['work.task.block', { task_id: ids[0], blocked_by: [ids[0]] }],
      ['agent.activity.list', {}],
      ['system.ledger.search', {}],
    ] as const) {
      const answer = await reader(tool, args);
      expect(answer.error?.code, tool).not.toBe('NOT_FOUND');
      shown.push(answer);
    }
    shown.push(await plain(worker)('work.task.complete', { task_id: ids[0], fencing_token: 9 }));
    expect(JSON.stringify(shown)).not.toContain('73531');
    expect((await plain(pm)<Claim>('work.task.release', { task_id: ids[0] })).data.task.fencing_token).toBeNull();
  });
});

describe('a claim that a person approves', () => {
  it('is held by the worker and session that asked', async () => {
    await stack.ok(pm, 'system.policy.save', {
      name: 'asks-to-claim',
      base: 'open',
      rules: [{ when: 'tool.name.startsWith("work.task.")', effect: 'ask', reason: 'Work is asked for.' }],
    });
    const key = await stack.services.governance.keys.create({ tenant: 'acme', role: 'agent', name: 'asking', policy: 'asks-to-claim' });
    const { phase_id, ids } = await freshPhase(1);
    const call = await session({ apiKey: key.api_key });
    const approved = async (tool: string, args: object): Promise<Envelope> => {
      const pending = await call(tool, args);
      expect(pending.status).toBe('pending_approval');
      const said = { approval_id: pending.data['approval_id'] as string, wait_seconds: 30 };
      return (await stack.ok<{ approval: { answer: Envelope } }>(pm, 'approval.request.approve', said)).approval.answer;
    };
    expect((await approved('claim_task', { phase_id })).data).toMatchObject({ id: ids[0] });
    expect((await row(ids[0]!)).assigned_agent_id).toMatch(/^asking\/claude-code-/);
    expect((await approved('update_task_status', { task_id: ids[0], status: 'done' })).data).toMatchObject({ status: 'done' });
  });
});

describe('an idempotency key', () => {
  it('of one worker gets no other worker its claim', async () => {
    const key = await stack.caller({ role: 'agent', name: 'keyed' });
    const { phase_id, ids } = await freshPhase(2);
    const as = (worker: string) => plain(key, { 'x-agent-id': worker, 'idempotency-key': 'claim-17' });
    for (let n = 0; n < 2; n += 1) expect((await as('i1')<Claim>('work.task.claim', { phase_id })).data.task.id).toBe(ids[0]);
    const other = await as('i2')('work.task.claim', { phase_id });
    expect(other.error?.code).toBe('CONFLICT');
    expect(JSON.stringify(other)).not.toContain(ids[0]);
  });

  it('gives the token in another session, too, when the first answer was lost', async () => {
    const key = await stack.caller({ role: 'agent', name: 'restarted' });
    const { phase_id, ids } = await freshPhase(1);
    const inSession = () => session(key, 'codex', { 'x-agent-id': 'i3', 'idempotency-key': 'claim-18' });
    const [before, after] = [await inSession(), await inSession()];
    expect((await before<Claim>('work.task.claim', { phase_id })).data.task).toMatchObject({ id: ids[0], fencing_token: 1 });
    // As a killed api leaves it: the claim stands, its answer was not kept.
    await asTenant('acme', () =>
      stack.db.query(
        `update idempotency_records set state = 'started', owner = '', answer = null where tenant_id = 'acme' and key = 'claim-18'`,
      ),
    );
    const again = await after<Claim>('work.task.claim', { phase_id });
    expect(again.data.task).toMatchObject({ id: ids[0], fencing_token: 1 });
    expect((await after('work.task.heartbeat', { task_id: ids[0], fencing_token: 1 })).error).toBeUndefined();
  });
});

describe('a claim that its task refuses', () => {
  it('gives its reservation back and goes on to the next', async () => {
    const [holder, next] = [await stack.caller({ role: 'agent', name: 'first' }), await stack.caller({ role: 'agent', name: 'next' })];
    const { phase_id, ids } = await freshPhase(2);
    await stack.ok(holder, 'work.task.claim', { task_id: ids[0] });
    // Its row says ready, but its workflow has another state.
    const forge = `update work_tasks set status = 'ready', holder = null, hold_until = null where tenant_id = $1 and id = $2`;
    await asTenant('acme', () => stack.db.query(forge, ['acme', ids[0]]));
    const { task } = await stack.ok<{ task: Task }>(next, 'work.task.claim', { phase_id });
    expect(task.id).toBe(ids[1]);
    const [left] = await asTenant('acme', () =>
      stack.db.query<{ holder: string | null }>('select holder from work_tasks where tenant_id = $1 and id = $2', ['acme', ids[0]]),
    );
    expect(left!.holder).toBeNull();
  });
});

describe('a title', () => {
  it('becomes the first line of the description', async () => {
    const { phase_id } = await freshPhase(0);
    const made = (args: object) => stack.ok<{ task: Task }>(pm, 'work.task.create', { phase_id, ...args });
    expect((await made({ title: 'Login', description: 'Build it.' })).task.description).toBe('Login\n\nBuild it.');
    expect((await made({ title: 'Login', description: 'Login\nBuild it.' })).task.description).toBe('Login\nBuild it.');
  });
});

describe('a lease that ends before its row can be written', () => {
  it('is not given: its claim is refused, and the next one is answered', async () => {
    const { phase_id, ids } = await freshPhase();
    const [id] = ids as [string];
    const agent = await session(await stack.caller({ name: 'late', kind: 'agent' }));
    /** Holds the task's row until its lease of a second has ended. */
    const whileRowIsLocked = async (call: () => Promise<Envelope>): Promise<Envelope> => {
      let answer: Promise<Envelope> | undefined;
      await asTenant('acme', () =>
        stack.db.transaction(async (query) => {
          await query(`select 1 from work_tasks where tenant_id = 'acme' and id = $1 for update`, [id]);
          answer = call();
          await eventually('the end of the lease', async () => (await endings(id)) > 0);
        }),
      );
      return await answer!;
    };
    const claimed = await whileRowIsLocked(() => agent('work.task.claim', { task_id: id, lease_seconds: 1 }));
    expect(claimed).toMatchObject({ status: 'error', error: { code: 'CONFLICT' } });
    expect(['ready', 'lease_expired']).toContain(reason(claimed));
    await eventually('the task to be ready', async () => (await row(id)).status === 'ready');
    // The next claim is answered with its lease.
    const again = await agent<Claim>('work.task.claim', { phase_id, lease_seconds: 60 });
    expect(again.data.task).toMatchObject({ id, status: 'in_progress', attempts: 2 });
    expect(again.data.task.fencing_token).toBeGreaterThan(1);
  });
});

describe('a lease that ends', () => {
  it('is told to the row by an activity that holds no workflow task open, and the process can be replayed', async () => {
    const { phase_id, ids } = await freshPhase();
    const [id] = ids as [string];
    const silent = await session(await stack.caller({ name: 'silent', kind: 'agent' }));
    await silent('work.task.claim', { phase_id, lease_seconds: 3 });
    await eventually('the task to be ready', async () => (await row(id)).status === 'ready');
    const next = await session(await stack.caller({ name: 'next', kind: 'agent' }));
    const { task } = (await next<Claim>('work.task.claim', { phase_id, lease_seconds: 60 })).data;
    await next('work.task.complete', { task_id: id, fencing_token: task.fencing_token });
    const { events } = await stack.temporal.client.workflow.getHandle(workflowIds.task('acme', id)).fetchHistory();
    const steps = (events ?? []).flatMap((event) =>
      event.timerFiredEventAttributes ? 'lease ended' : (event.activityTaskScheduledEventAttributes?.activityType?.name ?? []),
    );
    // On a slow machine an ordinary activity may have written a claim, too.
    expect([steps[steps.indexOf('lease ended') + 1], steps.at(-1)]).toEqual(['writeTask', 'finishTask']);
    const history = { events: events ?? [] };
    expect(await replay([{ id, history }])).toBe(1);
    if (process.env['RECORD_HISTORIES']) save(join(import.meta.dirname, '../replay/histories/task-expiry-1.history.gz'), history);
  });
});

/** Timers of a task's process that have ended: leases that nobody extended. */
async function endings(id: string): Promise<number> {
  const { events } = await stack.temporal.client.workflow.getHandle(workflowIds.task('acme', id)).fetchHistory();
  return (events ?? []).filter(({ timerFiredEventAttributes }) => timerFiredEventAttributes).length;
}
