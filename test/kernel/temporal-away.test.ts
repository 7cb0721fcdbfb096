/** While Temporal is away, reads are answered; calls that need a process say so, and work again as soon as it is back. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { healthOf } from '../../api/health.ts';
import type { Caller } from '../../contracts/caller.ts';
import { apiOf } from '../setup/api.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

/** Between this stack's api and Temporal, so that it can be away without harm to other tests. */
async function wire(target: string) {
  const [host, port] = target.split(':');
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(Number(port), host);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  const listen = (on: number): Promise<void> => new Promise((done) => server.listen(on, '127.0.0.1', done));
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  return {
    address: `127.0.0.1:${own}`,
    async cut() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of open) socket.destroy();
      open.clear();
      await closed;
    },
    mend: () => listen(own),
  };
}

let stack: TestStack;
let line: Awaited<ReturnType<typeof wire>>;
let pm: Caller & { apiKey: string };
beforeAll(async () => {
  line = await wire(inject('servers').temporalAddress);
  stack = await testStack({ model: false, env: { TEMPORAL_ADDRESS: line.address } });
  pm = await stack.caller({ name: 'pm', kind: 'human' });
}, 180_000);
afterAll(async () => {
  await stack?.stop();
  await line?.cut().catch(() => {});
});

it('stays ready for reads, refuses writes as retryable, and goes on when it is back', { timeout: 120_000 }, async () => {
  const app = apiOf(stack, { health: healthOf(() => stack) });
  const ready = async () => {
    const answer = await app.inject({ method: 'GET', url: '/ready' });
    return { status: answer.statusCode, ...answer.json<{ ready: boolean; degraded?: string[] }>() };
  };
  await stack.ok(pm, 'work.task.create', { description: 'Write the report', phase_id: 1 });
  await eventually('it is ready', async () => (await ready()).status === 200 && !(await ready()).degraded);

  await line.cut();
  const down = await eventually('it is degraded', async () => {
    const found = await ready();
    return found.degraded ? found : null;
  });
  expect(down).toMatchObject({ status: 200, ready: true, degraded: ['temporal'] });
  expect(await stack.ok(pm, 'work.board.get')).toMatchObject({ columns: expect.anything() as unknown });
  expect(await stack.ok(pm, 'index.chunk.search', { query: 'report' })).toMatchObject({ hits: [] });
  const refused = await stack.call(pm, 'work.task.claim', { phase_id: 1 });
  expect(refused.error).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryable: true,
    hint: expect.stringMatching(/idempotency key/) as string,
  });
  expect(refused.error?.message).toMatch(/Temporal\) (is not reachable|did not answer)/);

  await line.mend();
  await eventually('it is ready again', async () => !(await ready()).degraded);
  const { task } = await stack.ok(pm, 'work.task.claim', { phase_id: 1 });
  expect(task.description).toBe('Write the report');
  await app.close();
});
