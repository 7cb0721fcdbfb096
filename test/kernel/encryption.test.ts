/** With TEMPORAL_ENCRYPT_PAYLOADS nobody reads texts in histories, except people of the tenant through the codec endpoint. */
import { temporal as proto } from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workflowIds } from '../../contracts/temporal.ts';
import { apiOf } from '../setup/api.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ model: false, env: { TEMPORAL_ENCRYPT_PAYLOADS: 'true', TEMPORAL_UI_URL: 'https://temporal.test' } });
}, 180_000);
afterAll(() => stack?.stop());

const secretWords = ['the secret result', 'the secret blocker'];

/** A task that was claimed, failed once and completed. @returns its history as JSON, and its payloads */
async function worked(): Promise<{ text: string; payloads: { metadata: Record<string, string>; data: string }[] }> {
  const agent = await stack.caller({ name: 'builder' });
  const { task } = await stack.ok(agent, 'work.task.create', { description: 'Build', phase_id: 1 });
  const { task: claimed } = await stack.ok(agent, 'work.task.claim', { task_id: task.id });
  await stack.ok(agent, 'work.task.complete', { task_id: task.id, fencing_token: claimed.fencing_token, result: secretWords[0] });
  // A refusal of a workflow is a failure in its history.
  const again = await stack.call(agent, 'work.task.complete', { task_id: task.id, fencing_token: 7, result: secretWords[1] });
  expect(again.error?.message).toBeTruthy();
  const history = await stack.temporal.handle(workflowIds.task('acme', task.id as string)).fetchHistory();
  const json = proto.api.history.v1.History.toObject(proto.api.history.v1.History.fromObject(history), {
    bytes: String,
  }) as object;
  const payloads: { metadata: Record<string, string>; data: string }[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('metadata' in value && 'data' in value) payloads.push(value as (typeof payloads)[number]);
    else for (const inner of Object.values(value)) collect(inner);
  };
  collect(json);
  return { text: JSON.stringify(json), payloads };
}

const readable = (payload: { data: string }): string => Buffer.from(payload.data, 'base64').toString('utf8');

describe('encrypted payloads', () => {
  it('hide every text, and processes work as before', async () => {
    const { text, payloads } = await worked();
    // Search attributes, and what the SDK notes for itself about local activities, are not encrypted.
    const encrypted = payloads.filter(({ metadata }) => readable({ data: metadata['encoding']! }) === 'binary/encrypted');
    expect(encrypted.length).toBeGreaterThan(5);
    for (const words of secretWords) expect(text + payloads.map(readable).join()).not.toContain(words);
  });

  it('are decoded for people of their tenant with the role admin or operator, and for nobody else', async () => {
    const { payloads } = await worked();
    const app = apiOf(stack);
    const decode = async (apiKey: string, body: object = { payloads }, headers = {}) => {
      const answer = await app.inject({ method: 'POST', url: '/temporal/codec/decode', headers: { 'x-api-key': apiKey, ...headers }, payload: body }); // prettier-ignore
      return { status: answer.statusCode, headers: answer.headers, body: answer.json<{ payloads: typeof payloads }>() };
    };
    const [operator, foreign, agent, reader] = await Promise.all([
      stack.caller({ role: 'operator', kind: 'human' }),
      stack.caller({ tenant: 'umbrella', role: 'admin', kind: 'human' }),
      stack.caller({ role: 'agent' }),
      stack.caller({ role: 'readonly', kind: 'human' }),
    ]);
    const seen = await decode(operator.apiKey, { payloads }, { origin: 'https://temporal.test' });
    expect(seen.status).toBe(200);
    expect(seen.body.payloads.map(readable).join()).toContain(secretWords[0]);
    expect(seen.headers).toMatchObject({
      'access-control-allow-origin': 'https://temporal.test',
      'access-control-allow-credentials': 'true',
      'cache-control': 'no-store',
    });
    // Another tenant gets them back as they are.
    expect(await decode(foreign.apiKey)).toMatchObject({ status: 200, body: { payloads } });
    for (const { apiKey } of [agent, reader]) expect((await decode(apiKey)).status).toBe(403);
    // Without a key only pages may ask, with the console's session.
    expect((await decode('')).status).toBe(403);
    // A claim of another tenant is not believed: it is part of what was encrypted.
    const renamed = payloads.map(({ metadata, data }) => ({
      metadata: { ...metadata, 'signalbox-tenant': Buffer.from('umbrella').toString('base64') },
      data,
    }));
    expect(await decode(foreign.apiKey, { payloads: renamed })).toMatchObject({ status: 200, body: { payloads: renamed } });
    expect((await decode(operator.apiKey, { payloads: 'all' })).status).toBe(400);
    expect((await decode(operator.apiKey, { payloads }, { origin: 'https://evil.test' })).status).toBe(403);
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/temporal/codec/decode',
      headers: {
        origin: 'https://temporal.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-namespace',
      },
    });
    expect([preflight.statusCode, preflight.headers['access-control-allow-headers']]).toEqual([
      204,
      expect.stringContaining('x-namespace'),
    ]);
    await app.close();
  });
});
