import type { Temporal } from './client.ts';

/** How much waits in a task queue, as Temporal counts it. */
export interface QueueStats {
  queue: string;
  kind: 'workflow' | 'activity';
  /** Tasks that no worker has taken yet; workers are added by this figure. */
  backlog: number;
  oldestSeconds: number;
  /** Tasks per second over the last half minute. */
  addedPerSecond: number;
  takenPerSecond: number;
  pollers: number;
}

const kinds = { workflow: 1, activity: 2 } as const;
const timeoutMs = 3_000;
/** Temporal counts by asking each partition of a queue: no more often than this, in ms. */
const freshForMs = 5_000;

/** Reads the backlog of task queues. @throws when Temporal does not answer in time */
export function queueStats(temporal: Pick<Temporal, 'client' | 'namespace'>, queues: readonly string[]): () => Promise<QueueStats[]> {
  let last: { at: number; found: Promise<QueueStats[]> } | null = null;
  const one = async (client: Temporal['client'], queue: string, kind: keyof typeof kinds): Promise<QueueStats> => {
    const { stats, pollers } = await client.connection.workflowService.describeTaskQueue({
      namespace: temporal.namespace,
      taskQueue: { name: queue },
      taskQueueType: kinds[kind],
      reportStats: true,
    });
    const { seconds, nanos } = stats?.approximateBacklogAge ?? {};
    return {
      queue,
      kind,
      backlog: Number(stats?.approximateBacklogCount ?? 0),
      oldestSeconds: Number(seconds ?? 0) + (nanos ?? 0) / 1e9,
      addedPerSecond: stats?.tasksAddRate ?? 0,
      takenPerSecond: stats?.tasksDispatchRate ?? 0,
      pollers: pollers.length,
    };
  };
  return () => {
    if (!last || Date.now() - last.at > freshForMs) {
      const { client } = temporal;
      const found = client.withDeadline(Date.now() + timeoutMs, () =>
        Promise.all(queues.flatMap((queue) => [one(client, queue, 'workflow'), one(client, queue, 'activity')])),
      );
      const mine = (last = { at: Date.now(), found });
      // A failure is not kept: Temporal may be back at the next scrape.
      found.catch(() => {
        if (last === mine) last = null;
      });
    }
    return last.found;
  };
}
