import type { Database } from '../../../adapters/postgres/database.ts';
import { asTenant } from '../../../adapters/postgres/tenancy.ts';
import type { RebuildCounts, RebuildPlace, RebuildStep } from '../../../contracts/activities/kernel/projection.ts';
import { asOnlyWriter, type Parts } from './copied.ts';
import { beginBuilding, complete, isBuilding } from './cursors.ts';
import { prepareCopy, tenantsOf, type Budget, type Witness } from './follow.ts';

/** Pause after a handled failure, in ms, because the step is called again immediately. */
const restFor = 5_000;

/**
 * Continues from `place` until the budget is spent, at least one unit. After a handled failure the place stays, so
 * that other tenants are followed before the retry.
 */
export async function rebuild(parts: Parts, place: RebuildPlace, budget: Budget, witness?: Witness): Promise<RebuildStep> {
  try {
    return await goOn(parts, place, budget);
  } catch (error) {
    const tenant = place.tenant ?? place.only;
    const concerned = tenant === null ? await tenantsOf(parts.db) : [tenant];
    const known: boolean[] = [];
    for (const each of concerned) known.push((await witness?.failed(each, error)) ?? false);
    if (known.length === 0 || known.includes(false)) throw error;
    await new Promise((done) => setTimeout(done, restFor));
    return { place, done: { tenants: 0, documents: 0, passages: 0, strays: 0 } };
  }
}

async function goOn(parts: Parts, place: RebuildPlace, budget: Budget): Promise<RebuildStep> {
  await prepareCopy(parts);
  const done: RebuildCounts = { tenants: 0, documents: 0, passages: 0, strays: 0 };
  let at: RebuildPlace | null = place.tenant === null ? await nextTenant(parts.db, place) : place;
  while (at) {
    const here: RebuildPlace = at;
    const tenant = here.tenant ?? '';
    at = await asTenant(tenant, () => asOnlyWriter(parts, tenant, () => unit(parts, tenant, here, done)));
    if (budget.spent()) break;
  }
  return { place: at, done };
}

/**
 * One unit of work.
 * @returns the next place
 */
async function unit({ db, copy }: Parts, tenant: string, place: RebuildPlace, done: RebuildCounts): Promise<RebuildPlace | null> {
  const begin: RebuildPlace = { ...place, stage: 'begin', after: null };
  if (place.stage === 'begin') {
    await beginBuilding(db, tenant, copy.follower);
    return { ...place, stage: 'documents', after: null };
  }
  // The copy was wiped meanwhile, including what this rebuild had written.
  if (!(await isBuilding(db.query, tenant, copy.follower))) return begin;

  if (place.stage === 'documents') {
    const records = await copy.page(tenant, place.after ?? '');
    const last = records.at(-1);
    if (last === undefined) return { ...place, stage: 'strays', after: null };
    done.passages += await copy.project(tenant, records, null);
    done.documents += records.length;
    return { ...place, after: last };
  }

  const { strays, next } = await copy.removeStrays(tenant, place.after);
  done.strays += strays;
  if (next !== null) return { ...place, after: next };
  if (!(await complete(db.query, tenant, copy.follower))) return begin;
  done.tenants += 1;
  return await nextTenant(db, place);
}

async function nextTenant(db: Database, { only, tenant }: RebuildPlace): Promise<RebuildPlace | null> {
  const next = only === null ? (await tenantsOf(db)).find((id) => tenant === null || id > tenant) : tenant === null ? only : undefined;
  return next === undefined ? null : { only, tenant: next, stage: 'begin', after: null };
}
