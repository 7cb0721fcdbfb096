import type { WebClient } from '../web/types.ts';
import { delegatedStatuses, isOver, type DelegatedStatus } from '../../contracts/agents/agents.ts';
import { PeerFailure, credentialHeaders } from '../../contracts/agents/delegations.ts';
import { asPeerFailure } from './requests.ts';
import type { PeerAddress, PeerPort } from './types.ts';

const requestTimeoutMs = 10_000;
const maxAnswerBytes = 4_000_000;

/** Agents with agentic-rag's REST API: they accept a task once per id, and report by themselves. */
export const signalboxPeers = (web: WebClient): PeerPort => ({
  idempotent: true,
  follow: null,

  async send(peer, task, signal) {
    const body = {
      task_id: task.id,
      source_agent: task.sourceAgent,
      target_agent: task.targetAgent,
      capability_name: task.capability,
      parameters: task.parameters,
      priority: task.priority,
      timeout_seconds: task.timeoutSeconds,
      correlation_id: task.correlationId,
      created_at: task.createdAt,
      callback_url: task.callbackUrl,
      progress_url: task.progressUrl,
      callback_token: task.callbackToken,
    };
    const answer = await request(web, peer, '/a2a/tasks', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'x-correlation-id': task.correlationId },
      signal,
    });
    const told = read(answer.bytes);
    const status = delegatedStatuses.find((known) => known === told['status']) ?? 'accepted';
    return {
      remoteId: typeof told['task_id'] === 'string' ? told['task_id'].slice(0, 200) : task.id,
      remoteContext: null,
      // Some finish immediately and say so in their answer.
      ...(isOver(status) ? { status, ...outcomeOf(status, told) } : { status: status === 'pending' ? 'accepted' : status }),
    };
  },

  async cancel(peer, remoteId, signal) {
    await request(web, peer, `/a2a/tasks/${encodeURIComponent(remoteId)}`, { method: 'DELETE', signal }).catch((error: unknown) => {
      // Unknown or ended there: nothing to cancel.
      if (error instanceof PeerFailure && [404, 409, 410].includes(error.status ?? 0)) return;
      throw error;
    });
  },
});

async function request(
  web: WebClient,
  peer: PeerAddress,
  path: string,
  { method, body, headers, signal }: { method: 'POST' | 'DELETE'; body?: string; headers?: Record<string, string>; signal: AbortSignal },
) {
  try {
    return await web.fetch(peer.endpointUrl.replace(/\/+$/, '') + path, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: { ...headers, ...credentialHeaders(peer.credential) },
      accept: 'application/json',
      timeoutMs: requestTimeoutMs,
      maxBytes: maxAnswerBytes,
      signal,
    });
  } catch (error) {
    throw asPeerFailure(error);
  }
}

/** If the answer is not a JSON object, only its status counts. */
function read(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function outcomeOf(status: DelegatedStatus, told: Record<string, unknown>) {
  if (status === 'completed') return { result: told['result'] ?? null };
  const { error } = told;
  return {
    error: {
      code: 'PEER_FAILED',
      message: typeof error === 'string' && error !== '' ? error.slice(0, 2_000) : `The agent says ${status}.`,
    },
  };
}
