import { AppError } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import { passagesOfDocument } from '../graph/index.ts';
import { judged, type Judging } from './judged.ts';
import { areaOf, authorOf, sourceOf, type About } from './origin.ts';
import type { DocumentRow, Reading, ReadingDeps } from './read.ts';
import type { NewSignal, ReadDocument } from './records.ts';
import { statementsOf, type FoundStatement } from './statements.ts';

/** Statements embedded together. */
const embeddedAtOnce = 32;
const embedWithin = 60_000;

/** Reads a document sentence by sentence, without its layout and without other documents. */
export async function readSentences(deps: ReadingDeps, tenant: string, row: DocumentRow, judging: Judging): Promise<ReadDocument> {
  const { beat, signal } = judging;
  const about: About = { type: row.type, given: row.about, found: row.found };
  const passages = await passagesOfDocument(deps.db.query, tenant, row.id);
  const customer = row.about['customer'];
  const found = statementsOf({
    passages: passages.map(({ body, speaker, turns }) => ({
      text: body,
      ...(speaker === null ? {} : { speaker }),
      ...(turns === null ? {} : { turns }),
    })),
    sourceType: row.type,
    ...(typeof customer === 'string' && customer.trim() !== '' ? { customer } : {}),
  });
  const author = authorOf(about);
  const named = identified(found, tenant, row.source_id);
  const vectors = await vectorsOf(deps, tenant, row.id, named, { beat, signal });
  const model = vectors ? deps.embedder!.id : null;
  const classifier = await deps.classifiers.of(tenant, model, { pause });
  const byModel = await judged(deps, tenant, named, judging);
  const signals: NewSignal[] = [];
  for (const [i, { id, statement, passage, speaker, start, end }] of named.entries()) {
    const vector = vectors?.[i] ?? null;
    const told = byModel.get(id) ?? classifier.classify({ text: statement, vector });
    signals.push({
      ...told,
      id,
      chunkId: passages[passage]!.id,
      author: speaker ?? author,
      occurredAt: row.occurred_at.toISOString(),
      start,
      end,
      statement,
      vector,
      tone: null,
      state: 'open',
      names: [],
    });
    if (i % 50 === 49) {
      beat();
      await pause();
    }
  }
  return {
    id: row.id,
    sourceId: row.source_id,
    source: sourceOf(about),
    occurredAt: row.occurred_at.toISOString(),
    area: areaOf(about),
    url: row.url,
    model,
    signals,
    reading: null,
  };
}

interface Identified extends FoundStatement {
  id: string;
  statement: string;
}

/** The same ids when the source is read again, if the statement is unchanged. */
function identified(found: readonly FoundStatement[], tenant: string, sourceId: string): Identified[] {
  const seen = new Map<string, number>();
  return found.map((each) => {
    const statement = each.text.replaceAll('\0', '').replaceAll(/\s+/g, ' ').toWellFormed();
    const nth = seen.get(statement) ?? 0;
    seen.set(statement, nth + 1);
    return { ...each, statement, id: derivedId('sig', tenant, sourceId, statement, String(nth)) };
  });
}

/** Yield to the event loop: this process also serves claims. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Existing vectors are reused. Null when no model is available: then only words are used. */
async function vectorsOf(
  { db, embedder }: ReadingDeps,
  tenant: string,
  documentId: string,
  statements: readonly Identified[],
  { beat, signal }: Pick<Reading, 'beat' | 'signal'>,
): Promise<Float32Array[] | null> {
  if (!embedder) return null;
  try {
    const rows = await db.query<{ id: string; embedding: string }>(
      'select id, embedding::text from signals where tenant_id = $1 and document_id = $2 and model = $3 and embedding is not null',
      [tenant, documentId, embedder.id],
    );
    const vectors = new Map(rows.map(({ id, embedding }) => [id, Float32Array.from(JSON.parse(embedding) as number[])]));
    const missing = statements.filter(({ id }) => !vectors.has(id));
    for (let from = 0; from < missing.length; from += embeddedAtOnce) {
      beat();
      signal.throwIfAborted();
      const slice = missing.slice(from, from + embeddedAtOnce);
      const made = await embedder.embed(
        slice.map(({ statement }) => statement),
        { priority: 'batch', signal: AbortSignal.timeout(embedWithin) },
      );
      // Rounded as stored, so that new and reused vectors are equal.
      slice.forEach(({ id }, i) => vectors.set(id, made[i]!.map(Math.f16round)));
    }
    return statements.map(({ id }) => vectors.get(id)!);
  } catch (error) {
    if (error instanceof AppError || (error instanceof Error && error.name === 'TimeoutError')) return null;
    throw error;
  }
}
