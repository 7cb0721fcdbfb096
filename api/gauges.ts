/** Metrics of api and workers besides calls: stores, queues, disks, and what waits. */
import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { queueStats, type QueueStats } from '../adapters/temporal/backlog.ts';
import { queues } from '../contracts/temporal.ts';
import type { Config } from '../platform/config.ts';
import { openStreams, readAtScrape, temporalSeconds } from '../platform/metrics.ts';
import { version } from '../platform/version.ts';
import type { Services } from '../services/index.ts';
import type { Metrics } from '../tools/catalogue/metrics.ts';

/** Kinds of waiting work that are always reported, with 0 if nothing waits. */
const kinds = ['approvals', 'ambiguous', 'reviews', 'jobs', 'dead_letters', 'undelivered', 'outbox'];
const healths = ['healthy', 'unhealthy', 'offline', 'none'];

const queueGauges = (
  [
    ['signalbox_queue_backlog', "Tasks in a queue that no worker has taken, by Temporal's count", 'backlog'],
    ['signalbox_queue_backlog_age_seconds', 'Age of the oldest of them', 'oldestSeconds'],
    ['signalbox_queue_added_per_second', 'Tasks added to a queue, average of the last half minute', 'addedPerSecond'],
    ['signalbox_queue_taken_per_second', 'Tasks taken from a queue, average of the last half minute', 'takenPerSecond'],
    ['signalbox_queue_pollers', 'Pollers of workers at a queue', 'pollers'],
  ] as const
).map(([name, help, field]) => ({
  name,
  help,
  labels: ['queue', 'kind'],
  of: (all: QueueStats[]) => all.map(({ queue, kind, ...each }): [Record<string, string>, number] => [{ queue, kind }, each[field]]),
}));

/**
 * Adds them to a process's metrics. They are of the whole installation, so they are shown with the names of tools only.
 * @param services null before the stores were reached
 */
export function showGauges(
  { inside }: Metrics,
  config: Pick<Config, 'SIGNALBOX_DATA_DIR'>,
  service: string,
  services: () => Services | null,
): void {
  const reached = (): Services => {
    const found = services();
    if (!found) throw new Error('not reached yet');
    return found;
  };
  inside.registerMetric(temporalSeconds);
  if (service === 'api') inside.registerMetric(openStreams);
  const instance = `${hostname()}:${process.pid}`;
  readAtScrape(inside, () => 1, [
    {
      name: 'signalbox_info',
      help: 'This process',
      labels: ['service', 'version', 'instance'],
      of: () => [[{ service, version, instance }, 1]],
    },
  ]);
  readAtScrape(inside, () => reached().kernel.db.pool(), [
    {
      name: 'signalbox_pool_connections',
      help: 'Connections to Postgres of this process, by state',
      labels: ['state'],
      of: ({ open, idle }) => [
        [{ state: 'in_use' }, open - idle],
        [{ state: 'idle' }, idle],
      ],
    },
    { name: 'signalbox_pool_size', help: 'Maximum connections of this process (DATABASE_POOL_SIZE)', of: ({ size }) => size },
    { name: 'signalbox_pool_waiting', help: 'Statements that wait for a connection', of: ({ waiting }) => waiting },
  ]);
  let stats: ReturnType<typeof queueStats> | null = null;
  readAtScrape(inside, async () => await (stats ??= queueStats(reached().kernel.temporal, Object.values(queues)))(), queueGauges);
  readAtScrape(inside, async () => await statfs(resolve(config.SIGNALBOX_DATA_DIR)), [
    { name: 'signalbox_data_size_bytes', help: 'Size of the file system of the data folder', of: ({ blocks, bsize }) => blocks * bsize },
    { name: 'signalbox_data_free_bytes', help: 'Free space in it', of: ({ bavail, bsize }) => bavail * bsize },
  ]);
  if (service !== 'api') return;
  readAtScrape(inside, () => reached().knowledge.words.bytes, [
    {
      name: 'signalbox_word_index_bytes',
      help: 'Memory of the word indexes of this process (LEXICAL_INDEX_MAX_MB); a knowledge base without one is searched in Postgres',
      of: (bytes) => bytes,
    },
  ]);
  readAtScrape(inside, async () => await reached().waitingCounts.get(), [
    {
      name: 'signalbox_waiting',
      help: 'What waits in the whole installation, by kind',
      labels: ['kind'],
      of: (found) => found && kinds.map((kind) => [{ kind }, found.kinds.find((each) => each.kind === kind)?.count ?? 0]),
    },
    {
      name: 'signalbox_waiting_oldest_seconds',
      help: 'Age of the oldest that waits, by kind',
      labels: ['kind'],
      of: (found) => found && kinds.map((kind) => [{ kind }, found.kinds.find((each) => each.kind === kind)?.oldestSeconds ?? 0]),
    },
    {
      name: 'signalbox_agents',
      help: 'Registered agents of the whole installation, by health',
      labels: ['health'],
      of: (found) =>
        found && healths.map((health) => [{ health }, found.kinds.find(({ kind }) => kind === `agents_${health}`)?.count ?? 0]),
    },
    { name: 'signalbox_database_bytes', help: 'Size of the database', of: (found) => found && found.databaseBytes },
  ]);
  readAtScrape(inside, async () => (await reached().kernel.duties.last('ledger')).doneAt, [
    {
      name: 'signalbox_ledger_linked_timestamp_seconds',
      help: 'When the new rows of all ledgers were last linked',
      of: (at) => at && at.getTime() / 1000,
    },
  ]);
}
