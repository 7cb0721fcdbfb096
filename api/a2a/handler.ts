import {
  Message,
  StreamResponse,
  Task,
  TaskState,
  type AgentCard,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetExtendedAgentCardRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksRequest,
  type ListTasksResponse,
  type SendMessageRequest,
  type SubscribeToTaskRequest,
  type TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { ServerCallContext, type A2ARequestHandler } from '@a2a-js/sdk/server';
import type { Logger } from 'pino';
import type { A2aState, MessageJson, StreamJson } from '../../contracts/agents/a2a.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { A2aService } from '../../services/agents/a2a/index.ts';
import type { PushConfig } from '../../services/agents/a2a/push.ts';
import { taskJson } from '../../services/agents/a2a/tasks-records.ts';
import type { Sending } from '../../services/agents/a2a/tasks.ts';
import { a2aError } from './errors.ts';
import type { Version } from './versions.ts';

interface Parts {
  /** @throws AppError SERVICE_UNAVAILABLE while the stores have not been reached */
  a2a: () => A2aService;
  card: () => AgentCard;
  extendedCard: (caller: Caller) => AgentCard;
  log: Logger;
}

/** The caller and the abort signal; passed with the request, never as a global. */
export function contextOf(caller: Caller, version: Version, signal: AbortSignal): ServerCallContext {
  const user = { isAuthenticated: true, userName: caller.principal };
  return new ServerCallContext({
    user,
    requestedVersion: version,
    state: new Map<string, unknown>([
      ['caller', caller],
      ['signal', signal],
    ]),
  });
}

const callerOf = (context: ServerCallContext): Caller => context.state.get('caller') as Caller;
const signalOf = (context: ServerCallContext): AbortSignal | undefined => context.state.get('signal') as AbortSignal | undefined;

/** The protocol's twelve operations on durable tasks; called by the SDK's transports. */
export class DurableRequestHandler implements A2ARequestHandler {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  async getAgentCard(): Promise<AgentCard> {
    return this.parts.card();
  }

  getAuthenticatedExtendedAgentCard(_params: GetExtendedAgentCardRequest, context: ServerCallContext): Promise<AgentCard> {
    return this.guarded(async () => this.parts.extendedCard(callerOf(context)));
  }

  sendMessage(params: SendMessageRequest, context: ServerCallContext): Promise<Message | Task> {
    return this.guarded(async () => {
      const { tasks } = this.parts.a2a();
      const caller = callerOf(context);
      const sent = await tasks.send(caller, sendingOf(params, context));
      const immediately = params.configuration?.returnImmediately ?? false;
      const row = await tasks.outcome(caller, sent, { immediately, signal: signalOf(context) });
      if (row.answer) return Message.fromJSON(row.answer);
      return Task.fromJSON(taskJson(row, history(params.configuration?.historyLength)));
    });
  }

  sendMessageStream(params: SendMessageRequest, context: ServerCallContext): AsyncGenerator<StreamResponse, void, undefined> {
    return this.stream(async () => {
      const { tasks, events } = this.parts.a2a();
      const sent = await tasks.send(callerOf(context), sendingOf(params, context));
      return events.ofSent(callerOf(context), sent, signalOf(context));
    });
  }

  resubscribe(params: SubscribeToTaskRequest, context: ServerCallContext): AsyncGenerator<StreamResponse, void, undefined> {
    // 0.3 ends a stream with the event that waits for the client (`final`); 1.0 with the last event.
    const until = context.requestedVersion === '0.3' ? 'turn' : 'over';
    return this.stream(async () => this.parts.a2a().events.ofTask(callerOf(context), params.id, until, signalOf(context)));
  }

  getTask(params: GetTaskRequest, context: ServerCallContext): Promise<Task> {
    return this.guarded(async () => Task.fromJSON(await this.parts.a2a().tasks.get(callerOf(context), params.id, params.historyLength)));
  }

  cancelTask(params: CancelTaskRequest, context: ServerCallContext): Promise<Task> {
    return this.guarded(async () => Task.fromJSON(await this.parts.a2a().tasks.cancel(callerOf(context), params.id)));
  }

  listTasks(params: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> {
    return this.guarded(async () => {
      const { tasks, ...page } = await this.parts.a2a().list(callerOf(context), {
        ...params,
        status: stateOf(params.status),
        statusTimestampAfter: params.statusTimestampAfter ? new Date(params.statusTimestampAfter) : undefined,
      });
      return { ...page, tasks: tasks.map((task) => Task.fromJSON(task)) };
    });
  }

  createTaskPushNotificationConfig(params: TaskPushNotificationConfig, context: ServerCallContext): Promise<TaskPushNotificationConfig> {
    return this.guarded(async () =>
      shown(params.taskId, await this.parts.a2a().push.set(callerOf(context), params.taskId, configOf(params), context.requestedVersion)),
    );
  }

  getTaskPushNotificationConfig(
    params: GetTaskPushNotificationConfigRequest,
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    const { taskId, id } = params;
    return this.guarded(async () => {
      const { push } = this.parts.a2a();
      // 0.3 clients may ask for "the" callback of a task, also under this name.
      const ids = id === '' ? [taskId] : id === 'default' && context.requestedVersion === '0.3' ? [id, taskId] : [id];
      return shown(taskId, await push.get(callerOf(context), taskId, ids));
    });
  }

  listTaskPushNotificationConfigs(
    params: ListTaskPushNotificationConfigsRequest,
    context: ServerCallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.guarded(async () => {
      const configs = await this.parts.a2a().push.list(callerOf(context), params.taskId);
      return { configs: configs.map((config) => shown(params.taskId, config)), nextPageToken: '' };
    });
  }

  deleteTaskPushNotificationConfig(params: DeleteTaskPushNotificationConfigRequest, context: ServerCallContext): Promise<void> {
    return this.guarded(() => this.parts.a2a().push.remove(callerOf(context), params.taskId, params.id || params.taskId));
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw a2aError(error, this.parts.log);
    }
  }

  private async *stream(open: () => Promise<AsyncGenerator<StreamJson, void, undefined>>): AsyncGenerator<StreamResponse, void, undefined> {
    try {
      for await (const event of await open()) yield StreamResponse.fromJSON(event);
    } catch (error) {
      throw a2aError(error, this.parts.log);
    }
  }
}

const history = (historyLength: number | undefined) => (historyLength === undefined ? {} : { historyLength });

function sendingOf({ message, metadata, configuration }: SendMessageRequest, context: ServerCallContext): Sending {
  const push = configuration?.taskPushNotificationConfig;
  return {
    message: Message.toJSON(message!) as MessageJson,
    metadata: metadata && Object.keys(metadata).length > 0 ? metadata : undefined,
    push: push?.url ? { config: configOf(push), protocolVersion: context.requestedVersion } : undefined,
  };
}

const configOf = ({ id, url, token, authentication }: TaskPushNotificationConfig): PushConfig => ({
  id: id || undefined,
  url,
  token: token || undefined,
  authentication: authentication?.scheme
    ? { scheme: authentication.scheme, credentials: authentication.credentials || undefined }
    : undefined,
});

const shown = (taskId: string, { id, url, token, authentication }: PushConfig & { id: string }): TaskPushNotificationConfig => ({
  tenant: '',
  taskId,
  id,
  url,
  token: token ?? '',
  authentication: authentication ? { scheme: authentication.scheme, credentials: '' } : undefined,
});

const states: Partial<Record<TaskState, A2aState>> = {
  [TaskState.TASK_STATE_SUBMITTED]: 'submitted',
  [TaskState.TASK_STATE_WORKING]: 'working',
  [TaskState.TASK_STATE_INPUT_REQUIRED]: 'input_required',
  [TaskState.TASK_STATE_AUTH_REQUIRED]: 'auth_required',
  [TaskState.TASK_STATE_COMPLETED]: 'completed',
  [TaskState.TASK_STATE_FAILED]: 'failed',
  [TaskState.TASK_STATE_CANCELED]: 'canceled',
  [TaskState.TASK_STATE_REJECTED]: 'rejected',
};
const stateOf = (state: TaskState): A2aState | undefined => states[state];
