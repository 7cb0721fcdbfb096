import { Context } from '@temporalio/activity';
import type { Parsed, ParseInput } from '../../adapters/parsers/types.ts';
import type { ChunkRange, IngestActivities, IngestRef } from '../../contracts/activities/knowledge/ingest.ts';
import { ensureBlob } from '../../services/kernel/blobs.ts';
import { readContent, storeParsed, vectorsIfReachable, warningsOf } from '../../services/knowledge/reading.ts';
import { deleteRetired, publish, retireUnpublished } from '../../services/knowledge/records-publish.ts';
import { describeDocument, insertChunks, openDocument, pendingChunks, specOf, writeIndex } from '../../services/knowledge/records.ts';
import { termFrequencies } from '../../engines/retrieval/terms.ts';
import { beat, longStage, slice, stage } from '../kernel/stage.ts';
import type { Kernel } from '../../services/kernel/kernel.ts';

export interface IngestDeps extends Pick<Kernel, 'db' | 'blobs' | 'embedder'> {
  parse(input: ParseInput): Promise<Parsed>;
  /** Called after former documents were deleted; never fails. */
  cleared(tenant: string): Promise<void>;
}

/** Chunks per transaction. Small, so that transactions are short and a killed batch loses little. */
const insertSlice = 200;
const indexSlice = 25;

/** The stages of one content's ingestion. */
export function ingestActivities({ db, blobs, embedder, parse, cleared }: IngestDeps): IngestActivities {
  return {
    prepareDocument: (ref) =>
      longStage(ref.tenant, async () => {
        const document = await openDocument(db, ref);
        const vectors = embedder !== null;
        const { tenant } = ref;
        if (document.status === 'active') return { state: 'active', chunks: document.chunk_count, vectors, warnings: [] };
        const spec = await specOf(db, tenant, ref.jobId);
        const content = { ...spec, bytes: await blobs.get(tenant, spec.blob) };
        const read = await readContent(parse, content, { passages: !spec.parse_only });
        await writePassages(ref, document.scope, read.chunks);
        const store = (): Promise<string | null> => storeParsed(blobs, tenant, read.parsed, spec.parse_only === true);
        const parsed = await store();
        await describeDocument(db, ref, { ...read, parsed, chunks: read.chunks.length });
        if (parsed !== null) await ensureBlob(blobs, tenant, parsed, store);
        return {
          state: spec.parse_only ? 'parsed' : 'building',
          chunks: read.chunks.length,
          vectors,
          ...(read.parsed.pageCount === undefined ? {} : { pages: read.parsed.pageCount }),
          warnings: warningsOf(read.parsed.metadata),
        };
      }),

    indexChunks: (ref, range) => longStage(ref.tenant, () => indexRange(ref, range)),

    publishDocument: (ref) =>
      longStage(ref.tenant, async () => {
        const spec = await specOf(db, ref.tenant, ref.jobId);
        return await publish(db, ref, { parsedOnly: spec.parse_only === true });
      }),

    clearRetired: (ref) => stage(ref.tenant, () => clear(ref)),

    discardDocument: (ref, problem, refusal) =>
      stage(ref.tenant, async () => {
        await retireUnpublished(db, ref, problem, refusal);
        await clear(ref);
      }),
  };

  async function writePassages(ref: IngestRef, scope: number, chunks: Parameters<typeof insertChunks>[3]): Promise<void> {
    for (let from = 0; from < chunks.length; from += insertSlice) {
      beat();
      await insertChunks(db, ref, scope, chunks.slice(from, from + insertSlice));
    }
  }

  async function indexRange(ref: IngestRef, { from, to, vectors }: ChunkRange): Promise<{ more: boolean }> {
    const spent = slice();
    const model = vectors && embedder ? embedder.id : null;
    const pending = await pendingChunks(db, ref, from, to, model);
    for (let at = 0; at < pending.length; at += indexSlice) {
      if (at > 0 && spent()) return { more: true };
      const some = pending.slice(at, at + indexSlice);
      const made = await vectorsIfReachable(model === null ? null : embedder, some, Context.current().cancellationSignal);
      const indexed = [];
      for (const [i, { id, body, title }] of some.entries()) {
        indexed.push({ id, frequencies: termFrequencies(body, title ?? undefined), vector: made[i] ?? null });
        // Yield to the event loop: this process also serves claims.
        await new Promise((resolve) => setImmediate(resolve));
      }
      await writeIndex(db, ref, some[0]!.scope, indexed, model);
      Context.current().cancellationSignal.throwIfAborted();
    }
    return { more: false };
  }

  async function clear(ref: IngestRef): Promise<void> {
    while (await deleteRetired(db, blobs, ref)) beat();
    await cleared(ref.tenant);
  }
}
