import type { Database } from '../../adapters/postgres/database.ts';
import type { SignalSource, StatementState, Tone } from '../../contracts/signals/signals.ts';
import { nameKey } from '../../engines/text/names.ts';
import { noteEvent } from '../kernel/outbox.ts';
import { countSignals } from './insight/counting.ts';
import { lockGraph } from '../graph/index.ts';
import { vectorText } from '../knowledge/index.ts';
import type { Classified } from './classifiers.ts';
import { giveAreas } from './entity-areas.ts';
import { groupsOf } from './groups.ts';
import type { ReadingSummary } from './reading-summary.ts';
import { relate } from './relate.ts';
import { linkSignals } from './relink.ts';

type Query = Database['query'];

export interface NewSignal extends Classified {
  id: string;
  chunkId: string;
  start: number;
  end: number;
  statement: string;
  author: string | null;
  occurredAt: string;
  vector: Float32Array | null;
  tone: Tone;
  state: StatementState;
  /** The earlier statement that it resolves or withdraws, as a language model says. */
  toldEarlierId: string | null;
  /** Customer, features and competitors that it is about, also where it does not name them. */
  names: { type: string; name: string }[];
}

/** How a document was read. */
export interface NewReading {
  kind: string;
  reader: string;
  /** Version of the directory, and hash of the names that concern the document. */
  directory: string;
  names: string;
  reading: ReadingSummary;
}

/** A document that was read, with its signals. */
export interface ReadDocument {
  id: string;
  sourceId: string;
  source: SignalSource;
  occurredAt: string;
  area: string | null;
  url: string | null;
  /** Embedding model of the vectors. */
  model: string | null;
  signals: NewSignal[];
  reading: NewReading;
}

/** Rows per statement. */
const rowsAtOnce = 500;

/**
 * Replaces the signals of documents. People's corrections stay. Documents that were replaced or deleted meanwhile are
 * skipped. Counts, groups, links and events are written in the same transaction, and the documents are marked as
 * read, also those without signals.
 * @returns how many were written
 */
export async function writeSignals(db: Database, tenant: string, documents: readonly ReadDocument[]): Promise<number> {
  return await db.transaction(async (query) => {
    await lockGraph(query, tenant);
    const standing = await query<{ id: string }>(
      `select id from documents where tenant_id = $1 and id = any($2) and status = 'active' order by id for no key update`,
      [tenant, documents.map(({ id }) => id)],
    );
    const active = new Set(standing.map(({ id }) => id));
    const read = documents.filter(({ id }) => active.has(id));
    await lockAll(query, tenant, read);
    const written: string[] = [];
    for (const document of read) {
      written.push(...(await writeDocument(query, tenant, document)));
      if (document.signals.length > 0) await tellIngested(query, tenant, document);
    }
    if (written.length > 0) await countSignals(query, tenant, written, 1);
    await writeReadings(query, tenant, read);
    await relate(query, tenant, written);
    await query('update documents set signals_read_at = now() where tenant_id = $1 and id = any($2)', [tenant, [...active]]);
    return written.length;
  });
}

/** Lock all replaced signals before counting: a correction holds its signal while it waits for the counts. */
async function lockAll(query: Query, tenant: string, documents: readonly ReadDocument[]): Promise<void> {
  await query('select 1 from signals where tenant_id = $1 and (document_id = any($2) or id = any($3)) order by id for update', [
    tenant,
    documents.map(({ id }) => id),
    documents.flatMap(({ signals }) => signals.map(({ id }) => id)),
  ]);
}

/** @returns the ids, which are not counted yet */
async function writeDocument(query: Query, tenant: string, whole: ReadDocument): Promise<string[]> {
  const all = whole.signals.map((signal) => signal.id);
  const former = await takeAway(query, tenant, whole.id, all);
  const corrections = await correctionsOf(query, tenant, all);
  // A person said that it is no statement.
  const document = { ...whole, signals: whole.signals.filter(({ id }) => corrections.get(id)?.class !== 'none') };
  const ids = document.signals.map((signal) => signal.id);
  if (ids.length === 0) return [];
  for (let from = 0; from < ids.length; from += rowsAtOnce) {
    const part = document.signals.slice(from, from + rowsAtOnce);
    const groups = await groupsOf(query, tenant, part, document.model);
    const rows = part.map(({ vector, ...signal }, i) => ({
      ...signal,
      ...corrections.get(signal.id),
      group: former.get(signal.id)?.group_id ?? groups[i]!.group,
      created: former.get(signal.id)?.created_at ?? null,
      embedding: vector ? vectorText(vector) : null,
    }));
    await insert(query, tenant, document, rows);
    await query(
      `insert into signal_blocks (tenant_id, block, signal_id) select distinct $1, b.block, b.id from jsonb_to_recordset($2::jsonb) as b(id text, block bigint)`,
      [tenant, JSON.stringify(part.flatMap(({ id }, i) => groups[i]!.blocks.map((block) => ({ id, block: block.toString() }))))],
    );
  }
  await query(
    `insert into signal_names (tenant_id, signal_id, type, key, name)
     select $1, r.id, r.type, r.key, r.name from jsonb_to_recordset($2::jsonb) as r(id text, type text, key text, name text)
     where r.key <> '' on conflict do nothing`,
    [
      tenant,
      JSON.stringify(document.signals.flatMap(({ id, names }) => names.map(({ type, name }) => ({ id, type, key: nameKey(name), name })))),
    ],
  );
  await linkSignals(query, tenant, ids);
  if (document.area !== null) await giveAreas(query, tenant, ids);
  return ids;
}

interface Former {
  group_id: string;
  created_at: string;
}

/**
 * The document's signals, and those with the new ids, which a former document of the source may have had. Locked by
 * the caller.
 */
async function takeAway(query: Query, tenant: string, documentId: string, ids: readonly string[]): Promise<Map<string, Former>> {
  const rows = await query<Former & { id: string } & Record<string, unknown>>(
    `select id, group_id, created_at::text from signals where tenant_id = $1 and (document_id = $2 or id = any($3)) order by id`,
    [tenant, documentId, ids],
  );
  const gone = rows.map((row) => row.id);
  await countSignals(query, tenant, gone, -1);
  await query('delete from signals where tenant_id = $1 and id = any($2)', [tenant, gone]);
  return new Map(rows.map((row) => [row.id, row]));
}

async function writeReadings(query: Query, tenant: string, documents: readonly ReadDocument[]): Promise<void> {
  await query(
    `insert into document_readings (tenant_id, document_id, source_id, kind, reader, directory, names, reading)
     select $1, r.id, r."sourceId", r.kind, r.reader, r.directory, r.names, r.reading
     from jsonb_to_recordset($2::jsonb) as r(id text, "sourceId" text, kind text, reader text, directory text, names text, reading jsonb)
     on conflict (tenant_id, document_id) do update set source_id = excluded.source_id, kind = excluded.kind, reader = excluded.reader,
       directory = excluded.directory, names = excluded.names, reading = excluded.reading, read_at = now()`,
    [tenant, JSON.stringify(documents.map(({ id, sourceId, reading }) => ({ id, sourceId, ...reading })))],
  );
}

interface Corrected {
  class?: string;
  confidence?: number;
  sentiment?: number;
  severity?: number;
  tone?: string;
  state?: string;
  correctedBy: string;
}

async function correctionsOf(query: Query, tenant: string, ids: readonly string[]): Promise<Map<string, Corrected>> {
  const rows = await query<{
    signal_id: string;
    class: string | null;
    sentiment: number | null;
    severity: number | null;
    tone: string | null;
    state: string | null;
    corrected_by: string;
  }>(
    'select signal_id, class, sentiment, severity, tone, state, corrected_by from signal_corrections where tenant_id = $1 and signal_id = any($2)',
    [tenant, ids],
  );
  return new Map(
    rows.map(({ signal_id, class: said, sentiment, severity, tone, state, corrected_by: correctedBy }) => [
      signal_id,
      {
        ...(said === null ? {} : { class: said, confidence: 1 }),
        ...(sentiment === null ? {} : { sentiment }),
        ...(severity === null ? {} : { severity }),
        ...(tone === null ? {} : { tone }),
        ...(state === null ? {} : { state }),
        correctedBy,
      },
    ]),
  );
}

async function insert(query: Query, tenant: string, document: ReadDocument, rows: readonly unknown[]): Promise<void> {
  const { id, sourceId, source, area, url, model } = document;
  await query(
    `insert into signals (tenant_id, id, document_id, source_id, chunk_id, start_at, end_at, statement, source, author, occurred_at, area, url,
       class, class_confidence, sentiment, severity, tone, state, told_earlier_id, group_id, classifier, corrected_by, model, embedding, created_at)
     select $1, r.id, $2, $3, r."chunkId", r.start, r."end", r.statement, $4, r.author, r."occurredAt", $5, $6,
       r.class, r.confidence, r.sentiment, r.severity, r.tone, r.state, r."toldEarlierId", r.group, r.classifier, r."correctedBy",
       case when r.embedding is null then null else $7 end, r.embedding::halfvec, coalesce(r.created, now())
     from jsonb_to_recordset($8::jsonb) as r(id text, "chunkId" bigint, start int, "end" int, statement text, author text, "occurredAt" timestamptz,
       class text, confidence real, sentiment real, severity smallint, tone text, state text, "toldEarlierId" text, "group" text, classifier text, "correctedBy" text,
       embedding text, created timestamptz)
     order by r.id`,
    [tenant, id, sourceId, source, area, url, model, JSON.stringify(rows)],
  );
}

async function tellIngested(query: Query, tenant: string, { id, sourceId, source, occurredAt, signals }: ReadDocument): Promise<void> {
  const classes = Object.fromEntries([...Map.groupBy(signals, (signal) => signal.class)].map(([name, own]) => [name, own.length]));
  await noteEvent(query, tenant, 'signal.ingested', id, {
    document_id: id,
    source_id: sourceId,
    source,
    occurred_at: occurredAt,
    signals: signals.length,
    classes,
  });
}
