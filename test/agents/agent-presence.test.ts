import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Task } from '../../contracts/work/work.ts';
import type { Process } from '../../services/kernel/processes.ts';
import { restart } from '../../services/sweep.ts';
import { histories, replay, save } from '../setup/replay.ts';
import { eventually, lostOf, testStack, type TestStack } from '../setup/stack.ts';

const timeoutMs = 4_000;
// Silences are waited for.
vi.setConfig({ testTimeout: 90_000 });

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  // A silence of this process is one of the agents, too: the timeout must be longer. A worker's call counts as a sign of life
  // every third of a second.
  stack = await testStack({
    model: false,
    env: { A2A_HEARTBEAT_TIMEOUT_SECONDS: String(timeoutMs / 1_000), A2A_HEARTBEAT_INTERVAL_SECONDS: '1', ALLOW_PRIVATE_NETWORK: 'true' },
  });
  pm = await stack.caller({ name: 'pm' });
});
afterAll(() => stack?.stop());

const worker = (name: string, tenant = 'acme') => stack.caller({ role: 'agent', name, tenant });
const healthOf = async (id: string, tenant = 'acme'): Promise<string | undefined> =>
  (
    await asTenant(tenant, () =>
      stack.db.query<{ health: string }>('select health from agents where tenant_id = $1 and id = $2', [tenant, id]),
    )
  )[0]?.health;
const until = (id: string, health: string) => eventually(`${id} is ${health}`, async () => (await healthOf(id)) === health);
const eventsOf = async (id: string): Promise<string[]> =>
  (
    await asTenant('acme', () =>
      stack.db.query<{ event: string }>('select event from agent_history where tenant_id = $1 and agent_id = $2 order by id', ['acme', id]),
    )
  ).map((row) => row.event);
const lengthOf = async (id: string): Promise<number> =>
  (await stack.temporal.handle(workflowIds.agent('acme', id)).describe()).historyLength;

/** Heartbeats until told to stop. */
function beating(caller: Caller, id: string): () => Promise<void> {
  let stopped = false;
  const loop = (async () => {
    while (!stopped) {
      const { error } = await stack.call(caller, 'agent.peer.heartbeat', { agent_id: id });
      // One that was not answered in time is sent again.
      if (error && !error.retryable) throw error;
      await new Promise((done) => setTimeout(done, 150));
    }
  })();
  return async () => {
    stopped = true;
    await loop;
  };
}

it('is healthy while it shows itself, unhealthy after a silence, and healthy again at the next sign of life', async () => {
  const { agent_id: id } = await stack.ok(pm, 'agent.peer.register', {
    agent_type: 'researcher',
    endpoint_url: 'http://127.0.0.1:8999/',
    capabilities: [{ name: 'summarize' }],
  });
  expect(id).toMatch(/^acme-researcher-[0-9a-f]{8}$/);
  const direct = { workflowId: workflowIds.agent('acme', id), activityId: 'presence' };
  await eventually('it is watched', () =>
    stack.temporal.client.activity.heartbeat(direct).then(
      () => true,
      () => false,
    ),
  );
  const stop = beating(pm, id);
  const before = await lengthOf(id);
  const since = Date.now();
  await eventually('more than the timeout has passed', async () => Date.now() - since > timeoutMs + 1_000);
  expect(await healthOf(id)).toBe('healthy');
  expect(await lengthOf(id)).toBe(before);
  await stop();
  await until(id, 'unhealthy');
  expect((await stack.ok(pm, 'agent.peer.list', {}))['agents'].map((agent: { agent_id: string }) => agent.agent_id)).not.toContain(id);
  const again = beating(pm, id);
  await until(id, 'healthy');
  await again();
  await until(id, 'offline');
  await stack.ok(pm, 'agent.peer.heartbeat', { agent_id: id });
  await until(id, 'healthy');
  expect((await eventsOf(id)).slice(0, 5)).toEqual(['registered', 'unhealthy', 'healthy', 'unhealthy', 'offline']);
  const told = await asTenant('acme', () =>
    stack.db.query<{ health: string }>(
      `select data->>'health' as health from outbox where tenant_id = 'acme' and type = 'agent.status_changed' and subject = $1 order by id`,
      [id],
    ),
  );
  expect(told.slice(0, 4).map((row) => row.health)).toEqual(['unhealthy', 'healthy', 'unhealthy', 'offline']);
});

it('frees what an agent that died holds, by its own token, and leaves what others hold alone', async () => {
  const phase_id = 31;
  await stack.ok(pm, 'work.phase.set', { phase_id });
  const [dying, other, next] = [await worker('dying'), await worker('other'), await worker('next')];
  for (const one of [dying, other]) await stack.ok(one, 'agent.registry.register', { agent_type: 'builder' });
  const create = async () =>
    (await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'Build it', phase_id, lease_seconds: 600 })).task;
  await create();
  await create();
  // In an MCP session, which has its own worker name.
  const inSession = { ...dying, worker: 'dying/client-1', mcpSession: '1' };
  const { task: held } = await stack.ok<{ task: Task }>(inSession, 'work.task.claim', { phase_id });
  expect(held.assigned_agent_id).toBe('dying/client-1');
  const { task: others } = await stack.ok<{ task: Task }>(other, 'work.task.claim', { phase_id });
  const stop = beating(other, 'other');
  await until('dying', 'offline');
  const get = async (task_id: string) => (await stack.ok<{ task: Task }>(pm, 'work.task.get', { task_id })).task;
  expect(await get(held.id)).toMatchObject({ status: 'ready', assigned_agent_id: null });
  expect(await get(others.id)).toMatchObject({ status: 'in_progress', assigned_agent_id: 'other' });
  await stop();
  const { task: taken } = await stack.ok<{ task: Task }>(next, 'work.task.claim', { phase_id });
  expect(taken).toMatchObject({ id: held.id, fencing_token: held.fencing_token! + 1 });
  const late = await stack.call(dying, 'work.task.complete', { task_id: held.id, fencing_token: held.fencing_token });
  expect(late.error).toMatchObject({ code: 'CONFLICT' });
});

it('counts claims and heartbeats of tasks as signs of life of a registered worker', async () => {
  const phase_id = 32;
  await stack.ok(pm, 'work.phase.set', { phase_id });
  const busy = await worker('busy');
  await stack.ok(busy, 'agent.registry.register', { agent_type: 'builder' });
  const { task } = await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'Build it', phase_id, lease_seconds: 600 });
  await until('busy', 'unhealthy');
  await stack.ok(busy, 'work.task.claim', { phase_id });
  await eventually('it is healthy by its calls alone', async () => {
    await stack.ok(busy, 'work.task.heartbeat', { task_id: task.id, fencing_token: 1 });
    return (await healthOf('busy')) === 'healthy';
  });
});

it('lives on when its workers are stopped and started, and frees nothing for that', async () => {
  const phase_id = 33;
  await stack.ok(pm, 'work.phase.set', { phase_id });
  const keeper = await worker('keeper');
  await stack.ok(keeper, 'agent.registry.register', { agent_type: 'builder' });
  const { task } = await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'Keep it', phase_id, lease_seconds: 600 });
  await stack.ok(keeper, 'work.task.claim', { phase_id });
  const stop = beating(keeper, 'keeper');
  await stack.stopWorkers();
  const since = Date.now();
  await eventually('longer than two timeouts', async () => Date.now() - since > 2 * timeoutMs + 500);
  await stack.startWorkers();
  await until('keeper', 'healthy');
  expect(await eventsOf('keeper')).not.toContain('offline');
  expect((await stack.ok<{ task: Task }>(pm, 'work.task.get', { task_id: task.id })).task).toMatchObject({
    status: 'in_progress',
    attempts: 1,
  });
  await stop();
});

it('is found when its process is lost, and starts again', async () => {
  const { agent_id: id } = await stack.ok(pm, 'agent.peer.register', { agent_type: 'lost', endpoint_url: 'http://127.0.0.1:8999' });
  const handle = stack.temporal.handle(workflowIds.agent('acme', id));
  await handle.terminate('test');
  const lost = await lostOf(stack, id);
  expect(lost).toMatchObject([{ kind: 'agent', workflowId: workflowIds.agent('acme', id), neverStarted: true }]);
  expect(await restart(stack.services, lost)).toBe(1);
  expect((await handle.describe()).status.name).toBe('RUNNING');
  await stack.ok(pm, 'agent.peer.unregister', { agent_id: id });
  await eventually('its process ends', async () => (await handle.describe()).status.name === 'COMPLETED');
});

it('knows no agents of others, and none that are gone', async () => {
  const { agent_id: id } = await stack.ok(pm, 'agent.peer.register', { agent_type: 'mine', endpoint_url: 'http://127.0.0.1:8999' });
  const stranger = await stack.caller({ tenant: 'globex', name: 'stranger' });
  for (const [caller, agent_id] of [
    [stranger, id],
    [pm, 'acme-nobody-00000000'],
  ] as const) {
    for (const tool of ['agent.peer.heartbeat', 'agent.peer.unregister']) {
      expect((await stack.call(caller, tool, { agent_id })).error, tool).toMatchObject({ code: 'NOT_FOUND' });
    }
  }
  await stack.ok(pm, 'agent.peer.unregister', { agent_id: id });
  const again = await stack.ok(pm, 'agent.peer.unregister', { agent_id: id });
  expect(again['agent_id']).toBe(id);
  await eventually(
    'its presence has ended',
    async () => (await stack.call(pm, 'agent.peer.heartbeat', { agent_id: id })).error?.code === 'NOT_FOUND',
  );
});

it('knows a standard A2A agent by its card, and misses no heartbeats of it', async () => {
  const card = {
    name: 'Translator',
    description: 'Translates texts',
    version: '1.0.0',
    protocolVersion: '0.3.0',
    url: 'https://translator.example/a2a',
    preferredTransport: 'JSONRPC',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'translate', name: 'Translate', description: 'From one language to another', tags: ['text'] }],
  };
  const server = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(card)));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const card_url = `http://127.0.0.1:${port}/.well-known/agent-card.json`;
  const { agent_id } = await stack.ok(pm, 'agent.peer.register', { agent_type: 'translator', card_url });
  const { agents } = await stack.ok(pm, 'agent.peer.list', { capability: 'translate' });
  expect(agents).toMatchObject([{ agent_id, protocol: 'a2a', endpoint_url: 'https://translator.example/a2a', health_status: 'none' }]);
  await new Promise((done) => server.close(done));
  expect((await stack.call(pm, 'agent.peer.register', { agent_type: 'gone', card_url })).error).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
});

it('adds up by day what agents report to have used', async () => {
  await stack.ok(pm, 'agent.registry.register', { agent_type: 'writer', kind: 'managed', agent_id: 'writer' });
  expect(await healthOf('writer')).toBe('none');
  const usage = { calls: 1, tokens: 100, cost_usd: 0.25 };
  for (let i = 0; i < 4; i += 1)
    await stack.ok(pm, 'agent.peer.heartbeat', { agent_id: 'writer', coherence_score: 0.5, activity: `step ${i}`, usage });
  await until('writer', 'healthy');
  const [writer] = await eventually('its figures are written', async () => {
    const { agents } = await stack.ok(pm, 'agent.registry.list', { agent_id: 'writer' });
    return agents[0].cost.calls === 4 && agents;
  });
  expect(writer.cost).toEqual({ calls: 4, tokens: 400, cost_usd: 1 });
  // The ledger has all their ends, although they are written in batches.
  await eventually('the ledger has them', async () => {
    const { events } = await stack.ok(pm, 'system.ledger.search', { tool: 'agent.peer.heartbeat', principal: 'pm', limit: 100 });
    const of = (type: string): string[] =>
      events.filter((event: { type: string }) => event.type === type).map((event: { tool_call_id: string }) => event.tool_call_id);
    const ended = new Set(of('tool.call.completed'));
    return ended.size >= 4 && !of('tool.call.started').some((id) => ended.has(id));
  });
});

it('moves a presence that a former version started among claims to its own queue, and it stays as it was', async () => {
  const { agent_id: id } = await stack.ok(pm, 'agent.peer.register', { agent_type: 'moved', endpoint_url: 'http://127.0.0.1:8998/' });
  const handle = stack.temporal.handle(workflowIds.agent('acme', id));
  expect((await handle.describe()).taskQueue).toBe('presence');
  await eventually('it is watched', () => stack.services.agents.presence.heartbeat('acme', id).then(() => true));
  // As before: the process of a row, in the queue of claims.
  await handle.terminate('started again as a former version did');
  const process = (stack.services.agents.presence as unknown as { process(tenant: string, id: string): Process }).process('acme', id);
  await stack.services.kernel.processes.start({ ...process, queue: 'interactive' });
  const { runId, taskQueue } = await handle.describe();
  expect(taskQueue).toBe('interactive');
  await until(id, 'unhealthy');
  await eventually('it has moved', async () => {
    const now = await handle.describe();
    return now.taskQueue === 'presence' && now.runId !== runId;
  });
  // The next silence, a sign of life and its end arrive at the new run.
  await until(id, 'offline');
  await stack.ok(pm, 'agent.peer.heartbeat', { agent_id: id });
  await until(id, 'healthy');
  expect((await eventsOf(id)).slice(-3)).toEqual(['unhealthy', 'offline', 'healthy']);
  const moved: string[] = [];
  for await (const { id: workflowId, history } of histories(stack.temporal.client, `WorkflowId = '${handle.workflowId}'`)) {
    const queue = history.events?.[0]?.workflowExecutionStartedEventAttributes?.taskQueue?.name ?? '';
    moved.push(queue);
    expect(await replay([{ id: workflowId, history }])).toBe(1);
  }
  expect(moved).toContain('interactive');
  expect(moved).toContain('presence');
});

it('leaves histories that replay', async () => {
  const folder = fileURLToPath(new URL('../replay/histories', import.meta.url));
  const recorded = [];
  for await (const each of histories(stack.temporal.client, `WorkflowType = 'agent'`)) recorded.push(each);
  expect(recorded.length).toBeGreaterThan(4);
  expect(await replay(recorded)).toBe(recorded.length);
  if (!process.env['RECORD_HISTORIES']) return;
  mkdirSync(folder, { recursive: true });
  const longest = recorded.toSorted((a, b) => b.history.events!.length - a.history.events!.length);
  longest.slice(0, 2).forEach(({ history }, i) => save(join(folder, `agent-${i}.history.gz`), history));
});
