import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor, type WorkflowHandle } from '@temporalio/client';
import { tracePlugins } from '../../platform/telemetry.ts';
import type { SecretBox } from '../secrets/box.ts';
import { sealingCodec, sealingInterceptor } from './sealing.ts';
import { timingInterceptor } from './timing.ts';

export interface Temporal {
  client: Client;
  namespace: string;
  handle(workflowId: string): WorkflowHandle;
  /** Address of this process in Temporal's UI. */
  link(workflowId: string): string | undefined;
  close(): Promise<void>;
}

export interface TemporalOptions {
  address: string;
  namespace: string;
  uiUrl?: string | undefined;
  /** Seals payloads, without which workers refuse them. Null: this client only reads. */
  secrets: Pick<SecretBox, 'mac'> | null;
}

/** Connects lazily: an api that starts before Temporal works as soon as Temporal does. */
export function openTemporal(options: TemporalOptions): Temporal {
  const connection = Connection.lazy({
    address: options.address,
    // The default retry waits 1.7 s on RESOURCE_EXHAUSTED, which is the normal answer to many concurrent updates.
    interceptors: [
      makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ initialIntervalMs: ({ code }) => (code === 8 ? 30 : 100), maxAttempts: 20 })),
    ],
  });
  const client = new Client({
    connection,
    namespace: options.namespace,
    ...(options.secrets
      ? {
          dataConverter: { payloadCodecs: [sealingCodec(options.secrets)] },
          interceptors: { workflow: [timingInterceptor(), sealingInterceptor()] },
        }
      : {}),
    plugins: tracePlugins(),
  });
  return {
    client,
    namespace: options.namespace,
    handle: (workflowId) => client.workflow.getHandle(workflowId),
    link: (workflowId) =>
      options.uiUrl ? `${options.uiUrl}/namespaces/${options.namespace}/workflows/${encodeURIComponent(workflowId)}` : undefined,
    close: () => connection.close(),
  };
}
