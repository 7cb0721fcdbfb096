import type { Database, Row } from '../../../adapters/postgres/database.ts';
import { hasScope, isPerson, type Caller } from '../../../contracts/caller.ts';
import type { ListedExport } from '../../../contracts/governance/exports.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { countedPage, matching, newest, type CountedPage, type Paging } from '../../kernel/paging.ts';
import type { ExportSpec } from './records.ts';

interface ListedRow extends Row, Columns<'jobs', 'id' | 'status' | 'created_by' | 'created_at' | 'finished_at'> {
  spec: ExportSpec;
  error: ListedExport['error'];
  filename: string | null;
  size: string | null;
  row_counts: Record<string, number> | null;
  expires_at: Date | null;
}

/** Newest first: all of the tenant's for people, else those that the key requested; of the kinds that its scopes allow. */
export async function listExports(query: Database['query'], caller: Caller, paging: Paging): Promise<CountedPage<ListedExport>> {
  const { tenant, scopes, keyId } = caller;
  const may = (scope: string): boolean => scopes.length === 0 || hasScope(scopes, scope);
  const list = {
    select: 'j.*, e.filename, e.size, e.row_counts, e.expires_at',
    from: 'jobs j left join exports e on e.tenant_id = j.tenant_id and e.job_id = j.id and e.expires_at > now()',
    ...matching({
      'j.tenant_id = $': tenant,
      'j.kind = $': 'export',
      [`j.spec->>'key_id' = $`]: isPerson(caller) ? undefined : keyId,
      [`j.spec->>'type' <> 'ledger'`]: !may('ledger:read'),
      [`j.spec->>'type' = 'ledger'`]: !may('system:export'),
    }),
    order: newest('j.created_at', 'j.id'),
  };
  return await countedPage(query, list, paging, (row: ListedRow): ListedExport => ({
    job_id: row.id,
    status: row.status,
    export_type: row.spec.type,
    format: row.spec.format,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    downloadable: row.expires_at !== null && row.status === 'completed',
    error: row.error,
    ...(row.expires_at === null
      ? {}
      : {
          filename: row.filename!,
          size_bytes: Number(row.size),
          row_counts: row.row_counts!,
          expires_at: row.expires_at.toISOString(),
        }),
  }));
}
