/** A large collection written directly into the tables: generated text with the statistics of real text, and generated vectors. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Embedder } from '../../adapters/models/embedder.ts';
import { terms, termsVersion } from '../../engines/retrieval/terms.ts';

export interface MadeCollection {
  kbId: string;
  scope: number;
  chunks: number;
  documents: number;
  postings: number;
  /** A few words each, from passages of the collection. */
  queries: string[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const wordTypes = 120_000;
const wordsPerChunk = 140;
const chunksPerDocument = 20;
const documentsPerBatch = 25;
const dimensions = 384;

/** The same numbers in every run (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Words of the project's documentation, most frequent first, then generated ones: a vocabulary as large as that of large collections. */
function vocabulary(next: () => number): { words: string[]; passages: string[] } {
  const text = globSync(['*.md', 'docs/**/*.md'], { cwd: root })
    .sort()
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n\n');
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[a-z][a-z'-]*[a-z]/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word);
  const syllables =
    'ba be bi bo da del den dor fa fen gar hol ka kel kin lam lo mar mi mon na nor pel ra rin sa sol ta tem tor va ven'.split(' ');
  const known = new Set(words);
  while (words.length < wordTypes) {
    let word = '';
    for (let i = 2 + Math.floor(next() * 3); i > 0; i -= 1) word += syllables[Math.floor(next() * syllables.length)];
    // Every tenth is a ticket's number, as in teams' texts.
    if (next() < 0.1) word = `${word.slice(0, 4)}-${Math.floor(next() * 10_000)}`;
    if (!known.has(word)) words.push(word);
    known.add(word);
  }
  return { words, passages: text.split(/\n\n+/).filter((passage) => passage.length > 80) };
}

/** Draws ranks by the Zipf-Mandelbrot law of real text. */
function zipf(size: number, next: () => number): () => number {
  const sums = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank += 1) sums[rank] = sum += 1 / (rank + 2.7) ** 1.2;
  return () => {
    const wanted = next() * sum;
    let [low, high] = [0, size - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** @param embedder its vectors of real passages are the centres of the generated vectors */
export async function makeCollection(
  ownerUrl: string,
  { tenant, chunks, embedder }: { tenant: string; chunks: number; embedder: Embedder },
  say: (line: string) => void,
): Promise<MadeCollection> {
  const next = random(20_261_122);
  const { words, passages } = vocabulary(next);
  const draw = zipf(words.length, next);
  const termsOf = words.map((word) => terms(word));
  const centres: Float32Array[] = [];
  for (let i = 0; i < 200; i += 1)
    centres.push((await embedder.embed([passages[i % passages.length]!.slice(0, 400)], { priority: 'batch' }))[0]!);
  say(`${words.length} kinds of words, ${centres.length} centres`);

  const db = new pg.Client({ connectionString: ownerUrl });
  await db.connect();
  try {
    // Skips foreign key checks and builds the vector index at the end, because ingestion is not measured here.
    // An index whose graph does not fit into memory takes many times as long.
    const memory = Math.max(512, Math.ceil(chunks / 400));
    await db.query(
      `set session_replication_role = replica; set maintenance_work_mem = '${memory}MB'; drop index if exists chunks_vectors_384`,
    );
    await db.query("select set_config('app.tenant', $1, false)", [tenant]);
    const kbId = `made-${chunks}`;
    await db.query('insert into tenants (id) values ($1) on conflict do nothing', [tenant]);
    const { rows } = await db.query<{ scope: number }>(
      'insert into knowledge_bases (tenant_id, id, name) values ($1, $2, $2) returning scope',
      [tenant, kbId],
    );
    const scope = rows[0]!.scope;
    const documents = Math.ceil(chunks / chunksPerDocument);
    const queries: string[] = [];
    // The next batch is made while the last one is written.
    let written = Promise.resolve(0);
    for (let from = 0; from < documents; from += documentsPerBatch) {
      const batch: Made[] = [];
      for (let d = from; d < Math.min(documents, from + documentsPerBatch); d += 1) {
        await nextTurn();
        // A document has a topic: some words repeat in it.
        const topic = Array.from({ length: 40 }, draw);
        const centre = centres[Math.floor(next() * centres.length)]!;
        for (let ordinal = 0; ordinal < chunksPerDocument && d * chunksPerDocument + ordinal < chunks; ordinal += 1) {
          const picked = Array.from({ length: wordsPerChunk }, () => (next() < 0.3 ? topic[Math.floor(next() * topic.length)]! : draw()));
          batch.push({
            document: `doc_made_${chunks}_${d}`,
            source: `src_made_${chunks}_${d}`,
            ordinal,
            picked,
            vector: near(centre, next),
          });
        }
        // Two per document: a run asks no query twice.
        for (const { picked } of batch.slice(-2)) queries.push(questionOf(picked, words, termsOf, next));
      }
      const before = await written;
      written = write(db, { tenant, scope, kbId, model: embedder.id, words, termsOf }, batch).then((postings) => before + postings);
      // A failure is thrown by the next await.
      written.catch(() => {});
      if ((from / documentsPerBatch) % 40 === 39) say(`${(from + documentsPerBatch) * chunksPerDocument} of ${chunks} chunks`);
    }
    const postings = await written;
    say('building the vector index');
    await db.query(
      'create index chunks_vectors_384 on chunks using hnsw ((embedding::halfvec(384)) halfvec_cosine_ops) where vector_dims(embedding) = 384',
    );
    await db.query('vacuum analyze chunks, postings, documents, knowledge_sources');
    return { kbId, scope, chunks, documents, postings, queries };
  } finally {
    await db.end();
  }
}

interface Made {
  document: string;
  source: string;
  ordinal: number;
  /** Ranks of its words. */
  picked: number[];
  vector: string;
}

/** Three to nine words of a passage. People ask with specific words, so of two words the rarer one is taken. */
function questionOf(picked: number[], words: string[], termsOf: string[][], next: () => number): string {
  const telling = picked.filter((rank) => termsOf[rank]!.length > 0);
  const one = (): number => telling[Math.floor(next() * telling.length)]!;
  return Array.from({ length: 3 + Math.floor(next() * 7) }, () => words[Math.max(one(), one())]).join(' ');
}

/** A unit vector around a centre, as text; cosines to it are about 0.8. */
function near(centre: Float32Array, next: () => number): string {
  const values = Array.from(centre, (value) => value + ((next() + next() + next() - 1.5) * 1.5) / Math.sqrt(dimensions));
  const norm = Math.hypot(...values);
  return `[${values.map((value) => (value / norm).toFixed(4)).join(',')}]`;
}

interface Into {
  tenant: string;
  scope: number;
  kbId: string;
  /** The model to which the vectors are attributed. */
  model: string;
  words: string[];
  termsOf: string[][];
}

async function write(db: pg.Client, { tenant, scope, kbId, model, words, termsOf }: Into, made: Made[]): Promise<number> {
  const frequencies = made.map(({ picked }) => {
    const counts = new Map<string, number>();
    for (const rank of picked) for (const term of termsOf[rank]!) counts.set(term, (counts.get(term) ?? 0) + 1);
    return counts;
  });
  const lengths = frequencies.map((counts) => [...counts.values()].reduce((sum, tf) => sum + tf, 0));
  const documents = new Map<string, { source: string; chunks: number; terms: number }>();
  for (const [i, { document, source }] of made.entries()) {
    const known = documents.get(document) ?? { source, chunks: 0, terms: 0 };
    documents.set(document, { source, chunks: known.chunks + 1, terms: known.terms + lengths[i]! });
  }
  const ids = [...documents.keys()];
  const each = [...documents.values()];
  const sources = each.map(({ source }) => source);
  const counts = each.map((document) => document.chunks);
  await db.query('begin');
  await db.query(
    `insert into knowledge_sources (tenant_id, id, kb_id, identity, title, type, status, document_id, chunk_count)
     select $1, s.id, $2, s.id, s.id, 'text', 'active', s.document_id, s.chunks from unnest($3::text[], $4::text[], $5::int[]) s(id, document_id, chunks)`,
    [tenant, kbId, sources, ids, counts],
  );
  await db.query(
    `insert into documents (tenant_id, id, source_id, scope, content_hash, blob, format, title, status, revision, chunk_count, terms, terms_version)
     select $1, d.id, d.source, $2, d.id, d.id, 'text', d.id, 'active', 1, d.chunks, d.terms, ${termsVersion}
     from unnest($3::text[], $4::text[], $5::int[], $6::int[]) d(id, source, chunks, terms)`,
    [tenant, scope, ids, sources, counts, each.map((document) => document.terms)],
  );
  const { rows } = await db.query<{ id: string }>(
    `insert into chunks (tenant_id, scope, document_id, source_id, ordinal, body, place, end_place, terms, model, embedding)
     select $1, $2, c.document, c.source, c.ordinal, c.body, '{}', '{}', c.terms, $9, c.embedding::halfvec(384)
     from unnest($3::text[], $4::text[], $5::int[], $6::text[], $7::int[], $8::text[]) with ordinality c(document, source, ordinal, body, terms, embedding, n)
     order by n returning id`,
    [
      tenant,
      scope,
      made.map((chunk) => chunk.document),
      made.map((chunk) => chunk.source),
      made.map((chunk) => chunk.ordinal),
      made.map(({ picked }) => picked.map((rank) => words[rank]).join(' ')),
      lengths,
      made.map((chunk) => chunk.vector),
      model,
    ],
  );
  const of = { terms: [] as string[], chunks: [] as string[], tfs: [] as number[], dls: [] as number[] };
  for (const [i, found] of frequencies.entries()) {
    for (const [term, tf] of found) {
      of.terms.push(term);
      of.chunks.push(rows[i]!.id);
      of.tfs.push(tf);
      of.dls.push(lengths[i]!);
    }
  }
  await db.query(
    `insert into postings (tenant_id, scope, term, chunk_id, tf, dl) select $1, $2, p.* from unnest($3::text[], $4::bigint[], $5::real[], $6::int[]) p`,
    [tenant, scope, of.terms, of.chunks, of.tfs, of.dls],
  );
  await db.query('commit');
  return of.terms.length;
}
