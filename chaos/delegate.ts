/** Actors that delegate tasks to an agent, which is also killed, and that send requests over A2A. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { CarefulCaller } from './caller.ts';
import { pause, type Load } from './load.ts';
import type { Random } from './random.ts';

export interface TargetParts {
  api: string;
  key: string;
  /** File with the results that it reported. */
  file: string;
}

interface A2aTask {
  id: string;
  status: { state: string };
}

interface Result {
  task_id: string;
  status: string;
  result: { said?: string } | null;
  error: { code: string; message: string } | null;
}

/** Deadline of a delegated task in seconds: the target loses its tasks when it is killed. */
const timeLimit = 25;

/** Registers the agent, and restarts it after kills. @returns its id, and a function that ends it */
export async function target(caller: CarefulCaller, { api, key, file }: TargetParts, random: Random) {
  const port = await freePort();
  const { data, reason } = await caller.write<{ agent_id: string }>('agent.peer.register', {
    agent_type: 'echo',
    endpoint_url: `http://127.0.0.1:${port}`,
    capabilities: [{ name: 'echo', parameters_schema: { type: 'object', required: ['nonce'] } }],
    stable_key: 'chaos-echo',
  });
  if (!data) throw new Error(`agent.peer.register was refused: ${reason}`);
  const script = fileURLToPath(new URL('target.ts', import.meta.url));
  let child: ChildProcess;
  let ended = false;
  const live = (): void => {
    const args = [script, String(port), api, key, data.agent_id, file, String(Math.floor(random.next() * 1e9))];
    child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], { stdio: 'ignore' });
    child.once('exit', () => ended || setTimeout(live, random.between(200, 2_000)));
  };
  live();
  const lives = async (down: () => boolean): Promise<void> => {
    while (!down()) {
      await pause(random.between(8_000, 20_000));
      if (!down()) child.kill('SIGKILL');
    }
  };
  return {
    agent: data.agent_id,
    lives,
    end: (): void => {
      ended = true;
      child.kill('SIGKILL');
    },
  };
}

/** Delegates tasks one by one, cancels some, and waits for each to end. */
export async function delegator({ caller, journal, winding }: Load, agent: string, random: Random): Promise<void> {
  while (!winding.down) {
    const nonce = randomUUID();
    const { data, reason } = await caller.write<{ task_id: string }>('agent.task.delegate', {
      target_agent: agent,
      capability_name: 'echo',
      parameters: { nonce },
      timeout_seconds: timeLimit,
    });
    if (!data) {
      // A kill may have made the target unhealthy; this refusal is also correct.
      if (reason !== 'unhealthy') throw new Error(`agent.task.delegate was refused: ${reason}`);
      await pause(500);
      continue;
    }
    journal.delegations.set(data.task_id, { nonce, cancelled: false });
    if (random.chance(0.1)) {
      const cancelled = await caller.write('agent.task.cancel', { task_id: data.task_id });
      if (cancelled.data) journal.delegations.get(data.task_id)!.cancelled = true;
    }
    await ended(caller, data.task_id);
  }
}

async function ended(caller: CarefulCaller, task_id: string): Promise<Result> {
  for (;;) {
    const { data, reason } = await caller.read<Result>('agent.task.get_result', { task_id, wait_seconds: 5 });
    if (data) return data;
    if (reason !== 'TIMEOUT') throw new Error(`agent.task.get_result was refused: ${reason}`);
  }
}

/** Sends A2A messages, each until it is answered, and follows each task until it ends. */
export async function asker({ journal, winding }: Load, { api, key }: Omit<TargetParts, 'file'>, giveUp: AbortSignal): Promise<void> {
  const rpc = async <T>(method: string, params: object): Promise<T> => {
    for (;;) {
      giveUp.throwIfAborted();
      const headers = { 'content-type': 'application/json', 'x-api-key': key, 'a2a-version': '1.0' };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const answer = await fetch(`${api}/a2a`, { method: 'POST', headers, body, signal: AbortSignal.timeout(30_000) })
        .then((got) => got.json() as Promise<{ result?: T; error?: { code: number; message: string } }>)
        .catch(() => null);
      if (answer?.result) return answer.result;
      // The server is down or starting: the outcome is unknown, so send the same message again.
      if (answer?.error && ![-32603, -32000].includes(answer.error.code)) throw new Error(`${method}: ${answer.error.message}`);
      await pause(300);
    }
  };
  while (!winding.down) {
    const message = {
      messageId: randomUUID(),
      role: 'ROLE_USER',
      parts: [{ data: { skill: 'lookup-entity', tool: 'entity.record.list', arguments: { limit: 3 } } }],
    };
    const first = await rpc<{ task: A2aTask }>('SendMessage', { message, configuration: { returnImmediately: true } });
    // Sends it again, like a client that has lost the answer: it must be the same task.
    const again = await rpc<{ task: A2aTask }>('SendMessage', { message, configuration: { returnImmediately: true } });
    if (first.task.id !== again.task.id) journal.violations.push(`One A2A message became two tasks: ${first.task.id}, ${again.task.id}.`);
    journal.a2aTasks.add(first.task.id);
    for (let over = false; !over; await pause(200)) {
      const task = await rpc<A2aTask>('GetTask', { id: first.task.id });
      over = ['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_CANCELED'].includes(task.status.state);
    }
    await pause(500);
  }
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
