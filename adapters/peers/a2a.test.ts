import { TaskState } from '@a2a-js/sdk';
import { describe, expect, test } from 'vitest';
import type { PeerFailure } from '../../contracts/agents/delegations.ts';
import { guardedFetch } from '../web/guarded-fetch.ts';
import { testClient } from '../web/testing.ts';
import { a2aPeers } from './a2a.ts';
import { a2aAgent, part, words, type Spoken, type Story, type TestAgent } from './testing.ts';
import type { OutgoingTask, PeerAddress, PeerProgress } from './types.ts';

const {
  TASK_STATE_WORKING,
  TASK_STATE_COMPLETED,
  TASK_STATE_FAILED,
  TASK_STATE_REJECTED,
  TASK_STATE_INPUT_REQUIRED,
  TASK_STATE_AUTH_REQUIRED,
} = TaskState;

const outgoing = (more: Partial<OutgoingTask> = {}): OutgoingTask => ({
  id: 't1',
  sourceAgent: 'us',
  targetAgent: 'them',
  capability: 'echo',
  parameters: { n: 1, words: 'hi' },
  priority: 5,
  timeoutSeconds: 60,
  correlationId: 'c1',
  createdAt: '2026-01-01T00:00:00Z',
  callbackUrl: '',
  progressUrl: '',
  callbackToken: '',
  ...more,
});

function open({ allowPrivate = true } = {}) {
  const web = testClient({ allowPrivate });
  const guarded = guardedFetch({ allowPrivate, userAgent: 'Signalbox/1.0' });
  const port = a2aPeers({ web, guarded: guarded.fetch, poll: { first: 20, last: 50 } });
  const follow = port.follow;
  return {
    port,
    follow,
    async [Symbol.asyncDispose]() {
      await web.close();
      await guarded.close();
    },
  };
}

const addressOf = (agent: TestAgent, credential: string | null = null): PeerAddress => ({
  endpointUrl: agent.site.origin,
  card: agent.card,
  credential,
});
const never = new AbortController().signal;

/** A promise that the test resolves. */
function gate() {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open };
}

async function failureOf(work: Promise<unknown>): Promise<PeerFailure> {
  const error = await work.then(
    () => null,
    (error: unknown) => error,
  );
  expect(error).toMatchObject({ name: 'PeerFailure' });
  return error as PeerFailure;
}

const everywhere: [Spoken, boolean][] = [
  ['jsonrpc-1.0', true],
  ['jsonrpc-1.0', false],
  ['jsonrpc-0.3', true],
  ['jsonrpc-0.3', false],
  ['rest-1.0', true],
  ['rest-1.0', false],
];

describe.each(everywhere)('%s, streaming %s', (spoken, streaming) => {
  test('a task is sent, followed and its result collected', async () => {
    const go = gate();
    await using agent = await a2aAgent(
      spoken,
      async (story) => {
        story.begin();
        story.status(TASK_STATE_WORKING, 'half way');
        await go.passed;
        story.artifact(words('done'), part({ $case: 'data', value: { n: 2 } }));
        story.status(TASK_STATE_COMPLETED);
      },
      { streaming },
    );
    await using us = open();
    const peer = addressOf(agent, 'secret-key');
    const sent = await us.port.send(peer, outgoing(), never);
    expect(['accepted', 'running']).toContain(sent.status);
    const progress: PeerProgress[] = [];
    const state = await us.follow(
      peer,
      sent.remoteId,
      (each) => {
        progress.push(each);
        go.open();
      },
      never,
    );
    expect(progress).toEqual([{ message: 'half way' }]);
    expect(state.status).toBe('completed');
    expect(state.result).toMatchObject({ text: 'done', data: { n: 2 }, artifacts: [{ artifactId: 'a' }] });
    const [context] = agent.received;
    expect(context?.userMessage.messageId).toBe('task-t1');
    expect(context?.userMessage.parts.map(({ content }) => content)).toEqual([
      { $case: 'data', value: { skill: 'echo', arguments: { n: 1, words: 'hi' } } },
      { $case: 'text', value: 'echo: {"n":1,"words":"hi"}' },
    ]);
    expect(
      agent.site.headers.every((headers) => headers['x-api-key'] === 'secret-key' && headers['authorization'] === 'Bearer secret-key'),
    ).toBe(true);
    expect(agent.received).toHaveLength(1);
    const subscribed = agent.site.requests.some((line) => line.includes(':subscribe'));
    if (spoken === 'rest-1.0') expect(subscribed).toBe(streaming);
  });

  test("a refusal, a question or an error of an agent fails the task, with the agent's message", async () => {
    const states: [TaskState, string][] = [
      [TASK_STATE_FAILED, 'PEER_FAILED'],
      [TASK_STATE_REJECTED, 'REJECTED'],
      [TASK_STATE_INPUT_REQUIRED, 'INPUT_REQUIRED'],
      [TASK_STATE_AUTH_REQUIRED, 'AUTH_REQUIRED'],
    ];
    for (const [state, code] of states) {
      await using agent = await a2aAgent(
        spoken,
        (story) => {
          story.begin();
          story.status(state, 'Which one?');
        },
        { streaming },
      );
      await using us = open();
      const sent = await us.port.send(addressOf(agent), outgoing(), never);
      const ended = await us.follow(addressOf(agent), sent.remoteId, () => {}, never);
      expect(ended).toEqual({ status: 'failed', error: { code, message: 'Which one?' } });
    }
  });

  test('an answer without a task is its result', async () => {
    await using agent = await a2aAgent(spoken, (story) => story.message(words('hello')), { streaming });
    await using us = open();
    const sent = await us.port.send(addressOf(agent), outgoing(), never);
    expect(sent).toMatchObject({ status: 'completed', remoteId: 'answer-1', result: { text: 'hello', artifacts: [] } });
  });

  test('a task is cancelled; one that is over or unknown has nothing left to cancel', async () => {
    const go = gate();
    await using agent = await a2aAgent(
      spoken,
      async (story) => {
        story.begin();
        story.status(TASK_STATE_WORKING);
        await go.passed;
      },
      { streaming },
    );
    await using us = open();
    const peer = addressOf(agent);
    const { remoteId } = await us.port.send(peer, outgoing(), never);
    await us.port.cancel(peer, remoteId, never);
    go.open();
    expect(await us.follow(peer, remoteId, () => {}, never)).toEqual({ status: 'cancelled' });
    await us.port.cancel(peer, remoteId, never);
    await us.port.cancel(peer, 'no-such-task', never);
  });

  test('a task that the agent does not know is refused', async () => {
    await using agent = await a2aAgent(spoken, () => {}, { streaming });
    await using us = open();
    expect((await failureOf(us.follow(addressOf(agent), 'no-such-task', () => {}, never))).kind).toBe('refused');
  });
});

describe('connections', () => {
  const long = (go: { passed: Promise<void> }) => async (story: Story) => {
    story.begin();
    story.status(TASK_STATE_WORKING, 'begun');
    await go.passed;
    story.artifact(words('whole'));
    story.status(TASK_STATE_COMPLETED);
  };

  test.each(['jsonrpc-1.0', 'jsonrpc-0.3', 'rest-1.0'] as const)('%s: a stream that breaks is taken up again', async (spoken) => {
    const go = gate();
    await using agent = await a2aAgent(spoken, long(go));
    await using us = open();
    const { remoteId } = await us.port.send(addressOf(agent), outgoing(), never);
    const ended = us.follow(addressOf(agent), remoteId, () => {}, never);
    await expect.poll(() => agent.streams.size).toBe(1);
    for (const response of agent.streams) response.destroy();
    await expect.poll(() => agent.streamed()).toBe(2);
    go.open();
    expect(await ended).toMatchObject({ status: 'completed', result: { text: 'whole' } });
    expect(agent.received).toHaveLength(1);
  });

  test('following ends with its caller, and leaves no connection in use', async () => {
    const go = gate();
    await using agent = await a2aAgent('jsonrpc-1.0', long(go));
    await using us = open();
    const { remoteId } = await us.port.send(addressOf(agent), outgoing(), never);
    const controller = new AbortController();
    const ended = us.follow(addressOf(agent), remoteId, () => {}, controller.signal);
    await expect.poll(() => agent.streams.size).toBe(1);
    controller.abort(new Error('enough'));
    await expect(ended).rejects.toThrow('enough');
    await expect.poll(() => agent.streams.size).toBe(0);
    go.open();
  });

  test('an agent that promises streams and has none is asked again and again', async () => {
    const go = gate();
    await using agent = await a2aAgent('jsonrpc-1.0', long(go), { streaming: false });
    await using us = open();
    const capabilities = { streaming: true };
    const peer = { ...addressOf(agent), card: { ...agent.card, capabilities } };
    const { remoteId } = await us.port.send(peer, outgoing(), never);
    const ended = us.follow(peer, remoteId, () => go.open(), never);
    expect(await ended).toMatchObject({ status: 'completed' });
  });
});

describe('failures are distinguished', () => {
  const answering = (status: number, headers: Record<string, string> = {}, body = '') => {
    const trick: TestAgent['sabotage'][number] = (_, response) => {
      response.writeHead(status, headers).end(body);
      return true;
    };
    return trick;
  };
  const dropped: TestAgent['sabotage'][number] = (_, response) => {
    response.destroy();
    return true;
  };
  const json = { 'content-type': 'application/json' };
  const rpcError = (code: number) => JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'no' } });

  test.each([
    ['connection lost after sending', dropped, 'unknown'],
    ['429', answering(429, { 'retry-after': '7' }), 'not_sent'],
    ['503', answering(503), 'not_sent'],
    ['500', answering(500, { 'content-type': 'text/html' }, 'oops'), 'unknown'],
    ['401', answering(401, json, '{}'), 'refused'],
    ['404', answering(404), 'refused'],
    ['redirect', answering(307, { location: 'https://example.com/' }), 'refused'],
    ['invalid parameters', answering(200, json, rpcError(-32602)), 'refused'],
    ['version not supported', answering(200, json, rpcError(-32009)), 'refused'],
    ['internal error', answering(200, json, rpcError(-32603)), 'unknown'],
    ['no JSON', answering(200, json, '<html>'), 'unknown'],
    ['JSON without sense', answering(200, json, '{"jsonrpc":"2.0","id":1,"result":{}}'), 'unknown'],
  ] as const)('%s', async (_, trick, kind) => {
    await using agent = await a2aAgent('jsonrpc-1.0', () => {});
    await using us = open();
    agent.sabotage.push(trick);
    const failure = await failureOf(us.port.send(addressOf(agent), outgoing(), never));
    expect(failure.kind).toBe(kind);
    if (failure.status === 429) expect(failure.retryAfterSeconds).toBe(7);
    expect(agent.received).toHaveLength(0);
  });

  test('no server answers', async () => {
    const agent = await a2aAgent('jsonrpc-1.0', () => {});
    const peer = addressOf(agent);
    await agent[Symbol.asyncDispose]();
    await using us = open();
    expect((await failureOf(us.port.send(peer, outgoing(), never))).kind).toBe('not_sent');
  });

  test('an address on a private network is refused without a connection', async () => {
    await using agent = await a2aAgent('jsonrpc-1.0', () => {});
    await using us = open({ allowPrivate: false });
    const failure = await failureOf(us.port.send(addressOf(agent), outgoing(), never));
    expect(failure.kind).toBe('refused');
    expect(failure.message).toContain('127.0.0.1');
    expect(agent.site.requests).toEqual([]);
  });
});

describe('what is said', () => {
  test('words alone to agents that read no data', async () => {
    const more = { defaultInputModes: ['text/plain'] };
    await using agent = await a2aAgent('jsonrpc-1.0', (story) => story.message(words('ok')), { more });
    await using us = open();
    await us.port.send(addressOf(agent), outgoing({ parameters: { query: 'What is new?' } }), never);
    expect(agent.received[0]?.userMessage.parts.map(({ content }) => content)).toEqual([{ $case: 'text', value: 'What is new?' }]);
  });

  test('without a card, it is read first', async () => {
    await using agent = await a2aAgent('jsonrpc-1.0', (story) => story.message(words('ok')));
    await using us = open();
    const sent = await us.port.send({ endpointUrl: agent.site.origin, card: null, credential: null }, outgoing(), never);
    expect(sent.status).toBe('completed');
  });
});
