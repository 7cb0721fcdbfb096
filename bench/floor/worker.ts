/** A separate process, like the product's worker: hosts the floor's workflow. Arguments: Temporal address, database URL. */
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { exitWithParent, reportReady } from '../../platform/embedded/child.ts';
import { floorQueue, type FloorActivities } from './types.ts';

const [address = '', databaseUrl = ''] = process.argv.slice(2);
const none = (): void => {};
const silent = { log: none, trace: none, debug: none, info: none, warn: none, error: none };
Runtime.install({ shutdownSignals: [], logger: silent });

const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 });
const activities: FloorActivities = {
  async write(row) {
    await pool.query('update floor.tasks set status = $2, agent = $3, token = $4, rev = $5 where id = $1 and rev <= $5 returning rev', [
      row.id,
      row.status,
      row.agent,
      row.token,
      row.rev,
    ]);
  },
};
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  namespace: 'default',
  taskQueue: floorQueue,
  workflowsPath: fileURLToPath(new URL('./workflow.ts', import.meta.url)),
  activities: { ...activities },
  maxCachedWorkflows: 1000,
  maxConcurrentLocalActivityExecutions: 100,
  stickyQueueScheduleToStartTimeout: '1 second',
});
process.once('SIGTERM', () => worker.shutdown());
exitWithParent();
const running = worker.run();
reportReady();
await running;
await pool.end();
await connection.close();
process.exit();
