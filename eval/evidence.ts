/**
 * Hands a gold corpus in as a person would (one folder, no metadata) and reads back what the product understood, by
 * its public tools over MCP.
 */
import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { basename, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { thinCaller, type Caller } from '../bench/clients.ts';
import { startStack, type BenchStack } from '../bench/stack.ts';
import type { Job } from '../contracts/jobs.ts';
import { tones } from '../contracts/signals/signals.ts';
import type { Gold } from './evidence-gold.ts';
import type { Found, FoundEntity } from './evidence-score.ts';

export interface Handed {
  /** Of a tenant with this corpus alone. */
  caller: Caller;
  found: Found[];
  entities: FoundEntity[];
  /** Until everything was read. */
  seconds: number;
}

/** The whole product, which may read the corpora's files where they are. */
export const startWith = (dirs: readonly string[], say: (line: string) => void): Promise<BenchStack> =>
  startStack({ env: { INGEST_ROOTS: dirs.map((dir) => resolve(dir, 'files')).join(',') }, onProgress: say });

/** As one folder, or file by file, transcripts by their own tool. */
export type Handing = 'folder' | 'files';

export async function handIn(stack: BenchStack, gold: Gold, dir: string, by: Handing, say: (line: string) => void): Promise<Handed> {
  const caller = thinCaller(stack.runtime.mcp, await stack.key({ tenant: `eval-${basename(dir)}` }));
  const started = performance.now();
  for (const job_id of await submitted(caller, gold, resolve(dir, 'files'), by)) {
    const job = await ended(caller, job_id);
    if (job.status !== 'completed') throw new Error(`"${job.title}" ended ${job.status}: ${job.error?.message ?? 'no reason given'}`);
  }
  await readAgain(caller);
  const seconds = (performance.now() - started) / 1000;
  say(`${basename(dir)}: read in ${seconds.toFixed(1)} s`);
  const found = (await all(caller, 'signal.record.search', 'signals')).map((each) => foundOf(signal.parse(each)));
  const entities = (await all(caller, 'entity.record.list', 'entities')).map((each) => listed.parse(each));
  return { caller, found, entities, seconds };
}

/** @returns ids of the jobs */
async function submitted(caller: Caller, gold: Gold, folder: string, by: Handing): Promise<string[]> {
  const given = (file: string): [string, object] => {
    const file_path = join(folder, file);
    if (!/transcript/.test(gold.kinds.get(file) ?? '')) return ['ingest.document.submit', { file_path }];
    return ['ingest.transcript.submit', { file_path, title: basename(file, extname(file)) }];
  };
  const calls = by === 'folder' ? [['ingest.document.submit', { file_path: folder }] as const] : readdirSync(folder).sort().map(given);
  const jobs: string[] = [];
  for (const [tool, args] of calls) jobs.push((await caller.ok<{ job_id: string }>(tool, args, { timeoutMs: 120_000 })).job_id);
  return jobs;
}

async function ended(caller: Caller, job_id: string): Promise<Job> {
  for (;;) {
    const { job } = await caller.ok<{ job: Job }>('system.job.get', { job_id, wait_seconds: 30 });
    if (!['queued', 'running'].includes(job.status)) return job;
  }
}

/** Waits until no document is to be read again because names became known. */
async function readAgain(caller: Caller): Promise<void> {
  // Versions without readings read everything once.
  if ((await caller.call('system.tool.describe', { name: 'signal.reading.get' })).error) return;
  const sources = (await all(caller, 'knowledge.source.list', 'sources')).map((each) => z.object({ id: z.string() }).parse(each).id);
  const until = performance.now() + 300_000;
  for (const id of sources) {
    for (;;) {
      const answer = await caller.call<{ pending: boolean }>('signal.reading.get', { id });
      // A document may have nothing to read.
      if (answer.error || !answer.data.pending) break;
      if (performance.now() > until) throw new Error('Documents are still waiting to be read again.');
      await setTimeout(200);
    }
  }
}

/** Every page of a list. */
async function all(caller: Caller, tool: string, field: string): Promise<unknown[]> {
  const items: unknown[] = [];
  let cursor: string | undefined;
  do {
    const answer = await caller.call<Record<string, unknown[]>>(tool, { limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    if (answer.error) throw new Error(`${tool}: ${answer.error.code} ${answer.error.message}`);
    items.push(...answer.data[field]!);
    cursor = page.parse(answer).metadata.next_cursor;
  } while (cursor !== undefined);
  return items;
}

const page = z.object({ metadata: z.object({ next_cursor: z.string().optional() }) });
const listed = z.object({ name: z.string(), type: z.string(), aliases: z.array(z.string()) });
const signal = z.object({
  signal_id: z.string(),
  title: z.string(),
  snippet: z.string(),
  occurred_at: z.string(),
  class: z.string(),
  sentiment: z.number(),
  severity: z.string(),
  url: z.string().nullable(),
  customers: z.array(z.string()),
  features: z.array(z.string()),
  group_id: z.string(),
  // What older versions do not tell.
  competitors: z.array(z.string()).default([]),
  tone: z.enum(tones).nullish(),
  state: z.string().optional(),
  side: z.string().nullish(),
  refers_to: z.object({ signal_id: z.string(), as: z.string().optional() }).nullish(),
});

const foundOf = (each: z.infer<typeof signal>): Found => ({
  file: each.url === null ? each.title : basename(fileURLToPath(each.url)),
  text: each.snippet,
  class: each.class,
  severity: each.severity,
  sentiment: each.tone ?? toneOf(each.sentiment),
  // A statement is one customer's: several names are a wrong answer, like none.
  customer: each.customers.length === 0 ? null : each.customers.join(' + '),
  features: each.features,
  competitors: each.competitors,
  state: each.state ?? null,
  side: each.side ?? null,
  date: each.occurred_at.slice(0, 10),
  id: each.signal_id,
  group: each.group_id,
  refersTo: each.refers_to?.signal_id ?? null,
  refersAs: each.refers_to?.as ?? null,
});

/** The tone of a sentiment, for versions that tell only the number. */
const toneOf = (sentiment: number): string => (sentiment > 0.2 ? 'positive' : sentiment < -0.2 ? 'negative' : 'neutral');
