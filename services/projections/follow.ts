import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { ProjectedVectors } from '../../adapters/vectors/types.ts';
import type { CaughtUp } from '../../contracts/activities/projection.ts';
import { advance, beginBuilding, changesAfter, complete, cursorOf, forget } from './cursors.ts';
import { asOnlyWriter, projectDocuments } from './documents.ts';

/** Documents written before the cursor is moved and the clock looked at. */
export const documentsAtOnce = 50;

export interface Parts {
  db: Database;
  copy: ProjectedVectors;
}

/** Says when to stop; what is left is done by the next call. */
export interface Budget {
  spent(): boolean;
}

export async function tenantsOf(db: Database): Promise<string[]> {
  return (await db.query<{ id: string }>('select list_tenants() as id')).map(({ id }) => id).sort();
}

/** Makes the copy if it is not there, after taking back what was said about the one that is gone. */
export async function prepareCopy({ db, copy }: Parts): Promise<void> {
  if (!(await copy.exists())) {
    for (const tenant of await tenantsOf(db)) await asTenant(tenant, () => forget(db.query, tenant, copy.follower));
  }
  await copy.ensure();
}

/**
 * Follows the outbox of every tenant, a batch of each in turn. A tenant that fails does not hold up the others.
 * @throws the first failure, after the others had their turn
 */
export async function catchUp(parts: Parts, budget: Budget): Promise<CaughtUp> {
  await prepareCopy(parts);
  const result: CaughtUp = { state: 'done', documents: 0, passages: 0, unprojected: null };
  let waiting = await tenantsOf(parts.db);
  const failures: unknown[] = [];
  while (waiting.length > 0) {
    const more: string[] = [];
    for (const tenant of waiting) {
      try {
        const followed = await asTenant(tenant, () => follow(parts, tenant));
        if (followed === 'unprojected') result.unprojected ??= tenant;
        else {
          result.documents += followed.documents;
          result.passages += followed.passages;
          if (followed.more) more.push(tenant);
        }
      } catch (error) {
        failures.push(error);
      }
    }
    waiting = more;
    if (more.length > 0 && budget.spent()) {
      result.state = 'more';
      break;
    }
  }
  if (failures.length > 0) throw failures[0];
  return result;
}

async function follow(parts: Parts, tenant: string): Promise<{ documents: number; passages: number; more: boolean } | 'unprojected'> {
  const { db, copy } = parts;
  const nothing = { documents: 0, passages: 0, more: false };
  const before = await cursorOf(db.query, tenant, copy.follower);
  if (!before) return (await startEmpty(parts, tenant)) ? nothing : 'unprojected';
  if (!(await changesAfter(db.query, tenant, before, 1))) return nothing;
  return await asOnlyWriter(db, copy, tenant, async () => {
    // Somebody else may have come further since.
    const cursor = await cursorOf(db.query, tenant, copy.follower);
    const changes = cursor && (await changesAfter(db.query, tenant, cursor, documentsAtOnce));
    if (!changes) return nothing;
    const passages = await projectDocuments(db, copy, tenant, changes.documents);
    // A death before this line repeats the batch, which changes nothing.
    await advance(db.query, tenant, copy.follower, changes.to);
    return { documents: changes.documents.length, passages, more: changes.more };
  });
}

/** A tenant without documents needs no construction. @returns whether it is one */
async function startEmpty({ db, copy }: Parts, tenant: string): Promise<boolean> {
  return await asOnlyWriter(db, copy, tenant, async () => {
    if (await hasDocuments(db, tenant)) return false;
    await beginBuilding(db, tenant, copy.follower);
    if (await hasDocuments(db, tenant)) return false;
    await copy.removeTenant(tenant);
    return await complete(db.query, tenant, copy.follower);
  });
}

async function hasDocuments(db: Database, tenant: string): Promise<boolean> {
  return (await db.query(`select 1 from documents where tenant_id = $1 and status = 'active' limit 1`, [tenant])).length > 0;
}
