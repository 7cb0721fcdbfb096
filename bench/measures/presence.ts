/** Heartbeats compared with bare activity heartbeats by id, and many agents that must all stay present. */
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { openOutside } from '../../adapters/open.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Runtime } from '../../platform/config.ts';
import { createLogger } from '../../platform/logger.ts';
import { createServices } from '../../services/index.ts';
import { thinCaller, type Caller } from '../clients.ts';
import { eventually, type Context } from '../context.ts';
import { memoryOf, stackPids } from '../processes.ts';
import { rate, type Line, type Section } from '../report.ts';
import { startStack, type BenchStack } from '../stack.ts';
import { each, median, timed } from '../stats.ts';

const tenant = 'presence';
const width = 50;
const goal = 0.7;

export async function measurePresence(context: Context): Promise<Section> {
  const fast = await heartbeats(context);
  const crowd = await manyPresent(context);
  return { title: 'Presence of agents', lines: [...fast.lines, ...crowd.lines], notes: [...fast.notes, ...crowd.notes] };
}

/** @returns the ids of the agents, after their presence workflows run */
async function register(context: Context, stack: BenchStack, thin: Caller, client: Client, count: number): Promise<string[]> {
  context.say(`presence: registering ${count} agents`);
  const ids: string[] = [];
  await each(count, 20, async (index) => {
    const { agent_id } = await thin.ok<{ agent_id: string }>('agent.peer.register', {
      agent_type: 'bench',
      endpoint_url: `https://agents.example/${index}`,
      capabilities: [{ name: 'count' }],
    });
    ids.push(agent_id);
  });
  await watchedAll(client, ids);
  return ids;
}

/** Waits until all have started: their presence activities run, and no workflow task is pending. */
async function watchedAll(client: Client, ids: readonly string[]): Promise<void> {
  await each(ids.length, 20, (index) =>
    eventually(`${ids[index]} is watched`, async () => {
      const { raw } = await client.workflow.getHandle(workflowIds.agent(tenant, ids[index]!)).describe();
      return !raw.pendingWorkflowTask && raw.pendingActivities?.some((activity) => activity.lastStartedTime);
    }),
  );
}

const beat = (client: Client, id: string): Promise<void> =>
  client.activity.heartbeat({ workflowId: workflowIds.agent(tenant, id), activityId: 'presence' });

async function eventsOf(client: Client, ids: readonly string[]): Promise<number> {
  let sum = 0;
  await each(ids.length, 10, async (index) => {
    sum += (await client.workflow.getHandle(workflowIds.agent(tenant, ids[index]!)).describe()).historyLength;
  });
  return sum;
}

async function heartbeats(context: Context): Promise<Omit<Section, 'title'>> {
  const { stack } = context;
  const { runtime } = stack;
  const [agents, rounds, block] = context.quick ? [200, 4, 1_000] : [200, 10, 2_000];
  const thin = thinCaller(runtime.mcp, await stack.key({ tenant, role: 'agent', name: 'beater' }), width);
  const connection = await Connection.connect({ address: runtime.temporal });
  const client = new Client({ connection });
  const outside = await openOutside(
    {
      ...stack.config,
      DATABASE_URL: runtime.database_url,
      TEMPORAL_ADDRESS: runtime.temporal,
      EMBEDDING_MODEL_DIR: 'none',
      DATABASE_POOL_SIZE: 4,
    },
    createLogger('bench', 'silent'),
  );
  const { presence } = createServices(outside).agents;
  try {
    const ids = await register(context, stack, thin, client, agents);
    const before = await eventsOf(client, ids);
    const contenders = {
      floor: (id: string) => beat(client, id),
      service: (id: string) => asTenant(tenant, () => presence.heartbeat(tenant, id)),
      http: (id: string) => thin.ok('agent.peer.heartbeat', { agent_id: id }),
    };
    const names = Object.keys(contenders) as (keyof typeof contenders)[];
    const run = (name: keyof typeof contenders, count: number) =>
      timed(() => each(count, width, (index) => contenders[name](ids[index % ids.length]!)));
    for (const name of names) await run(name, 400);
    const rates: Record<string, number[]> = { floor: [], service: [], http: [] };
    let sent = 3 * 400;
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < names.length; turn += 1) {
        const name = names[(turn + round) % names.length]!;
        rates[name]!.push((block / (await run(name, block))) * 1_000);
        sent += block;
      }
    }
    const events = (await eventsOf(client, ids)) - before;
    const floor = median(rates['floor']!);
    const line = (path: string, name: 'service' | 'http'): Line => {
      const product = median(rates[name]!);
      const ratio = product / floor;
      return { path, product: rate(product), floor: rate(floor), ratio, goal: `≥ ×${goal}`, met: ratio >= goal, figures: { rates } };
    };
    return {
      lines: [
        line('heartbeats through the service', 'service'),
        line('agent.peer.heartbeat over HTTP', 'http'),
        {
          path: 'events of history per heartbeat',
          product: String(events / sent),
          floor: '',
          goal: '0',
          met: events <= 0,
          figures: { events, sent },
        },
      ],
      notes: [
        `Floor: Temporal's heartbeat by activity id from this process. ${agents} agents, ${width} at a time, ${rounds} blocks of ${block} each. Less than 0: a workflow task that was tried when the agents were looked at, and changed nothing, is counted only while it lasts.`,
      ],
    };
  } finally {
    await presence.close();
    await outside.close();
    await thin.close();
    await connection.close();
  }
}

/** All must stay present, otherwise the platform takes work from agents that are alive. */
async function manyPresent(context: Context): Promise<Omit<Section, 'title'>> {
  const [agents, intervalMs, lastsMs, timeoutS] = context.quick ? [300, 3_000, 60_000, 6] : [2_000, 30_000, 300_000, 60];
  // A shorter timeout needs a separate stack.
  const own = context.quick
    ? await startStack({ env: { A2A_HEARTBEAT_TIMEOUT_SECONDS: String(timeoutS) }, onProgress: context.say })
    : null;
  delete process.env['A2A_HEARTBEAT_TIMEOUT_SECONDS'];
  const stack = own ?? context.stack;
  const { runtime } = stack;
  const thin = thinCaller(runtime.mcp, await stack.key({ tenant, role: 'agent', name: 'crowd' }), width);
  const connection = await Connection.connect({ address: runtime.temporal });
  const client = new Client({ connection });
  try {
    const before = memoryOf(stackPids(runtime));
    const stop = new AbortController();
    const failures: string[] = [];
    let sent = 0;
    let beats: Promise<void>[] = [];
    const started = performance.now();
    // Each agent sends heartbeats from its registration on, as real agents do.
    const present = (id: string): void => {
      beats.push(
        (async () => {
          while (!stop.signal.aborted) {
            await pause(intervalMs, stop.signal);
            if (stop.signal.aborted) return;
            sent += 1;
            await thin.ok('agent.peer.heartbeat', { agent_id: id }).catch((error: Error) => failures.push(error.message));
          }
        })(),
      );
    };
    context.say(`presence: ${agents} agents for ${lastsMs / 1_000} s`);
    const ids: string[] = [];
    await each(agents, 20, async (index) => {
      const { agent_id } = await thin.ok<{ agent_id: string }>('agent.peer.register', {
        agent_type: 'crowd',
        endpoint_url: `https://agents.example/${index}`,
        capabilities: [{ name: 'count' }],
      });
      ids.push(agent_id);
      present(agent_id);
    });
    const registered = performance.now() - started;
    await watchedAll(client, ids);
    await pause(intervalMs, stop.signal);
    const settled = memoryOf(stackPids(runtime));
    const sample = ids.filter((_, index) => index % Math.ceil(ids.length / 50) === 0);
    const events = await eventsOf(client, sample);
    await pause(lastsMs, stop.signal);
    const grown = (await eventsOf(client, sample)) - events;
    const after = memoryOf(stackPids(runtime));
    const doubted = await doubts(runtime);
    stop.abort();
    await Promise.all(beats);
    beats = [];
    const mb = (of: typeof before) =>
      Object.entries(of)
        .filter(([name]) => name !== 'caller')
        .map(([name, { rss }]) => `${name} ${Math.round(rss / 1024 ** 2)}`)
        .join(', ');
    const total = (of: typeof before): number =>
      Object.entries(of).reduce((sum, [name, { rss }]) => (name === 'caller' ? sum : sum + rss), 0);
    const growth = total(after) / total(settled);
    return {
      lines: [
        {
          path: `${agents} agents, a heartbeat each ${intervalMs / 1_000} s for ${lastsMs / 1_000} s: falsely offline / unhealthy`,
          product: `${doubted.offline} / ${doubted.unhealthy}`,
          floor: '',
          goal: '0 / 0',
          met: doubted.offline + doubted.unhealthy === 0,
          figures: { ...doubted, sent, failures: failures.length, registeredMs: registered },
        },
        {
          path: 'their processes meanwhile: events of history / memory',
          product: `${grown} / ×${growth.toFixed(2)}`,
          floor: '',
          goal: '0 / ≤ ×1.10',
          met: grown <= 0 && growth <= 1.1,
          figures: { before, settled, after },
        },
      ],
      notes: [
        `Registered in ${Math.round(registered / 1_000)} s; ${sent} heartbeats, ${failures.length} failed${failures[0] ? ` (${failures[0]})` : ''}; timeout ${timeoutS} s.`,
        `Memory in MB, before: ${mb(before)}; all present: ${mb(settled)}; at the end: ${mb(after)}.`,
      ],
    };
  } finally {
    await thin.close();
    await connection.close();
    await own?.remove();
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    }
    signal.addEventListener('abort', end, { once: true });
  });

/** How often an agent was considered silent. */
async function doubts(runtime: Runtime): Promise<{ offline: number; unhealthy: number }> {
  const client = new pg.Client({ connectionString: runtime.database_url });
  await client.connect();
  try {
    await client.query("select set_config('app.tenant', $1, false)", [tenant]);
    const { rows } = await client.query<{ offline: number; unhealthy: number }>(
      `select count(*) filter (where event = 'offline')::int as offline, count(*) filter (where event = 'unhealthy')::int as unhealthy
       from agent_history where tenant_id = $1 and agent_id like '%-crowd-%'`,
      [tenant],
    );
    return rows[0]!;
  } finally {
    await client.end();
  }
}
