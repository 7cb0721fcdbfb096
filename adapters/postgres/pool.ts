import pg from 'pg';
import { currentScope, currentTenant } from './tenancy.ts';

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (destroy?: Error | boolean) => void) => void;

/** The query under way, or the next one, fails with the same error; that is where it is handled. */
const ignore = (): void => {};

const separator = '\u001f';

/** Who the session is for. Both statements undo the other's role: nothing of the former user is left. */
function settings(): pg.QueryConfig {
  const scope = currentScope();
  if (!scope) {
    return {
      name: 'set-tenant',
      text: "select set_config('role', 'none', false), set_config('app.tenant', $1, false)",
      values: [currentTenant()],
    };
  }
  return {
    name: 'set-scope',
    text: `select set_config('role', 'signalbox_scoped', false), set_config('app.tenant', $1, false), set_config('app.areas', $2, false),
      set_config('app.types', $3, false), set_config('app.min_age', $4, false)`,
    values: [currentTenant(), scope.areas.join(separator), scope.types.join(separator), `${scope.minAgeHours} hours`],
  };
}

/**
 * A pool that sets the caller's tenant on *every* checkout and destroys a connection that comes back
 * inside a transaction. This is the one place where a request meets row-level security; skipping the
 * set "because it is the same tenant" would trust whatever the previous user of the session left behind.
 */
export class TenantPool extends pg.Pool {
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
    const client = await super.connect();
    // pg-pool takes its own listener off at checkout. A server that is killed says so (57P01) to idle clients
    // too, and an 'error' event that nobody listens to ends the process.
    if (!client.listeners('error').includes(ignore)) client.on('error', ignore);
    try {
      await client.query(settings());
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
    const release = client.release.bind(client);
    client.release = (destroy?: Error | boolean) => {
      release(destroy ?? (client.getTransactionStatus() === 'I' ? undefined : true));
    };
    return client;
  }

  // pg's own pool.query throws the connection away on any SQL error, a unique violation too.
  override query = (async (text: string | pg.QueryConfig, values?: unknown[]) => {
    const client = await this.checkout();
    try {
      return await (client.query as (...args: unknown[]) => Promise<pg.QueryResult>)(text, values);
    } finally {
      client.release();
    }
  }) as unknown as pg.Pool['query'];
}
