import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { AppError } from '../../contracts/errors.ts';
import { isLost, isOutdated, translate } from './errors.ts';
import { TenantPool } from './pool.ts';
import { assertOwnSessions } from './pooling.ts';
import { statement } from './prepared.ts';

/** For statements over all rows of a tenant. */
const unhurriedMs = 6 * 3_600_000;

export type Row = Record<string, unknown>;

/** SQL with each statement bound to the caller's tenant. */
export interface Database {
  /** Name of this process's sessions in `pg_stat_activity`: when it is missing there, the process has ended. */
  readonly sessions: string;
  /**
   * One statement on a tenant-bound connection.
   * @throws AppError SERVICE_UNAVAILABLE when Postgres is unavailable.
   */
  query<T extends Row = Row>(text: string, values?: unknown[]): Promise<T[]>;
  /**
   * Several statements in one transaction; rolled back when `work` throws.
   * @param options.snapshot all statements see one state (repeatable read) and must not write
   * @param options.unhurried statements may take up to six hours instead of 30 s
   */
  transaction<T>(work: (query: Database['query']) => Promise<T>, options?: { snapshot?: boolean; unhurried?: boolean }): Promise<T>;
  /** Connections of this process: open, idle, and callers for whom none is idle. */
  pool(): { size: number; open: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/**
 * Opens the pool and checks that row-level security binds this role, and that connections keep their sessions.
 * @param options.answerWithinMs a connection that gives no answer for so long is dead; default 40 s
 * @throws AppError FORBIDDEN when the role is a superuser or may bypass policies, or a pooler shares sessions.
 */
export async function openDatabase(
  url: string,
  options: { max?: number; answerWithinMs?: number; onError?: (error: Error) => void } = {},
): Promise<Database> {
  await assertOwnSessions(url);
  const sessions = `signalbox-${randomUUID()}`;
  const pool = new TenantPool({
    application_name: sessions,
    connectionString: url,
    max: options.max ?? 16,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    ...(options.answerWithinMs === undefined ? {} : { query_timeout: options.answerWithinMs }),
  });
  pool.on('error', (error) => options.onError?.(error));
  const role = await pool.query<{ rolsuper: boolean; rolbypassrls: boolean }>(
    'select rolsuper, rolbypassrls from pg_roles where rolname = current_user',
  );
  if (role.rows[0]?.rolsuper || role.rows[0]?.rolbypassrls) {
    await pool.end();
    throw new AppError('FORBIDDEN', 'DATABASE_URL connects as a role that bypasses row-level security.', {
      hint: 'Use the role signalbox_app, or another one without SUPERUSER and BYPASSRLS.',
    });
  }

  const query: Database['query'] = async <T extends Row>(text: string, values: unknown[] = []) => {
    try {
      return (await pool.query<T>(statement(text, values))).rows;
    } catch (error) {
      throw translate(error);
    }
  };

  return {
    sessions,
    query,
    async transaction(work, { snapshot = false, unhurried = false } = {}) {
      let client: pg.PoolClient;
      try {
        client = await pool.connect();
      } catch (error) {
        throw translate(error);
      }
      const time = unhurried ? { query_timeout: unhurriedMs } : {};
      let useless = false;
      try {
        await client.query(snapshot ? 'begin isolation level repeatable read, read only' : 'begin');
        if (unhurried) await client.query(`set local statement_timeout = ${unhurriedMs}`);
        const result = await work(
          async <T extends Row>(text: string, values: unknown[] = []) =>
            (await client.query<T>({ ...statement(text, values), ...time })).rows,
        );
        await client.query('commit');
        return result;
      } catch (error) {
        useless = isOutdated(error) || isLost(error);
        if (!isLost(error)) await client.query('rollback').catch(() => {});
        throw translate(error);
      } finally {
        client.release(useless || undefined);
      }
    },
    // pg hands an idle connection over in the next tick. Until then its caller is in the queue of those that wait.
    pool: () => ({
      size: pool.options.max,
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: Math.max(0, pool.waitingCount - pool.idleCount),
    }),
    async close() {
      if (!pool.ended) await pool.end();
    },
  };
}
