import pg from 'pg';
import { AppError } from '../../contracts/errors.ts';
import { translate } from './errors.ts';

/** Maximum connections opened besides the observed one. */
const mostOthers = 32;
/** This many consecutive connections must have got a new session. */
const freshWanted = 3;
const patienceMs = 5_000;

/** Advice for the operator of a pooler. */
export const sharedSession = (cause?: unknown): AppError =>
  new AppError('FORBIDDEN', 'DATABASE_URL leads to a pooler that gives one Postgres session to several connections.', {
    hint: 'The tenant is a setting of the session, so statements would run as another tenant. Set pool_mode = session for this database in the pooler, or connect to Postgres itself (docs/operations.md, "Poolers").',
    ...(cause === undefined ? {} : { cause }),
  });

/**
 * Checks that a connection keeps its Postgres session between transactions. One connection is observed while others,
 * one after the other, hold a transaction each. A pooler in transaction mode assigns them idle sessions, including
 * that of the observed one, before it opens a new one. So by the time new sessions appear, either the same process id
 * was seen on two connections, or the observed connection has kept its own. Other users of the pooler can hide this
 * only briefly, hence several consecutive new sessions.
 * @throws AppError FORBIDDEN for such a pooler, SERVICE_UNAVAILABLE when Postgres is unavailable
 */
export async function assertOwnSessions(connectionString: string): Promise<void> {
  const open: pg.Client[] = [];
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString,
      application_name: 'signalbox-probe',
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
    });
    client.on('error', () => {});
    await client.connect();
    open.push(client);
    return client;
  };
  const sessionOf = async (client: pg.Client): Promise<{ pid: number; began: number }> => {
    const { rows } = await client.query<{ pid: number; began: number }>(
      `select pid, extract(epoch from backend_start)::float8 as began from pg_stat_activity where pid = pg_backend_pid()`,
    );
    return rows[0]!;
  };
  try {
    const watched = await connect();
    const { rows } = await watched.query<{ now: number }>('select extract(epoch from clock_timestamp())::float8 as now');
    const { pid } = await sessionOf(watched);
    for (let fresh = 0, others = 0; fresh < freshWanted && others < mostOthers; others += 1) {
      const other = await connect();
      await other.query('begin').catch((error: unknown) => {
        // PgBouncer in statement mode.
        throw /transaction blocks? not allowed/i.test((error as Error).message) ? sharedSession(error) : error;
      });
      const session = await sessionOf(other);
      if (session.pid === pid || (await sessionOf(watched)).pid !== pid) throw sharedSession();
      fresh = session.began > rows[0]!.now ? fresh + 1 : 0;
    }
  } catch (error) {
    throw timedOut(error) ? tooFew(error) : translate(error);
  } finally {
    await Promise.allSettled(open.map((client) => client.end()));
  }
}

const timedOut = (error: unknown): boolean => /^(Query read timeout|timeout expired)$/.test((error as Error).message);

const tooFew = (cause: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'The record store (Postgres) did not give out a session in time.', {
    hint: 'Behind a pooler: each process needs DATABASE_POOL_SIZE sessions and a few more.',
    retryAfterSeconds: 2,
    cause,
  });
