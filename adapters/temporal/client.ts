import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor, type WorkflowHandle } from '@temporalio/client';
import type { Logger } from 'pino';
import { tracePlugins } from '../../platform/telemetry.ts';
import type { SecretBox } from '../secrets/box.ts';
import { readCredentials, watchCredentials, type Credentials, type TemporalTarget } from './connection.ts';
import { dataConverterOf } from './encryption.ts';
import { sealingInterceptor } from './sealing.ts';
import { timingInterceptor } from './timing.ts';

export interface Temporal {
  /** Read it anew for each call: renewed credentials replace it. */
  readonly client: Client;
  readonly target: TemporalTarget;
  /** Whether payloads are encrypted. */
  readonly encrypts: boolean;
  namespace: string;
  handle(workflowId: string): WorkflowHandle;
  /** Address of this process in Temporal's UI. */
  link(workflowId: string): string | undefined;
  close(): Promise<void>;
}

export interface TemporalOptions extends TemporalTarget {
  uiUrl?: string | undefined;
  /** Seals payloads, without which workers refuse them. Null: this client only reads. */
  secrets: SecretBox | null;
  /** Encrypts payloads, too. */
  encrypt?: boolean;
  /** false: a call that fails tells at once why, instead of being tried again. */
  retry?: boolean;
  log?: Logger;
}

/** How long a replaced connection still serves the calls that it carries, in ms. */
const drainsFor = 60_000;

/**
 * A lost connection is tried again at least every second. gRPC's own pause grows to two minutes, in which a Temporal that is
 * back would still be called unreachable.
 */
const reconnecting = { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 };

/**
 * Connects lazily: an api that starts before Temporal works as soon as Temporal does.
 * @throws AppError VALIDATION_ERROR when a certificate or a key cannot be used
 */
export function openTemporal(options: TemporalOptions): Temporal {
  const { uiUrl, secrets, encrypt = false, retry = true, log, ...target } = options;
  const open = (credentials: Credentials): { connection: Connection; client: Client } => {
    const connection = Connection.lazy({
      address: target.address,
      ...credentials,
      channelArgs: reconnecting,
      // The default retry waits 1.7 s on RESOURCE_EXHAUSTED, which is the normal answer to many concurrent updates.
      interceptors: retry
        ? [makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ initialIntervalMs: ({ code }) => (code === 8 ? 30 : 100), maxAttempts: 20 }))]
        : [],
    });
    const client = new Client({
      connection,
      namespace: target.namespace,
      ...(secrets
        ? { dataConverter: dataConverterOf(secrets, encrypt), interceptors: { workflow: [timingInterceptor(), sealingInterceptor()] } }
        : {}),
      plugins: tracePlugins(),
    });
    return { connection, client };
  };
  let opened = open(readCredentials(target));
  const replaced = new Map<Connection, NodeJS.Timeout>();
  const unwatch = watchCredentials(
    target,
    (credentials) => {
      const { connection } = opened;
      opened = open(credentials);
      const timer = setTimeout(() => void connection.close().finally(() => replaced.delete(connection)), drainsFor);
      replaced.set(connection, timer.unref());
    },
    log,
  );
  return {
    get client() {
      return opened.client;
    },
    target,
    encrypts: encrypt,
    namespace: target.namespace,
    handle: (workflowId) => opened.client.workflow.getHandle(workflowId),
    link: (workflowId) => (uiUrl ? `${uiUrl}/namespaces/${target.namespace}/workflows/${encodeURIComponent(workflowId)}` : undefined),
    async close() {
      unwatch();
      for (const timer of replaced.values()) clearTimeout(timer);
      await Promise.all([opened.connection, ...replaced.keys()].map((connection) => connection.close()));
    },
  };
}
