import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { sweepSessions } from '../../services/agents/sessions-records.ts';
import { openDoor, rest, type Door } from '../setup/peers.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

type Who = Caller & { apiKey: string };

describe('sessions of agents', () => {
  let stack: TestStack;
  let door: Door;
  let ann: Who;
  let bob: Who;
  let tenants = 0;

  beforeAll(async () => {
    door = await openDoor();
    stack = await testStack({
      model: false,
      env: { ALLOW_PRIVATE_NETWORK: 'true', A2A_ENDPOINT_URL: door.url, A2A_MAX_SESSIONS_PER_TENANT: '3' },
    });
    await door.serve(stack);
  });
  afterAll(async () => {
    await door?.close();
    await stack?.stop();
  });

  const people = async (): Promise<void> => {
    tenants += 1;
    ann = await stack.caller({ tenant: `s${tenants}`, role: 'agent', name: 'ann' });
    bob = await stack.caller({ tenant: `s${tenants}`, role: 'agent', name: 'bob' });
  };
  const open = async (participants: string[] = ['bob'], caller = ann): Promise<string> =>
    (await stack.ok(caller, 'agent.session.open', { participants })).session_id;
  const say = (caller: Caller, session_id: string, type: string, body: object = {}, more: object = {}) =>
    stack.call(caller, 'agent.session.send', { session_id, type, body, ...more });
  const sql = (text: string, values: unknown[] = []) => asTenant(ann.tenant, () => stack.db.query(text, [ann.tenant, ...values]));

  it('are held over REST: opened, spoken in, read, closed', async () => {
    await people();
    const opened = await rest(door.url, 'POST', '/a2a/sessions', { key: ann.apiKey, body: { participants: ['bob'] } });
    expect(opened).toMatchObject({ status: 200, body: { participants: ['bob', 'ann'], status: 'open', task_references: [] } });
    const at = `/a2a/sessions/${opened.body.session_id}`;
    const sent = await rest(door.url, 'POST', `${at}/messages`, {
      key: bob.apiKey,
      body: { type: 'task_request', body: { task_id: 't-1', capability_name: 'sum' } },
    });
    expect(sent).toMatchObject({ status: 200, body: { message: { sender: 'bob', type: 'task_request' }, replies: [] } });
    const read = await rest(door.url, 'GET', at, { key: ann.apiKey });
    expect(read).toMatchObject({
      status: 200,
      body: { task_references: ['t-1'], messages: [{ sender: 'bob', body: { task_id: 't-1', parameters: {} } }] },
    });
    expect(await rest(door.url, 'DELETE', at, { key: ann.apiKey })).toMatchObject({ status: 200, body: { status: 'closed' } });
    expect(await rest(door.url, 'DELETE', at, { key: ann.apiKey })).toMatchObject({ status: 200 });
    expect(await rest(door.url, 'GET', at, { key: ann.apiKey })).toMatchObject({ status: 410, body: { code: 'GONE', title: 'Gone' } });
  });

  it('take seven types of messages, each checked by its type', async () => {
    await people();
    const id = await open();
    const good: [string, object][] = [
      ['capability_query', { capability: 'sum' }],
      ['capability_response', { capabilities: { sum: ['x'] } }],
      ['task_request', { task_id: 't-2', capability_name: 'sum', parameters: { n: 1 } }],
      ['task_progress', { task_id: 't-2', done: 1, total: 2 }],
      ['task_result', { task_id: 't-2', status: 'completed', result: 3 }],
      ['error', { message: 'sorry', code: 'E1' }],
    ];
    for (const [type, body] of good) expect((await say(ann, id, type, body)).error).toBeUndefined();
    const bad: [string, object][] = [
      ['capability_response', {}],
      ['task_request', { task_id: 't-2' }],
      ['task_progress', { done: 1 }],
      ['task_result', { task_id: 't-2', status: 'running' }],
      ['error', {}],
      ['gossip', {}],
    ];
    for (const [type, body] of bad) expect((await say(ann, id, type, body)).error, type).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await stack.ok(bob, 'agent.session.get', { session_id: id })).task_references).toEqual(['t-2']);
  });

  it('answer what agents can do, and pass signs of life on', async () => {
    await people();
    const { agent_id } = await stack.ok(bob, 'agent.peer.register', {
      agent_type: 'adder',
      endpoint_url: door.url,
      capabilities: [{ name: 'sum' }],
    });
    const id = await open([agent_id]);
    const asked = await say(ann, id, 'capability_query', { capability: 'sum' });
    expect(asked.data).toMatchObject({
      replies: [{ type: 'capability_response', recipient: 'ann', body: { capabilities: { sum: [agent_id] } } }],
    });
    await sql(`update agents set last_heartbeat = now() - interval '1 hour' where tenant_id = $1 and id = $2`, [agent_id]);
    // May speak as the agent, because the agent was registered with its key.
    expect((await say(bob, id, 'heartbeat')).data).toMatchObject({ message: { sender: agent_id } });
    expect((await say(ann, id, 'heartbeat', { agent_id: 'nobody' })).error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await say(ann, id, 'error', { message: 'x' }, { sender: agent_id })).error).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('keep a message that is sent again once', async () => {
    await people();
    const id = await open();
    const query = { capability: 'x' };
    const answers = await Promise.all([1, 2, 3].map(() => say(ann, id, 'capability_query', query, { id: 'm-1' })));
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect((await say(ann, id, 'capability_query', { capability: 'y' }, { id: 'm-1' })).error).toMatchObject({ code: 'CONFLICT' });
    expect((await stack.ok(ann, 'agent.session.get', { session_id: id })).messages).toHaveLength(2);
    const first = await stack.ok(ann, 'agent.session.get', { session_id: id, limit: 1 });
    expect(first.next_after).toBe(first.messages[0].seq);
    expect((await stack.ok(ann, 'agent.session.get', { session_id: id, after: first.next_after })).messages).toHaveLength(1);
  });

  it('are seen by participants and people, and by nobody else', async () => {
    await people();
    const id = await open();
    const other = await stack.caller({ tenant: ann.tenant, role: 'agent', name: 'carl' });
    const eve = await stack.caller({ tenant: 'elsewhere', name: 'ann' });
    for (const stranger of [other, eve]) {
      for (const tool of ['get', 'close']) {
        expect((await stack.call(stranger, `agent.session.${tool}`, { session_id: id })).error).toMatchObject({
          code: 'NOT_FOUND',
          message: 'Session not found',
        });
      }
      expect((await say(stranger, id, 'error', { message: 'x' })).error).toMatchObject({ code: 'NOT_FOUND' });
    }
    const person = await stack.caller({ tenant: ann.tenant, name: 'paula' });
    expect((await stack.ok(person, 'agent.session.get', { session_id: id })).session_id).toBe(id);
  });

  it('end when nobody has spoken for long', async () => {
    await people();
    const id = await open();
    await sql(`update a2a_sessions set expires_at = now() - interval '1 second' where tenant_id = $1 and id = $2`, [id]);
    expect((await say(ann, id, 'error', { message: 'x' })).error).toMatchObject({
      code: 'GONE',
      message: 'The session has expired.',
      httpStatus: 410,
    });
    expect(await asTenant(ann.tenant, () => sweepSessions(stack.db.query, ann.tenant, 7))).toBe(1);
    expect((await stack.call(ann, 'agent.session.get', { session_id: id })).error).toMatchObject({ code: 'GONE' });
    const lively = await open();
    await sql(`update a2a_sessions set expires_at = now() + interval '1 minute' where tenant_id = $1 and id = $2`, [lively]);
    await say(ann, lively, 'error', { message: 'x' });
    const [row] = await sql(
      `select extract(epoch from expires_at - now())::int as left from a2a_sessions where tenant_id = $1 and id = $2`,
      [lively],
    );
    expect(row!['left']).toBeGreaterThan(21_000);
  });

  it('give way to new ones when they are idle, and never exceed their number', async () => {
    await people();
    const opened = await Promise.all(Array.from({ length: 6 }, () => stack.call(ann, 'agent.session.open', {})));
    expect(opened.filter(({ error }) => !error)).toHaveLength(3);
    expect(opened.find(({ error }) => error)?.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', httpStatus: 429, retryAfterSeconds: 60 });
    const ids = opened.flatMap(({ data }) => (data ? [(data as { session_id: string }).session_id] : []));
    await sql(`update a2a_sessions set last_active_at = now() - interval '11 minutes' where tenant_id = $1 and id = $2`, [ids[1]]);
    const fresh = await open();
    expect((await stack.call(ann, 'agent.session.get', { session_id: ids[1] })).error).toMatchObject({ code: 'GONE' });
    expect((await stack.ok(ann, 'agent.session.get', { session_id: ids[0] })).status).toBe('open');
    expect(ids).not.toContain(fresh);
  });
});
