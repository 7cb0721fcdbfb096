/** Ingestion and search, compared with bare parse + embed + insert and bare embed + SQL. */
import { createLocalEmbedder, type Embedder } from '../../adapters/models/embedder.ts';
import { parse } from '../../adapters/parsers/index.ts';
import { chunk } from '../../engines/retrieval/chunking.ts';
import { thinCaller, type Caller } from '../clients.ts';
import { eventually, type Context } from '../context.ts';
import { readCorpus } from '../corpus.ts';
import { bareKnowledge } from '../floor/knowledge.ts';
import { ms, rate, spreadText, type Section } from '../report.ts';
import { median, spread, takeTurns, timed } from '../stats.ts';

/** Characters of a passage: small, so that embedding a few thousand takes minutes, not an hour. */
const chunkSize = 300;
const searchGoal = 1.5;
const ingestGoal = 0.7;

export async function measureKnowledge(context: Context): Promise<Section> {
  const [documents, perDocument, rounds] = context.quick ? [6, 40, 2] : [40, 75, 5];
  const corpus = readCorpus(context.dataDir, documents, perDocument);
  const model = context.stack.modelDir;
  const skipped = !corpus ? 'the development data is not here (--data FOLDER names it)' : !model ? 'there is no embedding model' : null;
  if (!corpus || !model) return { title: 'Knowledge', lines: [], notes: [`Not measured: ${skipped}.`] };

  const { runtime } = context.stack;
  const thin = thinCaller(runtime.mcp, await context.stack.key({ tenant: 'knowledge', role: 'admin', name: 'librarian' }));
  const embedder = createLocalEmbedder({ dir: model });
  const bare = await bareKnowledge(runtime.database_owner_url);
  try {
    // Loads both models before the measurement.
    await submit(thin, { title: 'Warm-up', text: 'Nothing of note.' });
    await embedder.embed(['Nothing of note.']);
    const rates = { product: [] as number[], floor: [] as number[] };
    let chunks = 0;
    const share = corpus.documents.length / rounds;
    for (let round = 0; round < rounds; round += 1) {
      const batch = corpus.documents.slice(Math.round(round * share), Math.round((round + 1) * share));
      let productChunks = 0;
      let floorChunks = 0;
      const sides = {
        product: async () => void (productChunks = await ingestProduct(thin, batch)),
        floor: async () => {
          for (const document of batch) floorChunks += await bareIngest(embedder, bare.insert, document);
        },
      };
      const order = round % 2 === 0 ? (['product', 'floor'] as const) : (['floor', 'product'] as const);
      const took = { product: 0, floor: 0 };
      for (const side of order) took[side] = await timed(sides[side]);
      rates.product.push((productChunks * 1000) / took.product);
      rates.floor.push((floorChunks * 1000) / took.floor);
      chunks += productChunks;
      context.say(`ingest, round ${round + 1}: product ${rate(rates.product.at(-1)!)}, floor ${rate(rates.floor.at(-1)!)}`);
    }
    const search = await searches(context, thin, embedder, bare.search, corpus.queries);
    const [product, floor] = [median(rates.product), median(rates.floor)];
    return {
      title: `Knowledge (${chunks} chunks)`,
      lines: [
        {
          path: 'ingest.document.submit, chunks until searchable',
          product: rate(product),
          floor: rate(floor),
          ratio: product / floor,
          goal: `≥ ×${ingestGoal}`,
          met: product / floor >= ingestGoal,
          figures: { product: rates.product, floor: rates.floor, chunks },
        },
        {
          path: 'index.chunk.search, hybrid, 10 hits',
          product: spreadText(search.product),
          floor: `p50 ${ms(search.floor.p50)} ms`,
          ratio: search.product.p50 / search.floor.p50,
          goal: `p50 ≤ ×${searchGoal}`,
          met: search.product.p50 / search.floor.p50 <= searchGoal,
          figures: search,
        },
      ],
      notes: [
        'Floor of ingest: parse, chunk, embed one by one and insert with the vector index, in one process; no postings, no jobs, no durability.',
        'Floor of search: the query embedded, then one statement each for words and vectors, and the texts of ten hits.',
      ],
    };
  } finally {
    await thin.close();
    await embedder.close();
    await bare.close();
  }
}

interface Document {
  title: string;
  text: string;
}

async function ingestProduct(thin: Caller, batch: Document[]): Promise<number> {
  const counts = await Promise.all(batch.map((document) => submit(thin, document)));
  return counts.reduce((sum, count) => sum + count, 0);
}

interface Job {
  status: string;
  result: { chunk_count: number } | null;
}

/** Submits and waits until it can be searched. @returns its chunks */
async function submit(thin: Caller, { title, text }: Document): Promise<number> {
  const first = await thin.ok<{ job_id: string; status: string; chunk_count?: number }>(
    'ingest.document.submit',
    { title, content: text, chunk_size: chunkSize },
    { timeoutMs: 120_000 },
  );
  if (first.status === 'completed') return first.chunk_count ?? 0;
  const job = await eventually(
    `${title} is ingested`,
    async () => {
      const { job: now } = await thin.ok<{ job: Job }>('system.job.get', { job_id: first.job_id, wait_seconds: 30 });
      if (now.status === 'failed' || now.status === 'cancelled') throw new Error(`${title}: the ingestion is ${now.status}`);
      return now.status === 'completed' && now;
    },
    600_000,
  );
  return job.result?.chunk_count ?? 0;
}

async function bareIngest(
  embedder: Embedder,
  insert: (text: string, vector: Float32Array) => Promise<void>,
  document: Document,
): Promise<number> {
  const parsed = await parse({ bytes: Buffer.from(document.text) });
  const chunks = chunk(parsed, { size: chunkSize });
  for (const { text } of chunks) {
    const [vector] = await embedder.embed([text], { priority: 'batch' });
    await insert(text, vector!);
  }
  return chunks.length;
}

async function searches(
  context: Context,
  thin: Caller,
  embedder: Embedder,
  search: (query: string, vector: Float32Array) => Promise<unknown[]>,
  queries: string[],
) {
  const next = { product: 0, floor: 0 };
  const query = (side: 'product' | 'floor'): string => queries[next[side]++ % queries.length]!;
  const times = await takeTurns(
    {
      product: async () => {
        const { hits } = await thin.ok<{ hits: unknown[] }>('index.chunk.search', { query: query('product') });
        if (hits.length === 0) throw new Error('a search found nothing');
      },
      floor: async () => {
        const text = query('floor');
        const [vector] = await embedder.embed([text], { priority: 'query' });
        if ((await search(text, vector!)).length === 0) throw new Error('a bare search found nothing');
      },
    },
    context.quick ? { rounds: 4, block: 10, warmUp: 20 } : { rounds: 12, block: 20, warmUp: 40 },
  );
  return { product: spread(times.product), floor: spread(times.floor) };
}
