/** Long calls and waiting calls as tasks of MCP's extension, on the real pipeline. */
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tasksExtension } from '../../api/mcp/tasks.ts';
import { apiOf } from '../setup/api.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let app: FastifyInstance;
beforeAll(async () => {
  stack = await testStack({ model: false });
  app = apiOf(stack);
});
afterAll(async () => {
  await app?.close();
  await stack?.stop();
});

interface Answer {
  result?: Record<string, any>;
  error?: { code: number; data?: Record<string, any> };
}

/** A request of the 2026-07-28 revision. */
async function send(apiKey: string, method: string, params: Record<string, unknown>, extensions: object = { [tasksExtension]: {} }) {
  const headers = {
    'x-api-key': apiKey,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    'mcp-name': String(params.name ?? params.taskId),
  };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { extensions },
  };
  const { body } = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers,
    payload: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
  });
  const told = /^data: (.*)$/m.exec(body)?.[1] ?? body;
  return JSON.parse(told) as Answer;
}

const schema = (name: string) => ({
  name: 'schema.definition.register',
  arguments: { name, version: '1.0.0', json_schema: { type: 'object' } },
});

describe('a call that waits for a person', () => {
  it('is a task whose result is the answer of the call', async () => {
    const [robo, pam] = [await stack.caller({ role: 'agent', name: 'robo' }), await stack.caller({ role: 'pm', name: 'pam' })];
    const { result: created } = await send(robo.apiKey, 'tools/call', schema('asked'));
    expect(created).toMatchObject({ resultType: 'task', status: 'working', taskId: expect.stringMatching(/^apr_/) });
    expect(created).not.toHaveProperty('structuredContent');
    const { taskId } = created!;
    expect((await send(robo.apiKey, 'tasks/get', { taskId })).result).toMatchObject({ resultType: 'complete', status: 'working' });

    await stack.ok(pam, 'approval.request.approve', { approval_id: taskId });
    const { result: ended } = await send(robo.apiKey, 'tasks/get', { taskId });
    expect(ended).toMatchObject({ status: 'completed', result: { structuredContent: { status: 'success', data: { existed: false } } } });
  });

  it('never runs once the task is cancelled', async () => {
    const robo = await stack.caller({ role: 'agent', name: 'robo-2' });
    const { taskId } = (await send(robo.apiKey, 'tools/call', schema('withdrawn'))).result!;
    for (const _ of ['first', 'again']) {
      expect((await send(robo.apiKey, 'tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
    }
    expect((await send(robo.apiKey, 'tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' });
    const { schemas } = await stack.ok<{ schemas: unknown[] }>(robo, 'schema.definition.list', { prefix: 'withdrawn' });
    expect(schemas).toEqual([]);
  });
});

describe('a task', () => {
  it('is a job that goes on after the answer, with its end as the result', async () => {
    const ann = await stack.caller({ name: 'ann', kind: 'human' });
    await stack.stopWorkers();
    const { result: created } = await send(ann.apiKey, 'tools/call', { name: 'system.ledger.verify', arguments: {} });
    expect(created).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null, taskId: expect.stringMatching(/^job_/) });
    const { taskId } = created!;
    expect((await send(ann.apiKey, 'tasks/update', { taskId, inputResponses: {} })).result).toMatchObject({ resultType: 'complete' });
    await stack.startWorkers();
    const ended = await eventually('the job has ended', async () => {
      const { result } = await send(ann.apiKey, 'tasks/get', { taskId });
      return result?.status === 'completed' && result;
    });
    expect(ended.result.structuredContent.data.job).toMatchObject({ job_id: taskId, status: 'completed', result: { intact: true } });
    expect(ended.result).not.toHaveProperty('isError');
  }, 60_000);

  it('is given only to clients that declare the extension, and is unknown to other tenants', async () => {
    const robo = await stack.caller({ role: 'agent', name: 'robo-3' });
    const plain = await send(robo.apiKey, 'tools/call', schema('plain'), {});
    expect(plain.result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'pending_approval' } });
    const taskId = plain.result!.structuredContent.data.approval_id as string;
    expect((await send(robo.apiKey, 'tasks/get', { taskId }, {})).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
    });
    const stranger = await stack.caller({ tenant: 'elsewhere', name: 'eve' });
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      expect([method, (await send(stranger.apiKey, method, { taskId, inputResponses: {} })).error?.code]).toEqual([method, -32602]);
    }
    expect((await send(robo.apiKey, 'tasks/get', { taskId: 'job_unknown' })).error?.code).toBe(-32602);
    expect((await send(robo.apiKey, 'tasks/get', { taskId })).result).toMatchObject({ status: 'working' });
  });
});
