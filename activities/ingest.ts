import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Blobs } from '../adapters/blobs/files.ts';
import type { Embedder } from '../adapters/models/embedder.ts';
import type { Parsed, ParseInput } from '../adapters/parsers/types.ts';
import type { Database } from '../adapters/postgres/database.ts';
import { asTenant } from '../adapters/postgres/tenancy.ts';
import type { IngestActivities, IngestRef } from '../contracts/activities/ingest.ts';
import { AppError } from '../contracts/errors.ts';
import { failureType } from '../contracts/temporal.ts';
import { chunk } from '../services/knowledge/chunking.ts';
import { deleteRetired, publish, retireUnpublished } from '../services/knowledge/records-publish.ts';
import {
  describeDocument,
  insertChunks,
  openDocument,
  pendingChunks,
  specOf,
  writeIndex,
  type IndexedChunk,
  type PendingChunk,
} from '../services/knowledge/records.ts';
import { termFrequencies } from '../services/knowledge/terms.ts';

export interface IngestDeps {
  db: Database;
  blobs: Blobs;
  embedder: Embedder | null;
  parse(input: ParseInput): Promise<Parsed>;
}

/** Chunks written in one transaction. Small, so that transactions are short and a killed batch loses little. */
const insertSlice = 200;
const indexSlice = 25;

/** The stages of an ingestion. What cannot get better by repeating is said so to Temporal. */
export function ingestActivities({ db, blobs, embedder, parse }: IngestDeps): IngestActivities {
  const stage = async <T>(ref: IngestRef, work: () => Promise<T>): Promise<T> => {
    try {
      return await asTenant(ref.tenant, work);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw ApplicationFailure.create({
        type: failureType(error.code),
        message: error.message,
        nonRetryable: !error.retryable,
        cause: error,
      });
    }
  };

  return {
    prepareDocument: (ref) =>
      stage(ref, async () => {
        const document = await openDocument(db, ref);
        const vectors = embedder !== null;
        if (document.status === 'active') return { state: 'active', chunks: document.chunk_count, vectors, warnings: [] };
        const spec = await specOf(db, ref.tenant, ref.jobId);
        const bytes = await blobs.get(ref.tenant, spec.blob);
        beat();
        const parsed = await parse({ bytes, ...(spec.filename === null ? {} : { filename: spec.filename }) });
        const title = spec.title ?? parsed.title ?? spec.fallback_title;
        beat();
        const chunks = chunk({ ...parsed, title }, { size: spec.chunk_size });
        if (chunks.length === 0) {
          throw new AppError('VALIDATION_ERROR', `"${title}" has no text.`, { hint: 'Nothing in it can be searched.' });
        }
        for (let from = 0; from < chunks.length; from += insertSlice) {
          beat();
          await insertChunks(db, ref, document.scope, chunks.slice(from, from + insertSlice));
        }
        await describeDocument(db, ref, { format: parsed.format, title, metadata: parsed.metadata, chunks: chunks.length });
        return { state: 'building', chunks: chunks.length, vectors, warnings: warningsOf(parsed.metadata) };
      }),

    indexChunks: (ref, range) =>
      stage(ref, async () => {
        const beating = setInterval(beat, 3_000);
        try {
          return await indexRange(ref, range);
        } finally {
          clearInterval(beating);
        }
      }),

    publishDocument: (ref) => stage(ref, () => publish(db, ref)),

    clearRetired: (ref) => stage(ref, () => clear(ref)),

    discardDocument: (ref, problem) =>
      stage(ref, async () => {
        await retireUnpublished(db, ref, problem);
        await clear(ref);
      }),
  };

  async function indexRange(ref: IngestRef, { from, to, vectors, lastAttempt }: Parameters<IngestActivities['indexChunks']>[1]) {
    let model: string | null = null;
    let warning: string | undefined;
    /** A model that cannot be used is tried again with the activity, and given up at its last attempt. */
    const giveUp = (error: unknown): void => {
      if (!(error instanceof AppError) || Context.current().info.attempt < lastAttempt) throw error;
      warning = `${error.message} This source is found by its words, not by meaning.`;
      model = null;
    };
    if (vectors && embedder) {
      try {
        model = embedder.id;
      } catch (error) {
        giveUp(error);
      }
    }
    const pending = await pendingChunks(db, ref, from, to, model);
    for (let at = 0; at < pending.length; at += indexSlice) {
      const slice = pending.slice(at, at + indexSlice);
      let made: Float32Array[] = [];
      if (model !== null) {
        try {
          made = await embed(slice);
        } catch (error) {
          giveUp(error);
        }
      }
      const indexed: IndexedChunk[] = [];
      for (const [i, { id, body, title }] of slice.entries()) {
        indexed.push({ id, frequencies: termFrequencies(body, title ?? undefined), vector: made[i] ?? null });
        // Claims are served by this very process.
        await new Promise((resolve) => setImmediate(resolve));
      }
      await writeIndex(db, ref, slice[0]!.scope, indexed, model);
      Context.current().cancellationSignal.throwIfAborted();
    }
    return warning === undefined ? { vectors: model !== null } : { vectors: false, warning };
  }

  /** Title and headings say what a passage is about, so they are part of its meaning. */
  function embed(chunks: readonly PendingChunk[]): Promise<Float32Array[]> {
    const texts = chunks.map(({ title, body }) => (title === null ? body : `${title}\n${body}`));
    return embedder!.embed(texts, { priority: 'batch', signal: Context.current().cancellationSignal });
  }

  async function clear(ref: IngestRef): Promise<void> {
    while (await deleteRetired(db, ref)) beat();
  }
}

const beat = (): void => Context.current().heartbeat();

function warningsOf({ warnings }: Record<string, unknown>): string[] {
  return Array.isArray(warnings) ? warnings.filter((warning) => typeof warning === 'string').slice(0, 20) : [];
}
