import {
  AgentCard,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  Message,
  SendMessageRequest,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import type { ServerCallContext } from '@a2a-js/sdk/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../contracts/errors.ts';
import { isRecord } from '../mcp/jsonrpc.ts';
import type { ServerParts } from '../parts.ts';
import { inputModes } from './card.ts';
import { checkHistoryLength, checkList, checkPush, checkSend } from './checks.ts';
import { a2aError, restError } from './errors.ts';
import { contextOf, type DurableRequestHandler } from './handler.ts';
import type { Listening } from './streams.ts';
import { namedVersion } from './versions.ts';

type Params = Record<string, string>;

/** HTTP+JSON 1.0 under /a2a/rest, with the protocol's paths. */
export function installRest(app: FastifyInstance, parts: ServerParts, handler: DurableRequestHandler, listening: Listening): void {
  const context = (request: FastifyRequest, reply: FastifyReply): ServerCallContext => {
    const version = namedVersion(request) ?? '1.0';
    return contextOf(request.caller, version, listening.signal(reply));
  };

  /** A route that reports errors as `google.rpc.Status`. */
  const route = (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    answer: (request: FastifyRequest, reply: FastifyReply, context: ServerCallContext) => Promise<unknown>,
  ): void => {
    app.route({
      method,
      url: `/a2a/rest${path}`,
      handler: async (request, reply) => {
        try {
          return await answer(request, reply, context(request, reply));
        } catch (error) {
          const { status, body } = restError(a2aError(error, parts.log));
          return await reply.code(status).send(body);
        }
      },
    });
  };
  const stream = (request: FastifyRequest, reply: FastifyReply, events: AsyncGenerator<StreamResponse, void, undefined>) =>
    listening.send(request, reply, encoded(events), (error) => restError(a2aError(error, parts.log)).body);

  route('POST', '/message::send', async (request, _reply, ctx) => {
    checkSend(request.body, inputModes, false);
    const result = await handler.sendMessage(SendMessageRequest.fromJSON(request.body), ctx);
    return 'messageId' in result ? { message: Message.toJSON(result) } : { task: Task.toJSON(result) };
  });
  route('POST', '/message::stream', async (request, reply, ctx) => {
    checkSend(request.body, inputModes, false);
    return await stream(request, reply, handler.sendMessageStream(SendMessageRequest.fromJSON(request.body), ctx));
  });
  route('GET', '/tasks', async (request, _reply, ctx) => {
    const query = request.query as Record<string, unknown>;
    checkList(query, true);
    const { tasks, ...page } = await handler.listTasks(ListTasksRequest.fromJSON(typed(query)), ctx);
    return { tasks: tasks.map((task) => Task.toJSON(task)), ...page };
  });
  route('GET', '/tasks/:target', async (request, reply, ctx) => {
    const [id, action] = target(request);
    if (action === 'subscribe') return await stream(request, reply, handler.resubscribe({ id, tenant: '' }, ctx));
    if (action !== undefined) throw noRoute(request);
    const { historyLength } = request.query as { historyLength?: string };
    checkHistoryLength(historyLength, true);
    const wanted = historyLength === undefined ? {} : { historyLength: Number(historyLength) };
    return Task.toJSON(await handler.getTask({ id, tenant: '', ...wanted }, ctx));
  });
  route('POST', '/tasks/:target', async (request, reply, ctx) => {
    const [id, action] = target(request);
    if (action === 'subscribe') return await stream(request, reply, handler.resubscribe({ id, tenant: '' }, ctx));
    if (action !== 'cancel') throw noRoute(request);
    return Task.toJSON(await handler.cancelTask({ id, tenant: '', metadata: {} }, ctx));
  });
  const configs = '/tasks/:taskId/pushNotificationConfigs';
  route('POST', configs, async (request, reply, ctx) => {
    const { taskId } = request.params as Params;
    checkPush(request.body);
    const given = TaskPushNotificationConfig.fromJSON({ ...(isRecord(request.body) ? request.body : {}), taskId });
    reply.code(201);
    return TaskPushNotificationConfig.toJSON(await handler.createTaskPushNotificationConfig(given, ctx));
  });
  route('GET', configs, async (request, _reply, ctx) => {
    const { taskId = '' } = request.params as Params;
    const listed = await handler.listTaskPushNotificationConfigs({ taskId, tenant: '', pageSize: 0, pageToken: '' }, ctx);
    return ListTaskPushNotificationConfigsResponse.toJSON(listed);
  });
  route('GET', `${configs}/:id`, async (request, _reply, ctx) => {
    const { taskId = '', id = '' } = request.params as Params;
    return TaskPushNotificationConfig.toJSON(await handler.getTaskPushNotificationConfig({ taskId, id, tenant: '' }, ctx));
  });
  route('DELETE', `${configs}/:id`, async (request, reply, ctx) => {
    const { taskId = '', id = '' } = request.params as Params;
    await handler.deleteTaskPushNotificationConfig({ taskId, id, tenant: '' }, ctx);
    return await reply.code(204).send();
  });
  route('GET', '/extendedAgentCard', async (_request, _reply, ctx) =>
    AgentCard.toJSON(await handler.getAuthenticatedExtendedAgentCard({ tenant: '' }, ctx)),
  );
}

async function* encoded(events: AsyncGenerator<StreamResponse, void, undefined>): AsyncGenerator<unknown, void, undefined> {
  for await (const event of events) yield StreamResponse.toJSON(event);
}

/** `{id}:{action}`, as in the protocol's paths; Fastify would parse the colon as a parameter. */
export function target(request: FastifyRequest): [id: string, action: string | undefined] {
  const { target: text = '' } = request.params as Params;
  const at = text.lastIndexOf(':');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

export const noRoute = (request: FastifyRequest): Error =>
  notFound('A2A operation', `${request.method} ${request.url.split('?')[0]!.slice(0, 200)}`);

/** The query string as JSON for the SDK. */
function typed(query: Record<string, unknown>): Record<string, unknown> {
  const { pageSize, historyLength, includeArtifacts, ...rest } = query;
  return {
    ...rest,
    ...(pageSize === undefined ? {} : { pageSize: Number(pageSize) }),
    ...(historyLength === undefined ? {} : { historyLength: Number(historyLength) }),
    ...(includeArtifacts === undefined ? {} : { includeArtifacts: includeArtifacts === 'true' || includeArtifacts === '1' }),
  };
}
