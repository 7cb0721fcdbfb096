/** The floor of claiming: pick a row, send an update to its workflow, which writes the row. No front end, ledger or tenants. */
import { Client, Connection } from '@temporalio/client';
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Runtime } from '../../platform/config.ts';
import { each } from '../stats.ts';
import { floorQueue, type FloorRow } from './types.ts';

export interface FloorClaims {
  workerPid: number;
  /** Creates tasks and starts their workflows. @returns the workflows' ids */
  fill(count: number): Promise<string[]>;
  /** @returns the task now held, or null when none is ready */
  claim(agent: string): Promise<FloorRow | null>;
  complete(id: string, agent: string): Promise<FloorRow>;
  /** Starts a workflow that runs two activities, and waits for its result. */
  twoActivities(): Promise<void>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

const pick = `update floor.tasks set agent = $1, hold_until = now() + interval '15 seconds' where id = (
  select id from floor.tasks where status = 'ready' and (hold_until is null or hold_until < now())
  order by created_at, id limit 1 for update skip locked) returning id`;

export async function floorClaims(runtime: Runtime): Promise<FloorClaims> {
  const pool = new pg.Pool({ connectionString: runtime.database_owner_url, max: 16 });
  await pool.query(`create schema if not exists floor;
    create table if not exists floor.tasks (id text primary key, status text not null, agent text, token int not null default 0,
      rev int not null default 0, hold_until timestamptz, created_at timestamptz not null default now());
    create index if not exists floor_ready on floor.tasks (created_at, id) where status = 'ready'`);
  const worker = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), [runtime.temporal, runtime.database_owner_url], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const exited = once(worker, 'exit');
  await Promise.race([once(worker, 'message'), exited.then(() => Promise.reject(new Error("the floor's worker ended")))]);
  const connection = await Connection.connect({ address: runtime.temporal });
  const client = new Client({ connection });
  const session = randomUUID().slice(0, 8);
  let made = 0;

  return {
    workerPid: worker.pid ?? 0,
    async fill(count) {
      const first = made;
      made += count;
      const ids = Array.from({ length: count }, (_, index) => `floor-${session}-${first + index}`);
      await each(count, 20, async (index) => {
        const id = ids[index]!;
        await pool.query("insert into floor.tasks (id, status) values ($1, 'ready')", [id]);
        await client.workflow.start('floorTask', { workflowId: id, taskQueue: floorQueue, args: [id], workflowTaskTimeout: '5 seconds' });
      });
      return ids;
    },
    async claim(agent) {
      const { rows } = await pool.query<{ id: string }>(pick, [agent]);
      if (!rows[0]) return null;
      return await client.workflow.getHandle(rows[0].id).executeUpdate<FloorRow, [string]>('claim', { args: [agent] });
    },
    complete: (id, agent) => client.workflow.getHandle(id).executeUpdate<FloorRow, [string]>('complete', { args: [agent] }),
    async twoActivities() {
      await client.workflow.execute('floorRelay', {
        workflowId: `relay-${randomUUID()}`,
        taskQueue: floorQueue,
        args: [],
        workflowTaskTimeout: '5 seconds',
      });
    },
    async clear() {
      await pool.query('truncate floor.tasks');
    },
    async close() {
      worker.kill('SIGTERM');
      await exited;
      await connection.close();
      await pool.end();
    },
  };
}
