import { SendMessageRequest, type StreamResponse, taskStateToJSON } from '@a2a-js/sdk';
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../../cli/target.ts';
import type { Agent } from './agent.ts';
import { expect, type Tell } from './narrate.ts';
import { listenNearby } from './nearby.ts';

const phase = { id: 904, name: 'tour: from outside' };

/** Outside agents that ask for work, our agents that do it, and outside agents that work for us. */
export async function agents(me: Agent, worker: Agent, to: Target, run: string, tell: Tell): Promise<void> {
  const client = await externalAgent(to);
  const card = await client.getAgentCard();
  const skills = card.skills.map((skill) => skill.id).filter((id) => !id.includes('.'));
  tell(
    `The official A2A client reads the card of ${card.name} ${card.version}: ${skills.join(', ')}, and ${card.skills.length - skills.length} tools.`,
  );
  await askInWords(client, tell);
  await me.ok('work.phase.set', { phase_id: phase.id, name: phase.name, needs_review: false });
  await workForOutside(client, worker, run, tell);
  await delegate(me, tell);
  await delegateOutside(me, run, tell);
}

async function externalAgent({ url, key }: Target): Promise<Client> {
  const withKey: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (key !== undefined) headers.set('x-api-key', key);
    return fetch(input, { ...init, headers });
  };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl: withKey })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl: withKey }),
  });
  return await factory.createFromUrl(url);
}

const request = (messageId: string, part: object) =>
  SendMessageRequest.fromJSON({ message: { messageId, role: 'ROLE_USER', parts: [part] } });

async function askInWords(client: Client, tell: Tell): Promise<void> {
  const question = 'Search for evidence about "boarding in the rain"';
  const answer = await client.sendMessage(request(`ask-${Date.now()}`, { text: question }));
  expect('status' in answer && answer.status !== undefined, 'a question in words becomes a task');
  expect(taskStateToJSON(answer.status.state) === 'TASK_STATE_COMPLETED', 'the question is answered');
  expect(answer.artifacts.length > 0, 'the answer is an artifact');
  tell(`“${question}” → skill and arguments found in the words, task ${answer.id} completed.`);
}

/** A task from an outside agent: on the board, claimed over MCP, and its end streamed to that agent. */
async function workForOutside(client: Client, worker: Agent, run: string, tell: Tell): Promise<void> {
  const wanted = { skill: 'work', description: `Count the scanners on pier ${run}`, phase_id: phase.id };
  const [seen, result] = await Promise.all([
    told(client.sendMessageStream(request(`work-${run}`, { data: wanted }))),
    workOnce(worker, `pier ${run}`),
  ]);
  expect(seen.states.at(-1) === 'TASK_STATE_COMPLETED', 'the agent outside is told that its task is done');
  expect(seen.text.includes(result), "the worker's result is its answer");
  tell(`An outside agent's task became ${seen.workTask ?? 'a kanban task'}; ${worker.name} claimed and completed it over MCP.`);
  tell(
    `What the outside agent was told meanwhile: ${[...new Set(seen.states)].map((state) => state.slice(11).toLowerCase()).join(' → ')}: “${result}”`,
  );
}

interface Told {
  states: string[];
  text: string;
  workTask: string | undefined;
}

async function told(stream: AsyncGenerator<StreamResponse>): Promise<Told> {
  const seen: Told = { states: [], text: '', workTask: undefined };
  for await (const { payload } of stream) {
    const value = payload?.value;
    if (value && 'status' in value && value.status) seen.states.push(taskStateToJSON(value.status.state));
    seen.text += JSON.stringify(value ?? null);
  }
  seen.workTask = /task_[0-9a-z]{20}/.exec(seen.text)?.[0];
  return seen;
}

async function workOnce(worker: Agent, about: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1, await sleep(100)) {
    const { task } = await worker.ok<{ task: { id: string; fencing_token: number; description: string } | null }>('work.task.claim', {
      phase_id: phase.id,
    });
    if (!task) continue;
    const lease = { task_id: task.id, fencing_token: task.fencing_token };
    await worker.ok('work.task.heartbeat', { ...lease, progress: 'Two counted so far' });
    const result = task.description.includes(about) ? `Three scanners on ${about}` : 'Left from an earlier tour';
    await worker.ok('work.task.complete', { ...lease, result });
    if (task.description.includes(about)) return result;
  }
  throw new Error('The outside task never reached the board.');
}

/** One call delegates a task to an agent with the capability, and waits for the result. */
async function delegate(me: Agent, tell: Tell): Promise<void> {
  const { capabilities } = await me.ok<{ capabilities: Record<string, string[]> }>('agent.capability.list');
  const done = await me.ok<{ task_id: string; status: string; result: unknown }>('agent.task.delegate', {
    capability_name: 'hybrid_retrieve',
    parameters: { query: 'scanner in the rain', top_k: 3 },
    wait_seconds: 25,
  });
  expect(done.status === 'completed', 'the delegated task is completed');
  tell(`${Object.keys(capabilities).length} capabilities on offer; hybrid_retrieve delegated and answered in one call (${done.task_id}).`);
}

/** An agent on this machine, on a port that the stack may reach. */
async function delegateOutside(me: Agent, run: string, tell: Tell): Promise<void> {
  const server = createServer((incoming, answer) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of incoming) parts.push(part as Buffer);
      answer.setHeader('content-type', 'application/json').end(JSON.stringify({ status: 'accepted' }));
      if (incoming.method !== 'POST') return;
      const asked = JSON.parse(Buffer.concat(parts).toString()) as {
        task_id: string;
        parameters: { word: string };
        callback_token: string;
      };
      // It reports over MCP; POST /a2a/tasks/{id}/result would have the same effect.
      await me.ok('agent.task.report', {
        task_id: asked.task_id,
        token: asked.callback_token,
        status: 'completed',
        result: { backwards: asked.parameters.word.split('').toReversed().join('') },
      });
    })().catch((error: unknown) => tell(`The agent outside failed: ${String(error)}`));
  });
  const address = await listenNearby(server);
  try {
    const registered = await me.call('agent.peer.register', {
      agent_type: 'mirror',
      endpoint_url: address,
      capabilities: [{ name: `mirror-${run}`, description: 'Turns a word round' }],
    });
    if (registered.error) {
      expect(registered.error.details?.['reason'] === 'private_address', `only its address is in the way (${registered.error.message})`);
      tell('An agent on this machine is not called: addresses inside a network are refused unless PRIVATE_TARGETS lists them.');
      return;
    }
    const { agent_id } = registered.data as { agent_id: string };
    const done = await me.ok<{ status: string; result: { backwards: string } }>('agent.task.delegate', {
      capability_name: `mirror-${run}`,
      parameters: { word: 'lamp' },
      wait_seconds: 25,
    });
    expect(done.result?.backwards === 'pmal', `the agent outside has turned the word round (${JSON.stringify(done)})`);
    tell(`A task handed to ${agent_id} on this machine came back: lamp → ${done.result.backwards}.`);
    await me.ok('agent.peer.unregister', { agent_id });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
