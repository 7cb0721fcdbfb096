import { Context } from '@temporalio/activity';
import { basename, extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { entriesOf } from '../../adapters/parsers/unzip.ts';
import type { crawl, CrawlState } from '../../adapters/web/crawl.ts';
import type { youtubeTranscript } from '../../adapters/web/youtube.ts';
import type { Blobs } from '../../adapters/blobs/types.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Collected } from '../../contracts/activities/knowledge/ingest-run.ts';
import type { JobRef } from '../../contracts/activities/kernel/jobs.ts';
import { AppError } from '../../contracts/errors.ts';
import { ensureBlob } from '../../services/kernel/blobs.ts';
import { filesBelow } from '../../services/knowledge/folder.ts';
import { addItems, countItems, type NewItem } from '../../services/knowledge/records-items.ts';
import { maxItems, type RunOrigin } from '../../services/knowledge/runs-spec.ts';
import { beatenWith, beating, beatWith } from '../kernel/stage.ts';
import type { Kernel } from '../../services/kernel/kernel.ts';

export interface CollectDeps extends Pick<Kernel, 'db' | 'blobs' | 'web'> {
  crawl: typeof crawl;
  youtubeTranscript: typeof youtubeTranscript;
  entriesOf(bytes: Uint8Array): ReturnType<typeof entriesOf>;
  /** Readable extensions, without dot. */
  extensions: ReadonlySet<string>;
}

/** Items inserted per statement. */
const slice = 200;
const shownSkips = 20;

type OriginOf<K extends RunOrigin['kind']> = Extract<RunOrigin, { kind: K }>;

/** Lists the contents of a run. A retry continues where the last attempt stopped, or finds the same again. */
export async function collect(deps: CollectDeps, job: JobRef, origin: RunOrigin): Promise<Collected> {
  const skipped = new Skipped();
  // Every heartbeat carries the state for the next attempt, because the last heartbeat replaces earlier ones.
  let at = beatenWith();
  const collecting = async (): Promise<Collected> => {
    let details: Record<string, unknown> = {};
    if (origin.kind === 'folder') await fromFolder(deps, job, origin, skipped);
    else if (origin.kind === 'zip') await fromZip(deps, job, origin, skipped);
    else if (origin.kind === 'url') await fromWeb(deps, job, origin, skipped, (state) => (at = state));
    else if (origin.kind === 'youtube') details = await fromYoutube(deps, job, origin);
    const { total } = await countItems(deps.db, job);
    return { total, skipped: skipped.some, skippedCount: skipped.count, details };
  };
  return await beating(collecting, { everyMs: 5_000, tick: () => beatWith(at) });
}

class Skipped {
  readonly some: Collected['skipped'] = [];
  count = 0;

  add(what: string, reason: string): void {
    this.count += 1;
    if (this.some.length < shownSkips) this.some.push({ what, reason });
  }
}

async function fromFolder({ db, extensions }: CollectDeps, job: JobRef, { path }: OriginOf<'folder'>, skipped: Skipped): Promise<void> {
  const items = new Slices(db, job);
  for await (const file of filesBelow(path)) {
    if (!extensions.has(extname(file.path).slice(1).toLowerCase())) skipped.add(file.path, 'not a format that can be read');
    else if (items.count >= maxItems) skipped.add(file.path, `at most ${maxItems} files per run`);
    else {
      const url = pathToFileURL(file.path).href;
      await items.add({ identity: `file:${file.path}`, type: 'document', url, filename: basename(file.path), bytes: file.bytes });
    }
  }
  await items.flush();
}

async function fromZip(deps: CollectDeps, job: JobRef, origin: OriginOf<'zip'>, skipped: Skipped): Promise<void> {
  const items = new Slices(deps.db, job, deps.blobs);
  for await (const entry of deps.entriesOf(await deps.blobs.get(job.tenant, origin.blob))) {
    if (!deps.extensions.has(extname(entry.path).slice(1).toLowerCase())) skipped.add(entry.path, 'not a format that can be read');
    else {
      const blob = await deps.blobs.put(job.tenant, entry.bytes);
      const identity = `file:${origin.path}!/${entry.path}`;
      await items.add({ identity, type: 'document', filename: basename(entry.path), blob, bytes: entry.bytes.length });
    }
  }
  await items.flush();
}

async function fromWeb(
  { db, blobs, web, crawl }: CollectDeps,
  job: JobRef,
  origin: OriginOf<'url'>,
  skipped: Skipped,
  note: (state: CrawlState) => void,
): Promise<void> {
  const before = beatenWith() as CrawlState | undefined;
  const { url, depth, max_pages: maxPages, profile } = origin;
  const signal = Context.current().cancellationSignal;
  for await (const step of crawl(web, { url, depth, maxPages, profile, signal, ...(before ? { state: before } : {}) })) {
    if (step.kind === 'page') {
      const { bytes, mediaType, filename } = step.fetched;
      const item: NewItem = { identity: `url:${step.url}`, type: 'page', url: step.url, mediaType, bytes: bytes.length };
      // A page's path says little; a file's name shows its format when the media type does not.
      if (filename && !mediaType.includes('html')) item.filename = filename;
      const blob = await blobs.put(job.tenant, bytes);
      await addItems(db, job, [{ ...item, blob }]);
      await ensureBlob(blobs, job.tenant, blob, () => blobs.put(job.tenant, bytes));
    } else skipped.add(step.url, step.reason);
    note(step.state);
    beatWith(step.state);
  }
}

async function fromYoutube({ db, blobs, web, youtubeTranscript }: CollectDeps, job: JobRef, { url, languages }: OriginOf<'youtube'>) {
  const found = await youtubeTranscript(web, url, languages, Context.current().cancellationSignal);
  const { videoId, title, author, language, durationSeconds, generated, vtt } = found;
  const details = {
    video_id: videoId,
    language,
    duration_seconds: durationSeconds,
    generated,
    ...(author === undefined ? {} : { author }),
  };
  const blob = await blobs.put(job.tenant, vtt);
  await addItems(db, job, [
    {
      identity: `youtube:${videoId}`,
      title,
      type: 'video',
      url: `https://www.youtube.com/watch?v=${videoId}`,
      filename: `${videoId}.vtt`,
      blob,
      bytes: vtt.length,
      metadata: details,
    },
  ]);
  await ensureBlob(blobs, job.tenant, blob, () => blobs.put(job.tenant, vtt));
  return details;
}

/** Inserts items in slices. */
class Slices {
  count = 0;
  private readonly db: Database;
  private readonly job: JobRef;
  private readonly blobs: Blobs | null;
  private waiting: NewItem[] = [];

  /** @param blobs where the items' bytes are; null: they have none */
  constructor(db: Database, job: JobRef, blobs: Blobs | null = null) {
    this.db = db;
    this.job = job;
    this.blobs = blobs;
  }

  async add(item: NewItem): Promise<void> {
    this.count += 1;
    if (this.waiting.push(item) >= slice) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.waiting.length > 0) await addItems(this.db, this.job, this.waiting);
    for (const { blob } of this.waiting) {
      if (!this.blobs || blob === undefined) continue;
      await ensureBlob(this.blobs, this.job.tenant, blob, () => {
        // The bytes are not here any more; the next attempt stores them.
        throw new Error(`the bytes ${blob} were deleted while their item was written`);
      });
    }
    this.waiting = [];
  }
}

/** @throws AppError VALIDATION_ERROR: a run without contents is an error of its caller */
export function assertSomething({ total, skippedCount, skipped }: Collected): void {
  if (total > 0) return;
  const first = skipped[0];
  throw new AppError(
    'VALIDATION_ERROR',
    first ? `No content can be ingested: ${first.what}: ${first.reason}.` : 'There is nothing in it.',
    {
      hint: skippedCount > 1 ? `${skippedCount} were skipped.` : 'Name a folder, archive or page with documents.',
      details: { reason: 'empty', skipped },
    },
  );
}
