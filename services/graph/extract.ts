import type { Database } from '../../adapters/postgres/database.ts';
import { prepare } from '../../engines/evidence/index.ts';
import { typesIn } from './directory-entities.ts';
import { directoryOfTenant, hasClues, namesHash, noteClues } from './directory.ts';
import { documentColumns, documentInput, givenOf, passagesOfDocument, type DocumentRow, type PassageRow } from './document-input.ts';
import { extractJson } from './episode-json.ts';
import { extract, extractorId, candidateKeys } from '../../engines/extraction/index.ts';
import type { Assertion, ExtractionInput, Mention } from '../../engines/extraction/types.ts';
import { forgetDocuments } from './forget.ts';
import { lockGraph } from './lock.ts';
import { addToFound } from './model-found.ts';
import { readByModel, type ModelDeps } from './model-reading.ts';
import { nameKey } from '../../engines/text/names.ts';
import { featureKeys, vouched } from './vouched.ts';

type Query = Database['query'];

export interface Extracting {
  beat(): void;
  signal: AbortSignal;
  /** Also documents that are already done. */
  again?: boolean;
  /** The language model that reads documents, too; absent: rules alone do. */
  model?: Omit<ModelDeps, 'db'>;
  /**
   * Resolves what was written, in the same transaction: nobody sees a document that is read again without its mentions.
   * Absent: that is a step of its own.
   */
  resolve?(query: Query, documentIds: readonly string[]): Promise<void>;
}

/** Whether to leave the rest to another call. */
type Spent = () => boolean;

/** Passages processed together, and rows per statement. */
const passagesAtOnce = 50;
const rowsAtOnce = 1_000;
/** How long one call may use the language model: a third of its stage's time. Reading statements asks for the rest. */
const askingMs = 10 * 60_000;

/**
 * Extracts the mentions and assertions of active documents, without assigning entities. Results of former rules are
 * deleted. After a kill it restarts the document.
 * @returns figures of the processed documents; `more`: the time was over before the last one
 */
export async function extractDocuments(
  db: Database,
  tenant: string,
  ids: readonly string[],
  { spent = () => false, ...options }: Extracting & { spent?: Spent },
): Promise<{ documents: number; mentions: number; more: boolean }> {
  const { beat, signal, again = false } = options;
  const until = Date.now() + askingMs;
  const documents = await db.query<DocumentRow>(
    `select ${documentColumns} from documents d
     join knowledge_sources s on s.tenant_id = d.tenant_id and s.id = d.source_id
     where d.tenant_id = $1 and d.id = any($2) and d.status = 'active' and ($4 or d.graph is null or d.extractor is distinct from $3) order by d.id`,
    [tenant, ids, extractorId, again],
  );
  let mentions = 0;
  let found: Found[] = [];
  const flush = async (): Promise<void> => {
    const batch = found;
    found = [];
    if (batch.length === 0) return;
    mentions += await db.transaction(async (query) => {
      if (options.resolve) await lockGraph(query, tenant);
      const written = await write(query, tenant, batch, again);
      await options.resolve?.(
        query,
        batch.map(({ id }) => id),
      );
      return written;
    });
  };
  let done = 0;
  for (const document of documents) {
    beat();
    signal.throwIfAborted();
    if (done > 0 && spent()) break;
    done += 1;
    found.push(await findIn(db, tenant, document, { ...options, spent: () => Date.now() >= until }));
    // Small documents share a transaction: a crash costs a batch, and a batch is small.
    if (found.reduce((sum, each) => sum + each.mentions.length, 0) >= rowsAtOnce) await flush();
  }
  await flush();
  return { documents: done, mentions, more: done < documents.length };
}

/** Results of a document, to be written. */
export interface Found {
  id: string;
  saidAt: string;
  /** The directory that was used: its version, and the hash of what concerns the document. */
  directory: string;
  names: string;
  mentions: { mention: Mention; chunk: string }[];
  assertions: { assertion: Assertion; chunk: string }[];
}

async function findIn(db: Database, tenant: string, document: DocumentRow, options: Extracting & { spent: Spent }): Promise<Found> {
  const { beat } = options;
  const model = options.model?.languageReads ? options.model : undefined;
  const passages = await passagesOfDocument(db.query, tenant, document.id);
  if (document.type === 'episode_json') return await mentionsIn(db, tenant, document, passages, saidAtOf(document), beat);
  const input = documentInput(document, passages);
  const { layout, clues } = prepare(input);
  beat();
  // The model must know who speaks. Later, the clues are replaced at once: the directory would change to and fro.
  if (model && !(await hasClues(db.query, tenant, document.id))) await noteClues(db, tenant, document.id, clues);
  const read =
    model &&
    (await readByModel({ ...model, db }, tenant, { id: document.id, input, layout }, await directoryOfTenant(db.query, tenant), options));
  await noteClues(db, tenant, document.id, [...clues, ...(read?.clues ?? [])]);
  const found = await mentionsIn(db, tenant, document, passages, layout.saidAt, beat);
  if (read) addToFound(found, read, passages);
  return found;
}

async function mentionsIn(
  db: Database,
  tenant: string,
  document: DocumentRow,
  passages: readonly PassageRow[],
  saidAt: string,
  beat: () => void,
): Promise<Found> {
  const directory = await directoryOfTenant(db.query, tenant);
  const names = namesHash(directory, documentInput(document, passages));
  const found: Found = { id: document.id, saidAt, directory: directory.version, names, mentions: [], assertions: [] };
  const types = typesIn(directory);
  const featuresKnown = featureKeys(directory) !== null;
  for (let from = 0; from < passages.length; from += passagesAtOnce) {
    const slice = passages.slice(from, from + passagesAtOnce);
    const input = {
      passages: documentInput(document, slice).passages,
      documentTitle: document.title,
      saidAt,
      sourceType: document.type,
      featuresKnown,
      ...wholeDocument(givenOf(document)),
    };
    const extracted =
      document.type === 'episode_json'
        ? extractJson(input.passages)
        : extract({ ...input, known: await knownTypes(db, tenant, candidateKeys(input), { types, featuresKnown }) });
    const base = found.mentions.length;
    for (const mention of extracted.mentions) found.mentions.push({ mention, chunk: slice[mention.passage]!.id });
    for (const assertion of extracted.assertions) {
      const { subject, object } = assertion;
      found.assertions.push({
        assertion: { ...assertion, subject: base + subject, object: object === null ? null : base + object },
        chunk: slice[assertion.passage]!.id,
      });
    }
    beat();
    // Yield to the event loop: this process also serves claims.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
}

/**
 * Writes the results of documents that are still active and not done by another worker.
 * @returns mentions
 */
async function write(query: Query, tenant: string, batch: readonly Found[], again: boolean): Promise<number> {
  const ids = batch.map((each) => each.id);
  const done = await query<{ id: string; extractor: string | null }>(
    `select id, extractor from documents where tenant_id = $1 and id = any($2) and status = 'active' and graph is not null`,
    [tenant, ids],
  );
  const anew = done.filter(({ extractor }) => again || extractor !== extractorId).map((row) => row.id);
  if (anew.length > 0) {
    await lockGraph(query, tenant);
    await forgetDocuments(query, tenant, anew, { keep: true });
  }
  // Of two concurrent writers the second finds the work done.
  const mine = await query<{ id: string }>(
    `with open as (select id from documents where tenant_id = $1 and id = any($3) and status = 'active' and graph is null order by id for no key update)
     update documents d set graph = 'extracted', extractor = $2, said_at = r."saidAt", extracted_directory = r.directory, extracted_names = r.names
     from open join jsonb_to_recordset($4::jsonb) as r(id text, "saidAt" timestamptz, directory text, names text) on r.id = open.id
     where d.tenant_id = $1 and d.id = open.id returning d.id`,
    [tenant, extractorId, ids, JSON.stringify(batch.map(({ id, saidAt, directory, names }) => ({ id, saidAt, directory, names })))],
  );
  const wanted = new Set(mine.map((row) => row.id));
  const open = batch.filter((each) => wanted.has(each.id));
  await insertFound(query, tenant, open);
  return open.reduce((sum, each) => sum + each.mentions.length, 0);
}

async function insertFound(query: Query, tenant: string, batch: readonly Found[]): Promise<void> {
  const ids = new Map<string, string>();
  const keyOf = (chunk: string, { start, end, type, surface }: Mention): string => [chunk, start, end, type, nameKey(surface)].join('|');
  const rows = batch.flatMap(({ id, mentions }) =>
    mentions.map(({ mention, chunk }) => ({
      document: id,
      chunk,
      start: mention.start,
      end: mention.end,
      surface: clean(mention.surface).slice(0, 500),
      type: mention.type,
      key: nameKey(mention.surface),
      certain: mention.certain,
      confidence: mention.confidence,
      origin: mention.origin,
    })),
  );
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const written = await query<{ id: string; chunk_id: string; start_at: number; end_at: number; type: string; key: string }>(
      `insert into entity_mentions (tenant_id, document_id, chunk_id, start_at, end_at, surface, type, key, certain, confidence, origin)
       select $1, r.document, r.chunk, r.start, r."end", r.surface, r.type, r.key, r.certain, r.confidence, r.origin
       from jsonb_to_recordset($2::jsonb) as r(document text, chunk bigint, start int, "end" int, surface text, type text, key text, certain boolean, confidence real, origin text)
       where r.key <> '' on conflict do nothing returning id::text, chunk_id::text, start_at, end_at, type, key`,
      [tenant, JSON.stringify(rows.slice(from, from + rowsAtOnce))],
    );
    for (const row of written) ids.set([row.chunk_id, row.start_at, row.end_at, row.type, row.key].join('|'), row.id);
  }
  const assertions = batch.flatMap(({ id, saidAt, mentions, assertions: said }) =>
    said.flatMap(({ assertion, chunk }) => {
      const idOf = (index: number): string | undefined => ids.get(keyOf(mentions[index]!.chunk, mentions[index]!.mention));
      const subject = idOf(assertion.subject);
      const object = assertion.object === null ? null : idOf(assertion.object);
      if (subject === undefined || object === undefined) return [];
      const value = object === null ? clean(assertion.value ?? '').slice(0, 500) : null;
      if (value === '') return [];
      return [{ ...assertion, document: id, saidAt, chunk, subject, object, value, statement: clean(assertion.statement).slice(0, 500) }];
    }),
  );
  for (let from = 0; from < assertions.length; from += rowsAtOnce) {
    await query(
      `insert into graph_assertions (tenant_id, document_id, chunk_id, start_at, end_at, subject_mention, predicate, object_mention, object_text,
         statement, exclusive, valid_from, valid_to, said_at, confidence, origin)
       select $1, r.document, r.chunk, r.start, r."end", r.subject, r.predicate, r.object, r.value, r.statement, r.exclusive, r."validFrom", r."validTo",
         r."saidAt", r.confidence, coalesce(r.origin, 'rules')
       from jsonb_to_recordset($2::jsonb) as r(document text, chunk bigint, start int, "end" int, subject bigint, predicate text, object bigint, value text,
         statement text, exclusive boolean, "validFrom" timestamptz, "validTo" timestamptz, "saidAt" timestamptz, confidence real, origin text)`,
      [tenant, JSON.stringify(assertions.slice(from, from + rowsAtOnce))],
    );
  }
}

/** Types of known names: that of the directory first, then those with most evidence. */
async function knownTypes(
  db: Database,
  tenant: string,
  keys: readonly string[],
  { types, featuresKnown }: { types: ReadonlyMap<string, string>; featuresKnown: boolean },
): Promise<Map<string, string[]>> {
  if (keys.length === 0) return new Map();
  const rows = await db.query<{ key: string; type: string }>(
    `select a.key, a.type from entity_aliases a join entities e on e.tenant_id = a.tenant_id and e.id = a.entity_id
     where a.tenant_id = $1 and a.key = any($2) and e.certain
       and (not $3 or a.type <> 'feature' or ${vouched}) order by e.signal_count desc, e.id`,
    [tenant, keys, featuresKnown],
  );
  const known = new Map<string, string[]>();
  for (const { key, type } of rows) known.set(key, [...(known.get(key) ?? []), type]);
  // One type: a name of the directory is that, whatever else it was taken for.
  for (const key of keys) if (types.has(key)) known.set(key, [types.get(key)!]);
  return known;
}

/** Statements about the whole document from its submission. */
function wholeDocument(about: Record<string, unknown>): Pick<ExtractionInput, 'customer' | 'participants'> {
  const { customer, participants } = about;
  return {
    ...(typeof customer === 'string' && customer.trim() !== '' ? { customer } : {}),
    ...(Array.isArray(participants) ? { participants: participants.filter((each) => typeof each === 'string') } : {}),
  };
}

/** Date of the document: from the submission, else from the content, else the time of arrival. */
function saidAtOf(document: DocumentRow): string {
  const { found, created_at } = document;
  for (const date of [givenOf(document)['date'], found['date'], found['created_at'], found['created']]) {
    const parsed = typeof date === 'string' ? new Date(date) : null;
    // A plausible range of years.
    if (parsed && parsed.getTime() > Date.UTC(1800, 0) && parsed.getTime() < Date.UTC(2200, 0)) return parsed.toISOString();
  }
  return created_at.toISOString();
}

const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed();
