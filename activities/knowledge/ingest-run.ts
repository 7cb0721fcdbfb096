import { Context } from '@temporalio/activity';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DlqActivities } from '../../contracts/activities/knowledge/dlq.ts';
import type { IngestRunActivities } from '../../contracts/activities/knowledge/ingest-run.ts';
import type { JobRef } from '../../contracts/activities/kernel/jobs.ts';
import { AppError } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import { ensureBlob } from '../../services/kernel/blobs.ts';
import { readInside } from '../../services/knowledge/commands-file.ts';
import { readContent, storeParsed, vectorsIfReachable, type ReadContent } from '../../services/knowledge/reading.ts';
import { park, settleParked } from '../../services/knowledge/records-dlq.ts';
import {
  countItems,
  failItems,
  itemDone,
  itemRefused,
  itemUnchanged,
  pendingItems,
  pendingRange,
  someItems,
  sourcesWithLeftovers,
  type ItemRow,
} from '../../services/knowledge/records-items.ts';
import { deleteRetired } from '../../services/knowledge/records-publish.ts';
import { publishReady, type ReadyDocument } from '../../services/knowledge/records-small.ts';
import { buildInStages, retireGivenUp } from '../../services/knowledge/records-staged.ts';
import { baseOf, runSpecOf, standingDocument } from '../../services/knowledge/records.ts';
import { contentKeyOf, sourceIdOf } from '../../services/knowledge/rules.ts';
import type { RunSpec } from '../../services/knowledge/runs-spec.ts';
import { termFrequencies } from '../../engines/retrieval/terms.ts';
import { assertSomething, collect, type CollectDeps } from './ingest-collect.ts';
import type { IngestDeps } from './ingest.ts';
import { beat, longStage, slice, stage } from '../kernel/stage.ts';

export type IngestRunDeps = IngestDeps & CollectDeps & { ingestRoots: string[]; embedSoon(tenant: string): Promise<void> };

/** Passages that are embedded and written in one transaction. */
const readyPassages = 48;
const shownItems = 50;
/** How long a big content keeps its slot, in ms: a later call must parse it again. */
const bigSliceMs = 60_000;

/** A content that was read, and its identity. */
interface ReadItem {
  row: ItemRow;
  sourceId: string;
  contentKey: string;
  blob: string;
  read: ReadContent;
  parsed: string | null;
  /** Stores again what a deletion took before the document's row named it. */
  ensure(): Promise<void>;
}

/** The stages of a run over many contents. */
export function ingestRunActivities(deps: IngestRunDeps): IngestRunActivities & DlqActivities {
  const { db, blobs, embedder, parse } = deps;

  return {
    collectItems: (job) =>
      stage(job.tenant, async () => {
        const { origin } = await runSpecOf(db, job);
        const collected = await collect(deps, job, origin);
        assertSomething(collected);
        return collected;
      }),

    indexItems: (job, range) =>
      longStage(job.tenant, async () => {
        const spec = await runSpecOf(db, job);
        const base = await baseOf(db, job.tenant, spec.kb_id);
        const signal = Context.current().cancellationSignal;
        const [spent, bigSpent] = [slice(), slice(bigSliceMs)];
        let more = false;
        let finished = 0;
        let ready: ReadItem[] = [];
        const passages = (): number => ready.reduce((sum, item) => sum + item.read.chunks.length, 0);
        const items = await pendingItems(db, job, range);
        for (const row of items) {
          signal.throwIfAborted();
          if (finished > 0 && spent()) {
            more = true;
            break;
          }
          finished += 1;
          const item = await readItem(job, spec, row);
          if (item === null) continue;
          if (item.read.chunks.length > readyPassages) {
            more = !(await publishBig(job, base, spec, item, { signal, spent: bigSpent }));
            if (more) break;
            continue;
          }
          if (passages() + item.read.chunks.length > readyPassages) {
            await publishSmall(job, base, spec, ready, signal);
            ready = [];
          }
          ready.push(item);
        }
        if (ready.length > 0) await publishSmall(job, base, spec, ready, signal);
        return { finished, more };
      }),

    pendingItems: (job) => stage(job.tenant, () => pendingRange(db, job)),

    failItems: (job, range, error) => stage(job.tenant, () => failItems(db, job, range, error)),

    finishRun: (job) =>
      longStage(job.tenant, async () => {
        await retireGivenUp(db, job);
        for (let some = await sourcesWithLeftovers(db, job); some.length > 0; some = await sourcesWithLeftovers(db, job)) {
          for (const sourceId of some) while (await deleteRetired(db, blobs, { tenant: job.tenant, sourceId })) beat();
        }
        await deps.cleared(job.tenant);
        await deps.embedSoon(job.tenant);
        return { counts: await countItems(db, job), items: await someItems(db, job, shownItems) };
      }),

    park: (job, parked) => stage(job.tenant, () => park(db, job, parked)),

    settleParked: (job, id, status, by) => stage(job.tenant, () => settleParked(db, job.tenant, id, status, by)),
  };

  /** Null: refused, or unchanged. */
  async function readItem(job: JobRef, spec: RunSpec, row: ItemRow): Promise<ReadItem | null> {
    const { tenant } = job;
    const { identity, title, filename, media_type } = row;
    const { kb_id: kbId, chunk_size: chunkSize } = spec;
    const sourceId = sourceIdOf({ tenant, kbId, identity });
    const name = title ?? filename ?? row.url ?? identity;
    /** One faulty content must not block the others. */
    const unlessRefused = async <T>(work: () => Promise<T>): Promise<T | null> => {
      try {
        return await work();
      } catch (error) {
        if (error instanceof AppError ? error.retryable : isOutage(error)) throw error;
        const code = error instanceof AppError ? error.code : 'INTERNAL';
        const message = error instanceof Error ? error.message : String(error);
        await itemRefused(db, job, { ordinal: row.ordinal, title: name, sourceId }, { code, message, step: 'parse' });
        return null;
      }
    };
    const given = await unlessRefused(() => bytesOf(tenant, row));
    if (given === null) return null;
    const contentKey = contentKeyOf({ tenant, kbId, identity, contentHash: given.blob, format: null, title, chunkSize });
    const standing = await standingDocument(db, tenant, sourceId);
    if (standing?.content_hash === contentKey) {
      await itemUnchanged(db, job, row.ordinal, { sourceId, documentId: standing.id, chunks: standing.chunk_count });
      return null;
    }
    const content = {
      bytes: given.bytes,
      filename,
      media_type,
      title,
      fallback_title: basename(filename ?? row.url ?? ''),
      chunk_size: chunkSize,
    };
    const read = await unlessRefused(() => readContent(parse, content));
    if (read === null) return null;
    const store = (): Promise<string | null> => storeParsed(blobs, tenant, read.parsed, false);
    const parsed = await store();
    const ensure = async (): Promise<void> => {
      if (parsed !== null) await ensureBlob(blobs, tenant, parsed, store);
      // What came from an item's row was named by it all the time.
      if (row.blob === null) await ensureBlob(blobs, tenant, given.blob, () => blobs.put(tenant, given.bytes));
    };
    return { row, sourceId, contentKey, blob: given.blob, read, parsed, ensure };
  }

  async function bytesOf(tenant: string, row: ItemRow): Promise<{ bytes: Uint8Array; blob: string }> {
    if (row.blob !== null) return { bytes: await blobs.get(tenant, row.blob), blob: row.blob };
    const { bytes } = await readInside(deps.ingestRoots, fileURLToPath(row.url ?? ''));
    return { bytes, blob: await blobs.put(tenant, bytes) };
  }

  async function publishSmall(
    job: JobRef,
    base: { id: string; scope: number },
    spec: RunSpec,
    items: readonly ReadItem[],
    signal: AbortSignal,
  ): Promise<void> {
    const texts = items.flatMap(({ read }) =>
      read.chunks.map((chunk) => ({ body: chunk.text, ...(chunk.title ? { title: chunk.title } : {}) })),
    );
    const vectors = await vectorsIfReachable(embedder, texts, signal);
    let next = 0;
    const documents: ReadyDocument[] = [];
    for (const item of items) {
      const passages = [];
      for (const chunk of item.read.chunks) {
        passages.push({ chunk, frequencies: termFrequencies(chunk.text, chunk.title), vector: vectors[next++] ?? null });
      }
      documents.push({ ...described(job, spec, item), passages });
      // Yield to the event loop: this process also serves claims.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await publishReady(db, job, base, embedder?.id ?? null, documents);
    for (const item of items) await item.ensure();
  }

  /** @returns false: call again, there is more to do */
  async function publishBig(
    job: JobRef,
    base: { id: string; scope: number },
    spec: RunSpec,
    item: ReadItem,
    options: { signal: AbortSignal; spent(): boolean },
  ): Promise<boolean> {
    const document = described(job, spec, item);
    let chunks: number | null;
    try {
      chunks = await buildInStages(db, embedder, job, base, { ...document, chunks: item.read.chunks }, { beat, ...options });
    } catch (error) {
      // Its source was deleted meanwhile, and the item refused with it.
      if (error instanceof AppError && error.code === 'GONE') return true;
      throw error;
    }
    await item.ensure();
    if (chunks === null) return false;
    await itemDone(db, job, document.ordinal, document.sourceId, document.documentId, chunks);
    return true;
  }

  function described(job: JobRef, spec: RunSpec, { row, sourceId, contentKey, blob, read, parsed }: ReadItem) {
    return {
      ordinal: row.ordinal,
      sourceId,
      // Specific to this run, so that a late activity of another run cannot change it.
      documentId: derivedId('doc', contentKey, job.id),
      identity: row.identity,
      title: read.title || row.identity,
      type: row.type === 'document' ? spec.type : row.type,
      url: row.url,
      tags: [...new Set([...spec.tags, ...row.tags])],
      metadata: { ...spec.metadata, ...row.metadata },
      blob,
      contentKey,
      format: read.format,
      about: read.metadata,
      parsed,
    };
  }
}

const isOutage = (error: unknown): boolean => ['ENOSPC', 'EIO', 'EMFILE', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '');
