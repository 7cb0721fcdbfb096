import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { systemTenant } from '../../contracts/agents/agents.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { forgetOldDelegations } from '../../services/agents/delegation-records.ts';
import { openDoor, openTarget, rest, type Door, type Target } from '../setup/peers.ts';
import { histories, replay, save } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

type Who = Caller & { apiKey: string };

describe('tasks that other agents hand to this platform', () => {
  let stack: TestStack;
  let door: Door;
  let ann: Who;
  let partner: Target;
  let serial = 0;

  beforeAll(async () => {
    door = await openDoor();
    stack = await testStack({ model: false, env: { ALLOW_PRIVATE_NETWORK: 'true', A2A_ENDPOINT_URL: door.url } });
    await door.serve(stack);
    ann = await stack.caller({ tenant: 'acme', name: 'ann' });
    partner = await openTarget((seen) =>
      seen.path === '/flaky' && partner.seen.filter((one) => one.path === '/flaky').length === 1 ? { status: 502 } : undefined,
    );
  });
  afterAll(async () => {
    await partner?.close();
    await door?.close();
    await stack?.stop();
  });

  const task = (capability: string, parameters: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => {
    serial += 1;
    return {
      task_id: `partner-task-${serial}`,
      source_agent: 'partner',
      target_agent: 'agentic-rag-001',
      capability_name: capability,
      parameters,
      priority: 7,
      timeout_seconds: 60,
      correlation_id: `trace-${serial}`,
      created_at: new Date().toISOString(),
      callback_url: `${partner.url}/back/${serial}`,
      callback_token: `token-of-task-${serial}`,
      task_type: 'something of a later version',
      ...more,
    };
  };
  const hand = (body: object, key = ann.apiKey) => rest(door.url, 'POST', '/a2a/tasks', { key, body });
  const back = (path: string) => eventually(`an answer at ${path}`, async () => partner.seen.find((one) => one.path === path), 30_000);
  const result = async (id: string, wait = 20) =>
    (await rest(door.url, 'GET', `/a2a/tasks/${id}/result?wait_seconds=${wait}`, { key: ann.apiKey })).body;

  it('run a reading tool by any of its names and post its answer back', async () => {
    await stack.ok(ann, 'work.task.create', { description: 'Something on the board', phase_id: 1 });
    const wanted = task('work.board.get');
    expect(await hand(wanted)).toMatchObject({ status: 200, body: { status: 'accepted', task_id: wanted.task_id } });
    const told = await back(`/back/${serial}`);
    expect(told.headers).toMatchObject({ 'x-a2a-task-token': wanted.callback_token, 'x-correlation-id': wanted.correlation_id });
    expect(told.body).toMatchObject({ task_id: wanted.task_id, status: 'completed', execution_time_ms: expect.any(Number) });
    expect(JSON.stringify(told.body.result)).toContain('Something on the board');
    expect(await result(wanted.task_id)).toEqual({ ...told.body });
    // After the task was accepted, a repeat is the same task.
    expect(await hand({ ...wanted, callback_token: 'another-token' })).toMatchObject({ status: 200, body: { status: 'accepted' } });
    expect(await hand({ ...wanted, parameters: { other: 1 } })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });

  it('ingest, and refuse what is neither reading nor ingesting', async () => {
    const wanted = task('ingest.content.submit', { source: { kind: 'text', text: 'The export is slow on Mondays.', title: 'A note' } });
    expect((await hand(wanted)).status).toBe(200);
    expect(await result(wanted.task_id)).toMatchObject({ status: 'completed' });
    for (const capability of ['work.task.create', 'agent.task.delegate', 'no.such.tool', 'knowledge.base.delete']) {
      expect(await hand(task(capability))).toMatchObject({
        status: 400,
        body: {
          code: 'VALIDATION_ERROR',
          detail: `This platform lacks capability: ${capability}`,
          type: 'urn:signalbox:problem:validation_error',
        },
      });
    }
  });

  it('fail as the tool fails, with its reason', async () => {
    const wanted = task('work.task.get', { task_id: 'task_nowhere' });
    await hand(wanted);
    expect((await back(`/back/${serial}`)).body).toMatchObject({
      status: 'failed',
      error_code: 'NOT_FOUND',
      error: expect.stringContaining('task_nowhere'),
    });
  });

  it('stay within what the key may do', async () => {
    const reader = await stack.caller({ tenant: 'acme', role: 'readonly', name: 'reader' });
    expect(await hand(task('work.board.get'), reader.apiKey)).toMatchObject({ status: 403 });
    const wanted = task('work.board.get');
    const guest = await stack.caller({ tenant: 'acme', name: 'guest' });
    await stack.stopWorkers();
    await hand(wanted, guest.apiKey);
    await stack.services.governance.keys.revoke('acme', guest.keyId);
    await stack.startWorkers();
    expect(await result(wanted.task_id)).toMatchObject({ status: 'failed', error_code: 'UNAUTHORIZED' });
  }, 60_000);

  it('are called back again after a failure of the other side', async () => {
    const wanted = task('work.phase.list', {}, { callback_url: `${partner.url}/flaky` });
    await hand(wanted);
    await eventually('it is told again', async () => partner.seen.filter((one) => one.path === '/flaky').length === 2);
  });

  it('send the partner’s credential only to where the partner is registered', async () => {
    const { agent_id } = await stack.ok(ann, 'agent.peer.register', {
      agent_type: 'partner',
      endpoint_url: partner.url,
      capabilities: [{ name: 'x' }],
      credential: 'X-Partner-Key: open sesame',
    });
    const elsewhere = await openTarget();
    await hand(task('work.phase.list', {}, { source_agent: agent_id, callback_url: `${partner.url}/with-credential` }));
    await hand(task('work.phase.list', {}, { source_agent: agent_id, callback_url: `${elsewhere.url}/without` }));
    expect((await back('/with-credential')).headers['x-partner-key']).toBe('open sesame');
    const other = await eventually('the other answer', async () => elsewhere.seen[0]);
    expect(other.headers['x-partner-key']).toBeUndefined();
    expect(other.headers['x-a2a-task-token']).toBe(`token-of-task-${serial}`);
    await elsewhere.close();
  });

  it('refuse callbacks to where nobody should be called', async () => {
    expect(await hand(task('work.phase.list', {}, { callback_url: 'http://169.254.169.254/x' }))).toMatchObject({ status: 400 });
    expect(await hand(task('work.phase.list', {}, { callback_url: 'file:///etc/passwd' }))).toMatchObject({ status: 400 });
  });

  it('put no work on the board that the key may not file, and every filing into the ledger', async () => {
    const { keys } = stack.services.governance;
    const filed = async (keyId: string) =>
      (
        await asTenant('acme', () =>
          stack.db.query<{ type: string }>(
            `select type from ledger_events where tenant_id = $1 and tool = 'work.task.create' and key_id = $2 order by at, id`,
            ['acme', keyId],
          ),
        )
      ).map(({ type }) => type);
    const barred = await keys.create({ tenant: 'acme', role: 'agent', name: 'barred', capabilities: ['cap:agent'] });
    const caller = (await keys.authenticate(barred.api_key))!;
    const work = { taskId: 'barred-work', capability: 'work', parameters: { description: 'Barred work' }, priority: 5 };
    const refused = await asTenant('acme', () => stack.services.agents.delegation.received.receive(caller, work));
    expect(await result(refused.task_id)).toMatchObject({ status: 'failed', error_code: 'FORBIDDEN' });
    const listed = async () => (await stack.ok(ann, 'work.task.list', { newest_first: true })).tasks as { description: string }[];
    expect((await listed()).filter(({ description }) => description === 'Barred work')).toEqual([]);

    const allowed = await stack.caller({ tenant: 'acme', role: 'agent', name: 'allowed' });
    await hand(task('work', { description: 'Allowed work' }), allowed.apiKey);
    await eventually('its task', async () => (await listed()).some(({ description }) => description === 'Allowed work'));
    await eventually('both entries', async () => (await filed(allowed.keyId)).length === 2);
    expect(await filed(allowed.keyId)).toEqual(['tool.call.started', 'tool.call.completed']);
  });

  it('are listed without leaving out those of one moment', async () => {
    await asTenant('acme', () =>
      stack.db.query(
        `update delegated_tasks set created_at = '2026-01-01T00:00:00.123Z'::timestamptz + (ascii(right(id, 1)) % 3) * interval '1 microsecond'
         where tenant_id = $1 and direction = 'received'`,
        ['acme'],
      ),
    );
    const all = (await stack.ok(ann, 'agent.task.list', { direction: 'received', limit: 200 })).tasks as { task_id: string }[];
    const seen: { task_id: string }[] = [];
    for (let next: string | undefined; ;) {
      const query = new URLSearchParams({ direction: 'received', limit: '2', ...(next ? { cursor: next } : {}) });
      const { body } = await rest(door.url, 'GET', `/a2a/tasks?${query}`, { key: ann.apiKey });
      seen.push(...body.tasks);
      next = body.next_cursor;
      if (!next) break;
    }
    expect(seen.map(({ task_id }) => task_id)).toEqual(all.map(({ task_id }) => task_id));
  });

  it('become work on the board, and their completion is the result', async () => {
    const wanted = task('work', { description: 'Call the customer back', phase_id: 2 }, { progress_url: `${partner.url}/progress` });
    await hand(wanted);
    const agent = await stack.caller({ tenant: 'acme', role: 'agent', name: 'worker-1' });
    const held = await eventually('it is on the board', async () => (await stack.ok(agent, 'work.task.claim', { phase_id: 2 })).task);
    expect(held).toMatchObject({ description: 'Call the customer back', priority: 'high' });
    await stack.ok(agent, 'work.task.heartbeat', { task_id: held.id, fencing_token: 1, progress: 'ringing' });
    const progress = await eventually('its progress is told', async () =>
      partner.seen.find((one) => one.path === '/progress' && one.body.progress?.message === 'ringing'),
    );
    expect(progress.headers['x-a2a-task-token']).toBe(wanted.callback_token);
    await stack.ok(agent, 'work.task.complete', { task_id: held.id, fencing_token: 1, result: 'They are happy.' });
    expect((await back(`/back/${serial}`)).body).toMatchObject({
      status: 'completed',
      result: { task_id: held.id, result: 'They are happy.' },
    });
    expect((await stack.ok(ann, 'agent.task.get', { task_id: wanted.task_id })).task).toMatchObject({
      direction: 'received',
      work_task_id: held.id,
    });
  });

  it('are withdrawn from the board when they are cancelled', async () => {
    const wanted = task('work', { description: 'Never mind', phase_id: 3 });
    await hand(wanted);
    const id = await eventually(
      'it is on the board',
      async () => (await stack.ok(ann, 'agent.task.get', { task_id: wanted.task_id })).task.work_task_id,
    );
    expect(await rest(door.url, 'DELETE', `/a2a/tasks/${wanted.task_id}`, { key: ann.apiKey })).toMatchObject({
      status: 200,
      body: { status: 'cancelled' },
    });
    await eventually('it is off the board', async () => (await stack.ok(ann, 'work.task.get', { task_id: id })).task.status === 'failed');
    expect((await back(`/back/${serial}`)).body).toMatchObject({ status: 'cancelled' });
    expect(await rest(door.url, 'DELETE', `/a2a/tasks/${wanted.task_id}`, { key: ann.apiKey })).toMatchObject({ status: 200 });
  });

  it('fail when nobody on the board gets to them in time', async () => {
    const wanted = task('work', { description: 'Urgent', phase_id: 3 }, { timeout_seconds: 1 });
    await hand(wanted);
    expect((await back(`/back/${serial}`)).body).toMatchObject({ status: 'failed', error_code: 'TIMEOUT' });
  });

  it('go through workers that stop in the middle', async () => {
    const wanted = task('work', { description: 'Patience', phase_id: 2 });
    await hand(wanted);
    const agent = await stack.caller({ tenant: 'acme', role: 'agent', name: 'worker-2' });
    const held = await eventually('it is on the board', async () => (await stack.ok(agent, 'work.task.claim', { phase_id: 2 })).task);
    await stack.stopWorkers();
    const read = task('work.phase.list');
    await hand(read);
    await stack.startWorkers();
    await stack.ok(agent, 'work.task.complete', { task_id: held.id, fencing_token: 1, result: 'done' });
    expect(await result(wanted.task_id)).toMatchObject({ status: 'completed', result: { result: 'done' } });
    expect(await result(read.task_id)).toMatchObject({ status: 'completed' });
  }, 60_000);

  it('may come from this platform itself, both sides under one id', async () => {
    await asTenant(systemTenant, async () => {
      await stack.db.query(
        `insert into agents (tenant_id, id, kind, agent_type, name, protocol, health, registered_by, key_id) values
         ('system', 'agentic-rag-001', 'peer', 'agentic-rag', 'Signalbox', 'local', 'healthy', 'signalbox', 'system')`,
      );
      await stack.db.query(
        `insert into agent_capabilities (tenant_id, agent_id, name) values ('system', 'agentic-rag-001', 'work.phase.list'), ('system', 'agentic-rag-001', 'work')`,
      );
    });
    const done = await stack.ok(ann, 'agent.task.delegate', { capability_name: 'work.phase.list', wait_seconds: 20 });
    expect(done).toMatchObject({ status: 'completed', target_agent: 'agentic-rag-001', result: { phases: expect.any(Array) } });

    const { task_id } = await stack.ok(ann, 'agent.task.delegate', {
      capability_name: 'work',
      parameters: { description: 'For ourselves', phase_id: 3 },
    });
    const id = await eventually('it is on the board', async () => {
      const { tasks } = await stack.ok(ann, 'agent.task.list', { direction: 'received' });
      return tasks.find((one: { task_id: string }) => one.task_id === task_id)?.work_task_id;
    });
    expect((await stack.ok(ann, 'agent.task.cancel', { task_id })).status).toBe('cancelled');
    await eventually(
      'the other side hears of it',
      async () => (await stack.ok(ann, 'agent.task.get', { task_id, direction: 'received' })).task.status === 'cancelled',
    );
    await eventually('and the board', async () => (await stack.ok(ann, 'work.task.get', { task_id: id })).task.status === 'failed');

    // A key that may not create a task cannot create one through delegation.
    const key = await stack.services.governance.keys.create({
      tenant: 'acme',
      role: 'agent',
      name: 'narrow',
      scopes: ['agent:write', 'agent:read'],
    });
    const narrow = (await stack.services.governance.keys.authenticate(key.api_key))!;
    const refused = await stack.ok(narrow, 'agent.task.delegate', {
      capability_name: 'work',
      parameters: { description: 'By the back door', phase_id: 3 },
      wait_seconds: 20,
    });
    expect(refused).toMatchObject({ status: 'failed', error_code: 'FORBIDDEN' });
  }, 60_000);

  it('keep what they carry out of histories', async () => {
    const wanted = task('work.task.get', { task_id: 'parameter-secret' });
    await hand(wanted);
    await result(wanted.task_id);
    const history = JSON.stringify(await stack.temporal.handle(workflowIds.received('acme', wanted.task_id)).fetchHistory());
    const plain = [...history.matchAll(/"data":"([A-Za-z0-9+/=]+)"/g)]
      .map((found) => Buffer.from(found[1]!, 'base64').toString('utf8'))
      .join('\n');
    for (const secret of ['parameter-secret', wanted.callback_token]) expect(history + plain).not.toContain(secret);
  });

  it('are kept for seven days', async () => {
    const wanted = task('work.phase.list');
    await hand(wanted);
    await result(wanted.task_id);
    const forget = () => asTenant('acme', () => forgetOldDelegations(stack.db.query, 'acme', 7));
    await forget();
    expect(await result(wanted.task_id, 0)).toMatchObject({ status: 'completed' });
    await asTenant('acme', () =>
      stack.db.query(`update delegated_tasks set completed_at = now() - interval '8 days' where tenant_id = $1 and id = $2`, [
        'acme',
        wanted.task_id,
      ]),
    );
    expect(await forget()).toBe(1);
    expect((await rest(door.url, 'GET', `/a2a/tasks/${wanted.task_id}/result`, { key: ann.apiKey })).status).toBe(404);
  });

  it('replay', async () => {
    const query = "WorkflowType = 'received'";
    expect(await replay(histories(stack.temporal.client, query))).toBeGreaterThan(10);
    if (!process.env['RECORD_HISTORIES']) return;
    const folder = fileURLToPath(new URL('../replay/histories', import.meta.url));
    mkdirSync(folder, { recursive: true });
    let count = 0;
    for await (const { history } of histories(stack.temporal.client, query)) {
      count += 1;
      if (count <= 6) save(join(folder, `received-rows-${count}.history.gz`), history);
    }
  }, 120_000);
});
