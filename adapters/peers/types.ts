import type { DelegatedStatus } from '../../contracts/agents/agents.ts';

// Rules tell its kinds apart, and they import no adapter.
export { PeerFailure } from '../../contracts/agents/delegations.ts';

/** Where an agent is reached. */
export interface PeerAddress {
  /** Without a trailing slash. */
  endpointUrl: string;
  /** Agent card, where it has one. */
  card: Record<string, unknown> | null;
  /** What the agent wants to be shown: `Header-Name: value`, or a bare key, sent as `X-API-Key` and `Authorization: Bearer`. */
  credential: string | null;
}

/** A task on its way to another agent. */
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
  /** Where the agent reports, and the token it shows there. For those that report by themselves. */
  callbackUrl: string;
  progressUrl: string;
  callbackToken: string;
}

export interface PeerProgress {
  done?: number;
  total?: number;
  message?: string;
}

/** How a task stands at the other side. */
export interface PeerState {
  status: DelegatedStatus;
  result?: unknown;
  error?: { code: string; message: string };
}

export interface PeerTask extends PeerState {
  /** What the agent calls the task. */
  remoteId: string;
  remoteContext: string | null;
}

/** One protocol to speak to other agents. All its requests go through the guarded client. */
export interface PeerPort {
  /** A task sent again, under the same id, is the same task at the other side. */
  readonly idempotent: boolean;
  /** @throws PeerFailure */
  send(peer: PeerAddress, task: OutgoingTask, signal: AbortSignal): Promise<PeerTask>;
  /**
   * Stays with the task until it is over; started anew at any time. Null for agents that report by themselves.
   * @throws PeerFailure `unknown` or `not_sent`: the connection was lost, follow again; `refused`: the agent knows no such task
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
