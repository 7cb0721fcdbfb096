/**
 * The target of delegated tasks, a separate process that is killed like the others. It keeps no state, and logs its
 * results and the answers to them in a file. Started by chaos/delegate.ts:
 *   node chaos/target.ts PORT API KEY AGENT FILE SEED
 */
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { Random } from './random.ts';

interface Asked {
  task_id: string;
  parameters: { nonce: string };
  callback_url: string;
  progress_url: string;
  callback_token: string;
}

/** A result that was reported. `answered`: the HTTP status of the answer. */
export interface HandedIn {
  task: string;
  /** Status and content of the result. */
  status: 'completed' | 'failed';
  said: string;
  answered: number;
}

const [port, api, key, agent, file, seed] = process.argv.slice(2) as [string, string, string, string, string, string];
const random = new Random(Number(seed));
const known = new Set<string>();
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

async function post(url: string, token: string | null, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key, ...(token ? { 'x-a2a-task-token': token } : {}) };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(10_000) });
  await answer.arrayBuffer();
  return answer.status;
}

async function work({ task_id, parameters, callback_url, progress_url, callback_token }: Asked): Promise<void> {
  await pause(random.between(20, 1_500));
  // Never answers: the task's deadline must pass.
  if (random.chance(0.03)) return;
  await post(progress_url, callback_token, { status: 'running', progress: { message: 'half-way' } }).catch(() => 0);
  const failed = random.chance(0.1);
  const said = failed ? `${parameters.nonce} cannot be done` : `${parameters.nonce} by ${process.pid}`;
  const body = failed ? { status: 'failed', error: { code: 'CANNOT', message: said } } : { status: 'completed', result: { said } };
  for (let tries = 0; tries < 60; tries += 1) {
    const answered = await post(callback_url, callback_token, { task_id, ...body, execution_time_ms: 5 }).catch(() => 0);
    if (answered !== 0 && answered < 500 && answered !== 429) {
      const line: HandedIn = { task: task_id, status: failed ? 'failed' : 'completed', said, answered };
      appendFileSync(file, `${JSON.stringify(line)}\n`);
      return;
    }
    await pause(500);
  }
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

createServer((request, response) => {
  void bodyOf(request).then((text) => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'POST' && request.url === '/a2a/tasks') {
      const asked = JSON.parse(text) as Asked;
      // The same task sent again is the same task.
      if (!known.has(asked.task_id)) void work(asked);
      known.add(asked.task_id);
      response.end(JSON.stringify({ status: 'accepted', task_id: asked.task_id }));
    } else response.end(JSON.stringify({ status: 'cancelled' }));
  });
}).listen(Number(port), '127.0.0.1');

for (;;) {
  await post(`${api}/a2a/agents/${agent}/heartbeat`, null, {}).catch(() => 0);
  await pause(5_000);
}
