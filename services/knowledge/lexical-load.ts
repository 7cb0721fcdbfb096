import type { Database } from '../../adapters/postgres/database.ts';
import type { LoadedDocument, ScopeIndex } from '../../engines/retrieval/lexical-index.ts';
import { inTurns, largeSegment, type Segment, SegmentBuilder } from '../../engines/retrieval/lexical-segment.ts';
import type { DocumentVersion, Look } from '../../engines/retrieval/lexical-look.ts';
import { chunksOf, postingsOf, type ChunkRow } from './lexical-sql.ts';

/** Chunks whose rows or postings are read per statement: some milliseconds of parsing. */
const chunkBatch = 4_000;
const postingBatch = 500;

/**
 * Reads the document versions of the snapshot into the index, which changes only after all are read. Nobody else may
 * add to the index meanwhile.
 * @param query runs in a transaction with the snapshot of `seen`
 */
export async function loadInto(
  query: Database['query'],
  tenant: string,
  index: ScopeIndex,
  seen: Look,
  versions: readonly DocumentVersion[],
): Promise<void> {
  const segments: Segment[] = [];
  let builder = new SegmentBuilder();
  const documents: LoadedDocument[] = [];
  let number = index.chunks;
  for (const batch of inBatches(versions, chunkBatch, (version) => version.chunks)) {
    const chunks = Map.groupBy(
      await chunksOf(
        query,
        tenant,
        batch.map(({ id }) => id),
      ),
      (chunk) => chunk.document_id,
    );
    const numbers = new Map<string, number>();
    for (const version of batch) {
      const own: ChunkRow[] = chunks.get(version.id) ?? [];
      for (const { id } of own) numbers.set(id, number++);
      documents.push({ version, chunks: own.map(({ id, has_code, terms, turns }) => ({ id, hasCode: has_code, terms, turns })) });
    }
    for (const ids of inBatches([...numbers.keys()], postingBatch, () => 1)) {
      const postings = new Map((await postingsOf(query, tenant, ids)).map((row) => [row.id, row]));
      for (const id of ids) {
        const row = postings.get(id);
        if (row) builder.add(numbers.get(id)!, row.terms, row.tfs);
      }
    }
    if (builder.size < largeSegment) continue;
    segments.push(await inTurns(builder.finish()));
    builder = new SegmentBuilder();
  }
  index.add(seen, documents, ...segments, await inTurns(builder.finish()));
}

function* inBatches<T>(items: readonly T[], size: number, weight: (item: T) => number): Generator<T[]> {
  let batch: T[] = [];
  let sum = 0;
  for (const item of items) {
    batch.push(item);
    sum += weight(item);
    if (sum < size) continue;
    yield batch;
    [batch, sum] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
