/** The official Python client against a running server; without the package `a2a-sdk` the test is skipped with a message. */
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import { a2aServer, webhook, type A2aServer } from '../setup/a2a.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const installed = ((): boolean => {
  try {
    execFileSync('python3', ['-c', 'import a2a.client, httpx'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
if (!installed) console.warn('The official Python client was not run: pip install a2a-sdk');

describe.skipIf(!installed)('the official Python client', () => {
  let stack: TestStack;
  let server: A2aServer;
  let ann: Caller & { apiKey: string };

  beforeAll(async () => {
    stack = await testStack({ model: false, env: { SIGNALBOX_CONFORMANCE: 'true', ALLOW_PRIVATE_NETWORK: 'true' } });
    server = await a2aServer(stack);
    ann = await stack.caller({ role: 'agent', name: 'ann' });
  });
  afterAll(async () => {
    await server.app.close();
    await stack.stop();
  });

  it.each([
    ['JSONRPC', '1.0'],
    ['HTTP+JSON', '1.0'],
    ['JSONRPC', '0.3'],
    ['HTTP+JSON', '0.3'],
  ])('sends, streams, gets, cancels, is called back and resubscribes over %s %s', { timeout: 120_000 }, async (binding, version) => {
    const hook = await webhook();
    const { stdout } = await promisify(execFile)('python3', [
      new URL('a2a-client.py', import.meta.url).pathname,
      server.url,
      ann.apiKey,
      binding,
      version,
      hook.url,
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      skills: 8,
      send: 'TASK_STATE_COMPLETED',
      get: true,
      stream: ['task', 'TASK_STATE_WORKING', 'artifact_update', 'TASK_STATE_COMPLETED'],
      message: 'Direct message response',
      ...(version === '1.0' ? { list: [1, true, true] } : {}),
      resubscribe: ['task', 'TASK_STATE_COMPLETED'],
      asked: 'TASK_STATE_INPUT_REQUIRED',
      push: true,
      ...(binding === 'JSONRPC' || version === '1.0' ? { pushes: 1 } : {}),
      cancel: 'TASK_STATE_CANCELED',
      unknown: 'TaskNotFoundError',
      extended: true,
    });
    await eventually('the callback', async () => hook.told.some(({ headers }) => headers['x-a2a-notification-token'] === 'python-token'));
    hook.server.close();
  });
});
