/** How long one tenant's single line waits while another tenant ingests 200 MB, compared with the same line alone. */
import { cpSync, createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Job } from '../../contracts/jobs.ts';
import { thinCaller, type Caller } from '../clients.ts';
import { eventually, type Context } from '../context.ts';
import { readCorpus } from '../corpus.ts';
import type { Section } from '../report.ts';
import { spread, timed } from '../stats.ts';

/** Goal for the median of a line during another tenant's ingestion, in seconds. */
const medianGoal = 5;
const singleFiles = 4;
const folderFiles = 40;

export async function measureFair(context: Context): Promise<Section> {
  const corpus = readCorpus(context.dataDir, 2_000, 4);
  const title = 'Fair shares';
  if (!corpus) return { title, lines: [], notes: ['Not measured: the development data is not here (--data FOLDER names it).'] };
  const texts = corpus.documents.map(({ text }) => text);
  const { runtime, files } = context.stack;
  const key = (tenant: string): Promise<string> => context.stack.key({ tenant, role: 'admin', name: 'archivist' });
  const large = thinCaller(runtime.mcp, await key('fair-large'));
  const small = thinCaller(runtime.mcp, await key('fair-small'));

  context.say('writing the files of the large tenant');
  const megabytes = context.quick ? 40 : 200;
  const folder = join(files, 'fair', 'folder');
  mkdirSync(folder, { recursive: true });
  const share = (megabytes * 0.8) / singleFiles;
  for (let i = 0; i < singleFiles; i += 1) await write(join(files, 'fair', `large-${i}.txt`), texts, share, i);
  for (let i = 0; i < folderFiles; i += 1) await write(join(folder, `part-${i}.txt`), texts, (megabytes * 0.2) / folderFiles, 100 + i);
  const real = join(context.dataDir, '5-files');
  if (existsSync(real)) cpSync(real, join(folder, 'real'), { recursive: true });

  const rounds = context.quick ? 4 : 10;
  const line = async (name: string): Promise<number> => (await timed(() => takeIn(small, name))) / 1000;
  try {
    // Loads models and parsers before the measurement.
    await takeIn(small, 'Warm-up');
    await takeIn(large, 'Warm-up');
    const alone: number[] = [];
    for (let i = 0; i < rounds; i += 1) alone.push(await line(`Alone ${i}`));

    context.say('the large tenant begins');
    const given = [
      ...Array.from({ length: singleFiles }, (_, i) => ({ file_path: join(files, 'fair', `large-${i}.txt`) })),
      { file_path: folder },
    ];
    const jobs = await Promise.all(given.map((args) => large.ok<{ job_id: string }>('ingest.document.submit', args)));
    const beside: number[] = [];
    const from = performance.now();
    for (let i = 0; i < rounds; i += 1) {
      // The first half runs while the files are read, the second half while they are indexed.
      if (i === rounds / 2) await eventually('the large tenant is indexing', () => indexing(large, jobs), 600_000);
      beside.push(await line(`Beside ${i}`));
      context.say(`line ${i + 1} of ${rounds} beside: ${beside.at(-1)!.toFixed(1)} s`);
    }
    const took = (performance.now() - from) / 1000;
    const states = await Promise.all(jobs.map(({ job_id }) => large.ok<{ job: Job }>('system.job.get', { job_id })));
    const running = states.filter(({ job }) => job.status === 'running' || job.status === 'queued').length;
    const passages = states.reduce((sum, { job }) => sum + Number(job.progress['done'] ?? 0), 0);
    await Promise.all(jobs.map(({ job_id }) => large.call('system.job.cancel', { job_id })));

    const [product, floor] = [spread(beside), spread(alone)];
    const seconds = ({ p50, max }: { p50: number; max: number }): string => `${p50.toFixed(2)} / ${max.toFixed(2)} s`;
    return {
      title: `${title} (one line of a tenant while another takes in ${megabytes} MB; median and worst of ${rounds})`,
      lines: [
        {
          path: 'ingest.document.submit of one line, until it is searchable and in the graph',
          product: seconds(product),
          floor: seconds(floor),
          ratio: product.p50 / floor.p50,
          goal: `median ≤ ${medianGoal} s`,
          met: product.p50 <= medianGoal,
          figures: { beside, alone },
        },
      ],
      notes: [
        'Floor: the same with nobody else there.',
        `When the last line was in, ${took.toFixed(0)} s after the first began, ${running} of the ${jobs.length} jobs of the large tenant were under way (${passages} passages and files done).`,
      ],
    };
  } finally {
    await Promise.all([large.close(), small.close()]);
  }
}

async function indexing(caller: Caller, jobs: readonly { job_id: string }[]): Promise<boolean> {
  const states = await Promise.all(jobs.map(({ job_id }) => caller.ok<{ job: Job }>('system.job.get', { job_id })));
  return states.some(({ job }) => Number(job.progress['done'] ?? 0) > 0);
}

/** Ingests and waits for the end. */
async function takeIn(caller: Caller, name: string): Promise<void> {
  const { job_id } = await caller.ok<{ job_id: string }>('ingest.document.submit', {
    title: name,
    content: `${name}: the export to PDF shows an empty page since the last release.`,
  });
  await eventually(
    `${name} is taken in`,
    async () => {
      const { job } = await caller.ok<{ job: Job }>('system.job.get', { job_id, wait_seconds: 10 });
      if (job.status === 'failed' || job.status === 'cancelled') throw new Error(`It ended as ${job.status}: ${JSON.stringify(job.error)}`);
      return job.status === 'completed';
    },
    600_000,
  );
}

/** Reviews in rotation, each made unique. */
async function write(path: string, texts: readonly string[], megabytes: number, seed: number): Promise<void> {
  const file = createWriteStream(path);
  let bytes = 0;
  for (let i = 0; bytes < megabytes * 1024 * 1024; i += 1) {
    const piece = `Case ${seed}-${i}. ${texts[(i * 7 + seed) % texts.length]}\n\n`;
    bytes += Buffer.byteLength(piece);
    if (!file.write(piece)) await once(file, 'drain');
  }
  file.end();
  await finished(file);
}
