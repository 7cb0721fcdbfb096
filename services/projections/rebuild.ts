import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { RebuildCounts, RebuildPlace, RebuildStep } from '../../contracts/activities/projection.ts';
import { beginBuilding, complete, isBuilding } from './cursors.ts';
import { asOnlyWriter, projectDocuments } from './documents.ts';
import { documentsAtOnce, prepareCopy, tenantsOf, type Budget, type Parts } from './follow.ts';

/** Goes on from `place` until the budget is spent, at least one unit. */
export async function rebuild(parts: Parts, place: RebuildPlace, budget: Budget): Promise<RebuildStep> {
  await prepareCopy(parts);
  const done: RebuildCounts = { tenants: 0, documents: 0, passages: 0, strays: 0 };
  let at: RebuildPlace | null = place.tenant === null ? await nextTenant(parts.db, place) : place;
  while (at) {
    const here: RebuildPlace = at;
    const tenant = here.tenant ?? '';
    at = await asTenant(tenant, () => asOnlyWriter(parts.db, parts.copy, tenant, () => unit(parts, tenant, here, done)));
    if (budget.spent()) break;
  }
  return { place: at, done };
}

/** One piece of work. @returns where to go on */
async function unit({ db, copy }: Parts, tenant: string, place: RebuildPlace, done: RebuildCounts): Promise<RebuildPlace | null> {
  const begin: RebuildPlace = { ...place, stage: 'begin', after: null };
  if (place.stage === 'begin') {
    await beginBuilding(db, tenant, copy.follower);
    return { ...place, stage: 'documents', after: null };
  }
  // Gone: the copy was wiped meanwhile, and with it what this rebuild had written.
  if (!(await isBuilding(db.query, tenant, copy.follower))) return begin;

  if (place.stage === 'documents') {
    const documents = await activeDocuments(db, tenant, place.after ?? '');
    const last = documents.at(-1);
    if (last === undefined) return { ...place, stage: 'strays', after: null };
    done.passages += await projectDocuments(db, copy, tenant, documents);
    done.documents += documents.length;
    return { ...place, after: last };
  }

  const { ids, next } = await copy.documents(tenant, place.after);
  const strays = await notActive(db, tenant, ids);
  await copy.removeDocuments(tenant, strays);
  done.strays += strays.length;
  if (next !== null) return { ...place, after: next };
  if (!(await complete(db.query, tenant, copy.follower))) return begin;
  done.tenants += 1;
  return await nextTenant(db, place);
}

async function nextTenant(db: Database, { only, tenant }: RebuildPlace): Promise<RebuildPlace | null> {
  const next = only === null ? (await tenantsOf(db)).find((id) => tenant === null || id > tenant) : tenant === null ? only : undefined;
  return next === undefined ? null : { only, tenant: next, stage: 'begin', after: null };
}

async function activeDocuments(db: Database, tenant: string, after: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from documents where tenant_id = $1 and status = 'active' and id > $2 order by id limit ${documentsAtOnce}`,
    [tenant, after],
  );
  return rows.map(({ id }) => id);
}

async function notActive(db: Database, tenant: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<{ id: string }>(`select id from documents where tenant_id = $1 and status = 'active' and id = any($2)`, [
    tenant,
    ids,
  ]);
  const active = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !active.has(id));
}
