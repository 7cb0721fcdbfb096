import type { FastifyRequest } from 'fastify';
import { readOnlyRoles, type Caller } from '../contracts/caller.ts';
import { resourceMetadataPath } from '../contracts/governance/oidc.ts';
import { pathsOf } from './gateway/operation.ts';
import { operations } from './gateway/operations.ts';
import { isRecord } from './mcp/jsonrpc.ts';

/** Who may call a route. Null: no key required. */
export const access = {
  public: { says: 'anybody, without a key', admits: null },
  link: { says: 'anybody with the token in the link', admits: null },
  key: { says: 'any key; it sees its own records, and those that its role may see', admits: () => true },
  tool: { says: 'any key; role, scopes, policy and approval are checked for the called tool', admits: () => true },
  console: {
    says: "the console's session, by its cookie and from its own pages only, or any key; tools check more",
    admits: () => true,
  },
  decoder: {
    says: "people whose role is admin or operator: a key, an access token, or the console's session from Temporal's UI or its own pages",
    admits: ({ role, principalKind }: Caller) => principalKind === 'human' && (role === 'admin' || role === 'operator'),
  },
  writer: { says: 'any key whose role is not read-only', admits: ({ role }: Caller) => !readOnlyRoles.has(role) },
} satisfies Record<string, { says: string; admits: null | ((caller: Caller) => boolean) }>;
export type Access = keyof typeof access;

/** A route with several operations; the request says which. */
export interface Choice {
  of(request: FastifyRequest): string | undefined;
  each: Record<string, Access>;
  /** Access for unknown operations; always needs a key. */
  others: Exclude<Access, 'public' | 'link'>;
}

/** The operations of A2A by their names in JSON-RPC, 1.0 and 0.3. */
const a2aMethods: Choice = {
  of: ({ body }) => (isRecord(body) && typeof body['method'] === 'string' ? body['method'] : undefined),
  each: {
    SendMessage: 'writer',
    SendStreamingMessage: 'writer',
    CancelTask: 'writer',
    CreateTaskPushNotificationConfig: 'writer',
    DeleteTaskPushNotificationConfig: 'writer',
    GetTask: 'key',
    ListTasks: 'key',
    SubscribeToTask: 'key',
    GetTaskPushNotificationConfig: 'key',
    ListTaskPushNotificationConfigs: 'key',
    GetExtendedAgentCard: 'key',
    'message/send': 'writer',
    'message/stream': 'writer',
    'tasks/cancel': 'writer',
    'tasks/pushNotificationConfig/set': 'writer',
    'tasks/pushNotificationConfig/delete': 'writer',
    'tasks/get': 'key',
    'tasks/resubscribe': 'key',
    'tasks/pushNotificationConfig/get': 'key',
    'tasks/pushNotificationConfig/list': 'key',
    'agent/getAuthenticatedExtendedCard': 'key',
  },
  others: 'writer',
};

/** `{id}:{action}` in A2A's paths. */
const a2aAction: Choice = {
  of: ({ params }) => /:([a-z]+)$/i.exec((params as { target?: string }).target ?? '')?.[1],
  each: { cancel: 'writer', subscribe: 'key' },
  others: 'writer',
};

/** A2A's HTTP+JSON of both versions, below the base path of each. */
const a2aRest = (base: string): Record<string, Access | Choice> => ({
  [`POST ${base}/message::send`]: 'writer',
  [`POST ${base}/message::stream`]: 'writer',
  [`GET ${base}/tasks/:target`]: 'key',
  [`POST ${base}/tasks/:target`]: a2aAction,
  [`POST ${base}/tasks/:taskId/pushNotificationConfigs`]: 'writer',
  [`GET ${base}/tasks/:taskId/pushNotificationConfigs`]: 'key',
  [`GET ${base}/tasks/:taskId/pushNotificationConfigs/:id`]: 'key',
  [`DELETE ${base}/tasks/:taskId/pushNotificationConfigs/:id`]: 'writer',
});

const all = (routes: string[], who: Access): Record<string, Access> => Object.fromEntries(routes.map((route) => [route, who]));

/**
 * Who may call which route. A route that is not listed cannot be registered. Records and tools check more: for
 * example, only those who may decide can change the A2A tasks of others.
 */
export const routes: Readonly<Record<string, Access | Choice>> = {
  // About the server itself. /metrics and /mcp/metrics show tool names only with a key or the scraper's token.
  ...all(['GET /', 'GET /about', 'GET /health', 'GET /ready', 'GET /mcp/health', 'GET /mcp/metrics', 'GET /metrics'], 'public'),
  // The console's pages contain no data.
  ...all(['GET /console', 'GET /console/*'], 'public'),
  // Signing in: from its own pages only.
  'POST /console/api/session': 'public',
  ...all(['GET /console/api/sign-in', 'GET /console/sign-in/issuer', 'GET /console/sign-in/issuer/callback'], 'public'),
  ...all(['GET /console/api/session', 'DELETE /console/api/session', 'GET /console/api/events'], 'console'),
  ...all(['POST /console/api/tools/:name', 'GET /console/api/exports/:id'], 'console'),
  'POST /console/api/codes': 'key',
  // The page contains no data; it calls tools with the key that the person enters.
  'GET /approvals/:id': 'public',
  ...all(['GET /docs', 'GET /docs/api', 'GET /docs/runbooks', 'GET /docs/migrations/:guide'], 'public'),
  ...all(['GET /api/agents/v1/openapi.json', 'GET /api/agents/openapi.json'], 'public'),
  ...all(['GET /.well-known/agent-card.json', 'GET /.well-known/agent.json'], 'public'),
  ...all([`GET ${resourceMetadataPath}`, `GET ${resourceMetadataPath}/mcp`], 'public'),
  // Lists the methods of a path, or answers that the path does not exist.
  ...all(['OPTIONS /*', 'ALL /api/agents/*'], 'public'),

  ...all(['GET /api/exports/:id', 'GET /briefs/:date', 'GET /approve', 'POST /approve'], 'link'),

  // Payloads of the caller's tenant, for Temporal's UI.
  'POST /temporal/codec/decode': 'decoder',

  // MCP. Only the key that opened a session may use or end it.
  ...all(['GET /mcp', 'DELETE /mcp', 'GET /mcp/p/:profile', 'DELETE /mcp/p/:profile', 'GET /mcp/sse', 'GET /mcp/tools'], 'key'),
  ...all(['POST /mcp', 'POST /mcp/p/:profile', 'POST /mcp/sse/messages', 'POST /mcp/execute', 'POST /mcp/tools/:name'], 'tool'),

  // The gateway and REST.
  ...all(['POST /api/tools/:name', 'GET /api/agents/v1/events', 'GET /api/agents/events'], 'tool'),
  ...all(
    operations.flatMap((operation) => pathsOf(operation).map((path) => `${operation.method} ${path}`)),
    'tool',
  ),

  // A2A.
  'POST /a2a': a2aMethods,
  ...a2aRest('/a2a/rest'),
  ...a2aRest('/a2a/rest/v1'),
  ...all(['GET /a2a/rest/tasks', 'GET /a2a/rest/extendedAgentCard', 'GET /a2a/rest/v1/card'], 'key'),

  // Peers: each route calls a tool.
  ...all(['POST /a2a/agents/register', 'POST /a2a/agents/:id/heartbeat', 'DELETE /a2a/agents/:id', 'GET /a2a/agents'], 'tool'),
  ...all(['GET /a2a/capabilities', 'POST /a2a/tasks/delegate', 'POST /a2a/tasks', 'GET /a2a/tasks', 'GET /a2a/tasks/:id'], 'tool'),
  ...all(['DELETE /a2a/tasks/:id', 'GET /a2a/tasks/:id/result', 'POST /a2a/tasks/:id/result', 'POST /a2a/tasks/:id/progress'], 'tool'),
  ...all(['POST /a2a/sessions', 'GET /a2a/sessions/:id', 'POST /a2a/sessions/:id/messages', 'DELETE /a2a/sessions/:id'], 'tool'),
};
