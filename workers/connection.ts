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

/** @throws AppError that names the setting to look at; retryable, because a server may still be starting */
export async function connectWorkers(target: TemporalTarget, log?: Logger): Promise<WorkerConnection> {
  const { address } = target;
  const all = [await NativeConnection.connect({ address, ...readCredentials(target) }).catch(explained(target))];
  return {
    connection: all[0]!,
    keep: (workers) =>
      watchCredentials(
        target,
        async (credentials) => {
          const next = await NativeConnection.connect({ address, ...credentials }).catch(explained(target));
          all.push(next);
          // The former connection stays open: polls of a minute are still under way on it.
          for (const worker of workers) if (worker.getState() === 'RUNNING') worker.connection = next;
        },
        log,
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
