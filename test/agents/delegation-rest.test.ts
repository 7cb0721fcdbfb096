import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import { openDoor, openTarget, rest, type Door, type Target } from '../setup/peers.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

type Who = Caller & { apiKey: string };

describe('the REST of agents (agentic-rag)', () => {
  let stack: TestStack;
  let door: Door;
  let ann: Who;
  let target: Target;
  let agentId: string;

  beforeAll(async () => {
    door = await openDoor();
    stack = await testStack({ model: false, env: { ALLOW_PRIVATE_NETWORK: 'true', A2A_ENDPOINT_URL: door.url } });
    await door.serve(stack);
    ann = await stack.caller({ tenant: 'acme', name: 'ann', rpm: 10_000 });
    target = await openTarget();
  });
  afterAll(async () => {
    await target?.close();
    await door?.close();
    await stack?.stop();
  });

  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, key = ann.apiKey) =>
    rest(door.url, method, path, { key, body, headers });

  it('registers, hears and lists agents and what they can do', async () => {
    const registered = await ask('POST', '/a2a/agents/register', {
      agent_type: 'adder',
      endpoint_url: target.url,
      capabilities: [{ name: 'sum', parameters_schema: { n: { type: 'integer' } }, of_a_later_version: 1 }],
      version: 'ignored',
    });
    expect(registered).toMatchObject({
      status: 200,
      body: { agent_id: expect.stringMatching(/^acme-adder-[0-9a-f]{8}$/), registered_at: expect.any(String) },
    });
    expect(Object.keys(registered.body).sort()).toEqual(['agent_id', 'registered_at']);
    agentId = registered.body.agent_id;
    expect(registered.headers.get('ratelimit-limit')).toBe('10000');
    expect(await ask('POST', `/a2a/agents/${agentId}/heartbeat`)).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect((await ask('GET', '/a2a/capabilities')).body).toEqual({ capabilities: { sum: [agentId] } });
    expect((await ask('GET', '/a2a/agents?capability=sum&healthy_only=true')).body.agents).toMatchObject([
      { agent_id: agentId, health_status: 'healthy', endpoint_url: target.url, tenant_id: 'acme' },
    ]);
    expect((await ask('GET', '/a2a/agents?capability=none')).body).toEqual({ agents: [] });
  });

  it('delegates, and answers the result', async () => {
    const handed = await ask(
      'POST',
      '/a2a/tasks/delegate',
      { target_agent: agentId, capability_name: 'sum', parameters: { n: 1 } },
      { 'x-correlation-id': 'trace-7' },
    );
    expect(handed).toMatchObject({
      status: 200,
      body: { status: 'pending', task_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/) },
    });
    expect(Object.keys(handed.body).sort()).toEqual(['status', 'task_id']);
    expect(handed.headers.get('x-correlation-id')).toBe('trace-7');
    const task = await eventually('it arrives', async () => target.tasks()[0]);
    expect(task.correlation_id).toBe('trace-7');
    const waiting = ask('GET', `/a2a/tasks/${handed.body.task_id}/result?wait_seconds=20`);
    const reported = await rest('', 'POST', task.callback_url, {
      key: ann.apiKey,
      body: { task_id: task.task_id, status: 'completed', result: [1, 2], callback_token: task.callback_token },
    });
    expect(reported.body).toEqual({ status: 'completed', task_id: task.task_id, applied: true });
    const told = await waiting;
    expect(told).toMatchObject({
      status: 200,
      body: { task_id: task.task_id, status: 'completed', result: [1, 2], completed_at: expect.any(String) },
    });
    expect((await ask('GET', `/a2a/tasks/${task.task_id}`)).body).toMatchObject({
      status: 'completed',
      direction: 'sent',
      correlation_id: 'trace-7',
    });
    expect((await ask('GET', '/a2a/tasks?status=completed')).body.tasks).toHaveLength(1);
  });

  it('says what is wrong as problems, with the statuses of RFC 9457', async () => {
    const wrong = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
      const answer = await ask(method, path, body, headers);
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(answer.body).toMatchObject({
        status: answer.status,
        title: expect.any(String),
        instance: path.split('?')[0],
        correlation_id: answer.headers.get('x-correlation-id'),
      });
      return [answer.status, answer.body.code, answer.body.detail];
    };
    const sum = { target_agent: agentId, capability_name: 'sum', parameters: { n: 1 } };
    expect(await wrong('POST', '/a2a/tasks/delegate', { ...sum, target_agent: 'gone' })).toEqual([
      400,
      'VALIDATION_ERROR',
      'Target agent not found: gone',
    ]);
    expect(await wrong('POST', '/a2a/tasks/delegate', { ...sum, capability_name: 'fly' })).toEqual([
      400,
      'VALIDATION_ERROR',
      `Agent ${agentId} lacks capability: fly`,
    ]);
    expect((await wrong('POST', '/a2a/tasks/delegate', { ...sum, parameters: { n: 'x' } }))[0]).toBe(400);
    expect((await wrong('POST', '/a2a/tasks/delegate', { ...sum, priority: 11 }))[0]).toBe(400);
    expect((await wrong('POST', '/a2a/tasks/delegate', '{'))[0]).toBe(400);
    expect((await wrong('POST', '/a2a/tasks/delegate', []))[0]).toBe(400);
    expect(await wrong('DELETE', '/a2a/tasks/none')).toEqual([404, 'NOT_FOUND', 'Task not found']);
    expect(await wrong('GET', '/a2a/tasks/none/result?wait_seconds=0')).toEqual([404, 'NOT_FOUND', 'Task not found']);
    expect((await wrong('POST', '/a2a/agents/none/heartbeat'))[0]).toBe(404);
    expect((await wrong('POST', '/a2a/agents/register', { agent_type: 'adder' }))[0]).toBe(400);
    expect(await wrong('GET', '/a2a/sessions/none')).toEqual([404, 'NOT_FOUND', 'Session not found']);
    const { body } = await ask('POST', '/a2a/tasks/delegate', sum);
    expect(await wrong('GET', `/a2a/tasks/${body.task_id}/result?wait_seconds=0`)).toEqual([408, 'TIMEOUT', 'Timeout waiting for result']);
    expect(await ask('DELETE', `/a2a/tasks/${body.task_id}`)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    // A repeated cancel succeeds; a task that has ended in another way is not cancelled.
    expect(await ask('DELETE', `/a2a/tasks/${body.task_id}`)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    const [ended] = (await ask('GET', '/a2a/tasks?status=completed')).body.tasks;
    expect((await wrong('DELETE', `/a2a/tasks/${ended.task_id}`))[0]).toBe(409);
    const unknown = await rest(door.url, 'GET', '/a2a/agents', {});
    expect([unknown.status, unknown.body.code, unknown.headers.get('www-authenticate')]).toEqual([401, 'UNAUTHORIZED', 'Bearer']);
  });

  it('counts each request against the key’s limit', async () => {
    const slow = await stack.caller({ tenant: 'acme', name: 'slow', rpm: 2 });
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await ask('GET', '/a2a/capabilities', undefined, {}, slow.apiKey)).status);
    expect(statuses).toEqual([200, 200, 429]);
    const refused = await ask('GET', '/a2a/capabilities', undefined, {}, slow.apiKey);
    expect(refused.body).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', status: 429 });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('shows nothing of it to other tenants', async () => {
    const eve = await stack.caller({ tenant: 'globex', name: 'eve' });
    expect((await ask('GET', '/a2a/capabilities', undefined, {}, eve.apiKey)).body).toEqual({ capabilities: {} });
    expect((await ask('GET', '/a2a/agents?healthy_only=false', undefined, {}, eve.apiKey)).body).toEqual({ agents: [] });
    expect((await ask('POST', `/a2a/agents/${agentId}/heartbeat`, undefined, {}, eve.apiKey)).status).toBe(404);
    expect((await ask('POST', '/a2a/tasks/delegate', { target_agent: agentId, capability_name: 'sum' }, {}, eve.apiKey)).status).toBe(400);
  });

  it('unregisters', async () => {
    expect(await ask('DELETE', `/a2a/agents/${agentId}`)).toMatchObject({
      status: 200,
      body: { status: 'unregistered', agent_id: agentId },
    });
    expect((await ask('GET', '/a2a/capabilities')).body).toEqual({ capabilities: {} });
    expect((await ask('DELETE', '/a2a/agents/nobody')).status).toBe(404);
  });

  it('is not there when A2A is switched off', async () => {
    const off = await openDoor();
    await off.serve({ ...stack, config: { ...stack.config, A2A_ENABLED: false } });
    expect(await rest(off.url, 'GET', '/a2a/agents', { key: ann.apiKey })).toMatchObject({
      status: 404,
      body: { hint: 'Set A2A_ENABLED=true to serve it.' },
    });
    await off.close();
  });
});
