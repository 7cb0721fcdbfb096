import { Role, type AgentCard, type SendMessageRequest, type StreamResponse } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
  createAuthenticatingFetchWithRetry,
  type Client,
} from '@a2a-js/sdk/client';
import type { FastifyInstance } from 'fastify';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiOf } from './api.ts';
import type { TestStack } from './stack.ts';

/** An api process on the stack, with its own port. */
export interface A2aServer {
  url: string;
  app: FastifyInstance;
  /** The official client, for one binding and version. */
  client(apiKey: string, binding?: 'JSONRPC' | 'HTTP+JSON', version?: '1.0' | '0.3'): Promise<Client>;
  /** A plain request. */
  post(
    path: string,
    apiKey: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: any; headers: Headers }>;
  rpc(apiKey: string, method: string, params?: unknown, headers?: Record<string, string>): Promise<any>;
}

export async function a2aServer(stack: TestStack, port = 0): Promise<A2aServer> {
  const app = apiOf(stack);
  await app.listen({ host: '127.0.0.1', port });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  stack.services.a2a.settings.endpointUrl = url;

  const post: A2aServer['post'] = async (path, apiKey, body, headers = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
  };
  return {
    url,
    app,
    async client(apiKey, binding = 'JSONRPC', version = '1.0') {
      const fetchImpl = createAuthenticatingFetchWithRetry(fetch, {
        headers: async () => ({ 'X-API-Key': apiKey }),
        shouldRetryWithHeaders: async () => undefined,
      });
      const legacyCompat = { enabled: version === '0.3' };
      const factory = new ClientFactory(
        ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
          transports: [new JsonRpcTransportFactory({ fetchImpl, legacyCompat }), new RestTransportFactory({ fetchImpl, legacyCompat })],
          preferredTransports: [binding],
          cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
        }),
      );
      const card = (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as AgentCard;
      const interfaces = card.supportedInterfaces.filter((one) => one.protocolBinding === binding && one.protocolVersion === version);
      return await factory.createFromAgentCard({ ...card, supportedInterfaces: interfaces });
    },
    post,
    rpc: async (apiKey, method, params = {}, headers = {}) =>
      (await post('/a2a', apiKey, { jsonrpc: '2.0', id: 1, method, params }, headers)).body,
  };
}

let messages = 0;

/** A message of the user, with an id of its own unless one is given. */
export function say(
  content: string | object,
  more: {
    messageId?: string;
    taskId?: string;
    contextId?: string;
    immediately?: boolean;
    push?: { url: string; token?: string; credentials?: string };
  } = {},
): SendMessageRequest {
  const part =
    typeof content === 'string'
      ? { content: { $case: 'text' as const, value: content } }
      : { content: { $case: 'data' as const, value: content } };
  messages += 1;
  return {
    tenant: '',
    metadata: undefined,
    message: {
      messageId: more.messageId ?? `message-${process.pid}-${Date.now()}-${messages}`,
      role: Role.ROLE_USER,
      parts: [{ ...part, metadata: undefined, filename: '', mediaType: '' }],
      contextId: more.contextId ?? '',
      taskId: more.taskId ?? '',
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: {
      acceptedOutputModes: [],
      returnImmediately: more.immediately ?? false,
      taskPushNotificationConfig: more.push
        ? {
            tenant: '',
            id: '',
            taskId: '',
            url: more.push.url,
            token: more.push.token ?? '',
            authentication: more.push.credentials ? { scheme: 'Bearer', credentials: more.push.credentials } : undefined,
          }
        : undefined,
    },
  };
}

export async function collect(events: AsyncGenerator<StreamResponse, void, undefined>): Promise<StreamResponse[]> {
  const all: StreamResponse[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export interface Told {
  headers: IncomingHttpHeaders;
  body: any;
  raw: string;
}

/** A receiver of callbacks. `status` gives the answer to the n-th call. */
export async function webhook(
  status: (call: number) => number = () => 200,
): Promise<{ url: string; told: Told[]; calls: () => number; server: Server }> {
  const told: Told[] = [];
  let calls = 0;
  const server = createServer((request, reply) => {
    let raw = '';
    request.on('data', (chunk: Buffer) => (raw += chunk.toString()));
    request.on('end', () => {
      calls += 1;
      const code = status(calls);
      if (code < 300) told.push({ headers: request.headers, body: JSON.parse(raw), raw });
      reply.writeHead(code).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, told, calls: () => calls, server };
}
