import type { Logger } from 'pino';
import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { derivedId } from '../../contracts/ids.ts';
import { prepare, readDocument as readEvidence } from '../../engines/evidence/index.ts';
import type { Directory, Judged, Reading as Understood } from '../../engines/evidence/types.ts';
import type { LanguageService } from '../kernel/language/index.ts';
import {
  correctionsIn,
  directoryOfTenant,
  documentColumns,
  documentInput,
  givenOf,
  isSignal,
  namesHash,
  passagesOfDocument,
  readByModel,
  type DocumentRow as StoredDocument,
} from '../graph/index.ts';
import type { Columns } from '../../prisma/rows.ts';
import type { SignalClassifiers } from './classifiers.ts';
import { judged, type Judging } from './judged.ts';
import { judgeOf } from './judging.ts';
import { areaOf, authorOf, sourceOf, type About } from './origin.ts';
import { summaryOf } from './reading-summary.ts';
import { writeSignals, type NewReading, type NewSignal, type ReadDocument } from './records.ts';

export interface ReadingDeps {
  db: Database;
  embedder: Embedder | null;
  localEmbedder?: Embedder | null;
  classifiers: SignalClassifiers;
  language: Pick<LanguageService, 'ask' | 'model'>;
  /** Whether the language model reads documents. */
  languageReads: boolean;
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

export interface DocumentRow extends StoredDocument, Columns<'documents', 'source_id' | 'extracted_directory' | 'extracted_names'> {
  url: string | null;
  occurred_at: Date;
}

/** Version of the directory of documents that are to be read again. */
export const unread = '-';

/** Change it when the rules of reading change. */
export const readerId = 'evidence-1';

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
): Promise<{ documents: number; signals: number; left?: Record<string, number>; next?: string }> {
  const documents = await deps.db.query<DocumentRow>(
    `select ${documentColumns}, d.source_id, d.extracted_directory, d.extracted_names, s.url, coalesce(d.said_at, d.created_at) as occurred_at
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
  const directory = await directoryOfTenant(deps.db.query, tenant);
  let signals = 0;
  const left: Record<string, number> = {};
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
    const done = await readDocument(deps, tenant, document, directory, judging);
    for (const { why, count } of done.reading.reading.left) left[why] = (left[why] ?? 0) + count;
    waiting.push(done);
    if (waiting.length >= documentsAtOnce || waiting.reduce((sum, each) => sum + each.signals.length, 0) >= signalsAtOnce) await write();
  }
  await write();
  if (missed > 0) deps.log.warn({ tenant, statements: missed }, 'statements were classified without the language model');
  const out = Object.keys(left).length > 0 ? { left } : {};
  return { documents: read, signals, ...out, ...(read < documents.length && last !== undefined ? { next: last } : {}) };
}

async function readDocument(
  deps: ReadingDeps,
  tenant: string,
  row: DocumentRow,
  directory: Directory,
  judging: Judging,
): Promise<ReadDocument> {
  const passages = await passagesOfDocument(deps.db.query, tenant, row.id);
  const corrections = correctionsIn(row.corrections);
  const input = documentInput(row, passages);
  const { layout } = prepare(input);
  const judge = await judgeOf(deps, tenant, row.id, judging);
  const model = await readByModel(deps, tenant, { id: row.id, input, layout }, directory, judging);
  const understood = await readEvidence(input, layout, directory, judge.judge, model);
  const about: About = { type: row.type, given: givenOf(row), found: row.found };
  const author = authorOf(about);
  const named = identified(understood.statements, tenant, row.source_id);
  const byModel = await judged(
    deps,
    tenant,
    named.filter((each) => each.model === undefined),
    judging,
  );
  const numbered = new Map(named.flatMap(({ id, model: told }) => (told ? [[told.n, id] as const] : [])));
  const signals = named.map((each): NewSignal => {
    const { unit, statement, id, start, end, tone, state } = each;
    const told = byModel.get(id) ?? {
      class: each.class,
      confidence: each.confidence,
      sentiment: each.sentiment,
      severity: each.severity,
      classifier: each.model && model ? model.by : judge.classifier,
    };
    return {
      ...told,
      id,
      chunkId: passages[unit.passage]!.id,
      author: unit.person ?? unit.speaker ?? author,
      occurredAt: occurredAt(each.day, understood.saidAt),
      start,
      end,
      statement,
      vector: judge.vectorOf(each.text),
      tone,
      state,
      toldEarlierId: numbered.get(each.model?.settles ?? -1) ?? null,
      names: namesOf(each),
    };
  });
  return {
    id: row.id,
    sourceId: row.source_id,
    source: sourceOf(about),
    occurredAt: understood.saidAt,
    area: areaOf(about),
    url: row.url,
    model: judge.model,
    signals,
    reading: {
      kind: understood.kind,
      reader: readerId,
      ...seenBy(directory, namesHash(directory, input), row),
      reading: summaryOf(understood, corrections, passages.length, model),
    },
  };
}

/** What was extracted with other names is extracted and read again. */
function seenBy({ version }: Directory, names: string, row: DocumentRow): Pick<NewReading, 'directory' | 'names'> {
  const same = row.extracted_directory === null || row.extracted_directory === version || row.extracted_names === names;
  return same ? { directory: version, names } : { directory: unread, names: unread };
}

/** The document's instant on its own day, else the beginning of the statement's day. */
const occurredAt = (day: string, saidAt: string): string => (saidAt.startsWith(day) ? saidAt : `${day}T00:00:00.000Z`);

const namesOf = ({ unit, features, competitors }: Judged): NewSignal['names'] => [
  ...(unit.customer === null ? [] : [{ type: 'customer', name: unit.customer }]),
  ...features.map((name) => ({ type: 'feature', name })),
  ...competitors.map((name) => ({ type: 'competitor', name })),
];

type Identified = Judged & { id: string; statement: string };

/** The same ids when the source is read again, if the statement is unchanged. */
function identified(found: Understood['statements'], tenant: string, sourceId: string): Identified[] {
  const seen = new Map<string, number>();
  return found.map((each) => {
    const statement = each.text.replaceAll('\0', '').replaceAll(/\s+/g, ' ').toWellFormed();
    const nth = seen.get(statement) ?? 0;
    seen.set(statement, nth + 1);
    return { ...each, statement, id: derivedId('sig', tenant, sourceId, statement, String(nth)) };
  });
}
