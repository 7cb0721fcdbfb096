import { Message, SendMessageRequest, StreamResponse, Task, TaskPushNotificationConfig } from '@a2a-js/sdk';
import { toLegacyHTTPError } from '@a2a-js/sdk/compat/v0_3/server';
import type { ServerCallContext } from '@a2a-js/sdk/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { MessageJson, StreamJson, TaskJson } from '../../contracts/agents/a2a.ts';
import type { ServerParts } from '../parts.ts';
import { inputModes, supersetCard } from './card.ts';
import { checkHistoryLength, checkPush, checkSend } from './checks.ts';
import { a2aError, statusOf } from './errors.ts';
import { contextOf, type DurableRequestHandler } from './handler.ts';
import { eventToLegacy, pushFromLegacy, pushToLegacy, sendFromLegacy, taskToLegacy } from './legacy-json.ts';
import { noRoute, target } from './rest.ts';
import type { Listening } from './streams.ts';
import { namedVersion } from './versions.ts';

type Params = Record<string, string>;

/** HTTP+JSON 0.3 at /a2a/rest/v1. */
export function installLegacyRest(app: FastifyInstance, parts: ServerParts, handler: DurableRequestHandler, listening: Listening): void {
  const route = (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    answer: (request: FastifyRequest, reply: FastifyReply, context: ServerCallContext) => Promise<unknown>,
  ): void => {
    app.route({
      method,
      url: `/a2a/rest/v1${path}`,
      handler: async (request, reply) => {
        try {
          // These paths support only 0.3; another named version is refused.
          namedVersion(request);
          return await answer(request, reply, contextOf(request.caller, '0.3', listening.signal(reply)));
        } catch (caught) {
          const error = a2aError(caught, parts.log);
          return await reply.code(statusOf(error)).send(legacyError(error));
        }
      },
    });
  };
  const stream = (request: FastifyRequest, reply: FastifyReply, events: AsyncGenerator<StreamResponse, void, undefined>) =>
    listening.send(request, reply, encoded(events), (error) => legacyError(a2aError(error, parts.log)));
  const sending = (request: FastifyRequest): SendMessageRequest => {
    const body = sendFromLegacy(request.body);
    checkSend(body, inputModes, false);
    return SendMessageRequest.fromJSON(body);
  };
  const task = (value: Task) => taskToLegacy(Task.toJSON(value) as TaskJson);

  route(
    'GET',
    '/card',
    async (_request, _reply, context) => await supersetCard(await handler.getAuthenticatedExtendedAgentCard({ tenant: '' }, context)),
  );
  route('POST', '/message::send', async (request, reply, context) => {
    const result = await handler.sendMessage(sending(request), context);
    reply.code(201);
    return 'messageId' in result ? eventToLegacy({ message: Message.toJSON(result) as MessageJson }) : { task: task(result) };
  });
  route('POST', '/message::stream', (request, reply, context) =>
    stream(request, reply, handler.sendMessageStream(sending(request), context)),
  );
  route('GET', '/tasks/:target', async (request, reply, context) => {
    const [id, action] = target(request);
    if (action === 'subscribe') return await stream(request, reply, handler.resubscribe({ id, tenant: '' }, context));
    if (action !== undefined) throw noRoute(request);
    const query = request.query as { historyLength?: string; history_length?: string };
    const historyLength = query.historyLength ?? query.history_length;
    checkHistoryLength(historyLength, true);
    return task(
      await handler.getTask({ id, tenant: '', ...(historyLength === undefined ? {} : { historyLength: Number(historyLength) }) }, context),
    );
  });
  route('POST', '/tasks/:target', async (request, reply, context) => {
    const [id, action] = target(request);
    if (action === 'subscribe') return await stream(request, reply, handler.resubscribe({ id, tenant: '' }, context));
    if (action !== 'cancel') throw noRoute(request);
    return task(await handler.cancelTask({ id, tenant: '', metadata: {} }, context));
  });
  const configs = '/tasks/:taskId/pushNotificationConfigs';
  route('POST', configs, async (request, reply, context) => {
    const given = pushFromLegacy(request.body);
    checkPush(given);
    const config = TaskPushNotificationConfig.fromJSON({ ...given, taskId: (request.params as Params)['taskId'] });
    reply.code(201);
    return pushToLegacy(await handler.createTaskPushNotificationConfig(config, context));
  });
  route('GET', configs, async (request, _reply, context) => {
    const { taskId = '' } = request.params as Params;
    const listed = await handler.listTaskPushNotificationConfigs({ taskId, tenant: '', pageSize: 0, pageToken: '' }, context);
    return { configs: listed.configs.map(pushToLegacy) };
  });
  route('GET', `${configs}/:id`, async (request, _reply, context) => {
    const { taskId = '', id = '' } = request.params as Params;
    return pushToLegacy(await handler.getTaskPushNotificationConfig({ taskId, id, tenant: '' }, context));
  });
  route('DELETE', `${configs}/:id`, async (request, reply, context) => {
    const { taskId = '', id = '' } = request.params as Params;
    await handler.deleteTaskPushNotificationConfig({ taskId, id, tenant: '' }, context);
    return await reply.code(204).send();
  });
}

/** With the error's name, which the Python client of 0.3 uses to distinguish errors. */
const legacyError = (error: Error): object => ({ type: error.name, ...toLegacyHTTPError(error) });

async function* encoded(events: AsyncGenerator<StreamResponse, void, undefined>): AsyncGenerator<unknown, void, undefined> {
  for await (const event of events) yield eventToLegacy(StreamResponse.toJSON(event) as StreamJson);
}
