import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { canonicalJson, derivedId } from '../../contracts/ids.ts';
import type { Pointer, PointerMove, PointerSummary } from '../../contracts/substrate/substrate.ts';
import { down, keysetPage, matching, up, type Page, type Paging } from '../kernel/paging.ts';
import type { Columns } from '../../prisma/rows.ts';
import { noteEvent } from '../kernel/outbox.ts';
import { Service } from '../kernel/service.ts';
import { manifestRow } from './manifests.ts';

type Query = Database['query'];
type By = Pick<Caller, 'tenant' | 'principal'>;

interface PointerRow extends Row, Columns<'pointers', 'id' | 'name' | 'manifest' | 'rev' | 'updated_by' | 'created_at' | 'updated_at'> {
  metadata: Record<string, unknown>;
}

interface MoveRow extends Row, Columns<'pointer_history', 'rev' | 'from_manifest' | 'to_manifest' | 'reason' | 'moved_by' | 'created_at'> {}

export interface Move {
  pointerId: string;
  expected: string;
  next: string;
  reason?: string | undefined;
}

/**
 * Names that refer to a manifest and can be moved. The caller passes the expected current manifest; the history is
 * kept.
 */
export class Pointers extends Service {
  /**
   * An identical one is a no-op.
   * @throws AppError NOT_FOUND (manifest), CONFLICT (another pointer has this name)
   */
  async create(
    { tenant, principal }: By,
    wanted: { name: string; manifest: string; metadata: Record<string, unknown> },
    callKey: string,
  ): Promise<{ pointer: Pointer; existed: boolean }> {
    const id = derivedId('ptr', tenant, callKey);
    return await this.db.transaction(async (query) => {
      await manifestRow(query, tenant, wanted.manifest);
      const [made] = await query<PointerRow>(
        `insert into pointers (tenant_id, id, name, manifest, metadata, updated_by) values ($1, $2, $3, $4, $5, $6)
         on conflict do nothing returning *`,
        [tenant, id, wanted.name, wanted.manifest, JSON.stringify(wanted.metadata), principal],
      );
      if (!made) return { pointer: view(await this.same(query, tenant, id, wanted)), existed: true };
      await keepMove(query, tenant, made, null, undefined);
      await note(query, tenant, 'pointer.created', made, null);
      return { pointer: view(made), existed: false };
    });
  }

  private async same(
    query: Query,
    tenant: string,
    id: string,
    wanted: { name: string; manifest: string; metadata: Record<string, unknown> },
  ): Promise<PointerRow> {
    const [row] = await query<PointerRow>(
      'select * from pointers where tenant_id = $1 and (id = $2 or name = $3) order by id = $2 desc limit 1',
      [tenant, id, wanted.name],
    );
    if (row && (row.id === id || (row.manifest === wanted.manifest && canonicalJson(row.metadata) === canonicalJson(wanted.metadata))))
      return row;
    throw new AppError('CONFLICT', `There is a pointer "${wanted.name}" already.`, {
      hint: 'Move it with substrate.pointer.advance, or choose another name.',
      details: row ? { pointer_id: row.id, current_manifest_sha256: row.manifest, rev: row.rev } : {},
    });
  }

  /** By name. */
  async list(tenant: string, { prefix, ...paging }: { prefix?: string | undefined } & Paging): Promise<Page<PointerSummary>> {
    const where = matching({ 'tenant_id = $': tenant, 'starts_with(name, $)': prefix });
    return await keysetPage(this.db.query, { select: '*', from: 'pointers', ...where, order: [up('name collate "C"')] }, paging, summary);
  }

  /** @throws AppError NOT_FOUND */
  async resolve(tenant: string, by: { id: string } | { name: string }): Promise<Pointer> {
    if ('id' in by) return view(await pointerRow(this.db.query, tenant, by.id));
    const [row] = await this.db.query<PointerRow>('select * from pointers where tenant_id = $1 and name = $2', [tenant, by.name]);
    if (!row) {
      throw new AppError('NOT_FOUND', `No pointer is called "${by.name}".`, {
        hint: 'substrate.pointer.list shows the pointers of your tenant.',
      });
    }
    return view(row);
  }

  /**
   * Moves a pointer if it still refers to the expected manifest. Moving back is allowed. A repeat of the caller's own
   * last move gets the same answer.
   * @throws AppError NOT_FOUND (pointer, manifest), CONFLICT (it refers to another manifest, given in details)
   */
  async advance({ tenant, principal }: By, move: Move): Promise<{ pointer: Pointer; previous: string; repeated: boolean }> {
    const { pointerId, expected, next } = move;
    if (expected === next) throw new AppError('VALIDATION_ERROR', 'Both manifests are the same: there is nothing to move.');
    return await this.db.transaction(async (query) => {
      const before = await pointerRow(query, tenant, pointerId, 'for update');
      if (before.manifest !== expected) {
        const last = await lastMove(query, tenant, before);
        const mine = last?.from_manifest === expected && last.to_manifest === next && last.moved_by === principal;
        if (mine) return { pointer: view(before), previous: expected, repeated: true };
        throw new AppError('CONFLICT', `The pointer "${before.name}" has moved: it is not where you expect it.`, {
          hint: 'Check the manifest that it refers to now, and repeat the call with current_manifest_sha256 as the expected one.',
          details: { pointer_id: before.id, expected_manifest_sha256: expected, current_manifest_sha256: before.manifest, rev: before.rev },
        });
      }
      await manifestRow(query, tenant, next);
      const [moved] = await query<PointerRow>(
        `update pointers set manifest = $3, rev = rev + 1, updated_by = $4, updated_at = now() where tenant_id = $1 and id = $2 returning *`,
        [tenant, pointerId, next, principal],
      );
      await keepMove(query, tenant, moved!, expected, move.reason);
      await note(query, tenant, 'pointer.advanced', moved!, expected);
      return { pointer: view(moved!), previous: expected, repeated: false };
    });
  }

  /** Newest first. @throws AppError NOT_FOUND */
  async history(tenant: string, id: string, paging: Paging): Promise<Page<PointerMove>> {
    await pointerRow(this.db.query, tenant, id);
    const where = matching({ 'tenant_id = $': tenant, 'pointer_id = $': id });
    const list = { select: '*', from: 'pointer_history', ...where, order: [down('rev', 'int')] };
    return await keysetPage(this.db.query, list, paging, (row: MoveRow) => ({
      rev: row.rev,
      from_manifest_sha256: row.from_manifest,
      to_manifest_sha256: row.to_manifest,
      reason: row.reason,
      moved_by: row.moved_by,
      at: row.created_at.toISOString(),
    }));
  }
}

async function pointerRow(query: Query, tenant: string, id: string, lock: '' | 'for update' = ''): Promise<PointerRow> {
  const [row] = await query<PointerRow>(`select * from pointers where tenant_id = $1 and id = $2 ${lock}`, [tenant, id]);
  if (!row) throw notFound('pointer', id, 'substrate.pointer.list shows the pointers of your tenant.');
  return row;
}

async function lastMove(query: Query, tenant: string, { id, rev }: PointerRow): Promise<MoveRow | undefined> {
  const [row] = await query<MoveRow>('select * from pointer_history where tenant_id = $1 and pointer_id = $2 and rev = $3', [
    tenant,
    id,
    rev,
  ]);
  return row;
}

async function keepMove(query: Query, tenant: string, row: PointerRow, from: string | null, reason: string | undefined): Promise<void> {
  await query(
    `insert into pointer_history (tenant_id, pointer_id, rev, from_manifest, to_manifest, reason, moved_by) values ($1, $2, $3, $4, $5, $6, $7)`,
    [tenant, row.id, row.rev, from, row.manifest, reason ?? null, row.updated_by],
  );
}

async function note(
  query: Query,
  tenant: string,
  type: string,
  { id, name, manifest, rev }: PointerRow,
  from: string | null,
): Promise<void> {
  await noteEvent(query, tenant, type, id, { name, rev, from_manifest_sha256: from, to_manifest_sha256: manifest });
}

const summary = (row: PointerRow): PointerSummary => ({
  id: row.id,
  name: row.name,
  manifest_sha256: row.manifest,
  updated_at: row.updated_at.toISOString(),
});

const view = (row: PointerRow): Pointer => ({
  ...summary(row),
  rev: row.rev,
  metadata: row.metadata,
  updated_by: row.updated_by,
  created_at: row.created_at.toISOString(),
});
