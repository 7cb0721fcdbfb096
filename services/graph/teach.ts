import type { Database } from '../../adapters/postgres/database.ts';
import type { Clue } from '../../engines/evidence/types.ts';
import { nameKey } from '../../engines/text/names.ts';
import { byPeople, refold, writeClues } from './directory.ts';

type Query = Database['query'];

/** Types that the directory gives to names. */
const named: ReadonlySet<string> = new Set(['customer', 'vendor', 'competitor', 'feature']);
const roles = [...named, 'thing'];
/** More than any document says (see `directoryOf`). */
const certainly = 2;

/**
 * What people say about names, kept as clues that win over those of documents: so that the documents are read with
 * it, now and later. The caller holds the tenant's graph lock. Each is idempotent.
 */

/** All these names are of this type. */
export async function teachType(query: Query, tenant: string, names: readonly string[], type: string): Promise<void> {
  const keys = names.map(nameKey);
  await query('delete from evidence_clues where tenant_id = $1 and document_id = $2 and kind = any($3) and subject_key = any($4)', [
    tenant,
    byPeople,
    roles,
    keys,
  ]);
  const kind = named.has(type) ? (type as Clue['kind']) : 'thing';
  await writeClues(
    query,
    tenant,
    byPeople,
    names.map((name) => clue(kind, name, null)),
  );
  await refold(query, tenant);
}

/** The other names mean the same as the name. */
export async function teachSame(query: Query, tenant: string, type: string, name: string, others: readonly string[]): Promise<void> {
  const wanted = others.filter((other) => nameKey(other) !== nameKey(name));
  if (!named.has(type) || wanted.length === 0) return;
  for (const other of [name, ...wanted]) await forget(query, tenant, name, other, type);
  await writeClues(query, tenant, byPeople, [clue(type as Clue['kind'], name, null), ...wanted.map((other) => clue('alias', other, name))]);
  await refold(query, tenant);
}

/** The two names mean different things. */
export async function teachApart(query: Query, tenant: string, type: string, name: string, other: string): Promise<void> {
  if (!named.has(type)) return;
  await forget(query, tenant, name, other, type);
  await writeClues(query, tenant, byPeople, [clue('apart', name, other), clue(type as Clue['kind'], other, null)]);
  await refold(query, tenant);
}

/** Takes back whether two names mean the same. */
export async function unteach(query: Query, tenant: string, type: string, name: string, other: string): Promise<void> {
  if (!named.has(type)) return;
  await forget(query, tenant, name, other, type);
  await refold(query, tenant);
}

/** The person speaks for the customer, or is of the vendor's side. Null takes it back. */
export async function teachPerson(
  query: Query,
  tenant: string,
  name: string,
  said: { side: 'customer' | 'vendor'; customer: string | null } | null,
): Promise<void> {
  await query(`delete from evidence_clues where tenant_id = $1 and document_id = $2 and kind in ('person', 'staff') and subject_key = $3`, [
    tenant,
    byPeople,
    nameKey(name),
  ]);
  if (said?.side === 'vendor') await writeClues(query, tenant, byPeople, [clue('staff', name, null)]);
  const customer = said?.customer ?? null;
  if (customer !== null) await writeClues(query, tenant, byPeople, [clue('person', name, customer), clue('customer', customer, null)]);
  await refold(query, tenant);
}

const clue = (kind: Clue['kind'], subject: string, object: string | null): Clue => ({
  kind,
  subject,
  object,
  day: null,
  weight: certainly,
});

/** What people said about the two names together, and that the other one is of this type. */
async function forget(query: Query, tenant: string, name: string, other: string, type: string): Promise<void> {
  await query(
    `delete from evidence_clues where tenant_id = $1 and document_id = $2
       and (kind in ('alias', 'apart') and (subject_key, object_key) in (($3, $4), ($4, $3)) or kind = $5 and subject_key = $4)`,
    [tenant, byPeople, nameKey(name), nameKey(other), type],
  );
}
