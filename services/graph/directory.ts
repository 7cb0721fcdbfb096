import type { Database, Row } from '../../adapters/postgres/database.ts';
import { hashOf } from '../../contracts/ids.ts';
import { directoryOf } from '../../engines/evidence/index.ts';
import { concerning } from '../../engines/evidence/concerning.ts';
import type { Clue, CountedClue, Directory, EvidenceInput } from '../../engines/evidence/types.ts';
import { nameKey } from '../../engines/text/names.ts';
import { nameEntities } from './directory-entities.ts';
import { lockGraph } from './lock.ts';
import { featureKeys } from './vouched.ts';
import { askUnsure } from './unsure.ts';

type Query = Database['query'];

/** Clues of people stand under this instead of a document's id (`teach.ts` writes them). */
export const byPeople = '';
/** A clue of more documents than these cannot turn the directory over. */
const settled = 5;
/** Maximum different clues that are put together: those of most documents. */
const most = 20_000;
/** Version of a directory that has to be put together again. */
export const outdated = '?';

/** Putting this many clues together takes tenths of a second, and blocks the tenant's other documents. */
const large = 2_000;
/** A large directory is put together for at most one part in this many of the time. Documents that come in between are read again. */
const restPart = 10;
/** Tenants with a large directory: until when this process leaves it as it is, in ms since the epoch. */
const rests = new Map<string, number>();
const isResting = (tenant: string): boolean => (rests.get(tenant) ?? 0) > Date.now();

export const noNames: Directory = { version: '', organisations: [], people: [], features: [], unsure: [] };

export async function directoryOfTenant(query: Query, tenant: string): Promise<Directory> {
  const [row] = await query<{ directory: Directory }>('select directory from evidence_directories where tenant_id = $1', [tenant]);
  return row?.directory ?? noNames;
}

/** Of what the directory says about a document: its names, and whether phrases are features. */
export const namesHash = (directory: Directory, input: EvidenceInput): string =>
  hashOf([concerning(directory, input), featureKeys(directory) === null]);

/** Whether the directory has to be put together again. */
export async function isOutdated(query: Query, tenant: string): Promise<boolean> {
  const [row] = await query<{ version: string }>('select version from evidence_directories where tenant_id = $1', [tenant]);
  return row?.version === outdated;
}

/** The directory, put together again if documents with clues came or went since; a large one not at once. */
export async function currentDirectory(db: Database, tenant: string): Promise<Directory> {
  if (!isResting(tenant) && (await isOutdated(db.query, tenant))) {
    await db.transaction(async (query) => {
      await lockGraph(query, tenant);
      await refold(query, tenant);
    });
  }
  return await directoryOfTenant(db.query, tenant);
}

/**
 * Replaces the clues of a document and puts the directory together again, if they may change it; a large one that was put
 * together just before is only marked for it. Idempotent.
 * @returns whether the directory changed, or will
 */
export async function noteClues(db: Database, tenant: string, documentId: string, clues: readonly Clue[]): Promise<boolean> {
  const rows = distinct(clues);
  const before = await cluesOfDocument(db.query, tenant, documentId);
  if (sameClues(before, rows)) return false;
  return await db.transaction(async (query) => {
    await lockGraph(query, tenant);
    await query('delete from evidence_clues where tenant_id = $1 and document_id = $2', [tenant, documentId]);
    await insertRows(query, tenant, documentId, rows);
    if (!(await mayChange(query, tenant, [...before, ...rows]))) return false;
    // After a first time that was rolled back there is nothing to mark.
    return (isResting(tenant) && (await outdate(query, tenant))) || (await refold(query, tenant));
  });
}

/** @returns whether there is a directory */
async function outdate(query: Query, tenant: string): Promise<boolean> {
  const rows = await query('update evidence_directories set version = $2 where tenant_id = $1 returning 1', [tenant, outdated]);
  return rows.length > 0;
}

/** Adds clues of people; the caller puts the directory together again. */
export async function writeClues(query: Query, tenant: string, documentId: string, clues: readonly Clue[]): Promise<void> {
  await insertRows(query, tenant, documentId, distinct(clues, 'person'));
}

async function insertRows(query: Query, tenant: string, documentId: string, rows: readonly ClueRow[]): Promise<void> {
  await query(
    `insert into evidence_clues (tenant_id, document_id, kind, subject, subject_key, object, object_key, day, weight, origin)
     select $1, $2, r.kind, r.subject, r."subjectKey", r.object, r."objectKey", r.day, r.weight, r.origin
     from jsonb_to_recordset($3::jsonb) as r(kind text, subject text, "subjectKey" text, object text, "objectKey" text, day date, weight real, origin text)`,
    [tenant, documentId, JSON.stringify(rows)],
  );
}

/**
 * Puts the clues of all active documents together, and names the entities. The caller holds the graph lock.
 * @returns whether the directory changed
 */
export async function refold(query: Query, tenant: string): Promise<boolean> {
  const began = Date.now();
  const { changed, clues } = await putTogether(query, tenant);
  if (clues >= large) rests.set(tenant, Date.now() + restPart * (Date.now() - began));
  else rests.delete(tenant);
  return changed;
}

async function putTogether(query: Query, tenant: string): Promise<{ changed: boolean; clues: number }> {
  const counted = await query<CountedClue & Row>(
    `select c.kind, mode() within group (order by c.subject) as subject, mode() within group (order by c.object) as object, c.day::text as day,
       max(c.weight)::float8 as weight, count(distinct c.document_id)::int as documents
     from evidence_clues c left join documents d on d.tenant_id = $1 and d.id = c.document_id
     where c.tenant_id = $1 and (c.document_id = '${byPeople}' or d.status = 'active')
     group by c.kind, c.subject_key, c.object_key, c.day
     order by count(distinct c.document_id) desc, c.kind, c.subject_key, c.object_key, c.day limit ${most}`,
    [tenant],
  );
  const former = await directoryOfTenant(query, tenant);
  const directory = directoryOf(counted);
  if (directory.version === former.version) {
    await query('update evidence_directories set version = $2 where tenant_id = $1 and version <> $2', [tenant, directory.version]);
    return { changed: false, clues: counted.length };
  }
  await query(
    `insert into evidence_directories (tenant_id, version, directory) values ($1, $2, $3)
     on conflict (tenant_id) do update set version = excluded.version, directory = excluded.directory, made_at = now()`,
    [tenant, directory.version, JSON.stringify(directory)],
  );
  await nameEntities(query, tenant, directory);
  await askUnsure(query, tenant, directory);
  return { changed: true, clues: counted.length };
}

/** Deletes the clues of documents; the directory is put together again later, because there may be many. */
export async function forgetClues(query: Query, tenant: string, documentIds: readonly string[]): Promise<void> {
  const gone = await query('delete from evidence_clues where tenant_id = $1 and document_id = any($2) returning 1', [tenant, documentIds]);
  if (gone.length > 0) await outdate(query, tenant);
}

interface ClueRow {
  kind: string;
  subject: string;
  subjectKey: string;
  object: string | null;
  objectKey: string | null;
  day: string | null;
  weight: number;
  origin: string;
}

function distinct(clues: readonly Clue[], by = 'rules'): ClueRow[] {
  const rows = new Map<string, ClueRow>();
  for (const { kind, subject, object, day, weight, origin = by } of clues) {
    const row = {
      kind,
      subject: clean(subject),
      subjectKey: nameKey(subject),
      object: object === null ? null : clean(object),
      objectKey: object === null ? null : nameKey(object),
      day,
      weight,
      origin,
    };
    if (row.subjectKey === '' || row.objectKey === '') continue;
    const known = rows.get(idOf(row));
    if (!known || known.weight < weight) rows.set(idOf(row), row);
  }
  return [...rows.values()];
}

const clean = (name: string): string => name.replaceAll('\0', '').trim().slice(0, 200).toWellFormed();
const idOf = ({ kind, subjectKey, objectKey, day }: ClueRow): string => JSON.stringify([kind, subjectKey, objectKey, day]);

const cluesOfDocument = (query: Query, tenant: string, documentId: string): Promise<(ClueRow & Row)[]> =>
  query<ClueRow & Row>(
    `select kind, subject, subject_key as "subjectKey", object, object_key as "objectKey", day::text as day, weight::float8 as weight, origin
     from evidence_clues where tenant_id = $1 and document_id = $2`,
    [tenant, documentId],
  );

function sameClues(before: readonly ClueRow[], after: readonly ClueRow[]): boolean {
  const known = new Set(before.map((row) => `${idOf(row)} ${row.weight.toFixed(3)}`));
  return known.size === after.length && after.every((row) => known.has(`${idOf(row)} ${row.weight.toFixed(3)}`));
}

export const hasClues = async (query: Query, tenant: string, documentId: string): Promise<boolean> =>
  (await query('select 1 from evidence_clues where tenant_id = $1 and document_id = $2 limit 1', [tenant, documentId])).length > 0;

/** Whether some of these clues stand in few documents. */
async function mayChange(query: Query, tenant: string, clues: readonly ClueRow[]): Promise<boolean> {
  const rows = await query(
    `select 1 from jsonb_to_recordset($2::jsonb) as r(kind text, "subjectKey" text, "objectKey" text)
     where (select count(*) from (select from evidence_clues c where c.tenant_id = $1 and c.kind = r.kind and c.subject_key = r."subjectKey"
       and c.object_key is not distinct from r."objectKey" limit ${settled + 1}) n) <= ${settled} limit 1`,
    [tenant, JSON.stringify(clues)],
  );
  return rows.length > 0;
}
