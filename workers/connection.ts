import { NativeConnection, type Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import { readCredentials, watchCredentials, type TemporalTarget } from '../adapters/temporal/connection.ts';
import { connectionProblem } from '../adapters/temporal/refusals.ts';

export interface WorkerConnection {
  connection: NativeConnection;
  /** From now on these workers get each renewed connection. @returns ends it */
  keep(workers: readonly Worker[]): () => void;
  close(): Promise<void>;
}

/**
 * @param everyMs how often the files of credentials are looked at
 * @throws AppError that names the setting to look at; retryable, because a server may still be starting
 */
export async function connectWorkers(target: TemporalTarget, log?: Logger, everyMs?: number): Promise<WorkerConnection> {
  const { address } = target;
  const first = await NativeConnection.connect({ address, ...readCredentials(target) }).catch(explained(target));
  const all = [first];
  return {
    connection: first,
    keep: (workers) =>
      watchCredentials(
        target,
        async (credentials) => {
          const next = await NativeConnection.connect({ address, ...credentials }).catch(explained(target));
          all.push(next);
          for (const worker of workers) if (worker.getState() === 'RUNNING') worker.connection = next;
          // The former connection stays open: polls of a minute are still under way on it. A worker that is stopping keeps its own.
          for (const left of all.splice(0, all.length - 2)) await left.close().catch(() => {});
        },
        log,
        everyMs,
      ),
    async close() {
      for (const connection of all.reverse()) await connection.close();
    },
  };
}

const explained =
  (target: TemporalTarget) =>
  (error: unknown): never => {
    throw connectionProblem(error, target);
  };
