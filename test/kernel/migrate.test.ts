/** Migrations of a database that is in use. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { migrate, readMigrations } from '../../adapters/postgres/migrate.ts';
import { onServer, withDatabase } from '../setup/databases.ts';
import { eventually } from '../setup/stack.ts';

let url: string;
let client: pg.Client;
beforeAll(async () => {
  const { ownerUrl } = inject('servers');
  const name = `t_migrated_${Date.now()}`;
  await onServer(ownerUrl, `create database ${name}`);
  url = withDatabase(ownerUrl, name);
  client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create table notes (id int, text text); insert into notes select n, n::text from generate_series(1, 100000) n');
});
afterAll(() => client?.end());

const apply = (name: string, sql: string): Promise<{ applied: string[] }> =>
  migrate(url, undefined, [{ name, sql, checksum: createHash('sha256').update(sql).digest('hex') }]);
const isValid = async (index: string): Promise<boolean | undefined> =>
  (await client.query<{ indisvalid: boolean }>(`select indisvalid from pg_index where indexrelid = to_regclass($1)`, [index])).rows[0]
    ?.indisvalid;

it('creates an index concurrently, also when two processes migrate at once', async () => {
  // As docs/adding-a-table.md has it, in one line.
  const sql = '-- without transaction\ndrop index concurrently if exists by_id; create index concurrently by_id on notes (id);';
  const all = await Promise.all([apply('1_by_id', sql), apply('1_by_id', sql)]);
  expect(all.flatMap(({ applied }) => applied)).toEqual(['1_by_id']);
  expect(await isValid('by_id')).toBe(true);
});

it('has no transaction open while another process migrates, whose index may wait for its end', async () => {
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query(`begin; select pg_advisory_xact_lock(hashtext('signalbox.migrate'))`);
  const migrated = apply('1_waits', 'create table waited_for ()');
  await eventually('the migration waits', async () => {
    const { rows } = await client.query<{ state: string }>(
      `select state from pg_stat_activity where datname = current_database() and query = 'rollback' and state = 'idle'`,
    );
    return rows.length > 0;
  });
  await other.query('commit');
  await other.end();
  expect((await migrated).applied).toEqual(['1_waits']);
});

it('repeats one that failed, and trusts no index that is left of it', async () => {
  const sql = '-- without transaction\ndrop index concurrently if exists once;\ncreate unique index concurrently once on notes (text);\n';
  await client.query(`insert into notes values (0, '1')`);
  await expect(apply('2_once', sql)).rejects.toThrow(/2_once failed: could not create unique index/);
  expect(await isValid('once')).toBe(false);
  await client.query('delete from notes where id = 0');
  expect((await apply('2_once', sql)).applied).toEqual(['2_once']);
  expect(await isValid('once')).toBe(true);
});

it('lets others pass while a long query holds the table, and goes on after it', { timeout: 60_000 }, async () => {
  const long = new pg.Client({ connectionString: url });
  await long.connect();
  await long.query('begin; lock table notes in access share mode');
  let done = false;
  const migrated = apply('3_column', 'alter table notes add column more text').finally(() => (done = true));
  await new Promise((soon) => setTimeout(soon, 500));
  // Behind the migration in the queue for the table.
  await client.query('select 1 from notes limit 1');
  expect(done).toBe(false);
  await long.query('commit');
  await long.end();
  expect((await migrated).applied).toEqual(['3_column']);
});

it('gives up the length of vectors without writing a table or an index anew', { timeout: 120_000 }, async () => {
  const { ownerUrl } = inject('servers');
  const name = `t_lengths_${Date.now()}`;
  await onServer(ownerUrl, `create database ${name}`);
  const own = withDatabase(ownerUrl, name);
  const all = readMigrations();
  const at = all.findIndex((migration) => migration.name === '20270410000000_vector_lengths');
  await migrate(own, undefined, all.slice(0, at));
  const owner = new pg.Client({ connectionString: own });
  await owner.connect();
  const tables = ['chunks', 'entities', 'graph_facts', 'signals', 'signal_corrections', 'opportunity_clusters', 'opportunity_anchors'];
  const files = async () =>
    (
      await owner.query<{ name: string; file: string }>(
        `select c.relname as name, pg_relation_filenode(c.oid)::text as file from pg_class c left join pg_index i on i.indexrelid = c.oid
         where c.oid = any($1::regclass[]) or i.indrelid = any($1::regclass[]) order by 1`,
        [tables],
      )
    ).rows;
  await owner.query(`select set_config('app.tenant', 'acme', false)`);
  await owner.query(`insert into opportunity_clusters (tenant_id, id, model, center, size)
    select 'acme', gen_random_uuid(), 'old', array_agg(random())::vector::halfvec, 1 from generate_series(1, 50) i, generate_series(1, 384) group by i`);
  await owner.query(`insert into opportunity_anchors (tenant_id, cluster_id, model, center, size)
    select tenant_id, id, model, center, size from opportunity_clusters`);
  const before = await files();
  expect(before.length).toBeGreaterThan(tables.length * 2);
  await migrate(own, undefined, all.slice(0, at + 1));
  expect(await files()).toEqual(before);
  await migrate(own, undefined, all);
  await owner.query(
    `update opportunity_clusters set model = 'new', center = (select array_agg(random())::vector::halfvec from generate_series(1, 1024))`,
  );
  await owner.query(
    `update opportunity_anchors a set model = 'new', center = c.center from opportunity_clusters c where c.id = a.cluster_id and c.id < 'a0000000-0000-0000-0000-000000000000'`,
  );
  const { rows } = await owner.query<{ model: string; length: number }>(
    'select distinct model, vector_dims(center) as length from opportunity_anchors order by 2',
  );
  expect(rows).toEqual([
    { model: 'old', length: 384 },
    { model: 'new', length: 1024 },
  ]);
  await owner.end();
});
