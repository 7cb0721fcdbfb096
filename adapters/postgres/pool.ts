import pg from 'pg';
import { isLost, isOutdated } from './errors.ts';
import { sharedSession } from './pooling.ts';
import { currentScope, currentTenant } from './tenancy.ts';

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (destroy?: Error | boolean) => void) => void;

/** The running or next query fails with the same error, where it is handled; without a listener it would end the process. */
const ignore = (): void => {};

const separator = '\u001f';

/** A session setting, not a startup parameter: poolers refuse startup parameters that they do not know. */
const statementTimeoutMs = 30_000;

/**
 * A connection may die without a word, e.g. behind a firewall. Then no server ends its statement, and TCP gives up only
 * after a quarter of an hour.
 */
const answerWithinMs = statementTimeoutMs + 10_000;
/** Setting the tenant waits for nothing but the server's processors. */
const preparedWithinMs = 10_000;

/** Role and tenant of the session. Each statement resets the other's role, so nothing of the previous user remains. */
function settings(): pg.QueryConfig {
  const scope = currentScope();
  if (!scope) {
    return {
      name: 'set-tenant',
      text: "select set_config('role', 'none', false), set_config('app.tenant', $1, false), pg_backend_pid() as pid",
      values: [currentTenant()],
    };
  }
  return {
    name: 'set-scope',
    text: `select set_config('role', 'signalbox_scoped', false), set_config('app.tenant', $1, false), set_config('app.areas', $2, false),
      set_config('app.types', $3, false), set_config('app.min_age', $4, false), pg_backend_pid() as pid`,
    values: [currentTenant(), scope.areas.join(separator), scope.types.join(separator), `${scope.minAgeHours} hours`],
  };
}

/**
 * A pool that sets the caller's tenant on *every* checkout and destroys a connection that is returned inside a
 * transaction. This is the only place where a request gets its row-level security; skipping the setting for "the same
 * tenant" would trust what the previous user of the session left. It also detects when a pooler assigns another
 * session to a connection; then the pool is no longer used.
 */
export class TenantPool extends pg.Pool {
  /** Process ids of the sessions behind the connections. */
  private readonly sessions = new WeakMap<pg.PoolClient, number>();
  /** When each connection last answered, and when one was last found dead, in ms since the epoch. */
  private readonly answered = new WeakMap<pg.PoolClient, number>();
  private foundDead = 0;
  /** A connection had another session than before: no statement is safe any more. */
  private shared: Error | null = null;

  constructor(options: pg.PoolConfig) {
    super({ query_timeout: answerWithinMs, ...options });
    // pg-pool removes its own listener at checkout, and a server that is killed just then reports it (57P01) in the same
    // packet as the end of the startup, before the code that awaits the connection goes on.
    this.on('connect', (client) => client.on('error', ignore));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    const checkout = this.checkout();
    if (!callback) return checkout;
    checkout.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    );
  }

  private async checkout(): Promise<pg.PoolClient> {
    const client = await this.takeLiving();
    const release = client.release.bind(client);
    client.release = (destroy?: Error | boolean) => {
      release(destroy ?? (client.getTransactionStatus() === 'I' ? undefined : true));
    };
    return client;
  }

  /**
   * Of connections that have died while they were idle, only the first is waited for: the others have answered nothing since
   * and are closed. Nothing was asked of it yet, so another one is taken.
   */
  private async takeLiving(): Promise<pg.PoolClient> {
    for (;;) {
      if (this.shared) throw this.shared;
      const client = await super.connect();
      const answered = this.answered.get(client);
      if (answered !== undefined && answered < this.foundDead) {
        client.release(true);
        continue;
      }
      try {
        await this.prepare(client);
        this.answered.set(client, Date.now());
        return client;
      } catch (error) {
        client.release(error as Error);
        if (answered === undefined || !isLost(error)) throw error;
        this.foundDead = Date.now();
      }
    }
  }

  private async prepare(client: pg.PoolClient): Promise<void> {
    const known = this.sessions.get(client);
    const soon = { query_timeout: Math.min(preparedWithinMs, this.options.query_timeout ?? preparedWithinMs) };
    if (known === undefined) await client.query({ text: `set statement_timeout = ${statementTimeoutMs}`, ...soon });
    const { pid } = (await client.query<{ pid: number }>({ ...settings(), ...soon })).rows[0]!;
    if (known === undefined) this.sessions.set(client, pid);
    // The pooler's mode changed after our start; assertOwnSessions checks it at the start.
    else if (known !== pid) throw (this.shared = sharedSession());
  }

  // pg's own pool.query closes the connection after any SQL error, including unique violations.
  override query = (async (statement: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> => {
    for (;;) {
      const client = await this.checkout();
      let useless = false;
      try {
        return await client.query(statement, values);
      } catch (error) {
        useless = isOutdated(error) || isLost(error);
        if (!isOutdated(error)) throw error;
      } finally {
        client.release(useless || undefined);
      }
    }
  }) as unknown as pg.Pool['query'];
}
