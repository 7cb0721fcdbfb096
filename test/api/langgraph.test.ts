/** A real LangGraph graph with a server, and a scripted model. */
import { AIMessage, HumanMessage, type BaseMessage, type ToolMessage } from '@langchain/core/messages';
import { Command, END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer } from '../../api/testing.ts';
import type { Envelope } from '../../contracts/envelope.ts';
import { signalboxNode, signalboxTools, type SignalboxOptions } from '../../langgraph/index.ts';
import { apiOf } from '../setup/api.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let app: FastifyInstance;
let options: SignalboxOptions;

beforeAll(async () => {
  stack = await testStack({ model: false });
  app = apiOf(stack);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { apiKey } = await stack.caller({ name: 'graph', kind: 'human' });
  options = { url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, apiKey };
});
afterAll(async () => {
  await app.close();
  await stack.stop();
});

type Said = { name: string; args: Record<string, unknown> }[];

/** A model that makes these calls, message by message, and then says "done". Some models begin anew with their ids in each message. */
const script = (...turns: Said[]) => scripted(turns, () => '');
const numbered = (...turns: Said[]) => scripted(turns, (turn) => `${turn}_`);
const scripted = (turns: Said[], prefix: (turn: number) => string) => {
  let turn = 0;
  return async (): Promise<{ messages: BaseMessage[] }> => {
    const calls = turns[turn];
    turn += 1;
    return {
      messages: [
        new AIMessage(calls ? { content: '', tool_calls: calls.map((call, i) => ({ ...call, id: `call_${prefix(turn)}${i}` })) } : 'done'),
      ],
    };
  };
};

function graph(model: ReturnType<typeof script>, tools: ToolNode | ReturnType<typeof signalboxNode>) {
  return new StateGraph(MessagesAnnotation)
    .addNode('agent', model)
    .addNode('tools', tools)
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', ({ messages }) => ((messages.at(-1) as AIMessage).tool_calls?.length ? 'tools' : END))
    .addEdge('tools', 'agent')
    .compile({ checkpointer: new MemorySaver() });
}

const run = (compiled: ReturnType<typeof graph>, thread: string) =>
  compiled.invoke({ messages: [new HumanMessage('go')] }, { configurable: { thread_id: thread } });
const toolMessages = (state: { messages: BaseMessage[] }): ToolMessage[] =>
  state.messages.filter((message) => message.type === 'tool') as ToolMessage[];
const created = (message: ToolMessage): { id: string } => ((message.artifact as Envelope).data as { task: { id: string } }).task;
const title = { name: 'work-task-create', args: { description: 'From a graph', phase_id: 1 } };

describe('tools for LangGraph', () => {
  it('carry names, descriptions and schemas that models take', async () => {
    const tools = await signalboxTools({ ...options, profile: 'unified' });
    const create = tools.find(({ name }) => name === 'work-task-create')!;
    expect(tools.every(({ name }) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect(create.description.length).toBeGreaterThan(20);
    expect(create.schema).toMatchObject({ type: 'object', properties: { description: { type: 'string' } } });
    expect((await signalboxTools({ ...options, profile: 'unified', only: ['work.task.get'] })).map(({ name }) => name)).toEqual([
      'work-task-get',
    ]);
  });

  it('run in a ToolNode: one after the other, at once, and refused with an error that the model can read', async () => {
    const tools = new ToolNode(await signalboxTools({ ...options, profile: 'unified' }));
    const state = await run(
      graph(numbered([title], [title, title], [{ name: 'work-task-get', args: { task_id: 'task_none' } }]), tools),
      'thread-1',
    );
    const messages = toolMessages(state);
    expect(messages.map(({ status }) => status)).toEqual(['success', 'success', 'success', 'error']);
    expect(new Set(messages.slice(0, 3).map((message) => created(message).id)).size).toBe(3);
    expect(JSON.parse(messages[3]!.text)).toMatchObject({
      error: expect.stringMatching(/NOT_FOUND|VALIDATION_ERROR/),
      message: expect.any(String),
    });
    expect(state.messages.at(-1)!.text).toBe('done');
  });

  it('answer code as functions do', async () => {
    const tools = await signalboxTools({ ...options, profile: 'unified', only: ['work-phase-list', 'work-task-get'] });
    const [list, get] = ['work-phase-list', 'work-task-get'].map((name) => tools.find((one) => one.name === name)!);
    expect(JSON.parse((await list!.invoke({})) as string).data.phases.length).toBeGreaterThan(0);
    await expect(get!.invoke({ task_id: 'task_none' })).rejects.toThrow(/NOT_FOUND|VALIDATION/);
  });

  it('say why they cannot be had', async () => {
    await expect(signalboxTools({ ...options, apiKey: 'wrong' })).rejects.toThrow(/Invalid API key/);
    await expect(signalboxTools({ ...options, profile: 'none' })).rejects.toThrow(/profile/i);
  });
});

describe('the node', () => {
  it('calls any tool by its name, on behalf of its worker', async () => {
    const node = signalboxNode({ ...options, agentId: 'planner-7' });
    const state = await run(graph(script([title], [title], [{ name: 'no.such.tool', args: {} }]), node), 'thread-2');
    const [made, again, unknown] = toolMessages(state);
    expect(created(again!).id).not.toBe(created(made!).id);
    expect(created(made!)).toMatchObject({ description: 'From a graph', created_by: 'planner-7' });
    expect([unknown!.status, JSON.parse(unknown!.text).error]).toEqual(['error', 'NOT_FOUND']);
  });

  it('does not write twice when a run is repeated after a crash', async () => {
    let failing = true;
    const node = signalboxNode(options);
    const made: string[] = [];
    const shaky: typeof node = async (state, config) => {
      const answer = await node(state, config);
      made.push(created(answer.messages[0]!).id);
      if (failing) throw new Error('the process died here');
      return answer;
    };
    const compiled = graph(script([title]), shaky);
    await expect(run(compiled, 'thread-3')).rejects.toThrow('died');
    failing = false;
    const state = await compiled.invoke(null, { configurable: { thread_id: 'thread-3' } });
    expect(made).toHaveLength(2);
    expect(made[0]).toBe(made[1]);
    expect(created(toolMessages(state)[0]!).id).toBe(made[0]);
  });
});

describe('a call that waits for a person', () => {
  const pending: Envelope = {
    status: 'pending_approval',
    data: null,
    metadata: { source: 'test', query_time_ms: 1 },
    refs: [{ type: 'approval', id: 'approval_1' }],
    warnings: [],
    tool_call_id: 'call_1',
  };
  /** Signalbox as far as approvals go: a fetch that knows one. */
  const answering = (approval: object): { fetch: typeof fetch; asked: { path: string; key: string | null }[] } => {
    const asked: { path: string; key: string | null }[] = [];
    return {
      asked,
      fetch: (async (url: string, init: RequestInit) => {
        const path = new URL(url).pathname;
        asked.push({ path, key: new Headers(init.headers).get('idempotency-key') });
        const found = { ...pending, status: 'success', data: { approval: { approval_id: 'approval_1', ...approval } } };
        return Response.json(path.endsWith('approval.request.get') ? found : pending);
      }) as typeof fetch,
    };
  };
  const gated: Said = [{ name: 'connector.slack.post_message', args: { channel: 'C1', text: 'hi' } }];

  it('is shown to the model', async () => {
    const state = await run(graph(script(gated), signalboxNode({ ...options, ...answering({}) })), 'thread-4');
    expect(JSON.parse(toolMessages(state)[0]!.text)).toMatchObject({ status: 'pending_approval', approval_id: 'approval_1' });
  });

  it.each([
    [{ status: 'completed', answer: { ...pending, status: 'success', data: { ts: '1.2' }, refs: [] } }, 'success', /1\.2/],
    [{ status: 'rejected', note: 'not on a Friday' }, 'error', /rejected \(not on a Friday\)/],
    [{ status: 'pending' }, 'success', /pending_approval/],
  ])('stops the graph, and goes on with the outcome: %o', async (approval, status, text) => {
    const { fetch: send, asked } = answering(approval);
    const compiled = graph(script(gated), signalboxNode({ ...options, fetch: send, approvals: 'interrupt' }));
    const thread = `thread-${JSON.stringify(approval).length}`;
    const stopped = (await run(compiled, thread)) as { __interrupt__?: { value: unknown }[] };
    expect(stopped.__interrupt__?.[0]?.value).toEqual({
      type: 'signalbox.approval',
      approval_id: 'approval_1',
      tool: 'connector.slack.post_message',
      arguments: { channel: 'C1', text: 'hi' },
    });
    const state = await compiled.invoke(new Command({ resume: true }), { configurable: { thread_id: thread } });
    const [message] = toolMessages(state);
    expect([message!.status, message!.text]).toEqual([status, expect.stringMatching(text)]);
    const keys = asked.filter(({ path }) => path.endsWith('post_message')).map(({ key }) => key);
    expect([keys.length, new Set(keys).size, keys[0]]).toEqual([2, 1, expect.stringContaining(thread)]);
  });
});

it('throws when the server is not a Signalbox', async () => {
  await using server = await testServer();
  server.app.server.removeAllListeners('request');
  server.app.server.on('request', (_request, reply) => reply.end('<html>'));
  await expect(signalboxTools({ url: server.url, apiKey: 'alice' })).rejects.toThrow(/no JSON/);
});
