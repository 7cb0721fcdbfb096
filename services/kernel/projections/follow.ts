import type { Database } from '../../../adapters/postgres/database.ts';
import { asTenant } from '../../../adapters/postgres/tenancy.ts';
import type { CaughtUp } from '../../../contracts/activities/kernel/projection.ts';
import { asOnlyWriter, type Parts } from './copied.ts';
import { advance, beginBuilding, changesAfter, complete, cursorOf, forget } from './cursors.ts';

/** Says when to stop; the next call continues. */
export interface Budget {
  spent(): boolean;
}

/** Gets the result of each tenant. */
export interface Witness {
  followed(tenant: string): Promise<void>;
  /** @returns whether it is handled: then it does not fail the call */
  failed(tenant: string, error: unknown): Promise<boolean>;
}

export async function tenantsOf(db: Database): Promise<string[]> {
  return (await db.query<{ id: string }>('select list_tenants() as id')).map(({ id }) => id).sort();
}

/** Creates the copy if it does not exist, after deleting the cursors of the former one. */
export async function prepareCopy({ db, copy }: Parts): Promise<void> {
  if (!(await copy.exists())) {
    for (const tenant of await tenantsOf(db)) await asTenant(tenant, () => forget(db.query, tenant, copy.follower));
  }
  await copy.ensure();
}

/**
 * Applies the outbox of every tenant, one batch each in turn. A failing tenant does not delay the others.
 * @throws the first unhandled failure, after the others had their turn
 */
export async function catchUp(parts: Parts, budget: Budget, witness?: Witness): Promise<CaughtUp> {
  const away = await prepareCopy(parts).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  if (away && !witness) throw away.error;
  const result: CaughtUp = { state: 'done', documents: 0, passages: 0, unprojected: null };
  let waiting = await tenantsOf(parts.db);
  const failures: unknown[] = [];
  while (waiting.length > 0) {
    const more: string[] = [];
    for (const tenant of waiting) {
      try {
        // An unusable copy is a failure for tenants that have changes for it.
        if (away && !(await asTenant(tenant, () => isBehind(parts, tenant)))) continue;
        if (away) throw away.error;
        const followed = await asTenant(tenant, () => follow(parts, tenant));
        if (followed === 'unprojected') result.unprojected ??= tenant;
        else {
          result.documents += followed.documents;
          result.passages += followed.passages;
          if (followed.more) more.push(tenant);
        }
        await witness?.followed(tenant);
      } catch (error) {
        const known = await witness?.failed(tenant, error).catch(() => false);
        if (!known) failures.push(error);
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

async function isBehind({ db, copy }: Parts, tenant: string): Promise<boolean> {
  return (await copy.behind(tenant, await cursorOf(db.query, tenant, copy.follower))).records > 0;
}

async function follow(parts: Parts, tenant: string): Promise<{ documents: number; passages: number; more: boolean } | 'unprojected'> {
  const { db, copy } = parts;
  const nothing = { documents: 0, passages: 0, more: false };
  const before = await cursorOf(db.query, tenant, copy.follower);
  if (!before) return (await startEmpty(parts, tenant)) ? nothing : 'unprojected';
  if (!(await changesAfter(db.query, tenant, before, 1))) return nothing;
  return await asOnlyWriter(parts, tenant, async () => {
    // Another process may have advanced since.
    const cursor = await cursorOf(db.query, tenant, copy.follower);
    const found = cursor && (await changesAfter(db.query, tenant, cursor, copy.changesAtOnce));
    if (!found) return nothing;
    const records = [...new Set(found.changes.flatMap((change) => copy.concerned(change)))];
    const passages = await copy.project(tenant, records, cursor);
    // A crash before this line repeats the batch, which is idempotent.
    await advance(db.query, tenant, copy.follower, found.to);
    return { documents: records.length, passages, more: found.more };
  });
}

/**
 * An empty tenant needs no rebuild.
 * @returns whether it is empty
 */
async function startEmpty(parts: Parts, tenant: string): Promise<boolean> {
  const { db, copy } = parts;
  return await asOnlyWriter(parts, tenant, async () => {
    if (await copy.filled(tenant)) return false;
    await beginBuilding(db, tenant, copy.follower);
    if (await copy.filled(tenant)) return false;
    await copy.removeTenant(tenant);
    return await complete(db.query, tenant, copy.follower);
  });
}
