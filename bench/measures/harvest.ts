/** A daily brief of many sources, some of them dead, slow or endless: how much they delay the others. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Brief, BriefSource } from '../../contracts/feeds/briefs.ts';
import type { Job } from '../../contracts/jobs.ts';
import { thinCaller } from '../clients.ts';
import { eventually, type Context } from '../context.ts';
import { memoryOf } from '../processes.ts';
import { spreadText, type Section } from '../report.ts';
import { spread } from '../stats.ts';

const sources = 200;
const articlesEach = 20;
/** Faults of the last sources. */
const bad = ['dead', 'dead', 'dead', 'hang', 'hang', 'hang', 'drip', 'drip', 'endless', 'endless'] as const;
/** The product's timeout of a feed in seconds, and the additional time that all may take together. */
const allowed = 30;
const goal = allowed * 1.1;

export async function measureHarvest(context: Context): Promise<Section> {
  const { stack } = context;
  const count = context.quick ? 60 : sources;
  const child = spawn(process.execPath, [fileURLToPath(new URL('../feeds.ts', import.meta.url)), String(articlesEach)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(line.toString().trim());
  const caller = thinCaller(stack.runtime.mcp, await stack.key({ tenant: 'harvest', kind: 'human', name: 'reader' }));
  try {
    context.say(`saving ${count} sources`);
    for (let n = 0; n < count; n += 1) {
      const how = bad[n - (count - bad.length)];
      // Each source has its own host, so that the limit per host does not distort the measurement.
      const host = `127.1.${Math.floor(n / 200)}.${1 + (n % 200)}`;
      const url = how === 'dead' ? `http://${host}:9009/${n}.xml` : `http://${host}:${port}/${n}.xml${how ? `?${how}` : ''}`;
      await caller.ok('feed.source.save', { feed_id: `house-${n}`, url });
    }
    const topics = [{ name: 'language model', keywords: ['AI'] }, { name: 'data breach' }];
    await caller.ok('authoring.brief.configure', { topics });

    context.say('running the brief');
    const worker = { worker: stack.runtime.pids['worker']! };
    const before = memoryOf(worker)['worker']!.rss;
    let most = before;
    let harvested = 0;
    const started = performance.now();
    const { job_id } = await caller.ok<{ job_id: string }>('authoring.brief.run', { notify: false });
    const job = await eventually(
      'the brief is made',
      async () => {
        const { job: now } = await caller.ok<{ job: Job }>('system.job.get', { job_id });
        most = Math.max(most, memoryOf(worker)['worker']!.rss);
        if (harvested === 0 && !['queued', 'begin', 'harvest'].includes(String(now.progress['stage'])))
          harvested = performance.now() - started;
        return ['completed', 'failed', 'cancelled'].includes(now.status) ? now : null;
      },
      300_000,
    );
    const whole = (performance.now() - started) / 1_000;
    if (job.status !== 'completed') throw new Error(`the brief ${job.status}: ${job.error?.message}`);
    const brief = await caller.ok<Brief & { sources: BriefSource[] }>('authoring.brief.get', {});
    const lost = brief.sources.filter(({ ok }) => !ok).map(({ feed_id }) => feed_id);
    const expected = bad.map((_, i) => `house-${count - bad.length + i}`);
    const reported = lost.length === expected.length && expected.every((id) => lost.includes(id));
    const fine = spread(brief.sources.filter(({ ok }) => ok).map(({ duration_ms }) => duration_ms));
    const seconds = harvested / 1_000;
    const { relevant } = job.result as { relevant: number };
    return {
      title: 'Daily brief',
      lines: [
        {
          path: `${count} sources harvested, ${bad.length} of them dead, silent, dripping or endless`,
          product: `${seconds.toFixed(1)} s`,
          floor: `${allowed} s: what one source may take`,
          ratio: seconds / allowed,
          goal: `≤ ${goal.toFixed(0)} s`,
          met: seconds <= goal,
          figures: { seconds, allowed },
        },
        {
          path: '  those that were fine, each',
          product: spreadText(fine),
          floor: '',
          goal: '',
          figures: { fine },
        },
        {
          path: '  the bad ones are reported, and no other',
          product: `${lost.length} of ${brief.sources.length}`,
          floor: '',
          goal: String(bad.length),
          met: reported,
          figures: { lost },
        },
        {
          path: '  from the call to the brief',
          product: `${whole.toFixed(1)} s, ${(count - bad.length) * articlesEach} articles read, ${relevant} relevant, ${brief.highlights.length} highlights`,
          floor: '',
          goal: '',
          figures: { whole, relevant },
        },
        {
          path: '  memory of the worker, most',
          product: `${(most / 2 ** 20).toFixed(0)} MB, ${((most - before) / 2 ** 20).toFixed(0)} MB more than before`,
          floor: '',
          goal: '',
          figures: { most, before },
        },
      ],
      notes: ['Each source stands on a host of its own on loopback. Harvested: when the last source has answered or was given up.'],
    };
  } finally {
    await caller.close();
    child.kill('SIGKILL');
  }
}
