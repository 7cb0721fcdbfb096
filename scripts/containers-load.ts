/** The work that `containers.ts` does through a front door while parts are killed, and its check against what was acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Envelope } from '../contracts/envelope.ts';
import type { Task } from '../contracts/work/work.ts';
import { expect, seconds } from './tour/narrate.ts';

export interface Door {
  url: string;
  /** Marks the tasks of this trial. */
  tag: string;
  interrupted: AbortSignal;
}

export interface Agent {
  call(tool: string, args: Record<string, unknown>, idempotencyKey?: string): Promise<Envelope>;
  ok<T>(tool: string, args: Record<string, unknown>): Promise<T>;
  tools: string[];
  close(): Promise<void>;
}

export async function connect({ url }: Door, key: string): Promise<Agent> {
  const headers = { 'x-api-key': key, 'x-agent-id': 'trial' };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  const client = new Client({ name: 'signalbox-containers', version: '1.0.0' });
  await client.connect(transport);
  const agent: Agent = {
    async call(name, args, idempotencyKey) {
      const meta = idempotencyKey ? { _meta: { idempotency_key: idempotencyKey } } : {};
      return (await client.callTool({ name, arguments: args, ...meta })).structuredContent as Envelope;
    },
    async ok<T>(tool: string, args: Record<string, unknown>) {
      const { error, data } = await agent.call(tool, args);
      if (error) throw new Error(`${tool}: ${error.code}: ${error.message}`);
      return data as T;
    },
    tools: (await client.listTools()).tools.map((tool) => tool.name),
    close: () => client.close(),
  };
  return agent;
}

/** What was answered: the text of each task, and whether its completion was acknowledged. */
export const acknowledged = new Map<string, { text: string; done: boolean }>();
let filed = 0;

/** Files, claims and completes tasks one after the other; a call is repeated under its key until it is answered. */
async function loadUntil(door: Door, key: string, ended: AbortSignal): Promise<{ calls: number; longestMs: number }> {
  let agent: Agent | null = null;
  let [calls, longestMs] = [0, 0];
  const call = async (tool: string, args: Record<string, unknown>, idempotencyKey?: string): Promise<Envelope> => {
    for (const started = performance.now(); ; await sleep(200)) {
      door.interrupted.throwIfAborted();
      const answer = await (async () => (agent ??= await connect(door, key)).call(tool, args, idempotencyKey))().catch(() => null);
      const refused = answer?.error && !answer.error.retryable;
      if (answer && (!answer.error || refused)) {
        calls += 1;
        longestMs = Math.max(longestMs, performance.now() - started);
        if (refused) throw new Error(`${tool} under load: ${answer.error?.code}: ${answer.error?.message}`);
        return answer;
      }
      if (!answer) agent = null;
      expect(performance.now() - started < 180_000, `${tool} is answered within three minutes`);
    }
  };
  while (!ended.aborted) {
    const text = `task ${++filed} of ${door.tag}`;
    const created = await call(
      'work.task.create',
      { description: text, phase_id: 1, tags: [door.tag], needs_review: false },
      `${text} create`,
    );
    const { id } = (created.data as { task: Task }).task;
    acknowledged.set(id, { text, done: false });
    if (filed % 2 === 0) continue;
    const claimed = await call('work.task.claim', { task_id: id, lease_seconds: 3600 }, `${text} claim`);
    const { fencing_token } = (claimed.data as { task: Task }).task;
    await call('work.task.complete', { task_id: id, fencing_token, result: text }, `${text} complete`);
    acknowledged.set(id, { text, done: true });
  }
  return { calls, longestMs };
}

export async function underLoad(door: Door, key: string, work: () => Promise<unknown>): Promise<[void, string]> {
  const end = new AbortController();
  const load = loadUntil(door, key, end.signal);
  load.catch(() => {});
  try {
    await Promise.race([sleep(2_000).then(work), load]);
    await sleep(2_000);
  } finally {
    end.abort();
  }
  const { calls, longestMs } = await load;
  return [undefined, `${calls} calls, the slowest ${seconds(longestMs)}`];
}

export const lesson = 'The lighthouse keeper counts seventeen herons at dawn.';

/** Every acknowledged task is there once, as it was answered; the document is found. */
export async function checkAll({ tag }: Door, agent: Agent): Promise<[void, string]> {
  const found = new Map<string, Task>();
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await agent.call('work.task.list', { tags: [tag], limit: 100, ...(cursor ? { cursor } : {}) });
    expect(!page.error, `tasks are listed (${page.error?.message})`);
    for (const task of (page.data as { tasks: Task[] }).tasks) found.set(task.id, task);
    cursor = page.metadata.next_cursor ?? undefined;
  }
  for (const [id, { text, done }] of acknowledged) {
    const task = found.get(id);
    expect(task !== undefined, `"${text}" stands`);
    expect(!done || task.status === 'done', `"${text}" is done, not ${task.status}`);
  }
  expect(found.size === acknowledged.size, `${found.size} tasks are the ${acknowledged.size} that were acknowledged`);
  const { hits } = await agent.ok<{ hits: { content: string }[] }>('index.chunk.search', { query: 'herons at dawn', limit: 5 });
  expect(
    hits.some(({ content }) => content.includes(lesson)),
    'the document is found',
  );
  return [undefined, `${found.size} tasks, 0 lost, 0 doubled`];
}
