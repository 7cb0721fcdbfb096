import type { DelegatedStatus } from '../../contracts/agents/agents.ts';

// Rules distinguish its kinds, and they import no adapter.
export { PeerFailure } from '../../contracts/agents/delegations.ts';

/** Address of an agent. */
export interface PeerAddress {
  /** Without trailing slash. */
  endpointUrl: string;
  /** Agent card, if it has one. */
  card: Record<string, unknown> | null;
  /** The agent's credential: `Header-Name: value`, or a bare key, sent as `X-API-Key` and `Authorization: Bearer`. */
  credential: string | null;
}

/** A task to send to another agent. */
export interface OutgoingTask {
  id: string;
  sourceAgent: string;
  targetAgent: string;
  capability: string;
  parameters: Record<string, unknown>;
  priority: number;
  timeoutSeconds: number;
  correlationId: string;
  createdAt: string;
  /** Address and token for the agent's reports, for agents that report by themselves. */
  callbackUrl: string;
  progressUrl: string;
  callbackToken: string;
}

export interface PeerProgress {
  done?: number;
  total?: number;
  message?: string;
}

/** State of a task at the other side. */
export interface PeerState {
  status: DelegatedStatus;
  result?: unknown;
  error?: { code: string; message: string };
}

export interface PeerTask extends PeerState {
  /** The agent's id of the task. */
  remoteId: string;
  remoteContext: string | null;
}

/** A protocol for other agents. All its requests use the guarded client. */
export interface PeerPort {
  /** Whether a task sent again under the same id is the same task at the other side. */
  readonly idempotent: boolean;
  /** @throws PeerFailure */
  send(peer: PeerAddress, task: OutgoingTask, signal: AbortSignal): Promise<PeerTask>;
  /**
   * Follows the task until it ends; can be restarted at any time. Null for agents that report by themselves.
   * @throws PeerFailure `unknown` or `not_sent`: the connection was lost, follow again; `refused`: the agent does not
   * know the task
   */
  follow:
    ((peer: PeerAddress, remoteId: string, onProgress: (progress: PeerProgress) => void, signal: AbortSignal) => Promise<PeerState>) | null;
  /** @throws PeerFailure */
  cancel(peer: PeerAddress, remoteId: string, signal: AbortSignal): Promise<void>;
}

/** The standard lets agents take the same message twice, and its tasks are asked for. */
export type A2aPort = PeerPort & { idempotent: false; follow: NonNullable<PeerPort['follow']> };

/** Ports by protocol; `local` needs none. */
export interface PeerPorts {
  signalbox: PeerPort;
  a2a: PeerPort;
}
