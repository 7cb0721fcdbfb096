import type { Blobs } from '../../../adapters/blobs/types.ts';
import type { Database } from '../../../adapters/postgres/database.ts';
import type { SecretBox } from '../../../adapters/secrets/box.ts';
import type { ExportWritten } from '../../../contracts/activities/governance/export.ts';
import type { JobRef } from '../../../contracts/activities/kernel/jobs.ts';
import type { ExportFormat, ExportType, LedgerRange } from '../../../contracts/governance/exports.ts';
import { derivedId } from '../../../contracts/ids.ts';
import { sealLedger } from '../ledger-chain.ts';
import { dropUnreferenced } from '../../kernel/blobs.ts';
import { contentsOf } from './contents.ts';
import { countsOf, csvFiles, jsonFile } from './files.ts';
import { ledgerFile, ledgerPart } from './ledger.ts';
import { atOneMoment, openTables, type Range } from './snapshot.ts';

/** Input of an `export` job. */
export interface ExportSpec extends Record<string, unknown> {
  type: ExportType | 'ledger';
  format: ExportFormat;
  range: Range;
  /** Only for the ledger. */
  ledger?: LedgerRange;
  /** The key that may use the link. */
  key_id: string;
}

interface Deps {
  db: Database;
  blobs: Blobs;
  secrets: SecretBox;
}

/** How long a file can be downloaded, in ms. */
export const keptFor = 24 * 3_600_000;
/** Age after which partial files of killed workers are deleted, in ms. */
const abandonedAfter = 24 * 3_600_000;

export const exportIdOf = ({ tenant, id }: JobRef): string => derivedId('exp', tenant, id);

const mediaTypes: Record<ExportFormat, string> = { json: 'application/json', csv: 'application/zip', jsonl: 'application/jsonl' };
const endings: Record<ExportFormat, string> = { json: 'json', csv: 'zip', jsonl: 'jsonl' };

/**
 * Writes the file of a job, from one snapshot; in memory is a slice of rows.
 * @param tell called at intervals with the number of written rows
 */
export async function writeExport(
  deps: Deps,
  job: JobRef,
  { signal, tell }: { signal: AbortSignal; tell(done: number, total: number): void },
): Promise<ExportWritten> {
  const { db, blobs, secrets } = deps;
  const { tenant } = job;
  const former = await found(db, job);
  if (former && (await blobs.has(tenant, former.artifact_ref))) return former;
  await blobs.dropUnfinished(tenant, { owner: job.id });
  const [row] = await db.query<{ spec: ExportSpec; created_by: string }>(
    'select spec, created_by from jobs where tenant_id = $1 and id = $2',
    [tenant, job.id],
  );
  if (!row) throw new Error(`job ${job.id} has no row`);
  const { spec } = row;
  if (spec.type === 'ledger') await sealLedger(db, secrets, tenant);
  const file = await atOneMoment(db, async (query) => {
    const [clock] = await query<{ at: Date }>('select now() as at');
    const at = clock!.at.toISOString();
    const about = { type: spec.type, format: spec.format, tenant, exported_at: at, range: spec.ledger ?? spec.range };
    const { counts, source } = await sourceOf(query, { tenant, spec, about, secrets, signal, tell });
    return await blobs.putStream(tenant, job.id, source, (blob) => note(db, job, { spec, by: row.created_by, at, counts, ...blob }));
  });
  // A file of a previous attempt.
  if (former && former.artifact_ref !== file.sha256) await dropUnreferenced(db, blobs, tenant, [former.artifact_ref]);
  const written = await found(db, job);
  if (!written) throw new Error(`the export of job ${job.id} has no row`);
  return written;
}

/** The file's bytes, and its row counts by table. */
async function sourceOf(
  query: Database['query'],
  given: {
    tenant: string;
    spec: ExportSpec;
    about: { exported_at: string } & Record<string, unknown>;
    secrets: SecretBox;
    signal: AbortSignal;
    tell(done: number, total: number): void;
  },
): Promise<{ counts: Record<string, number>; source: AsyncIterable<Uint8Array> }> {
  const { tenant, spec, about, secrets, signal, tell } = given;
  const counting = (total: number) => {
    let done = 0;
    return (rows: number): void => tell((done += rows), total);
  };
  if (spec.type === 'ledger') {
    const part = await ledgerPart(query, tenant, spec.ledger ?? {});
    return {
      counts: { ledger_events: part.rows },
      source: ledgerFile(query, secrets, about, part, { count: counting(part.rows), signal }),
    };
  }
  const tables = await openTables(query, tenant, contentsOf(spec.type), spec.range, signal);
  const counts = countsOf(tables);
  const count = counting(Object.values(counts).reduce((sum, rows) => sum + rows, 0));
  return { counts, source: spec.format === 'csv' ? csvFiles(about, tables, count) : jsonFile(about, tables, count) };
}

/** The latest attempt's file is used. */
async function note(
  db: Database,
  job: JobRef,
  file: { spec: ExportSpec; by: string; at: string; counts: Record<string, number>; sha256: string; size: number },
): Promise<void> {
  const { spec, by, at, counts, sha256, size } = file;
  const filename = `signalbox-${spec.type}-${at.slice(0, 19).replaceAll(/[-:]/g, '')}.${endings[spec.format]}`;
  const expires = new Date(Date.now() + keptFor);
  await db.query(
    `insert into exports (tenant_id, id, job_id, kind, format, sha256, size, filename, media_type, row_counts, created_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict (tenant_id, id) do update
     set sha256 = excluded.sha256, size = excluded.size, filename = excluded.filename, row_counts = excluded.row_counts, expires_at = excluded.expires_at`,
    [
      job.tenant,
      exportIdOf(job),
      job.id,
      spec.type,
      spec.format,
      sha256,
      size,
      filename,
      mediaTypes[spec.format],
      JSON.stringify(counts),
      by,
      expires,
    ],
  );
}

/** The result that a job has already written. */
async function found(db: Database, job: JobRef): Promise<ExportWritten | null> {
  const [row] = await db.query<{ id: string; sha256: string; size: string; row_counts: Record<string, number>; expires_at: Date }>(
    'select id, sha256, size, row_counts, expires_at from exports where tenant_id = $1 and id = $2',
    [job.tenant, exportIdOf(job)],
  );
  return row
    ? {
        export_id: row.id,
        artifact_ref: row.sha256,
        size_bytes: Number(row.size),
        row_counts: row.row_counts,
        expires_at: row.expires_at.toISOString(),
      }
    : null;
}

/** Deletes all parts of an export: its row, its file, and partial files. */
export async function discardExport({ db, blobs }: Pick<Deps, 'db' | 'blobs'>, job: JobRef): Promise<void> {
  const { tenant } = job;
  await db.query('update exports set expires_at = now() where tenant_id = $1 and id = $2', [tenant, exportIdOf(job)]);
  await dropExpired(db, blobs, tenant);
  await blobs.dropUnfinished(tenant, { owner: job.id });
}

/**
 * Deletes expired exports, and partial files of killed workers.
 * @returns how many exports
 */
export async function sweepExports({ db, blobs }: Pick<Deps, 'db' | 'blobs'>, tenant: string): Promise<number> {
  await blobs.dropUnfinished(tenant, { before: new Date(Date.now() - abandonedAfter) });
  return await dropExpired(db, blobs, tenant);
}

/** Delete the files first: after a crash in between, the rows are found again. */
async function dropExpired(db: Database, blobs: Blobs, tenant: string): Promise<number> {
  const rows = await db.query<{ id: string; sha256: string }>(
    'select id, sha256 from exports where tenant_id = $1 and expires_at <= now() limit 1000',
    [tenant],
  );
  if (rows.length === 0) return 0;
  await dropUnreferenced(
    db,
    blobs,
    tenant,
    rows.map(({ sha256 }) => sha256),
  );
  await db.query('delete from exports where tenant_id = $1 and id = any($2) and expires_at <= now()', [tenant, rows.map(({ id }) => id)]);
  return rows.length;
}
