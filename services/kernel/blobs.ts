import { createHash } from 'node:crypto';
import type { BlobEntry, Blobs } from '../../adapters/blobs/types.ts';
import type { Database } from '../../adapters/postgres/database.ts';

/**
 * Deletes those of the given blobs that no row refers to.
 * @param besides a document whose row is about to be deleted
 * @returns how many
 */
export async function dropUnreferenced(
  db: Database,
  blobs: Blobs,
  tenant: string,
  hashes: readonly string[],
  besides: string | null = null,
): Promise<number> {
  const real = hashes.filter((hash) => /^[0-9a-f]{64}$/.test(hash));
  return real.length === 0 ? 0 : await blobs.delete(tenant, real, (asked) => referenced(db.query, tenant, asked, besides));
}

/**
 * For writers, after the commit of a row that names a blob: a deletion may have checked references just before it.
 * @param again stores the bytes
 */
export async function ensureBlob(blobs: Blobs, tenant: string, sha256: string, again: () => Promise<unknown>): Promise<void> {
  if (!(await blobs.has(tenant, sha256))) await again();
}

const jobsBlob = `coalesce(j.spec->>'blob', j.spec->'origin'->>'blob')`;
/** Where rows of the tenant $1 name blobs: the column, and the rows. */
const places = [
  ['x.blob', 'documents x where x.tenant_id = $1'],
  ['x.parsed', 'documents x where x.tenant_id = $1'],
  ['i.blob', 'ingest_items i where i.tenant_id = $1'],
  ['a.sha256', 'artifacts a where a.tenant_id = $1'],
  ['e.sha256', 'exports e where e.tenant_id = $1 and e.expires_at > now()'],
  [jobsBlob, `jobs j where j.tenant_id = $1 and j.status in ('queued', 'running')`],
  [
    jobsBlob,
    `dlq_items d join jobs j on j.tenant_id = d.tenant_id and j.id = d.job_id
      where d.tenant_id = $1 and d.status in ('parked', 'refused', 'retrying')`,
  ],
] as const;
const namedSql = places.map(([column, rows]) => `select ${column} as blob from ${rows}`).join(' union ');
const referencedSql = places
  .map(
    ([column, rows]) =>
      `select ${column} as blob from ${rows} and ${column} = any($2)${rows.startsWith('documents') ? ' and x.id is distinct from $3' : ''}`,
  )
  .join(' union ');

async function referenced(query: Database['query'], tenant: string, hashes: string[], besides: string | null): Promise<Set<string>> {
  const rows = await query<{ blob: string }>(referencedSql, [tenant, hashes, besides]);
  return new Set(rows.map((row) => row.blob));
}

/** Hashes of all blobs that rows of a tenant name. */
export async function blobsNamed(query: Database['query'], tenant: string): Promise<string[]> {
  const rows = await query<{ blob: string | null }>(namedSql, [tenant]);
  return rows.flatMap(({ blob }) => (blob !== null && /^[0-9a-f]{64}$/.test(blob) ? [blob] : []));
}

export interface BlobSweep {
  /** Blobs that were looked at. */
  checked: number;
  /** Old blobs that no row names, now out of the way but readable; the sweep after the next grace period deletes them. */
  set_aside: number;
  deleted: number;
  /** Put back, because a row names them. */
  restored: number;
  /** Bytes that were deleted. */
  bytes: number;
}

export interface BlobSweepOptions {
  /** A blob may wait this long for its row, in ms. */
  graceMs: number;
  /** Only count. */
  dryRun?: boolean;
  now?: () => number;
  /** How long it may take; it begins at a random place, so that every blob has its turn. */
  forMs?: number;
  signal?: AbortSignal;
}

/**
 * Deletes blobs that no row names, in two steps a grace period apart. A blob is written before its row, so none is
 * touched while it is young; and because one may be written again at any moment, an old one is only set aside at first.
 * Until the second step it can be read, and a row that names it by then brings it back.
 */
export async function sweepBlobs(
  { db, blobs }: { db: Database; blobs: Blobs },
  tenant: string,
  { graceMs, dryRun = false, now = Date.now, forMs, signal }: BlobSweepOptions,
): Promise<BlobSweep> {
  const found: BlobSweep = { checked: 0, set_aside: 0, deleted: 0, restored: 0, bytes: 0 };
  const before = now() - graceMs;
  const until = forMs === undefined ? Infinity : performance.now() + forMs;
  let some: BlobEntry[] = [];
  const decide = async (): Promise<void> => {
    const named = await referenced(db.query, tenant, [...new Set(some.map(({ sha256 }) => sha256))], null);
    const orphans = some.filter(({ sha256, aside }) => aside === null && !named.has(sha256)).map(({ sha256 }) => sha256);
    found.set_aside += orphans.length;
    if (!dryRun) await blobs.setAside(tenant, orphans);
    for (const entry of some) {
      if (entry.aside === null) continue;
      const keep = named.has(entry.sha256);
      if (!dryRun) await blobs.settle(entry, keep);
      if (keep) found.restored += 1;
      else {
        found.deleted += 1;
        found.bytes += entry.size;
      }
    }
    some = [];
  };
  const start =
    forMs === undefined
      ? ''
      : Math.floor(Math.random() * 256)
          .toString(16)
          .padStart(2, '0');
  // From the start to the end, and then what was before it.
  for (const [from, to] of start === ''
    ? [['', '']]
    : [
        [start, ''],
        ['', start],
      ]) {
    for await (const entry of blobs.list(tenant, from)) {
      if ((to !== '' && entry.sha256 >= to!) || performance.now() > until) break;
      signal?.throwIfAborted();
      found.checked += 1;
      if ((entry.aside?.since ?? entry.modified).getTime() >= before) continue;
      if (some.push(entry) >= sweptAtOnce) await decide();
    }
  }
  if (some.length > 0) await decide();
  return found;
}

const sweptAtOnce = 200;

/** Whether it is this tenant's turn: each has one run of a day's, spread over the day. */
export function isSweepDue(tenant: string, everyMs: number, now = Date.now()): boolean {
  const runs = Math.floor(86_400_000 / everyMs);
  const own = createHash('sha256').update(tenant).digest().readUInt32BE() % runs;
  return Math.floor(now / everyMs) % runs === own;
}
