import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metadata } from '../../contracts/envelope.ts';
import { AppError } from '../../contracts/errors.ts';
import { unknownFields } from '../../tools/catalogue/unknown-fields.ts';
import { isRecord } from '../mcp/jsonrpc.ts';
import type { ServerParts } from '../parts.ts';
import { limitHeaders } from '../plugins/errors.ts';
import { calling } from '../rest/calling.ts';
import { correlationOf, problemHandler, sendProblem } from './problems.ts';

type Fields = Record<string, unknown>;
type Task = { Params: { id: string } };

/**
 * agentic-rag's REST API for agents: each route is a tool call, answered in agentic-rag's shapes, refused as RFC 9457
 * problems.
 */
export function installAgentRest(app: FastifyInstance, parts: ServerParts): void {
  app.setErrorHandler(problemHandler);
  app.addHook('onSend', async (request, reply) => void reply.header('x-correlation-id', correlationOf(request)));
  app.addHook('preValidation', async () => {
    if (parts.config.A2A_ENABLED) return;
    throw new AppError('NOT_FOUND', 'A2A is switched off here.', { hint: 'Set A2A_ENABLED=true to serve it.' });
  });

  /** Calls a tool and answers with `view` of its data. Fields of agentic-rag that the tool does not have are dropped. */
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    given: Fields,
    view: (data: Fields, warnings: string[], metadata: Metadata) => unknown,
  ) {
    const found = parts.pipeline.catalogue.find(name);
    const shape = (found?.tool.input.shape ?? {}) as Fields;
    const args = structuredClone(
      Object.fromEntries(Object.entries(given).filter(([key, value]) => key in shape && value !== undefined && value !== null)),
    );
    // agentic-rag ignores unknown fields, so they are dropped.
    if (found) for (const { holder, key } of unknownFields(found.tool.input, args)) delete holder[key];
    const called = await parts.pipeline.call({ ...calling(request, reply), name, arguments: args });
    if (called.error) return sendProblem(request, reply.headers(limitHeaders(called.limit)), called.error);
    return await reply
      .code(200)
      .headers(limitHeaders(called.limit))
      .send(view((called.data ?? {}) as Fields, called.envelope.warnings, called.envelope.metadata));
  }

  app.post('/a2a/agents/register', (request, reply) =>
    answer(request, reply, 'agent.peer.register', bodyOf(request), ({ agent_id, registered_at }) => ({ agent_id, registered_at })),
  );
  app.delete<Task>('/a2a/agents/:id', (request, reply) =>
    answer(request, reply, 'agent.peer.unregister', { agent_id: request.params.id }, () => ({
      status: 'unregistered',
      agent_id: request.params.id,
    })),
  );
  app.post<Task>('/a2a/agents/:id/heartbeat', (request, reply) =>
    answer(request, reply, 'agent.peer.heartbeat', { ...bodyOf(request), agent_id: request.params.id }, () => ({ status: 'ok' })),
  );
  app.get('/a2a/agents', (request, reply) => answer(request, reply, 'agent.peer.list', queryOf(request), ({ agents }) => ({ agents })));
  app.get('/a2a/capabilities', (request, reply) =>
    answer(request, reply, 'agent.capability.list', {}, ({ capabilities }) => ({ capabilities })),
  );

  app.post('/a2a/tasks/delegate', (request, reply) =>
    answer(
      request,
      reply,
      'agent.task.delegate',
      { ...bodyOf(request), correlation_id: correlationOf(request) },
      ({ target_agent: _, ...told }) => told,
    ),
  );
  app.post('/a2a/tasks', (request, reply) =>
    answer(request, reply, 'agent.task.receive', { ...bodyOf(request), correlation_id: correlationOf(request) }, (told) => told),
  );
  app.get<Task>('/a2a/tasks/:id', (request, reply) =>
    answer(request, reply, 'agent.task.get', { task_id: request.params.id }, ({ task }) => task),
  );
  app.get('/a2a/tasks', (request, reply) =>
    answer(request, reply, 'agent.task.list', queryOf(request), ({ tasks }, _warnings, { next_cursor }) => ({
      tasks,
      ...(next_cursor === undefined ? {} : { next_cursor }),
    })),
  );
  app.get<Task>('/a2a/tasks/:id/result', (request, reply) =>
    answer(request, reply, 'agent.task.get_result', { ...queryOf(request), task_id: request.params.id }, (told) => told),
  );
  app.post<Task>('/a2a/tasks/:id/result', (request, reply) => {
    const body = bodyOf(request);
    const status = body.status ?? (body.error === undefined || body.error === null ? 'completed' : 'failed');
    return answer(request, reply, 'agent.task.report', { ...body, status, ...reporting(request, body) }, reported);
  });
  app.post<Task>('/a2a/tasks/:id/progress', (request, reply) => {
    const body = bodyOf(request);
    return answer(
      request,
      reply,
      'agent.task.report',
      { status: 'running', progress: progressIn(body), ...reporting(request, body) },
      reported,
    );
  });
  app.delete<Task>('/a2a/tasks/:id', (request, reply) =>
    answer(request, reply, 'agent.task.cancel', { task_id: request.params.id }, ({ status }) => ({ status })),
  );

  app.post('/a2a/sessions', (request, reply) => answer(request, reply, 'agent.session.open', bodyOf(request), (told) => told));
  app.get<Task>('/a2a/sessions/:id', (request, reply) =>
    answer(request, reply, 'agent.session.get', { ...queryOf(request), session_id: request.params.id }, (told) => told),
  );
  app.post<Task>('/a2a/sessions/:id/messages', (request, reply) =>
    answer(request, reply, 'agent.session.send', { ...bodyOf(request), session_id: request.params.id }, (told) => told),
  );
  app.delete<Task>('/a2a/sessions/:id', (request, reply) =>
    answer(request, reply, 'agent.session.close', { session_id: request.params.id }, ({ session_id, status }) => ({ session_id, status })),
  );
}

function bodyOf(request: FastifyRequest): Fields {
  const body = request.body ?? {};
  if (!isRecord(body)) throw new AppError('VALIDATION_ERROR', 'The body must be a JSON object.');
  return body;
}

/** Numbers and booleans are text in a URL. */
const queryOf = (request: FastifyRequest): Fields =>
  Object.fromEntries(
    Object.entries(request.query as Fields).map(([key, value]) => {
      if (typeof value !== 'string') return [key, value];
      if (/^-?\d{1,15}(\.\d{1,6})?$/.test(value) && key !== 'before') return [key, Number(value)];
      return [key, value === 'true' ? true : value === 'false' ? false : value];
    }),
  );

/** The task and its token: from headers or the body. */
function reporting(request: FastifyRequest, body: Fields): { task_id: string; token: string } {
  const { id } = request.params as Task['Params'];
  const token = [request.headers['x-a2a-task-token'], body.callback_token, body.token].find((one) => typeof one === 'string' && one !== '');
  if (token === undefined) {
    throw new AppError('FORBIDDEN', 'A report needs the token of its task.', {
      hint: 'Send the callback_token that came with the task as header X-A2A-Task-Token.',
    });
  }
  return { task_id: id, token: String(token) };
}

/** `{progress: {done, total, message}}`, the same without the wrapper, or a bare number. */
function progressIn(body: Fields): Fields {
  const told = isRecord(body.progress) ? body.progress : body;
  const done = told.done ?? (typeof body.progress === 'number' ? body.progress : undefined);
  return Object.fromEntries(
    Object.entries({ done, total: told.total, message: told.message }).filter(([, value]) => value !== undefined && value !== null),
  );
}

const reported = ({ task_id, status, applied }: Fields, warnings: string[]) => ({
  status,
  task_id,
  applied,
  ...(warnings[0] === undefined ? {} : { warning: warnings[0] }),
});
