import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentCard, Task } from '@a2a-js/sdk';
import { Role } from '@a2a-js/sdk';
import { ClientFactory, JsonRpcTransportFactory, RestTransportFactory, type Client } from '@a2a-js/sdk/client';
import { A2AError, TaskNotCancelableError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import { isOver } from '../../contracts/agents/agents.ts';
import { credentialHeaders } from '../../contracts/agents/delegations.ts';
import { AppError } from '../../contracts/errors.ts';
import { outgoingHeaders } from '../../contracts/headers.ts';
import type { WebClient } from '../web/types.ts';
import { answerOf, partsOf, progressOf, stateOf } from './a2a-task.ts';
import { fetchCard, normalizedCard } from './card.ts';
import { asPeerFailure } from './requests.ts';
import { type A2aPort, PeerFailure, type PeerAddress, type PeerProgress } from './types.ts';

export interface A2aPeersOptions {
  web: WebClient;
  /** All protocol requests use it (adapters/web/guarded-fetch.ts). */
  guarded: typeof fetch;
  /** Polling interval of a task, in ms: doubled from the first to the last. */
  poll?: { first: number; last: number };
}

/** Standard A2A agents, protocol 1.0 and 0.3, over JSON-RPC or HTTP+JSON, as their card says. */
export function a2aPeers({ web, guarded, poll = { first: 500, last: 5_000 } }: A2aPeersOptions): A2aPort {
  async function open(peer: PeerAddress): Promise<{ client: Client; card: AgentCard }> {
    const card = normalizedCard(peer.card ?? (await fetchCard(web, peer.endpointUrl)).card);
    const fetchImpl = shown(guarded, credentialHeaders(peer.credential));
    const options = { fetchImpl, legacyCompat: { enabled: true } };
    const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)] });
    return { client: await factory.createFromAgentCard(card), card };
  }

  return {
    idempotent: false,

    send: (peer, task, signal) =>
      told(signal, async () => {
        const { client, card } = await open(peer);
        const metadata = { correlation_id: task.correlationId, source_agent: task.sourceAgent, priority: task.priority };
        const answer = await client.sendMessage(
          {
            tenant: '',
            message: {
              messageId: `task-${task.id}`,
              contextId: '',
              taskId: '',
              role: Role.ROLE_USER,
              parts: partsOf(card, task),
              metadata,
              extensions: [],
              referenceTaskIds: [],
            },
            configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: true },
            metadata: undefined,
          },
          { signal },
        );
        if ('messageId' in answer) return { remoteId: answer.messageId, remoteContext: answer.contextId || null, ...answerOf(answer) };
        if (!answer.id) throw new PeerFailure('unknown', 'The agent answered with a task that has no id.');
        return { remoteId: answer.id, remoteContext: answer.contextId || null, ...stateOf(answer) };
      }),

    follow: (peer, remoteId, onProgress, signal) =>
      told(signal, async () => {
        const { client, card } = await open(peer);
        const tell = onlyNews(onProgress);
        let streams = card.capabilities?.streaming === true;
        for (let wait = poll.first; ; wait = Math.min(wait * 2, poll.last)) {
          // Read first and after every stream: the task has what a lost connection missed.
          const task = await client.getTask({ tenant: '', id: remoteId, historyLength: 0 }, { signal });
          const state = stateOf(task);
          if (isOver(state.status)) return state;
          tell(task.status, task.metadata);
          if (streams) {
            const ended = await listen(client, remoteId, tell, signal);
            streams = ended === 'lost';
            if (ended === 'settled') continue;
          }
          await sleep(wait, undefined, { signal });
        }
      }),

    cancel: (peer, remoteId, signal) =>
      told(signal, async () => {
        const { client } = await open(peer);
        try {
          await client.cancelTask({ tenant: '', id: remoteId, metadata: undefined }, { signal });
        } catch (error) {
          // It has ended there, or is unknown: nothing to cancel.
          if (!(error instanceof TaskNotCancelableError || error instanceof TaskNotFoundError)) throw error;
        }
      }),
  };
}

type Tell = (status: Task['status'], metadata: Record<string, unknown> | undefined) => void;

/**
 * Follows a task's events. `settled`: it may have ended; `lost`: the connection broke; `refused`: the agent does not
 * support the stream.
 */
async function listen(client: Client, remoteId: string, tell: Tell, signal: AbortSignal): Promise<'settled' | 'lost' | 'refused'> {
  try {
    for await (const { payload } of client.resubscribeTask({ tenant: '', id: remoteId }, { signal })) {
      if (payload?.$case === 'message') return 'settled';
      if (payload?.$case !== 'statusUpdate' && payload?.$case !== 'task') continue;
      const { status, metadata } = payload.value;
      if (isOver(stateOf({ id: remoteId, contextId: '', artifacts: [], history: [], metadata, status }).status)) return 'settled';
      tell(status, metadata);
    }
    return 'lost';
  } catch (error) {
    signal.throwIfAborted();
    // Reading the task shows whether it is refused.
    return error instanceof A2AError || (error instanceof PeerFailure && error.kind === 'refused') ? 'refused' : 'lost';
  }
}

/** Reports each progress once. */
function onlyNews(onProgress: (progress: PeerProgress) => void): Tell {
  let last = '';
  return (status, metadata) => {
    const progress = progressOf(status, metadata);
    const text = JSON.stringify(progress);
    if (progress === null || text === last) return;
    last = text;
    onProgress(progress);
  };
}

/** The guarded fetch with the agent's credential; statuses without a protocol error are failures. */
function shown(guarded: typeof fetch, credential: Record<string, string>): typeof fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(outgoingHeaders(credential))) headers.set(name, value);
    const answer = await guarded(input, { ...init, headers });
    const { status } = answer;
    if (answer.ok) return answer;
    const spoken = (answer.headers.get('content-type') ?? '').includes('json') && ![401, 402, 403, 407, 429, 503].includes(status);
    if (spoken) return answer;
    await answer.body?.cancel();
    const pause = Number(answer.headers.get('retry-after') ?? NaN);
    const kind = status === 429 || status === 503 ? 'not_sent' : status >= 500 ? 'unknown' : 'refused';
    throw new PeerFailure(kind, `The agent answered with HTTP ${status}.`, {
      status,
      ...(Number.isFinite(pause) ? { retryAfterSeconds: pause } : {}),
    });
  };
}

/** Maps network and protocol errors to the task's outcome. */
async function told<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error);
  }
}

/** Protocol errors that do not show whether the task was accepted. */
const vague = new Set(['A2AError', 'JsonRpcTransportError', 'InvalidAgentResponseError']);

function failureOf(error: unknown): unknown {
  if (error instanceof PeerFailure) return error;
  if (error instanceof AppError) return asPeerFailure(error);
  if (error instanceof A2AError) {
    return new PeerFailure(vague.has(error.name) ? 'unknown' : 'refused', `The agent answered: ${error.message}`.slice(0, 1_000), {
      cause: error,
    });
  }
  if (error instanceof Error)
    return new PeerFailure('unknown', `The agent's answer makes no sense: ${error.message}`.slice(0, 1_000), { cause: error });
  return error;
}
