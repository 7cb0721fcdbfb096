import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { openDoor, openTarget, rest, type Answer, type Door, type Seen, type Target } from '../setup/peers.ts';
import { histories, replay, save } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

type Who = Caller & { apiKey: string };

describe('tasks handed to other agents', () => {
  let stack: TestStack;
  let door: Door;
  let ann: Who;
  const targets: Target[] = [];

  beforeAll(async () => {
    door = await openDoor();
    stack = await testStack({ model: false, env: { ALLOW_PRIVATE_NETWORK: 'true', A2A_ENDPOINT_URL: door.url } });
    await door.serve(stack);
    ann = await stack.caller({ tenant: 'acme', name: 'ann' });
  });
  afterAll(async () => {
    await Promise.all(targets.map((target) => target.close()));
    await door?.close();
    await stack?.stop();
  });

  /** A registered agent that can `sum`. */
  async function agent(answer?: (seen: Seen, count: number) => Answer | Promise<Answer>, more: Record<string, unknown> = {}, caller = ann) {
    const target = await openTarget(answer);
    targets.push(target);
    const { agent_id: id } = await stack.ok<{ agent_id: string }>(caller, 'agent.peer.register', {
      agent_type: 'adder',
      endpoint_url: target.url,
      capabilities: [{ name: 'sum', parameters_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } }],
      ...more,
    });
    return { target, id };
  }
  const delegate = async (target: string, more: Record<string, unknown> = {}, caller = ann): Promise<string> =>
    (
      await stack.ok<{ task_id: string }>(caller, 'agent.task.delegate', {
        target_agent: target,
        capability_name: 'sum',
        parameters: { n: 1 },
        ...more,
      })
    ).task_id;
  const arrived = (target: Target, count = 1) => eventually('the task arrives', async () => target.tasks()[count - 1], 30_000);
  /** The task's row has what the target answered. */
  const accepted = (id: string) =>
    eventually('it is accepted', async () => (await stack.ok(ann, 'agent.task.get', { task_id: id })).task.status === 'accepted');
  const report = (task: Record<string, any>, body: Record<string, unknown>, token: string = task.callback_token, key = ann.apiKey) =>
    rest('', 'POST', task.callback_url, { key, body, headers: { 'x-a2a-task-token': token } });
  const result = (id: string, wait = 20, caller = ann) => stack.ok(caller, 'agent.task.get_result', { task_id: id, wait_seconds: wait });
  const ended = (id: string) =>
    eventually('it has ended', async () => (await stack.ok(ann, 'agent.task.get', { task_id: id })).task.completed_at !== null);

  it('arrive with all fields and a token, and their result comes back', async () => {
    const { target, id } = await agent(undefined, { credential: 'X-Partner-Key: open sesame' });
    const taskId = await delegate(id, { priority: 8, timeout_seconds: 60, correlation_id: 'trace-1' });
    const task = await arrived(target);
    expect(task).toMatchObject({
      task_id: taskId,
      source_agent: 'ann',
      target_agent: id,
      capability_name: 'sum',
      parameters: { n: 1 },
      priority: 8,
      correlation_id: 'trace-1',
      callback_url: `${door.url}/a2a/tasks/${taskId}/result`,
      progress_url: `${door.url}/a2a/tasks/${taskId}/progress`,
    });
    expect(target.seen[0]!.headers).toMatchObject({ 'x-correlation-id': 'trace-1', 'x-partner-key': 'open sesame' });
    expect(task.callback_token.length).toBeGreaterThan(30);

    const progress = await rest('', 'POST', task.progress_url, {
      key: ann.apiKey,
      body: { progress: { done: 1, total: 2, message: 'half' }, callback_token: task.callback_token },
    });
    expect(progress).toMatchObject({ status: 200, body: { status: 'running' } });
    expect((await stack.ok(ann, 'agent.task.get', { task_id: taskId })).task).toMatchObject({
      status: 'running',
      progress: { done: 1, total: 2, message: 'half' },
    });

    const waiting = result(taskId);
    expect(await report(task, { status: 'completed', result: { total: 42 }, execution_time_ms: 7 })).toMatchObject({
      status: 200,
      body: { status: 'completed', applied: true },
    });
    expect(await waiting).toMatchObject({ task_id: taskId, status: 'completed', result: { total: 42 }, execution_time_ms: 7 });
    expect(await result(taskId, 0)).toMatchObject({ status: 'completed', result: { total: 42 } });
  });

  it('keep parameters, results and tokens out of histories, and tokens out of the records', async () => {
    const { target, id } = await agent();
    const taskId = await delegate(id, {
      parameters: { n: 1, note: 'parameter-secret' },
      callback_url: `${door.url}/nowhere`,
      callback_token: 'callback-secret',
    });
    const task = await arrived(target);
    await report(task, { status: 'completed', result: 'result-secret' });
    await result(taskId);
    const history = JSON.stringify(await stack.temporal.handle(workflowIds.delegation('acme', taskId)).fetchHistory());
    const plain = [...history.matchAll(/"data":"([A-Za-z0-9+/=]+)"/g)]
      .map((found) => Buffer.from(found[1]!, 'base64').toString('utf8'))
      .join('\n');
    for (const secret of ['parameter-secret', 'result-secret', 'callback-secret', task.callback_token]) {
      expect(history + plain).not.toContain(secret);
    }
    const rows = await asTenant('acme', () =>
      stack.db.query('select * from delegated_tasks where tenant_id = $1 and id = $2', ['acme', taskId]),
    );
    const text = JSON.stringify(rows);
    expect(text).toContain('parameter-secret');
    expect(text).not.toContain('callback-secret');
    expect(text).not.toContain(task.callback_token);
  });

  it('are refused for an unknown, silent or paused target, a capability it lacks, and bad parameters', async () => {
    const { target, id } = await agent();
    const refused = async (args: Record<string, unknown>) =>
      (await stack.call(ann, 'agent.task.delegate', { target_agent: id, capability_name: 'sum', parameters: { n: 1 }, ...args })).error;
    expect(await refused({ target_agent: 'acme-nobody-00000000' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'Target agent not found: acme-nobody-00000000',
      details: { reason: 'target_not_found' },
    });
    expect(await refused({ capability_name: 'divide' })).toMatchObject({
      message: `Agent ${id} lacks capability: divide`,
      httpStatus: 400,
    });
    expect(await refused({ parameters: { n: 'one' } })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { reason: 'parameters', field: '/n' },
    });
    expect(await refused({ callback_url: 'http://169.254.169.254/latest' })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await refused({ timeout_seconds: 3601 })).toMatchObject({ code: 'VALIDATION_ERROR' });
    const health = (value: string) =>
      asTenant('acme', () => stack.db.query('update agents set health = $2 where tenant_id = $3 and id = $1', [id, value, 'acme']));
    await health('unhealthy');
    expect(await refused({})).toMatchObject({
      message: `Target agent unhealthy: ${id} (unhealthy)`,
      details: { reason: 'target_unhealthy' },
    });
    await health('healthy');
    await stack.ok(ann, 'agent.registry.deactivate', { agent_id: id, reason: 'maintenance' });
    expect(await refused({})).toMatchObject({ message: `Target agent unhealthy: ${id} (paused)` });
    expect(target.seen).toEqual([]);
  });

  it('go to the one with the least in hand when no target is named', async () => {
    const capability = [{ name: 'choose-me' }];
    const first = await agent(undefined, { capabilities: capability });
    const second = await agent(undefined, { capabilities: capability });
    const chosen: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      chosen.push((await stack.ok(ann, 'agent.task.delegate', { capability_name: 'choose-me', timeout_seconds: 30 })).target_agent);
    }
    expect(chosen).toEqual([first.id, second.id, first.id, second.id]);
    expect((await stack.call(ann, 'agent.task.delegate', { capability_name: 'nobody-can' })).error).toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('nobody-can'),
    });
  });

  it('fail at their deadline, and the target is told', async () => {
    const { target, id } = await agent();
    const taskId = await delegate(id, { timeout_seconds: 5 });
    expect((await stack.call(ann, 'agent.task.get_result', { task_id: taskId, wait_seconds: 0 })).error).toMatchObject({
      code: 'TIMEOUT',
      message: 'Timeout waiting for result',
      httpStatus: 408,
    });
    expect(await result(taskId)).toMatchObject({ status: 'failed', error: 'Timeout waiting for result', error_code: 'TIMEOUT' });
    await eventually('the target is told', async () =>
      target.seen.find((one) => one.method === 'DELETE' && one.path === `/a2a/tasks/${taskId}`),
    );
    const task = await arrived(target);
    const late = await report(task, { status: 'completed', result: 1 });
    expect(late).toMatchObject({ status: 200, body: { status: 'failed', applied: false, warning: expect.stringContaining('ignored') } });
    expect(await result(taskId, 0)).toMatchObject({ status: 'failed' });
  });

  it('are cancelled once, and the target is told', async () => {
    const { target, id } = await agent();
    const taskId = await delegate(id);
    await arrived(target);
    expect(await stack.ok(ann, 'agent.task.cancel', { task_id: taskId })).toEqual({ task_id: taskId, status: 'cancelled' });
    await eventually('the target is told', async () => target.seen.some((one) => one.method === 'DELETE'));
    // A caller that lost the answer retries.
    expect(await stack.ok(ann, 'agent.task.cancel', { task_id: taskId })).toEqual({ task_id: taskId, status: 'cancelled' });
    expect((await stack.call(ann, 'agent.task.cancel', { task_id: 'no-such-task' })).error).toMatchObject({
      code: 'NOT_FOUND',
      message: 'Task not found',
    });
  });

  it('are sent again after 503 and 429, and not after 400', async () => {
    const busy = await agent((_seen, count) =>
      count === 1 ? { status: 503 } : count === 2 ? { status: 429, headers: { 'retry-after': '1' } } : undefined,
    );
    const taskId = await delegate(busy.id);
    const task = await arrived(busy.target, 3);
    await report(task, { status: 'completed', result: 'at last' });
    expect(await result(taskId)).toMatchObject({ status: 'completed' });
    expect(new Set(busy.target.tasks().map((one) => one.task_id))).toEqual(new Set([taskId]));

    const strict = await agent(() => ({ status: 400 }));
    const refused = await delegate(strict.id);
    expect(await result(refused)).toMatchObject({ status: 'failed', error_code: 'REFUSED', error: expect.stringContaining('400') });
    expect(strict.target.tasks()).toHaveLength(1);
  });

  it('fail when the target cannot be reached in four attempts', async () => {
    const away = await agent();
    await away.target.close();
    const taskId = await delegate(away.id);
    expect(await result(taskId, 60)).toMatchObject({ status: 'failed', error_code: 'SEND_FAILED' });
  });

  it('accept what an earlier attempt was answered with, when its connection was lost', async () => {
    const { target, id } = await agent((_seen, count) => (count === 1 ? { drop: true } : undefined));
    const taskId = await delegate(id);
    await arrived(target, 2);
    const [lost] = target.tasks();
    expect(await report(lost!, { status: 'completed', result: 'by the first' })).toMatchObject({ status: 200, body: { applied: true } });
    expect(await result(taskId)).toMatchObject({ result: 'by the first' });
  });

  it('take no report with a wrong token, without one, from another tenant, or about nothing', async () => {
    const { target, id } = await agent();
    const taskId = await delegate(id);
    const task = await arrived(target);
    await accepted(taskId);
    const done = { status: 'completed', result: 1 };
    expect(await report(task, done, 'x'.repeat(43))).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await rest('', 'POST', task.callback_url, { key: ann.apiKey, body: done })).toMatchObject({ status: 403 });
    const eve = await stack.caller({ tenant: 'globex', name: 'eve' });
    expect(await report(task, done, task.callback_token, eve.apiKey)).toMatchObject({ status: 404, body: { detail: 'Task not found' } });
    expect(await rest('', 'POST', task.callback_url, { body: done, headers: { 'x-a2a-task-token': task.callback_token } })).toMatchObject({
      status: 401,
    });
    for (const tool of ['agent.task.get', 'agent.task.get_result', 'agent.task.cancel']) {
      expect((await stack.call(eve, tool, { task_id: taskId })).error).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await stack.ok(eve, 'agent.task.list', {})).tasks).toEqual([]);
    expect((await stack.ok(ann, 'agent.task.get', { task_id: taskId })).task.status).toBe('accepted');
  });

  it('take a replayed result once, and another one not at all', async () => {
    const { target, id } = await agent();
    const taskId = await delegate(id);
    const task = await arrived(target);
    const done = { status: 'completed', result: { b: 1, a: [null] } };
    expect((await report(task, done)).body).toMatchObject({ applied: true });
    const again = await report(task, done);
    expect(again).toMatchObject({ status: 200, body: { status: 'completed', applied: false } });
    expect(again.body.warning).toBeUndefined();
    expect((await report(task, { status: 'completed', result: 'other' })).body).toMatchObject({
      status: 'completed',
      applied: false,
      warning: expect.any(String),
    });
    expect((await report(task, { status: 'failed', error: 'no' })).body).toMatchObject({ status: 'completed', applied: false });
    expect((await result(taskId)).result).toEqual({ b: 1, a: [null] });
  });

  it('carry a failure, a null and a cancellation of the target', async () => {
    const { target, id } = await agent();
    const outcomes = [
      [
        { status: 'failed', error: 'out of paper' },
        { status: 'failed', error: 'out of paper' },
      ],
      [
        { status: 'failed', error: { code: 'E42', message: 'jam' } },
        { status: 'failed', error: 'jam', error_code: 'E42' },
      ],
      [
        { status: 'completed', result: null },
        { status: 'completed', result: null },
      ],
      [{ status: 'cancelled' }, { status: 'cancelled' }],
    ];
    for (const [index, [body, expected]] of outcomes.entries()) {
      const taskId = await delegate(id);
      const task = await arrived(target, index + 1);
      expect((await report(task, body!)).body).toMatchObject({ applied: true });
      expect(await result(taskId)).toMatchObject(expected!);
    }
  });

  it('end in exactly one way when results and cancellations come at once', async () => {
    const { target, id } = await agent();
    for (let round = 0; round < 6; round += 1) {
      const taskId = await delegate(id);
      const task = await arrived(target, round + 1);
      const answers = await Promise.all([
        ...[1, 2, 3].map((n) => report(task, { status: 'completed', result: n }).then(({ body }) => (body.applied ? `result ${n}` : null))),
        ...[1, 2].map(() => stack.call(ann, 'agent.task.cancel', { task_id: taskId }).then(({ error }) => (error ? null : 'cancelled'))),
        report(task, { status: 'failed', error: 'no' }).then(({ body }) => (body.applied ? 'failed' : null)),
      ]);
      const told = await result(taskId);
      const final = told.status === 'completed' ? `result ${told.result}` : told.status;
      const claimed = new Set(answers.filter((one) => one !== null));
      expect([...claimed].filter((one) => one !== final)).toEqual([]);
      await new Promise((done) => setImmediate(done));
      expect(await result(taskId, 0)).toEqual(told);
    }
  }, 60_000);

  it('survive workers that stop in the middle', async () => {
    const { target, id } = await agent();
    const [before, meanwhile] = [await delegate(id), ''];
    expect(meanwhile).toBe('');
    const first = await arrived(target);
    await stack.stopWorkers();
    const during = await delegate(id);
    const reporting = report(first, { status: 'completed', result: 'kept' });
    await stack.startWorkers();
    expect((await reporting).status).toBe(200);
    const second = await arrived(target, 2);
    expect(second.task_id).toBe(during);
    await report(second, { status: 'completed', result: 'sent later' });
    expect(await result(before)).toMatchObject({ result: 'kept' });
    expect(await result(during)).toMatchObject({ result: 'sent later' });
  }, 60_000);

  it('go on from their row when their process is gone', async () => {
    const { target, id } = await agent();
    const taskId = await delegate(id);
    const task = await arrived(target);
    await accepted(taskId);
    await stack.temporal.handle(workflowIds.delegation('acme', taskId)).terminate('lost');
    expect((await report(task, { status: 'completed', result: 'nevertheless' })).body).toMatchObject({ applied: true });
    expect(await result(taskId)).toMatchObject({ result: 'nevertheless' });
  });

  it('call back with the token, four times at most, and end all the same', async () => {
    const { target, id } = await agent((seen) => (seen.path === '/broken' ? { status: 500 } : undefined));
    const called = await delegate(id, { callback_url: `${target.url}/done`, callback_token: 'shown-again' });
    const broken = await delegate(id, { callback_url: `${target.url}/broken`, parameters: { n: 2 } });
    await arrived(target, 2);
    for (const task of target.tasks()) await report(task, { status: 'completed', result: task.parameters.n });
    const told = await eventually('it is called back', async () => target.seen.find((one) => one.path === '/done'));
    expect(told.headers['x-a2a-task-token']).toBe('shown-again');
    expect(told.body).toMatchObject({ task_id: called, status: 'completed', result: 1 });
    expect(await result(broken)).toMatchObject({ status: 'completed', result: 2 });
    await eventually(
      'its process gives up',
      async () => (await stack.temporal.handle(workflowIds.delegation('acme', broken)).describe()).status.name === 'COMPLETED',
      40_000,
    );
    expect(target.seen.filter((one) => one.path === '/broken')).toHaveLength(4);
  }, 60_000);

  it('are the same task when the call is repeated under its key', async () => {
    const { target, id } = await agent();
    const call = () =>
      stack.call(
        ann,
        'agent.task.delegate',
        { target_agent: id, capability_name: 'sum', parameters: { n: 1 } },
        { idempotencyKey: 'once' },
      );
    const [one, two] = [await call(), await call()];
    expect(one.data).toEqual(two.data);
    await arrived(target);
    expect(new Set(target.tasks().map((task) => task.task_id)).size).toBe(1);
  });

  it('are waited for by one call, with progress', async () => {
    const { target, id } = await agent();
    const heard: [number, number | undefined, string | undefined][] = [];
    const call = stack.pipeline.call({
      caller: ann,
      front: 'mcp',
      name: 'agent.task.delegate',
      arguments: { target_agent: id, capability_name: 'sum', parameters: { n: 1 }, wait_seconds: 30 },
      onProgress: (...progress) => void heard.push(progress as [number, number, string]),
    });
    const task = await arrived(target);
    await rest('', 'POST', task.progress_url, {
      key: ann.apiKey,
      body: { done: 1, total: 3, message: 'a third', callback_token: task.callback_token },
    });
    await eventually('the caller hears of it', async () => heard.length > 0);
    await report(task, { status: 'completed', result: 'both in one' });
    const answer = await call;
    expect(answer.data).toMatchObject({ status: 'completed', result: 'both in one' });
    expect(heard[0]).toEqual([1, 3, 'a third']);

    const impatient = await stack.call(ann, 'agent.task.delegate', {
      target_agent: id,
      capability_name: 'sum',
      parameters: { n: 1 },
      wait_seconds: 1,
    });
    expect(impatient.envelope).toMatchObject({ status: 'accepted', data: { task_id: expect.any(String) } });
  });

  it('replay', async () => {
    for (const { task_id } of (await stack.ok(ann, 'agent.task.list', { limit: 200 })).tasks.filter(
      (task: { completed_at: string | null }) => !task.completed_at,
    )) {
      await stack.call(ann, 'agent.task.cancel', { task_id });
      await ended(task_id);
    }
    const query = "WorkflowType = 'delegation'";
    expect(await replay(histories(stack.temporal.client, query))).toBeGreaterThan(20);
    if (!process.env['RECORD_HISTORIES']) return;
    const folder = fileURLToPath(new URL('../replay/histories', import.meta.url));
    mkdirSync(folder, { recursive: true });
    let count = 0;
    for await (const { history } of histories(stack.temporal.client, query)) {
      count += 1;
      if (count <= 6) save(join(folder, `delegation-rows-${count}.history.gz`), history);
    }
  }, 120_000);
});
