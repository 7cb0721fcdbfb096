/** Two apis behind a load balancer are restarted one after the other, as in a deployment, while clients work. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { startBalancer, type Balancer } from '../../chaos/balancer.ts';
import type { Caller } from '../../contracts/caller.ts';
import { freePort } from '../../platform/embedded/ports.ts';
import { ApiProcess } from '../setup/api-process.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let ann: Caller & { apiKey: string };
let balancer: Balancer;
let apis: ApiProcess[];
const clients: Client[] = [];

beforeAll(async () => {
  stack = await testStack({ model: false });
  ann = await stack.caller({ name: 'ann', kind: 'human' });
  balancer = await startBalancer();
  // The balancer must have seen by then that it is not ready any more, however slowly it is answered.
  const env = { SHUTDOWN_DELAY_SECONDS: '5' };
  apis = await Promise.all([0, 1].map(async () => new ApiProcess(stack, await freePort(0), env)));
  await Promise.all(apis.map((api) => api.start()));
  apis.forEach(({ url }, i) => balancer.add({ name: `api-${i + 1}`, url }));
  await eventually('both are ready', async () => {
    await fetch(`${balancer.url}/ready`).then((answer) => answer.text());
    return Object.keys(balancer.served).length === 2;
  });
  // Until now none was known to be ready.
  balancer.failed.length = 0;
}, 180_000);
afterAll(async () => {
  for (const client of clients) await client.close().catch(() => {});
  balancer?.close();
  await Promise.all((apis ?? []).map((api) => api.kill()));
  await stack?.stop();
});

/** What a client has got. */
interface Work {
  made: string[];
  /** Repeats of single calls. */
  repeats: number[];
  answeredAt: number[];
}

/** Creates tasks until the end, each until it is answered. */
async function work(name: string, over: () => boolean, create: (description: string, key: string) => Promise<boolean>): Promise<Work> {
  const done: Work = { made: [], repeats: [], answeredAt: [] };
  for (let n = 0; !over(); n += 1) {
    const [description, key] = [`${name} ${n}`, randomUUID()];
    let repeats = 0;
    while (!(await create(description, key).catch(() => false))) {
      repeats += 1;
      await new Promise((soon) => setTimeout(soon, 50));
    }
    done.made.push(description);
    done.repeats.push(repeats);
    done.answeredAt.push(performance.now());
  }
  return done;
}

async function official(era: '2025' | '2026', heard: () => void): Promise<Client> {
  const client = new Client(
    { name: `several-${era}`, version: '1' },
    {
      ...(era === '2026' ? { versionNegotiation: { mode: 'auto' as const } } : {}),
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: heard } },
    },
  );
  clients.push(client);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${balancer.url}/mcp`), { requestInit: { headers: { 'x-api-key': ann.apiKey } } }),
  );
  return client;
}

it('loses and doubles nothing, and clients see nothing beyond a repeat', async () => {
  const heard = { '2025': 0, '2026': 0 };
  const session = await official('2025', () => (heard['2025'] += 1));
  const stateless = await official('2026', () => (heard['2026'] += 1));
  const through =
    (client: Client) =>
    async (description: string, key: string): Promise<boolean> => {
      const args = { description, phase_id: 1 };
      const answer = await client.callTool({ name: 'work.task.create', arguments: args, _meta: { idempotency_key: key } });
      return (answer.structuredContent as { status: string }).status === 'success';
    };
  const rest = async (description: string, key: string): Promise<boolean> => {
    const answer = await fetch(`${balancer.url}/api/tools/work.task.create`, {
      method: 'POST',
      headers: { 'x-api-key': ann.apiKey, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ description, phase_id: 1 }),
    });
    await answer.text();
    return answer.ok;
  };
  let over = false;
  const running = [
    work('session', () => over, through(session)),
    work('stateless', () => over, through(stateless)),
    work('rest', () => over, rest),
  ];
  try {
    for (const api of apis) {
      const before = { ...balancer.served };
      await eventually('both serve', async () => Object.keys(before).every((name) => balancer.served[name]! > before[name]! + 3));
      expect(await api.stop()).toBe(0);
      await api.start();
    }
  } finally {
    over = true;
  }
  const all = await Promise.all(running);

  const made = all.flatMap((each) => each.made).toSorted();
  const rows = await asTenant('acme', () =>
    stack.db.query<{ description: string }>(`select description from work_tasks where tenant_id = 'acme'`),
  );
  expect(rows.map(({ description }) => description).toSorted()).toEqual(made);
  expect(balancer.failed.map(({ what }) => what)).toEqual([]);
  expect(Math.max(...all.flatMap((each) => each.repeats))).toBeLessThanOrEqual(1);
  const times = all.flatMap((each) => each.answeredAt).toSorted((a, b) => a - b);
  const gaps = times.slice(1).map((at, i) => at - times[i]!);
  console.log(`Rolling restart of two apis: ${made.length} calls, longest gap ${(Math.max(...gaps) / 1000).toFixed(1)} s`);

  // The session's stream was opened again elsewhere: a change of the list is still told. In 2026 the official client leaves
  // it to its user to listen again.
  await stateless.listen({ toolsListChanged: true });
  const before = { ...heard };
  let changes = 0;
  await eventually(
    'both hear of a change',
    async () => {
      if (heard['2025'] > before['2025'] && heard['2026'] > before['2026']) return true;
      const rules = [{ when: `tool.name == "schema.definition.register"`, effect: 'ask', reason: `Change ${(changes += 1)}.` }];
      await stack.ok(ann, 'system.policy.save', { name: 'standard', base: 'standard', rules });
      await new Promise((soon) => setTimeout(soon, 500));
      return false;
    },
    40_000,
  );
}, 240_000);
