/** Ingestion of a folder with many files, compared with only embedding the same passages; and the memory in use meanwhile. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEmbedders, type Embedder } from '../../adapters/models/embedder.ts';
import { parse } from '../../adapters/parsers/index.ts';
import type { Job } from '../../contracts/jobs.ts';
import { chunk } from '../../engines/retrieval/chunking.ts';
import { thinCaller } from '../clients.ts';
import type { Context } from '../context.ts';
import { readCorpus } from '../corpus.ts';
import { CpuMeter, memoryOf, stackPids, type Memory } from '../processes.ts';
import { rate, type Section } from '../report.ts';

const speedGoal = 0.8;
const memoryGoal = 1.2;
/** Reviews per file: one passage, sometimes two. */
const perFile = 4;

export async function measureIngest(context: Context): Promise<Section> {
  const files = context.quick ? 400 : 2_000;
  const corpus = readCorpus(context.dataDir, files, perFile);
  const model = context.stack.modelDir;
  const skipped = !corpus ? 'the development data is not here (--data FOLDER names it)' : !model ? 'there is no embedding model' : null;
  if (!corpus || !model) return { title: 'Ingest of a folder', lines: [], notes: [`Not measured: ${skipped}.`] };

  const folder = join(context.stack.files, 'reviews');
  mkdirSync(folder, { recursive: true });
  for (const [i, { text }] of corpus.documents.entries()) writeFileSync(join(folder, `review-${String(i).padStart(5, '0')}.txt`), text);

  const { runtime } = context.stack;
  const thin = thinCaller(runtime.mcp, await context.stack.key({ tenant: 'ingest', role: 'admin', name: 'archivist' }));
  const embedder = createEmbedders(model, context.stack.config.EMBEDDING_PROCESSES);
  try {
    // Loads both models before the measurement.
    await thin.ok('ingest.document.submit', { title: 'Warm-up', content: 'Nothing of note.' });
    await embedder.embed(Array.from({ length: 8 }, () => 'Nothing of note.'));
    const before = await bare(embedder, corpus.documents.slice(0, context.quick ? 100 : 250));

    const pids = Object.fromEntries(Object.entries(runtime.pids).filter(([name]) => name === 'worker' || name === 'postgres'));
    const samples: { done: number; memory: number }[] = [];
    const meter = new CpuMeter(stackPids(runtime));
    const began = performance.now();
    let job!: Job;
    await meter.around('run', async () => {
      const { job_id } = await thin.ok<{ job_id: string }>('ingest.document.submit', { file_path: folder, kb_id: 'reviews' });
      do {
        ({ job } = await thin.ok<{ job: Job }>('system.job.get', { job_id, wait_seconds: 2 }));
        samples.push({ done: Number(job.progress['done'] ?? 0), memory: pss(memoryOf(pids)) });
      } while (job.status === 'queued' || job.status === 'running');
    });
    const seconds = (performance.now() - began) / 1000;
    if (job.status !== 'completed') throw new Error(`The run ended as ${job.status}: ${JSON.stringify(job.error)}`);
    const passages = Number(job.result?.['chunk_count']);
    const after = await bare(embedder, corpus.documents.slice(-(context.quick ? 100 : 250)));
    const floor = (before + after) / 2;
    const product = passages / seconds;

    const early = samples.filter(({ done }) => done <= 200).map(({ memory }) => memory);
    const first = Math.max(...(early.length > 0 ? early : [samples[0]!.memory]));
    const most = Math.max(...samples.map(({ memory }) => memory));
    const mb = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
    return {
      title: `Ingest of a folder (${files} files, ${passages} passages, ${(files / seconds).toFixed(1)} files/s)`,
      lines: [
        {
          path: 'ingest.document.submit of the folder, passages until searchable',
          product: rate(product),
          floor: rate(floor),
          ratio: product / floor,
          goal: `≥ ×${speedGoal}`,
          met: product / floor >= speedGoal,
          figures: { product, floor: [before, after], passages, seconds },
        },
        {
          path: 'memory of worker and Postgres, most over that of the first 200 files',
          product: mb(most),
          floor: mb(first),
          ratio: most / first,
          goal: `≤ ×${memoryGoal}`,
          met: most / first <= memoryGoal,
          figures: { samples },
        },
      ],
      notes: [
        'Floor: the same passages, parsed and cut beforehand, through the same model in as many processes with nothing else to do; before and after.',
        `Processor milliseconds a passage: ${meter.perCall('run', passages).text}.`,
      ],
    };
  } finally {
    await embedder.close();
    await thin.close();
  }
}

const pss = (parts: Record<string, Memory>): number => Object.values(parts).reduce((sum, part) => sum + part.pss, 0);

/** Passages per second. */
async function bare(embedder: Embedder, documents: readonly { text: string }[]): Promise<number> {
  const texts: string[] = [];
  for (const { text } of documents) {
    const parsed = await parse({ bytes: Buffer.from(text), filename: 'review.txt' });
    texts.push(...chunk(parsed).map((each) => (each.title ? `${each.title}\n${each.text}` : each.text)));
  }
  const began = performance.now();
  await embedder.embed(texts, { priority: 'batch' });
  return (texts.length * 1000) / (performance.now() - began);
}
