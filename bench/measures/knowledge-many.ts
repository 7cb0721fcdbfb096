/** Ten concurrent searches of a large collection, compared with embedding + one statement for vectors + words in memory. */
import { availableParallelism } from 'node:os';
import pg from 'pg';
import { pino } from 'pino';
import { createEmbedders, type Embedder } from '../../adapters/models/embedder.ts';
import { keepingQueries } from '../../adapters/models/kept-queries.ts';
import { openDatabase, type Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { pgvector } from '../../adapters/vectors/pgvector.ts';
import { LexicalIndexes } from '../../services/knowledge/lexical.ts';
import { ScopeIndex } from '../../engines/retrieval/lexical-index.ts';
import { loadInto } from '../../services/knowledge/lexical-load.ts';
import { score } from '../../engines/retrieval/lexical-score.ts';
import { activeDocuments, look } from '../../services/knowledge/lexical-sql.ts';
import { queryTerms } from '../../services/knowledge/rules.ts';
import { KnowledgeSearch } from '../../services/knowledge/search.ts';
import { terms } from '../../engines/retrieval/terms.ts';
import { Trajectories } from '../../services/knowledge/trajectories.ts';
import { eventually, type Context } from '../context.ts';
import { CpuMeter, helperPids } from '../processes.ts';
import { ms, spreadText, type Section } from '../report.ts';
import { each, spread, timed, type Spread } from '../stats.ts';
import { makeCollection, type MadeCollection } from './knowledge-collection.ts';

const tenant = 'made';
const clients = 10;
const goal = 50;
/** The number of queries that repeating callers use. */
const repeated = 50;

export async function measureSearch(context: Context): Promise<Section> {
  const title = 'Search of a large collection';
  const dir = context.stack.modelDir;
  if (!dir) return { title, lines: [], notes: ['Not measured: there is no embedding model.'] };
  const { runtime } = context.stack;
  const embedder = createEmbedders(dir, context.stack.config.EMBEDDING_PROCESSES);
  const db = await openDatabase(runtime.database_url, { max: 16 });
  try {
    const chunks = context.quick ? 20_000 : 100_000;
    const made = await makeCollection(runtime.database_owner_url, { tenant, chunks, embedder }, (line) => context.say(line));
    return await measure(context, { db, embedder, made, ownerUrl: runtime.database_owner_url, title });
  } finally {
    await db.close();
    await embedder.close();
  }
}

interface Subject {
  db: Database;
  embedder: Embedder;
  made: MadeCollection;
  ownerUrl: string;
  title: string;
}

async function measure(context: Context, { db, embedder, made, ownerUrl, title }: Subject): Promise<Section> {
  const log = pino({ level: 'warn' });
  const words = new LexicalIndexes(db, { maxMb: 512, log });
  const shared = {
    db,
    embedder: keepingQueries(embedder),
    vectors: pgvector,
    reranker: null,
    trajectories: new Trajectories({ db, log }),
    words,
  };
  const search = new KnowledgeSearch({ ...shared, cache: { ttlSeconds: 3_600, maxMb: 100 } });
  const keeping = new KnowledgeSearch({ ...shared, cache: { ttlSeconds: 3_600, maxMb: 100 } });
  const ask = async (of: KnowledgeSearch, query: string): Promise<void> => {
    const { hits } = await asTenant(tenant, () => of.chunks(tenant, { query, mode: 'hybrid', limit: 10, filters: { kb_id: made.kbId } }));
    if (hits.length === 0) throw new Error(`nothing was found for "${query}"`);
  };

  await embedder.embed(['warm']);
  const before = memory();
  const started = performance.now();
  const first = await timed(() => ask(search, made.queries[0]!));
  await eventually('the word index is there', async () => words.bytes > 0);
  const loaded = performance.now() - started;
  const after = memory();
  context.say(`index loaded in ${(loaded / 1000).toFixed(1)} s; the first search took ${ms(first)} ms`);

  const index = await bareIndex(db, made);
  const bare = new pg.Pool({ connectionString: ownerUrl, max: clients });
  let asked = 0;
  const next = (): string => made.queries[asked++ % made.queries.length]!;
  let postings = 0;
  let scoring = 0;
  const byWords = (query: string): void => {
    const wanted = queryTerms(terms(query));
    const from = performance.now();
    score([{ index: index.index, hidden: null }], {
      terms: wanted,
      chunks: made.chunks,
      averageTerms: index.averageTerms,
      limit: 100,
      sources: undefined,
      hasCode: undefined,
    });
    scoring += performance.now() - from;
    postings += countPostings(index.index, wanted);
  };
  const floor = async (): Promise<void> => {
    const query = next();
    const [vector] = await embedder.embed([query], { priority: 'query' });
    byWords(query);
    await nearest(bare, made, vector!);
  };
  try {
    const [rounds, block] = context.quick ? [3, 100] : [6, 200];
    const contenders = {
      plain: () => ask(search, next()),
      kept: () => ask(keeping, made.queries[asked++ % repeated]!),
      floor,
      embedding: () => embedder.embed([next()], { priority: 'query' }),
    };
    const names = Object.keys(contenders) as (keyof typeof contenders)[];
    const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<keyof typeof contenders, number[]>;
    for (const name of names) await each(2 * repeated, clients, contenders[name]);
    const { postgres } = context.stack.runtime.pids;
    const cpu = new CpuMeter({ caller: process.pid, ...(postgres ? { postgres } : {}), ...helperPids(context.stack.runtime) });
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < names.length; turn += 1) {
        const name = names[(turn + round) % names.length]!;
        await cpu.around(name, () => each(block, clients, async () => times[name].push(await timed(contenders[name]))));
      }
      context.say(`round ${round + 1} of ${rounds}: ${names.map((name) => `${name} ${ms(spread(times[name]).p95)}`).join(', ')} ms (p95)`);
    }
    const of = Object.fromEntries(names.map((name) => [name, spread(times[name])])) as Record<keyof typeof contenders, Spread>;
    const used = Object.fromEntries(names.map((name) => [name, cpu.perCall(name, rounds * block)]));
    const line = (path: string, product: Spread) => ({
      path,
      product: spreadText(product),
      floor: spreadText(of.floor),
      ratio: product.p95 / of.floor.p95,
      goal: `p95 ≤ ${goal} ms`,
      met: product.p95 <= goal,
      figures: { product, floor: of.floor, embedding: of.embedding, cpu: used },
    });
    const path = `search, ${made.chunks} chunks, ${clients} clients`;
    return {
      title: `${title} (${made.chunks} chunks of ${made.documents} documents, ${made.postings} postings)`,
      lines: [line(`${path}, queries never seen`, of.plain), line(`${path}, answers kept, ${repeated} questions`, of.kept)],
      notes: [
        'Made text: words of the documentation and made ones, drawn as in real text (Zipf), with topics; made vectors: noise around those of real passages.',
        `Processor time of one call in ms: never seen ${used.plain!.text}; answers kept ${used.kept!.text}; floor ${used.floor!.text}; embedding ${used.embedding!.text}. ` +
          `With ${clients} clients on ${availableParallelism()} processors, a call takes at least ${((clients * used.plain!.total) / availableParallelism()).toFixed(0)} ms on average, a floor ${((clients * used.floor!.total) / availableParallelism()).toFixed(0)} ms.`,
        'Product: the search service with the real embedder, in this process; vectors of queries are kept, but no query comes twice. Floor: the query embedded, one statement over the vector index, words scored in memory.',
        `Embedding the query alone, ${clients} at once, takes ${spreadText(of.embedding)}: each of its processes works on one text at a time.`,
        `Word index: ${(words.bytes / 1e6).toFixed(0)} MB (${(after.arrays - before.arrays).toFixed(0)} MB more in arrays, ${(after.rss - before.rss).toFixed(0)} MB more resident), ` +
          `loaded in ${(loaded / 1000).toFixed(1)} s; a search meanwhile took ${ms(first)} ms. Scoring: ${Math.round(postings / scoring)} postings/ms.`,
      ],
    };
  } finally {
    await bare.end();
  }
}

function memory(): { rss: number; arrays: number } {
  const { rss, arrayBuffers } = process.memoryUsage();
  return { rss: rss / 1e6, arrays: arrayBuffers / 1e6 };
}

/** The word index alone, for the floor. */
async function bareIndex(db: Database, { scope }: MadeCollection): Promise<{ index: ScopeIndex; averageTerms: number }> {
  return await asTenant(tenant, () =>
    db.transaction(async (query) => {
      await query('set transaction isolation level repeatable read, read only');
      const [seen] = await look(query, tenant, [{ scope, horizon: null }]);
      const index = new ScopeIndex(scope);
      await loadInto(query, tenant, index, seen!, await activeDocuments(query, tenant, scope));
      return { index, averageTerms: seen!.terms / seen!.chunks };
    }),
  );
}

function countPostings(index: ScopeIndex, wanted: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const term of wanted.keys()) {
    for (const segment of index.segments) {
      const number = segment.terms.get(term);
      if (number !== undefined) sum += segment.starts[number + 1]! - segment.starts[number]!;
    }
  }
  return sum;
}

async function nearest(pool: pg.Pool, { scope, chunks }: MadeCollection, vector: Float32Array): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query(
      `select id from chunks where scope = $1 and vector_dims(embedding) = 384
         order by embedding::halfvec(384) <=> $2::halfvec(384) limit 100`,
      [scope, `[${vector.join(',')}]`],
    );
    if (rows.length === 0 && chunks > 0) throw new Error('no vector was found');
  } finally {
    client.release();
  }
}
