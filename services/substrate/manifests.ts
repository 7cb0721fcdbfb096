import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import type { Manifest, ManifestEntry } from '../../contracts/substrate/substrate.ts';
import { keysetPage, matching, up, type CountedPage, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import type { Columns } from '../../prisma/rows.ts';
import { manifestHash, namedAtMost, normaliseEntries, normalisePath } from './rules.ts';

type Query = Database['query'];

interface ManifestRow extends Row, Columns<'manifests', 'sha256' | 'entries' | 'size' | 'created_by' | 'created_at'> {
  metadata: Record<string, unknown>;
}

export interface NewManifest {
  entries: readonly { path: string; artifact_sha256: string }[];
  metadata: Record<string, unknown>;
}

/** Sets of artifacts under paths, each named by the hash of its content: the same set is the same manifest. Immutable. */
export class Manifests extends Service {
  /** @throws AppError VALIDATION_ERROR (paths), NOT_FOUND (artifacts, named in details) */
  async create(
    { tenant, principal }: Pick<Caller, 'tenant' | 'principal'>,
    wanted: NewManifest,
  ): Promise<{ manifest_sha256: string; entries: number; size: number; existed: boolean }> {
    const entries = await this.complete(tenant, normaliseEntries(wanted.entries));
    const sha256 = manifestHash(entries, wanted.metadata);
    const size = entries.reduce((sum, entry) => sum + entry.size, 0);
    const made = await this.db.transaction(async (query) => {
      const rows = await query(
        `insert into manifests (tenant_id, sha256, entries, size, metadata, created_by) values ($1, $2, $3, $4, $5, $6)
         on conflict do nothing returning 1`,
        [tenant, sha256, entries.length, size, JSON.stringify(wanted.metadata), principal],
      );
      if (rows.length === 0) return false;
      // The foreign key protects the artifact's row, and so its bytes, from deletion.
      await query(
        `insert into manifest_entries (tenant_id, manifest, path, artifact) select $1, $2, * from unnest($3::text[], $4::text[])`,
        [tenant, sha256, entries.map((entry) => entry.path), entries.map((entry) => entry.artifact_sha256)],
      );
      return true;
    });
    return { manifest_sha256: sha256, entries: entries.length, size, existed: !made };
  }

  private async complete(tenant: string, entries: { path: string; artifact_sha256: string }[]): Promise<ManifestEntry[]> {
    const rows = await this.db.query<{ sha256: string; media_type: string; size: string }>(
      'select sha256, media_type, size from artifacts where tenant_id = $1 and sha256 = any($2)',
      [tenant, [...new Set(entries.map((entry) => entry.artifact_sha256))]],
    );
    const artifacts = new Map(rows.map((row) => [row.sha256, row]));
    const missing = entries.filter((entry) => !artifacts.has(entry.artifact_sha256));
    if (missing.length > 0) {
      throw new AppError('NOT_FOUND', `${missing.length} of the entries name an artifact that is not there.`, {
        hint: 'Store their content first: substrate.artifact.upload.',
        details: { missing: missing.slice(0, namedAtMost), missing_count: missing.length },
      });
    }
    return entries.map(({ path, artifact_sha256 }) => {
      const { media_type, size } = artifacts.get(artifact_sha256)!;
      return { path, artifact_sha256, media_type, size: Number(size) };
    });
  }

  /** @throws AppError NOT_FOUND */
  async get(tenant: string, sha256: string): Promise<Manifest> {
    const row = await manifestRow(this.db.query, tenant, sha256);
    return {
      manifest_sha256: row.sha256,
      entries: row.entries,
      size: Number(row.size),
      metadata: row.metadata,
      created_by: row.created_by,
      created_at: row.created_at.toISOString(),
    };
  }

  /**
   * A page of a manifest's entries, by path.
   * @param paths only these: files, or folders with their content
   * @returns also the paths without entries
   * @throws AppError NOT_FOUND
   */
  async entries(
    tenant: string,
    sha256: string,
    { paths, ...paging }: { paths?: string[] | undefined } & Paging,
  ): Promise<CountedPage<ManifestEntry> & { missing: string[] }> {
    const manifest = await manifestRow(this.db.query, tenant, sha256);
    const wanted = paths && [...new Set(paths.map((path) => normalisePath(path.replace(/\/+$/, ''))))];
    const list = {
      select: 'e.path, e.artifact as artifact_sha256, a.media_type, a.size',
      from: 'manifest_entries e join artifacts a on a.tenant_id = e.tenant_id and a.sha256 = e.artifact',
      ...matching({ 'e.tenant_id = $': tenant, 'e.manifest = $': sha256, [under]: wanted }),
      order: [up('e.path collate "C"')],
    };
    const page = await keysetPage(this.db.query, list, paging, (row: Omit<ManifestEntry, 'size'> & { size: string }) => ({
      ...row,
      size: Number(row.size),
    }));
    const missing = wanted === undefined || paging.cursor !== undefined ? [] : await this.leadNowhere(tenant, sha256, wanted);
    return { ...page, total: manifest.entries, missing };
  }

  private async leadNowhere(tenant: string, sha256: string, paths: string[]): Promise<string[]> {
    const rows = await this.db.query<{ path: string }>(
      `select p as path from unnest($3::text[]) p where not exists (
         select from manifest_entries e where e.tenant_id = $1 and e.manifest = $2 and (e.path = p or starts_with(e.path, p || '/')))`,
      [tenant, sha256, paths],
    );
    return rows.map((row) => row.path);
  }
}

const under = "exists (select from unnest($::text[]) p where e.path = p or starts_with(e.path, p || '/'))";

/** @throws AppError NOT_FOUND */
export async function manifestRow(query: Query, tenant: string, sha256: string): Promise<ManifestRow> {
  const [row] = await query<ManifestRow>('select * from manifests where tenant_id = $1 and sha256 = $2', [tenant, sha256]);
  if (!row) throw notFound('manifest', sha256, 'substrate.manifest.create makes one of artifacts and tells its hash.');
  return row;
}
