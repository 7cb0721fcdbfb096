/**
 * Restores a backup: first the blobs, then the records in one transaction, so that no record lacks its blob. Afterwards nothing of
 * Temporal may be older or newer than the records: its processes end, and the next sweep starts those of open rows again.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Blobs } from '../../adapters/blobs/types.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { isGone } from '../../adapters/temporal/errors.ts';
import { AppError } from '../../contracts/errors.ts';
import { searchAttributes } from '../../contracts/temporal.ts';
import type { Config } from '../../platform/config.ts';
import { doubtCalls } from '../../services/doubts.ts';
import { markRestored } from '../../services/kernel/restored.ts';
import { prepareDatabase } from '../database.ts';
import { checked, type Source } from './archive.ts';
import { postgresTools, readTool, startTool } from './postgres-tools.ts';

export interface RestoreOptions {
  config: Config;
  /** As the database's owner. */
  ownerUrl: string;
  blobs: Blobs;
  /** Of the namespace whose processes end; null: it is empty. */
  temporal: Temporal | null;
  /** Replaces what the database holds. */
  force: boolean;
  onProgress(line: string): void;
}

export interface Restored {
  blobs: number;
  /** Processes of the former records that were ended. */
  ended: number;
  /** Calls under way that may have been made after the backup: they are looked for, or wait for a person as ambiguous. */
  doubted: number;
  migrations: string[];
}

/** Reads all of a backup. @throws AppError when a part is missing or damaged */
export async function checkBackup(source: Source): Promise<void> {
  const { records, blobs } = source.manifest;
  for await (const _ of checked(await source.open(records.name), records.name, records));
  const names = await source.names('blobs/');
  if (names.length !== (blobs?.count ?? 0))
    throw new AppError('VALIDATION_ERROR', `The backup holds ${names.length} blobs instead of ${blobs?.count ?? 0}.`, {
      hint: 'Use another backup.',
    });
  for (const name of names) {
    const sha256 = name.split('/').at(-1)!;
    for await (const _ of checked(await source.open(name), name, { bytes: 0, sha256 }));
  }
}

/** @throws AppError; while blobs are restored and checked, the database is unchanged */
export async function restore(source: Source, options: RestoreOptions): Promise<Restored> {
  const { ownerUrl, onProgress, config, force } = options;
  onProgress('Checking the backup');
  await checkBackup(source);
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'signalbox-restore', connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-restore-'));
  try {
    await client.connect();
    await checkTarget(client, force);
    const { rows } = await client.query<{ num: number }>(`select current_setting('server_version_num')::int as num`);
    const tools = await postgresTools(config, Math.floor(rows[0]!.num / 10_000), onProgress);
    const blobs = await restoreBlobs(source, options);
    const ended = options.temporal ? await endProcesses(options.temporal, onProgress) : 0;
    onProgress('Records');
    await client.query(roles);
    if (force) await client.query(emptySchema);
    const file = await source.file(source.manifest.records.name, folder);
    await startTool(
      tools.restore,
      [
        '--single-transaction',
        '--exit-on-error',
        '--no-owner',
        '--no-comments',
        '--use-list',
        await contents(tools.restore, file, folder),
        file,
      ],
      ownerUrl,
    ).ended.catch((error: unknown) => {
      throw notRestored(error, force);
    });
    await client.query(privileges);
    const { applied } = await prepareDatabase(ownerUrl);
    return { blobs, ended, doubted: await settle(client), migrations: applied };
  } finally {
    await client.end().catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkTarget(client: pg.Client, force: boolean): Promise<void> {
  const { rows } = await client.query<{ tables: number; sessions: string[] }>(
    `select (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')) as tables,
       array(select distinct usename || ' (' || coalesce(nullif(application_name, ''), 'unnamed') || ')' from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend') as sessions`,
  );
  const { tables, sessions } = rows[0]!;
  if (sessions.length > 0) {
    throw new AppError('CONFLICT', `The database is in use by ${sessions.slice(0, 5).join(', ')}.`, {
      hint: 'Stop every api and worker, and what else is connected, then restore.',
    });
  }
  if (tables > 0 && !force) {
    throw new AppError('CONFLICT', `The database is not empty: it has ${tables} tables.`, {
      hint: 'Restore into an empty database, or give --force, which deletes everything in it.',
    });
  }
}

async function restoreBlobs(source: Source, { blobs, onProgress }: RestoreOptions): Promise<number> {
  const names = await source.names('blobs/');
  if (names.length > 0) onProgress(`Blobs: ${names.length}`);
  let restored = 0;
  let told = Date.now();
  for (const name of names) {
    const [, tenant = '', sha256 = ''] = name.split('/');
    // An interrupted restore goes on where it was.
    if (!(await blobs.has(tenant, sha256))) {
      await blobs.putStream(tenant, 'restore', await source.open(name), () => Promise.resolve());
    }
    restored += 1;
    if (Date.now() - told < 5_000) continue;
    told = Date.now();
    onProgress(`Blobs: ${restored} of ${names.length}`);
  }
  return restored;
}

/** Ends every process of ours in the namespace: its state is that of other records. */
async function endProcesses({ client }: Temporal, onProgress: (line: string) => void): Promise<number> {
  let ended = 0;
  const query = `${searchAttributes.kind} is not null and ExecutionStatus = 'Running'`;
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    await client.workflow
      .getHandle(workflowId, runId)
      .terminate('The records were restored from a backup: processes start again from them.')
      .then(() => (ended += 1))
      .catch((error: unknown) => {
        if (!isGone(error)) throw error;
      });
    if (ended > 0 && ended % 1_000 === 0) onProgress(`Processes of the former records: ${ended} ended`);
  }
  return ended;
}

/** The contents without defaults for an owner of another name; `privileges` sets them for this one. */
async function contents(restoreTool: string, file: string, folder: string): Promise<string> {
  const listed = await readTool(restoreTool, ['--list', file]);
  const path = join(folder, 'contents');
  await writeFile(
    path,
    listed
      .split('\n')
      .filter((line) => !/ (DEFAULT ACL|SCHEMA) /.test(line))
      .join('\n'),
  );
  return path;
}

const notRestored = (error: unknown, force: boolean): AppError =>
  new AppError('SERVICE_UNAVAILABLE', `The records were not restored: ${(error as Error).message}`, {
    hint: `The database is ${force ? 'empty now' : 'as it was'}. Correct the cause and repeat the restore.`,
    retryable: false,
    cause: error,
  });

/** Of the server, not of a database: a dump does not contain them. As the migrations create them. */
const roles = `
  do $$ begin
    if not exists (select from pg_roles where rolname = 'signalbox_app') then create role signalbox_app nologin; end if;
    if not exists (select from pg_roles where rolname = 'signalbox_scoped') then create role signalbox_scoped nologin; end if;
  end $$;
  grant signalbox_scoped to signalbox_app with inherit false, set true;
  create extension if not exists vector;
  -- The dump says what each table grants; defaults would add to it.
  alter default privileges in schema public revoke all on tables from signalbox_app, signalbox_scoped;
  alter default privileges in schema public revoke all on sequences from signalbox_app, signalbox_scoped;`;

/** Everything in the schema that belongs to no extension. What an earlier drop took with it has no name any more, only a number. */
export const emptySchema = `
  do $$ declare found record; begin
    for found in select c.oid::regclass as name, case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end as kind
        from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('e', 'i', 'a')) loop
      continue when not exists (select from pg_class where oid = found.name);
      execute format('drop %s if exists %s cascade', found.kind, found.name);
    end loop;
    for found in select p.oid::regprocedure as name, case p.prokind when 'p' then 'procedure' when 'a' then 'aggregate' else 'function' end as kind
        from pg_proc p where p.pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') loop
      continue when not exists (select from pg_proc where oid = found.name);
      execute format('drop %s if exists %s cascade', found.kind, found.name);
    end loop;
  end $$;`;

/** What later tables get; as the migrations set it. */
const privileges = `
  grant usage on schema public to signalbox_app, signalbox_scoped;
  alter default privileges in schema public grant select, insert, update, delete on tables to signalbox_app, signalbox_scoped;
  alter default privileges in schema public grant usage on sequences to signalbox_app, signalbox_scoped;`;

/** The latest moment that rows of the tenant $1 name. */
const latestMoment = `
  select moment::text from (
    (select xid as moment from ledger_events where tenant_id = $1 order by xid desc limit 1)
    union all (select to_xid from ledger_seals where tenant_id = $1 order by seq desc limit 1)
    union all (select xid from outbox where tenant_id = $1 order by xid desc limit 1)
    union all (select changed from documents where tenant_id = $1 order by changed desc limit 1)
    union all (select changed from entity_relations where tenant_id = $1 order by changed desc limit 1)
  ) moments order by moments.moment desc limit 1`;

/**
 * This server counts its transactions from elsewhere: what is written from now on comes after the moment $1, in this session
 * and in all later ones.
 */
const goOnAfter = `
  select set_config('app.moment_base', greatest(0, $1::bigint + 1 - pg_current_xact_id()::text::bigint)::text, false)`;
const keepBase = `
  do $$ begin
    execute format('alter database %I set app.moment_base = %L', current_database(), current_setting('app.moment_base'));
  end $$`;

/** In one transaction: without the mark nothing would start the processes again. */
async function settle(client: pg.Client): Promise<number> {
  const query = (async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows) as Database['query'];
  await client.query('begin');
  const tenants = await query<{ id: string }>('select id from tenants');
  let latest = 0n;
  for (const { id: tenant } of tenants) {
    // Row security holds an owner who is no superuser.
    await client.query(`select set_config('app.tenant', $1, true)`, [tenant]);
    const [row] = await query<{ moment: string | null }>(latestMoment, [tenant]);
    if (BigInt(row?.moment ?? 0) > latest) latest = BigInt(row!.moment!);
  }
  await client.query(goOnAfter, [latest.toString()]);
  await client.query(keepBase);
  let doubted = 0;
  for (const { id: tenant } of tenants) {
    await client.query(`select set_config('app.tenant', $1, true)`, [tenant]);
    doubted += await doubtCalls(query, tenant);
    // A copy of the records elsewhere may have what these do not: it is built anew.
    await query('delete from outbox_cursors where tenant_id = $1', [tenant]);
  }
  await markRestored(query);
  await client.query('commit');
  return doubted;
}
