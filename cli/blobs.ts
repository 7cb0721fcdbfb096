/** The store of blobs, without the api: for this machine's owner. */
import { blobsAt, openCheckedBlobs, s3Settings, samePlace } from '../adapters/blobs/open.ts';
import { setUpBucket } from '../adapters/blobs/s3-setup.ts';
import { blobPlace } from '../adapters/blobs/settings.ts';
import { asTenant } from '../adapters/postgres/tenancy.ts';
import type { Config } from '../platform/config.ts';
import { copyBlobs, type BlobCopy } from '../services/kernel/blobs-copy.ts';
import { sweepBlobs, type BlobSweep } from '../services/kernel/blobs.ts';
import type { BucketWishes, Migration, Sweeping } from './commands/blobs.ts';
import { databaseHere } from './database.ts';
import { exits, usage } from './exit.ts';
import { duration, facts, note, sayJson } from './output.ts';
import { cliConfig } from './target.ts';

export async function checkBlobs(json: boolean): Promise<void> {
  const started = performance.now();
  const blobs = await openCheckedBlobs(cliConfig());
  await blobs.close();
  const ms = Math.round(performance.now() - started);
  if (json) return sayJson({ ok: true, place: blobs.place, ms });
  facts({ place: blobs.place, probe: `written, read and deleted in ${ms} ms` });
}

export async function setUpBlobs({ create = false, days, json }: BucketWishes): Promise<void> {
  const config = cliConfig();
  const place = blobPlace(config, config.BLOB_STORE_URL, 'BLOB_STORE_URL');
  if (place.kind === 'folder') throw usage('Blobs are in a folder, which needs no setup.', 'Set BLOB_STORE_URL=s3://bucket/prefix.');
  const done = await setUpBucket(s3Settings(config, place), { create, days });
  if (json) return sayJson(done);
  facts({ place: done.place, bucket: done.created ? 'made' : null, 'lifecycle rule': done.rule });
  if (done.rule === 'not supported') note(`Set this rule by the store's own means:\n${done.wanted}`);
}

export async function migrateBlobs({ to, from, parallel, verify = false, json }: Migration): Promise<void> {
  const config = cliConfig();
  const source = from ?? sourceOf(config, to);
  if (samePlace(config, source, to)) throw usage('Source and target are the same place.', 'Give another one with --to or --from.');
  const [here, there] = [blobsAt(config, source, '--from'), blobsAt(config, to, '--to')];
  const stop = new AbortController();
  const onSignal = (): void => {
    note('Stopping after what is under way. Run the same command again to go on.');
    stop.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  const started = performance.now();
  let shown = started;
  const onProgress = (copy: BlobCopy): void => {
    if (json || performance.now() - shown < (process.stderr.isTTY ? 1_000 : 10_000)) return;
    shown = performance.now();
    note(progressOf(copy, (shown - started) / 1000));
  };
  try {
    await there.check();
    const copy = await copyBlobs(here, there, { atOnce: parallel, verify, signal: stop.signal, onProgress });
    const seconds = (performance.now() - started) / 1000;
    if (copy.stopped) process.exitCode = exits.interrupted;
    else if (copy.failed.length > 0) process.exitCode = exits.failed;
    const next = nextStep(config, source, to, copy);
    if (json) return sayJson({ from: here.place, to: there.place, ...copy, seconds: Number(seconds.toFixed(1)), next });
    facts({
      from: here.place,
      to: there.place,
      blobs: copy.found,
      copied: copy.copied,
      'there already': copy.present,
      deleted: copy.gone || null,
      failed: copy.failed.length || null,
      bytes: copy.bytes,
      time: duration(seconds),
    });
    for (const { tenant, sha256, error } of copy.failed.slice(0, 20)) note(`${tenant}/${sha256}: ${error}`);
    note(next);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
    await here.close();
    await there.close();
  }
}

function sourceOf(config: Config, to: string): string {
  const { BLOB_STORE_URL: current, BLOB_STORE_FORMER_URL: former } = config;
  if (!samePlace(config, to, current)) return current;
  if (former === undefined) throw usage(`Blobs are already written to ${to}.`, 'Name the place to copy from with --from.');
  return former;
}

const progressOf = ({ found, copied, present, bytes, failed }: BlobCopy, seconds: number): string => {
  const rate = (bytes / 1e6 / seconds).toFixed(1);
  return `${found} blobs: ${copied} copied (${(bytes / 1e6).toFixed(1)} MB, ${rate} MB/s), ${present} there already, ${failed.length} failed`;
};

function nextStep(config: Config, from: string, to: string, { stopped, failed }: BlobCopy): string {
  if (stopped) return 'Stopped. Run the same command again to go on.';
  if (failed.length > 0)
    return 'Some were not copied. Restore them in the source, or leave them if nothing needs them, and run the command again.';
  const current = samePlace(config, to, config.BLOB_STORE_URL);
  if (!current)
    return `Next: set BLOB_STORE_URL=${to} and BLOB_STORE_FORMER_URL=${from}, restart, and run the same command again for what was written meanwhile.`;
  return `All blobs are in ${to}. Next: remove BLOB_STORE_FORMER_URL and restart; then nothing needs ${from} any more.`;
}

export async function sweepAll({ tenant, older_than: hours, dry_run: dryRun = false, json }: Sweeping): Promise<void> {
  const config = cliConfig();
  const db = await databaseHere(config, 2);
  const blobs = await openCheckedBlobs(config).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  const sum: BlobSweep = { checked: 0, set_aside: 0, deleted: 0, restored: 0, bytes: 0 };
  try {
    const all = (await db.query<{ list_tenants: string }>('select list_tenants()')).map((row) => row.list_tenants);
    if (tenant !== undefined && !all.includes(tenant)) throw usage(`There is no tenant "${tenant}".`);
    const graceMs = (hours ?? config.BLOB_SWEEP_GRACE_HOURS) * 3_600_000;
    for (const each of tenant === undefined ? all : [tenant]) {
      const swept = await asTenant(each, () => sweepBlobs({ db, blobs }, each, { graceMs, dryRun }));
      for (const key of Object.keys(sum) as (keyof BlobSweep)[]) sum[key] += swept[key];
      if (!json && swept.checked > 0) note(`${each}: ${swept.checked} checked, ${swept.set_aside} set aside, ${swept.deleted} deleted`);
    }
  } finally {
    await blobs.close();
    await db.close();
  }
  if (json) return sayJson({ place: blobs.place, dry_run: dryRun, ...sum });
  const [aside, gone] = dryRun ? ['would be set aside', 'would be deleted'] : ['set aside', 'deleted'];
  facts({
    place: blobs.place,
    checked: sum.checked,
    [aside]: sum.set_aside,
    [gone]: sum.deleted,
    bytes: sum.bytes,
    'put back': sum.restored || null,
  });
}
