import { isLegacyJsonRpcMethod, isV1JsonRpcMethod } from '@a2a-js/sdk/compat/v0_3';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { JsonRpcTransportHandler } from '@a2a-js/sdk/server';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isRecord } from '../mcp/jsonrpc.ts';
import type { ServerParts } from '../parts.ts';
import { inputModes } from './card.ts';
import { checkHistoryLength, checkId, checkList, checkPush, checkSend } from './checks.ts';
import { a2aError, invalidRequest, malformed, rpcError, statusOf } from './errors.ts';
import { contextOf, type DurableRequestHandler } from './handler.ts';
import type { Listening } from './streams.ts';
import { versionOf, type Version } from './versions.ts';

type Id = string | number | null;

/** POST /a2a: JSON-RPC, 1.0 and 0.3. */
export function installJsonRpc(app: FastifyInstance, parts: ServerParts, handler: DurableRequestHandler, listening: Listening): void {
  const transports = { '1.0': new JsonRpcTransportHandler(handler), '0.3': new LegacyJsonRpcTransportHandler(handler) };

  app.post('/a2a', async (request, reply) => {
    const { body } = request;
    if (!isRecord(body) || body['jsonrpc'] !== '2.0' || typeof body['method'] !== 'string' || body['method'] === '' || !isId(body['id'])) {
      return reply.send(invalidRequest(idOf(body), 'This is no JSON-RPC 2.0 request.'));
    }
    const { method } = body;
    const id = idOf(body);
    try {
      const version = versionOf(request, method) ?? '1.0';
      checkParams(method, body['params'], version);
      const answer = await transports[version].handle(body, contextOf(request.caller, version, listening.signal(reply)));
      if (!(Symbol.asyncIterator in answer)) return await reply.send(answer);
      return await listening.send(request, reply, answer, (error) => rpcError(id, a2aError(error, parts.log)));
    } catch (error) {
      return await refuse(reply, id, method, a2aError(error, parts.log));
    }
  });
}

/** A JSON-RPC error is in the body; the HTTP status is only for proxies and clients that need it. */
async function refuse(reply: FastifyReply, id: Id, method: string, error: Error): Promise<FastifyReply> {
  const status = statusOf(error);
  const refusal = rpcError(id, error);
  if (status >= 500 && status !== 501) return await reply.code(status).send(refusal);
  // Clients of 0.3 read errors only from the requested stream.
  if (method === 'message/stream' || method === 'tasks/resubscribe')
    return await reply.type('text/event-stream').send(`data: ${JSON.stringify(refusal)}\n\n`);
  return await reply.send(refusal);
}

/** Null: there is no id that can be returned. */
export const idOf = (body: unknown): Id => (isRecord(body) && isId(body['id']) ? (body['id'] ?? null) : null);

const isId = (id: unknown): id is Id | undefined => id === undefined || id === null || typeof id === 'string' || Number.isInteger(id);

const ofTask = new Set(['GetTask', 'CancelTask', 'SubscribeToTask', 'tasks/get', 'tasks/cancel', 'tasks/resubscribe']);

/**
 * The transport refuses unknown methods.
 * @throws RequestMalformedError, ContentTypeNotSupportedError
 */
function checkParams(method: string, params: unknown, version: Version): void {
  if (!(version === '0.3' ? isLegacyJsonRpcMethod(method) : isV1JsonRpcMethod(method))) return;
  if (method === 'SendMessage' || method === 'SendStreamingMessage' || method === 'message/send' || method === 'message/stream') {
    return checkSend(params, inputModes, version === '0.3');
  }
  if (method === 'GetExtendedAgentCard' || method === 'agent/getAuthenticatedExtendedCard') return;
  if (params !== undefined && !isRecord(params)) throw malformed('params must be an object.');
  const given = params ?? {};
  if (method === 'ListTasks') return checkList(given);
  if (ofTask.has(method)) {
    checkId(given['id'], 'id');
    checkHistoryLength(given['historyLength'] ?? given['history_length']);
  } else if (method === 'CreateTaskPushNotificationConfig') {
    checkId(given['taskId'] ?? given['task_id'], 'taskId');
    checkPush(given);
  } else if (method === 'tasks/pushNotificationConfig/set') {
    checkId(given['taskId'], 'taskId');
    checkPush(given['pushNotificationConfig']);
  }
}
