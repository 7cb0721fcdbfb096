import type { Logger } from 'pino';
import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database, Row } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import type { Turn } from '../../contracts/knowledge/knowledge.ts';
import type { LanguageService } from '../kernel/language/index.ts';
import { isSignal } from '../graph/index.ts';
import type { Columns } from '../../prisma/rows.ts';
import type { SignalClassifiers } from './classifiers.ts';
import { judged, type Judging } from './judged.ts';
import { areaOf, authorOf, sourceOf, type About } from './origin.ts';
import { writeSignals, type NewSignal, type ReadDocument } from './records.ts';
import { statementsOf, type FoundStatement } from './statements.ts';

export interface ReadingDeps {
  db: Database;
  embedder: Embedder | null;
  classifiers: SignalClassifiers;
  language: Pick<LanguageService, 'ask' | 'model'>;
  log: Pick<Logger, 'warn'>;
  /** Milliseconds since any fixed moment; for tests. */
  now?: () => number;
}

export interface Reading {
  beat(): void;
  signal: AbortSignal;
  /** Also documents that already have signals. */
  again?: boolean;
}

export interface Slice {
  /** Whether to leave the rest to another call. */
  spent?(): boolean;
  /** The last document of the previous call. */
  after?: string;
}

interface DocumentRow extends Row, Columns<'documents', 'id' | 'source_id'> {
  url: string | null;
  occurred_at: Date;
  type: string;
  given: Record<string, unknown>;
  found: Record<string, unknown>;
}

interface PassageRow extends Row, Columns<'chunks', 'id' | 'body'> {
  speaker: string | null;
  turns: Turn[] | null;
}

/** Statements embedded together. */
const embeddedAtOnce = 32;
const embedWithin = 60_000;
/**
 * How long one call may use the language model: half of its stage's time, so that the judgements are written in any
 * case.
 */
const judgingMs = 15 * 60_000;
/** Written together, so that the graph's lock is taken once per batch. */
const documentsAtOnce = 20;
const signalsAtOnce = 200;

/**
 * Extracts signals from active, resolved documents, in batches. After a kill it restarts the batch; idempotent.
 * @returns the documents read, and their signals
 */
export async function readDocuments(
  deps: ReadingDeps,
  tenant: string,
  ids: readonly string[],
  options: Reading & Slice,
): Promise<{ documents: number; signals: number; next?: string }> {
  const documents = await deps.db.query<DocumentRow>(
    `select d.id, d.source_id, s.type, s.url, s.metadata as given, d.metadata as found, coalesce(d.said_at, d.created_at) as occurred_at
     from documents d join knowledge_sources s on s.tenant_id = d.tenant_id and s.id = d.source_id
     where ${isSignal} and d.id = any($2) and d.graph = 'resolved'
       and ($3 or not exists (select from signals g where g.tenant_id = $1 and g.document_id = d.id)) and d.id > $4 order by d.id`,
    [tenant, ids, options.again ?? false, options.after ?? ''],
  );
  const now = deps.now ?? Date.now;
  const until = now() + judgingMs;
  let missed = 0;
  const judging: Judging = {
    beat: options.beat,
    signal: options.signal,
    spent: () => now() >= until,
    missed: (statements) => (missed += statements),
  };
  let signals = 0;
  let last: string | undefined;
  let read = 0;
  let waiting: ReadDocument[] = [];
  const write = async (): Promise<void> => {
    if (waiting.length > 0) signals += await writeSignals(deps.db, tenant, waiting);
    waiting = [];
  };
  for (const document of documents) {
    options.beat();
    options.signal.throwIfAborted();
    if (read > 0 && options.spent?.()) break;
    last = document.id;
    read += 1;
    waiting.push(await readDocument(deps, tenant, document, judging));
    if (waiting.length >= documentsAtOnce || waiting.reduce((sum, each) => sum + each.signals.length, 0) >= signalsAtOnce) await write();
  }
  await write();
  if (missed > 0) deps.log.warn({ tenant, statements: missed }, 'statements were classified without the language model');
  return { documents: read, signals, ...(read < documents.length && last !== undefined ? { next: last } : {}) };
}

async function readDocument(deps: ReadingDeps, tenant: string, row: DocumentRow, judging: Judging): Promise<ReadDocument> {
  const { beat, signal } = judging;
  const about: About = { type: row.type, given: row.given, found: row.found };
  const passages = await deps.db.query<PassageRow>(
    `select id::text, body, place->>'speaker' as speaker, turns from chunks where tenant_id = $1 and document_id = $2 order by ordinal`,
    [tenant, row.id],
  );
  const customer = row.given['customer'];
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
  const classifier = await deps.classifiers.of(tenant, model, pause);
  const byModel = await judged(deps, tenant, named, judging);
  const signals: NewSignal[] = [];
  for (const [i, { id, statement, passage, speaker, start, end }] of named.entries()) {
    const vector = vectors?.[i] ?? null;
    const told = byModel.get(id) ?? classifier.classify({ text: statement, vector });
    signals.push({ ...told, id, chunkId: passages[passage]!.id, author: speaker ?? author, start, end, statement, vector });
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
