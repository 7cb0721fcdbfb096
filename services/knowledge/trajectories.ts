import type { Database, Row } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { AppError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import type { Trajectory, TrajectorySource, TrajectoryStep } from '../../contracts/knowledge/trajectory.ts';
import type { Columns } from '../../prisma/rows.ts';
import { Service } from '../kernel/service.ts';

export interface NewTrajectory {
  kind: 'retrieval' | 'generation';
  query: string;
  /** Planned steps, in order. */
  plan: string[];
  steps: TrajectoryStep[];
  sources: TrajectorySource[];
  principal: string;
  toolCallId?: string | undefined;
}

type Waiting = NewTrajectory & { id: string; tenant: string; at: Date };

/** How long a trajectory waits to be batched, in ms. A kill -9 loses at most this. */
const linger = 100;
const maxWaiting = 5_000;

/** Explanations of answers. Written after the answer in batches, so a search does not wait for it. */
export class Trajectories extends Service<'log'> {
  private waiting: Waiting[] = [];
  private timer: NodeJS.Timeout | null = null;
  private flushing: Promise<void> = Promise.resolve();

  /** @returns the id; readable immediately in this process, and soon everywhere */
  note(tenant: string, trajectory: NewTrajectory): string {
    const id = newId('traj');
    if (this.waiting.length >= maxWaiting) {
      this.deps.log.error({ tenant }, 'trajectories wait while Postgres is away: one was dropped');
      return id;
    }
    this.waiting.push({ ...trajectory, id, tenant, at: new Date() });
    this.timer ??= setTimeout(() => void this.flush(), linger);
    return id;
  }

  /** @throws AppError NOT_FOUND, also for another tenant's id */
  async get(tenant: string, id: string): Promise<Trajectory> {
    if (this.waiting.some((each) => each.id === id)) await this.flush();
    // Another process may have just answered, and not written its trajectory yet.
    const found = (await this.read(tenant, id)) ?? (await this.later(tenant, id));
    if (!found) {
      throw new AppError('NOT_FOUND', 'Trajectory not found', {
        hint: 'Pass the trajectory_id of an answer of your own tenant; trajectories are kept for a limited time.',
      });
    }
    return found;
  }

  /** @returns how many were deleted */
  async prune(tenant: string, olderThanDays: number): Promise<number> {
    const rows = await asTenant(tenant, () =>
      this.db.query(`delete from trajectories where tenant_id = $1 and created_at < now() - make_interval(days => $2) returning id`, [
        tenant,
        olderThanDays,
      ]),
    );
    return rows.length;
  }

  /** Writes everything that waits. Called before the process ends. */
  async close(): Promise<void> {
    await this.flush();
  }

  private async later(tenant: string, id: string): Promise<Trajectory | undefined> {
    if (!/^traj_[0-9a-z]{20}$/.test(id)) return undefined;
    await new Promise((done) => setTimeout(done, 2 * linger));
    return await this.read(tenant, id);
  }

  private async read(tenant: string, id: string): Promise<Trajectory | undefined> {
    const [row] = await this.db.query<TrajectoryRow>(
      'select id, kind, query, plan, steps, sources, principal, tool_call_id, created_at from trajectories where tenant_id = $1 and id = $2',
      [tenant, id],
    );
    if (!row) return undefined;
    const { id: trajectoryId, tool_call_id, created_at, ...rest } = row;
    return {
      trajectory_id: trajectoryId,
      ...rest,
      ...(tool_call_id === null ? {} : { tool_call_id }),
      created_at: created_at.toISOString(),
    };
  }

  private flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.flushing = this.flushing.then(() => this.write());
    return this.flushing;
  }

  private async write(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    await Promise.all(
      [...Map.groupBy(batch, (each) => each.tenant)].map(async ([tenant, some]) => {
        try {
          await asTenant(tenant, () => insert(this.db, some));
        } catch (error) {
          const again = error instanceof AppError && error.retryable;
          this.deps.log.warn({ err: error, tenant, trajectories: some.length, kept: again }, 'trajectories were not written');
          if (!again) return;
          this.waiting = [...some, ...this.waiting].slice(0, maxWaiting);
          this.timer ??= setTimeout(() => void this.flush(), 10 * linger);
          this.timer.unref();
        }
      }),
    );
  }
}

interface TrajectoryRow extends Row, Columns<'trajectories', 'id' | 'kind' | 'query' | 'principal' | 'tool_call_id' | 'created_at'> {
  plan: string[];
  steps: TrajectoryStep[];
  sources: TrajectorySource[];
}

/** Postgres stores neither NUL nor lone surrogates. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed();
const json = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'string' ? clean(inner) : inner));

const columns: [name: string, type: string, value: (each: Waiting) => unknown][] = [
  ['tenant_id', 'text', (t) => t.tenant],
  ['id', 'text', (t) => t.id],
  ['kind', 'text', (t) => t.kind],
  ['query', 'text', (t) => clean(t.query)],
  ['plan', 'jsonb', (t) => json(t.plan)],
  ['steps', 'jsonb', (t) => json(t.steps)],
  ['sources', 'jsonb', (t) => json(t.sources)],
  ['tool_call_id', 'text', (t) => t.toolCallId ?? null],
  ['principal', 'text', (t) => t.principal],
  ['created_at', 'timestamptz', (t) => t.at],
];
const insertSql = `insert into trajectories (${columns.map(([name]) => name).join(', ')})
  select * from unnest(${columns.map(([, type], i) => `$${i + 1}::${type}[]`).join(', ')}) on conflict do nothing`;

const insert = (db: Database, some: Waiting[]): Promise<unknown> =>
  db.query(
    insertSql,
    columns.map(([, , value]) => some.map(value)),
  );
