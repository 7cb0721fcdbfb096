/** A task delegated to an agent on loopback until its result is read, compared with a workflow of two activities. */
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { thinCaller } from '../clients.ts';
import type { Context } from '../context.ts';
import { floorClaims } from '../floor/claims.ts';
import { CpuMeter, stackPids } from '../processes.ts';
import { ms, rate, spreadText, type Section } from '../report.ts';
import { each, spread, takeTurns, timed } from '../stats.ts';

const goal = 2;

/** Messages between delegator, platform and agent. */
interface Told {
  agent_id?: string;
  task_id?: string;
  status?: string;
  parameters?: object;
  result?: { n?: number };
  callback_url?: string;
  callback_token?: string;
}

export async function measureDelegation(context: Context): Promise<Section> {
  const { runtime } = context.stack;
  const [rounds, block, warmUp, many] = context.quick ? [4, 10, 10, 60] : [10, 20, 30, 400];
  const key = await context.stack.key({ tenant: 'delegating', name: 'delegator' });
  const thin = thinCaller(runtime.mcp, key);
  const target = await answering(key);
  const floor = await floorClaims(runtime);
  const sockets = new Agent({ keepAlive: true, maxSockets: 64 });
  const rest = (method: string, path: string, body?: object) => send(sockets, runtime.api + path, method, key, body);
  let beating: NodeJS.Timeout | undefined;
  try {
    const registered = await rest('POST', '/a2a/agents/register', {
      agent_type: 'bench',
      endpoint_url: target.url,
      capabilities: [{ name: 'echo', parameters_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } }],
    });
    // After a minute without a heartbeat it would be unhealthy.
    beating = setInterval(() => void rest('POST', `/a2a/agents/${registered.agent_id}/heartbeat`).catch(() => {}), 10_000);
    let n = 0;
    const handed = { target_agent: registered.agent_id, capability_name: 'echo' };
    const check = (told: Told, sent: number): void => {
      if (told.status !== 'completed' || told.result?.n !== sent) throw new Error(`${sent} was answered with ${JSON.stringify(told)}`);
    };
    const roundTrip = async (): Promise<void> => {
      const sent = (n += 1);
      const { task_id } = await rest('POST', '/a2a/tasks/delegate', { ...handed, parameters: { n: sent } });
      check(await rest('GET', `/a2a/tasks/${task_id}/result?wait_seconds=30`), sent);
    };
    const inOne = async (): Promise<void> => {
      const sent = (n += 1);
      check(await thin.ok('agent.task.delegate', { ...handed, parameters: { n: sent }, wait_seconds: 30 }), sent);
    };
    context.say(`delegation: ${rounds * block} round trips each way`);
    const cpu = new CpuMeter(stackPids(runtime, floor));
    const times = await takeTurns(
      { floor: () => floor.twoActivities(), rest: roundTrip, inOne },
      { rounds, block, warmUp, around: cpu.around },
    );

    context.say(`delegation: ${many} at once`);
    const at = { product: 0, floor: 0 };
    at.floor = await timed(() => each(many, 32, () => floor.twoActivities()));
    at.product = await timed(() => each(many, 32, roundTrip));
    const base = spread(times.floor);
    const line = (path: string, name: 'rest' | 'inOne', judged: boolean) => {
      const product = spread(times[name]);
      const ratio = product.p50 / base.p50;
      return {
        path,
        product: spreadText(product),
        floor: `p50 ${ms(base.p50)} ms`,
        ratio,
        goal: judged ? `p50 ≤ ×${goal}` : '',
        ...(judged ? { met: ratio <= goal } : {}),
        figures: { product, floor: base },
      };
    };
    const perSecond = (milliseconds: number): number => (1_000 * many) / milliseconds;
    return {
      title: 'Delegating to an agent on loopback and back',
      lines: [
        line('delegate, then result with wait_seconds (REST)', 'rest', true),
        line('delegate with wait_seconds, one call (MCP)', 'inOne', false),
        {
          path: `${many} by 32 callers at once`,
          product: rate(perSecond(at.product)),
          floor: rate(perSecond(at.floor)),
          ratio: at.floor / at.product,
          goal: '',
          figures: { many, ...at },
        },
      ],
      notes: [
        'Floor: start of a bare workflow, two activities that write a row each, its result.',
        'Processor milliseconds a call:',
        ...(['floor', 'rest', 'inOne'] as const).map((name) => `  ${name}: ${cpu.perCall(name, base.n).text}`),
      ],
    };
  } finally {
    clearInterval(beating);
    sockets.destroy();
    await thin.close();
    await floor.close();
    await target.close();
  }
}

/** An agent that immediately posts each task's parameters back as its result. */
async function answering(key: string): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Agent({ keepAlive: true, maxSockets: 64 });
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const task = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Told;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ status: 'accepted', task_id: task.task_id }));
      if (incoming.method !== 'POST') return;
      const body = { status: 'completed', result: task.parameters, callback_token: task.callback_token };
      send(sockets, task.callback_url ?? '', 'POST', key, body).catch((error: unknown) =>
        console.error(`  the agent could not report: ${String(error)}`),
      );
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      sockets.destroy();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function send(agent: Agent, url: string, method: string, key: string, body?: object): Promise<Told> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, agent, headers: { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          if ((answer.statusCode ?? 500) >= 300) reject(new Error(`${method} ${url}: ${answer.statusCode} ${text.slice(0, 300)}`));
          else resolve(JSON.parse(text) as Told);
        });
        answer.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body && JSON.stringify(body));
  });
}
