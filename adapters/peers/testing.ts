import type { IncomingMessage, ServerResponse } from 'node:http';
import { AgentCard, Message, SendMessageRequest, StreamResponse, Task, TaskState, type Part } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { restStatusFor, toRestErrorBody } from '@a2a-js/sdk/errors';
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { serve, type TestSite } from '../web/testing.ts';

export type Spoken = 'jsonrpc-1.0' | 'jsonrpc-0.3' | 'rest-1.0';

export interface TestAgent extends AsyncDisposable {
  site: TestSite;
  /** As served. */
  card: Record<string, unknown>;
  /** Received messages. */
  received: RequestContext[];
  /** Open streams, and their total number. */
  streams: Set<ServerResponse>;
  streamed(): number;
  /** Replacements for the next answers, once each. */
  sabotage: ((request: IncomingMessage, response: ServerResponse, body: string) => boolean)[];
}

export const part = (content: NonNullable<Part['content']>): Part => ({ content, metadata: undefined, filename: '', mediaType: '' });
export const words = (value: string): Part => part({ $case: 'text', value });

/** Publishes a task's events on its bus. */
export class Story {
  readonly context: RequestContext;
  private readonly bus: ExecutionEventBus;

  constructor(context: RequestContext, bus: ExecutionEventBus) {
    this.context = context;
    this.bus = bus;
  }

  begin(): void {
    const { taskId, contextId } = this.context;
    const status = { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: undefined };
    this.bus.publish(AgentEvent.task({ id: taskId, contextId, status, artifacts: [], history: [], metadata: undefined }));
  }

  status(state: TaskState, text?: string): void {
    const { taskId, contextId } = this.context;
    const message =
      text === undefined
        ? undefined
        : {
            messageId: `m-${text}`,
            contextId,
            taskId,
            role: 2,
            parts: [words(text)],
            metadata: undefined,
            extensions: [],
            referenceTaskIds: [],
          };
    this.bus.publish(
      AgentEvent.statusUpdate({ taskId, contextId, status: { state, message, timestamp: new Date().toISOString() }, metadata: undefined }),
    );
  }

  artifact(...parts: Part[]): void {
    const { taskId, contextId } = this.context;
    const artifact = { artifactId: 'a', name: 'a', description: '', parts, metadata: undefined, extensions: [] };
    this.bus.publish(AgentEvent.artifactUpdate({ taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined }));
  }

  message(...parts: Part[]): void {
    const { contextId } = this.context;
    const message = {
      messageId: 'answer-1',
      contextId,
      taskId: '',
      role: 2,
      parts,
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
    this.bus.publish(AgentEvent.message(message));
  }
}

/** A standard agent of the official SDK on a real socket, with one binding. */
export async function a2aAgent(
  spoken: Spoken,
  play: (story: Story) => Promise<void> | void,
  { streaming = true, path = '/rpc', more = {} }: { streaming?: boolean; path?: string; more?: Record<string, unknown> } = {},
): Promise<TestAgent> {
  const received: RequestContext[] = [];
  const streams = new Set<ServerResponse>();
  const sabotage: TestAgent['sabotage'] = [];
  let card: Record<string, unknown> = {};
  let handle: (request: IncomingMessage, response: ServerResponse, body: string) => Promise<void> = async () => {};

  const site = await serve((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const trick = sabotage[0];
      if (trick?.(request, response, body)) {
        sabotage.shift();
        return;
      }
      if (request.url?.endsWith('.json')) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(card));
      else
        handle(request, response, body).catch((error: unknown) =>
          sendJson(response, restStatusFor(error), toRestErrorBody(error, restStatusFor(error))),
        );
    });
  });

  card = cardOf(spoken, `${site.origin}${path}`, streaming, more);
  const executor: AgentExecutor = {
    async execute(context, bus) {
      received.push(context);
      await play(new Story(context, bus));
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: undefined };
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId: '', status, metadata: undefined }));
    },
  };
  const handler = new DefaultRequestHandler(
    AgentCard.fromJSON(cardOf('jsonrpc-1.0', site.origin, streaming, {})),
    new InMemoryTaskStore(),
    executor,
  );
  const rpc = spoken === 'jsonrpc-0.3' ? new LegacyJsonRpcTransportHandler(handler) : new JsonRpcTransportHandler(handler);

  let streamed = 0;
  async function stream(response: ServerResponse, events: AsyncGenerator<unknown>): Promise<void> {
    // An immediate failure is an error, not a stream.
    let next = await events.next();
    streams.add(response);
    streamed++;
    response.on('close', () => streams.delete(response));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (; next.done !== true; next = await events.next()) response.write(`data: ${JSON.stringify(next.value)}\n\n`);
    response.end();
  }

  handle = async (request, response, body) => {
    const context = new ServerCallContext({ requestedVersion: spoken === 'jsonrpc-0.3' ? '0.3' : '1.0' });
    if (spoken !== 'rest-1.0') {
      const answer = await rpc.handle(body, context);
      return Symbol.asyncIterator in answer ? await stream(response, answer) : sendJson(response, 200, answer);
    }
    const [, id = '', verb] = /\/tasks\/([^:/?]+)(?::(\w+))?/.exec(request.url ?? '') ?? [];
    if (request.url?.includes('/message:send')) {
      const result = await handler.sendMessage(SendMessageRequest.fromJSON(JSON.parse(body)), context);
      sendJson(response, 200, 'messageId' in result ? { message: Message.toJSON(result) } : { task: Task.toJSON(result) });
    } else if (verb === 'subscribe') {
      const events = handler.resubscribe({ tenant: '', id }, context);
      await stream(
        response,
        (async function* () {
          for await (const event of events) yield StreamResponse.toJSON(event);
        })(),
      );
    } else if (verb === 'cancel')
      sendJson(response, 200, Task.toJSON(await handler.cancelTask({ tenant: '', id, metadata: undefined }, context)));
    else sendJson(response, 200, Task.toJSON(await handler.getTask({ tenant: '', id }, context)));
  };

  return { site, card, received, streams, streamed: () => streamed, sabotage, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function cardOf(spoken: Spoken, url: string, streaming: boolean, more: Record<string, unknown>): Record<string, unknown> {
  const common = {
    name: 'Tester',
    description: 'An agent of tests',
    version: '1.0.0',
    capabilities: { streaming, pushNotifications: false },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'echo', name: 'Echo', description: 'Says it again', tags: ['test'] }],
    ...more,
  };
  if (spoken === 'jsonrpc-0.3') return { ...common, protocolVersion: '0.3.0', url, preferredTransport: 'JSONRPC' };
  return {
    ...common,
    supportedInterfaces: [{ url, protocolBinding: spoken === 'rest-1.0' ? 'HTTP+JSON' : 'JSONRPC', protocolVersion: '1.0' }],
  };
}
