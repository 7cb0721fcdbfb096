/** Behind a pooler: one that keeps a session per connection works, one that shares sessions is refused. */
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrate } from '../../adapters/postgres/migrate.ts';
import { openDatabase } from '../../adapters/postgres/database.ts';
import { openNotices } from '../../adapters/postgres/notices.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { noticeChannel } from '../../contracts/notices.ts';
import { freePort } from '../../platform/embedded/ports.ts';
import { ApiProcess } from '../setup/api-process.ts';
import { onServer, withDatabase } from '../setup/databases.ts';
import { pgbouncer, startPooler, type Pooler, type PoolMode } from '../setup/pooler.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

if (pgbouncer === null) console.warn('No pgbouncer on this machine (apt-get install pgbouncer): its tests are skipped.');

describe.skipIf(pgbouncer === null)('behind PgBouncer', () => {
  const tenants = Array.from({ length: 6 }, (_, i) => `mixed-${i}`);
  let stack: TestStack;
  const poolers: Pooler[] = [];
  beforeAll(async () => {
    stack = await testStack({ workers: false, model: false });
    for (const tenant of tenants) {
      const caller = await stack.caller({ tenant, name: tenant });
      await stack.ok(caller, 'work.phase.set', { phase_id: 7, name: tenant });
    }
  });
  afterEach(async () => {
    for (const pooler of poolers.splice(0)) await pooler.stop();
  });
  afterAll(() => stack?.stop());

  const pooled = async (mode: PoolMode, url = stack.databaseUrl): Promise<Pooler> => {
    const pooler = await startPooler(inject('servers').folder, url, mode);
    poolers.push(pooler);
    return pooler;
  };

  it.each(['transaction', 'statement'] as const)('in %s mode the start is refused, busy or not, and says what to do', async (mode) => {
    const url = (await pooled(mode)).through(stack.databaseUrl);
    const refused = { code: 'FORBIDDEN', message: expect.stringContaining('pooler'), hint: expect.stringContaining('pool_mode = session') };
    await expect(openDatabase(url)).rejects.toMatchObject(refused);
    // Concurrent connections take each other's sessions.
    const starts = await Promise.allSettled(Array.from({ length: 6 }, () => openDatabase(url)));
    expect(starts.map((start) => start.status === 'rejected' && start.reason.code)).toEqual(Array(6).fill('FORBIDDEN'));
  });

  it('in session mode tenants stay apart, by statements and in transactions, and notices come', async () => {
    const url = (await pooled('session')).through(stack.databaseUrl);
    const notices = openNotices(url, stack.log);
    // Twice: the second one is given sessions that the first one has left.
    for (let round = 0; round < 2; round += 1) {
      const db = await openDatabase(url);
      const of = async (tenant: string, n: number): Promise<string | undefined> =>
        n % 2 === 0
          ? (await db.query<{ name: string }>('select name from phases where id = 7'))[0]?.name
          : (await db.transaction((query) => query<{ name: string }>('select name from phases where id = 7')))[0]?.name;
      await Promise.all(
        Array.from({ length: 50 }).flatMap((_, n) =>
          tenants.map(async (tenant) => expect(await asTenant(tenant, () => of(tenant, n))).toBe(tenant)),
        ),
      );
      const [{ statement_timeout: timeout } = { statement_timeout: '' }] = await db.query<{ statement_timeout: string }>(
        'show statement_timeout',
      );
      expect(timeout).toBe('30s');
      await eventually('a notice', async () => {
        const came = notices.wait('a topic', 200);
        await db.query('select pg_notify($1, $2)', [noticeChannel, 'a topic']);
        return await came;
      });
      await db.close();
    }
    await notices.close();
  });

  it('in session mode an api becomes ready and serves', { timeout: 150_000 }, async () => {
    const url = (await pooled('session')).through(stack.databaseUrl);
    const api = new ApiProcess(stack, await freePort(0), { DATABASE_URL: url });
    try {
      await api.start();
      const { apiKey } = await stack.caller({ tenant: tenants[0]!, name: 'through' });
      const answer = await fetch(`${api.url}/api/tools/work.phase.list`, { method: 'POST', headers: { 'x-api-key': apiKey } });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(tenants[0]!)]);
      expect(await api.stop()).toBe(0);
    } finally {
      await api.kill();
    }
  });

  it('a pooler that is changed while we run ends the use of the pool', async () => {
    const pooler = await pooled('session');
    const db = await openDatabase(pooler.through(stack.databaseUrl), { max: 8 });
    const all = () => Promise.allSettled(tenants.map((tenant) => asTenant(tenant, () => db.query('select 1'))));
    expect((await all()).map(({ status }) => status)).toEqual(tenants.map(() => 'fulfilled'));
    pooler.change('transaction');
    await eventually('the refusal', async () =>
      (await all()).some((call) => call.status === 'rejected' && (call.reason as { code: string }).code === 'FORBIDDEN'),
    );
    await expect(asTenant('mixed-0', () => db.query('select 1'))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(asTenant('mixed-0', () => db.transaction((query) => query('select 1')))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await db.close();
  });

  it('migrations run in transaction mode, also two at once', { timeout: 120_000 }, async () => {
    const { ownerUrl } = inject('servers');
    const name = `t_pooled_${Date.now()}`;
    await onServer(ownerUrl, `create database ${name}`);
    const url = (await pooled('transaction', ownerUrl)).through(withDatabase(ownerUrl, name));
    const [one, other] = await Promise.all([migrate(url), migrate(url)]);
    expect(one.applied.length + other.applied.length).toBeGreaterThan(20);
    expect((await migrate(url)).applied).toEqual([]);
  });
});
