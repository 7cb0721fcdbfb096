/** A restore over what is there: `signalbox restore --force` on a database of one's own. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { migrate } from '../../adapters/postgres/migrate.ts';
import { emptySchema } from '../../deploy/backup/restore.ts';
import { onServer, withDatabase } from '../setup/databases.ts';

it('deletes everything but extensions, of which later migrations find nothing', async () => {
  const { ownerUrl, template } = inject('servers');
  const name = `t_emptied_${randomBytes(8).toString('hex')}`;
  await onServer(ownerUrl, `create database ${name} template ${template}`);
  const url = withDatabase(ownerUrl, name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const own = async (): Promise<number> => {
      const { rows } = await client.query<{ count: number }>(`select count(*)::int from (
        select oid from pg_class where relnamespace = 'public'::regnamespace
        union all select oid from pg_proc where pronamespace = 'public'::regnamespace) o
        where not exists (select from pg_depend d where d.objid = o.oid and d.deptype = 'e')`);
      return rows[0]!.count;
    };
    expect(await own()).toBeGreaterThan(100);
    await client.query(emptySchema);
    expect(await own()).toBe(0);
    expect((await client.query(`select from pg_extension where extname = 'vector'`)).rowCount).toBe(1);
    expect((await migrate(url)).applied.length).toBeGreaterThan(50);
  } finally {
    await client.end();
  }
});
