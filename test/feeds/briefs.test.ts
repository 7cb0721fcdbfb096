/** The daily brief: from feeds on loopback to the brief, its page and its readers, also with failures in between. */
import type { FastifyInstance } from 'fastify';
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { serve } from '../../adapters/web/testing.ts';
import type { Brief, BriefSettings, BriefSource } from '../../contracts/feeds/briefs.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { AppError } from '../../contracts/errors.ts';
import type { Job } from '../../contracts/jobs.ts';
import { modelFailure } from '../../contracts/language.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { dayIn } from '../../services/feeds/briefs/settings.ts';
import { writeCursor } from '../../services/kernel/paging.ts';
import { restart } from '../../services/sweep.ts';
import { apiOf } from '../setup/api.ts';
import { webhook, type Told } from '../setup/a2a.ts';
import { feedsDouble, type FeedsDouble } from '../setup/feeds.ts';
import { replayCourses } from '../setup/replay.ts';
import { eventually, lostOf, testStack, type TestStack } from '../setup/stack.ts';

type Shown = Brief & { content: string; link: string; sources: BriefSource[] };
type Answer = Partial<Brief> & { job_id: string; status: string };

/** As a person who has approved it. */
const configure = (caller: Caller, given: Partial<BriefSettings>): Promise<BriefSettings> =>
  asTenant(caller.tenant, () => stack.services.briefs.configure(caller, given));

let stack: TestStack;
let feeds: FeedsDouble;
let hook: { url: string; told: Told[]; calls: () => number; server: Server };
let app: FastifyInstance;
let pm: Caller;

const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
const today = dayIn('UTC', new Date());
const topics = [
  { name: 'artificial intelligence', keywords: ['AI', 'language model'], weight: 2 },
  { name: 'security', keywords: ['data breach', 'ransomware'], weight: 1 },
];

beforeAll(async () => {
  feeds = await feedsDouble();
  hook = await webhook();
  stack = await testStack({
    model: false,
    env: { ALLOW_PRIVATE_NETWORK: 'true', NOTIFICATIONS_DRY_RUN: 'false', NOTIFICATIONS_REPEAT_MINUTES: '0' },
  });
  pm = await stack.caller({ name: 'pm', kind: 'human' });
  app = apiOf(stack);
  feeds.items.set('north', [
    {
      title: 'Halden Labs releases Orion 5, a language model for long documents',
      path: '/orion',
      summary: 'A new language model is here.',
      at: ago(2),
      categories: ['AI'],
    },
    {
      title: 'Rovers win the cup after extra time',
      path: '/cup',
      summary: 'Rovers beat Harbour City 3-2 on Saturday evening.',
      at: ago(1),
    },
    { title: 'A language model from another age', path: '/old', summary: 'Old news about a language model.', at: ago(24 * 30) },
  ]);
  feeds.items.set('tech', [
    {
      title: 'Halden Labs launches Orion 5 language model',
      path: '/orion-too',
      summary: 'Halden Labs launched its new language model Orion 5 on Friday, it said. Developers get access through an API from Monday.',
      at: ago(3),
      categories: ['AI', 'Technology'],
    },
    {
      title: 'Data breach at Nimbus exposes 4 million accounts',
      path: '/breach',
      summary:
        'Cloud provider Nimbus said attackers had copied the data of 4 million accounts. Customers must change their passwords by Sunday, and regulators have opened inquiries.',
      at: ago(4),
      categories: ['Security'],
    },
  ]);
  feeds.pages.set(
    '/orion',
    'Halden Labs released Orion 5 on Friday, a language model that reads two million words at once. It is the largest context of any commercial model, and costs 40 percent less than its predecessor. Rivals will have to cut prices or lose enterprise customers, analysts at Brightmoor said. The company was founded ten years ago in a garage and has four hundred employees today.\nIts earlier model stays available until the spring, the company wrote in a note to those who use it.',
  );
  await stack.ok(pm, 'feed.source.save', { feed_id: 'north', url: feeds.feed('north'), title: 'The north' });
  // Called as it calls itself.
  await stack.ok(pm, 'feed.source.save', { feed_id: 'tech', url: feeds.feed('tech') });
  await configure(pm, { topics, recipients: [{ channel: 'webhook', recipient: hook.url }] });
});
afterAll(async () => {
  await app?.close();
  await stack?.stop();
  await feeds?.close();
  hook?.server.close();
});

/** Runs it to its end. */
async function run(args: object = {}, caller = pm): Promise<{ job: Job; brief: Shown }> {
  const asked = await stack.ok<Answer>(caller, 'authoring.brief.run', args);
  const job = await eventually(
    'the brief is made',
    async () => {
      const { job: now } = await stack.ok<{ job: Job }>(caller, 'system.job.get', { job_id: asked.job_id, wait_seconds: 5 });
      return ['completed', 'failed', 'cancelled'].includes(now.status) ? now : null;
    },
    60_000,
  );
  if (job.status !== 'completed') throw new Error(`${job.status}: ${job.error?.message}`);
  const { brief } = job.result as { brief: { brief: string; version: number } };
  return { job, brief: await stack.ok<Shown>(caller, 'authoring.brief.get', { brief_id: brief.brief, version: brief.version }) };
}
const count = async (sql: string): Promise<number> =>
  await asTenant('acme', async () => (await stack.db.query<{ n: number }>(`select count(*)::int as n from ${sql}`))[0]!.n);

let first: Shown;

describe('the brief of a day', () => {
  it('tells each story once, in the articles’ words, with their pages where feeds gave snippets', async () => {
    const { job, brief } = await run();
    first = brief;
    expect(brief).toMatchObject({ date: today, version: 1, total_articles_analyzed: 3, topic_breakdown: { AI: 2, Security: 1 } });
    expect(brief.highlights.map(({ title }) => title)).toEqual([
      'Halden Labs releases Orion 5, a language model for long documents',
      'Data breach at Nimbus exposes 4 million accounts',
    ]);
    expect(brief.highlights[0]).toMatchObject({
      significance: 'It is the largest context of any commercial model, and costs 40 percent less than its predecessor.',
      strategic_implications: 'Rivals will have to cut prices or lose enterprise customers, analysts at Brightmoor said.',
      evidence: [{ source: 'The north' }, { source: 'tech' }],
    });
    expect(brief.highlights[1]!.strategic_implications).toMatch(/^Customers must change their passwords by Sunday/);
    expect(job.result).toMatchObject({
      sources: { checked: 2, failed: 0 },
      relevant: 3,
      articles: { stored: 4 },
      readers: { told: 1, failed: 0 },
    });
    // Nothing of the articles is in the history.
    const history = await stack.temporal.client.workflow.getHandle(workflowIds.dailyBrief('acme', today)).fetchHistory();
    expect(JSON.stringify(history)).not.toMatch(/Orion|Nimbus|127\.0\.0\.1/);
  });

  it('has told its reader once, with a link that opens without a key and for nobody else', async () => {
    await eventually('the reader is told', async () => hook.told.length === 1);
    const text = hook.told[0]!.raw;
    expect(text).toContain(`Brief of ${today}: 2 stories`);
    const { pathname, search } = new URL(first.link);
    expect(text).toContain(search.slice('?token='.length));
    const page = await app.inject({ method: 'GET', url: `${pathname}${search}` });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body).toContain('Rivals will have to cut prices');
    expect((await app.inject({ method: 'GET', url: pathname })).statusCode).toBe(401);
    expect((await app.inject({ method: 'GET', url: `/briefs/2020-01-01${search}` })).statusCode).toBe(401);
    expect((await app.inject({ method: 'GET', url: `/briefs/nonsense${search}` })).statusCode).toBe(404);
  });

  it('is read under a link that the ledger does not know', async () => {
    await stack.ok(pm, 'authoring.brief.get', { date: today });
    await eventually('the call stands in the ledger', async () => {
      const found = await count(`ledger_events where tool = 'authoring.brief.get' and refs @> '[{"type": "brief"}]'`);
      return found > 0;
    });
    expect(await count(`ledger_events where refs::text like '%token=%'`)).toBe(0);
  });

  it('run again doubles nothing: no version, no article, no word to its reader, no event', async () => {
    const articles = await count('articles');
    expect(articles).toBe(4);
    const { brief, job } = await run();
    expect(brief).toMatchObject({ brief_id: first.brief_id, version: 1, executive_summary: first.executive_summary });
    expect(job.result).toMatchObject({ articles: { stored: 0, duplicates: 4 }, brief: { unchanged: true }, readers: { told: 0 } });
    expect(await count('articles')).toBe(articles);
    expect(await count(`outbox where type = 'brief.generated'`)).toBe(1);
    expect(await count('notifications')).toBe(1);
  });

  it('is brought up to date when there is more, and its readers told when asked', async () => {
    feeds.items.get('tech')!.push({
      title: 'Ransomware stops operations at three hospitals',
      path: '/hospital',
      summary:
        'Three hospitals cancelled operations after ransomware locked their records. Patients will have to wait for a week, the government said.',
      at: ago(1),
      categories: ['Health'],
    });
    const { brief } = await run({ notify: true });
    expect(brief).toMatchObject({ brief_id: first.brief_id, version: 2 });
    expect(brief.highlights).toHaveLength(3);
    await eventually('the reader is told again', async () => hook.told.length === 2);
    expect((await stack.ok<Shown>(pm, 'authoring.brief.get', { date: today, version: 1 })).highlights).toHaveLength(2);
    const { briefs } = await stack.ok<{ briefs: { version: number }[] }>(pm, 'authoring.brief.list');
    expect(briefs).toMatchObject([{ version: 2, date: today }]);
    expect(await count(`outbox where type = 'brief.generated'`)).toBe(2);
  });

  it('is another tenant’s business in nothing', async () => {
    const other = await stack.caller({ tenant: 'globex', name: 'other', kind: 'human' });
    const answer = await stack.call(other, 'authoring.brief.get', { brief_id: first.brief_id });
    expect(answer.error?.code).toBe('NOT_FOUND');
    expect((await stack.ok<{ briefs: unknown[] }>(other, 'authoring.brief.list')).briefs).toEqual([]);
    expect((await stack.ok<{ configured: boolean }>(other, 'authoring.brief.configure')).configured).toBe(false);
    await expect(run({}, other)).rejects.toThrow(/no feed/);
  });

  it('reports a source that is dead, broken or busy, and is made without it', async () => {
    const globex = await stack.caller({ tenant: 'initech', name: 'third', kind: 'human' });
    for (const name of ['tech', 'broken', 'busy']) await stack.ok(globex, 'feed.source.save', { feed_id: name, url: feeds.feed(name) });
    await stack.ok(globex, 'feed.source.save', { feed_id: 'dead', url: 'http://127.0.0.1:65533/feed.xml' });
    feeds.modes.set('broken', 'broken').set('busy', 'busy');
    const { brief, job } = await run({}, globex);
    expect(job.result).toMatchObject({ sources: { checked: 4, failed: 3 } });
    const sources = Object.fromEntries(brief.sources.map((each) => [each.feed_id, each]));
    expect(sources['tech']).toMatchObject({ ok: true, articles: 3, error: null });
    expect(sources['dead']).toMatchObject({ ok: false, error: { code: 'SERVICE_UNAVAILABLE' } });
    expect(sources['busy']).toMatchObject({ ok: false, attempts: 1, error: { code: 'RATE_LIMIT_EXCEEDED' } });
    expect(sources['broken']).toMatchObject({ ok: false, attempts: 3 });
    expect(brief.warnings).toContain('3 sources could not be read: broken, busy, dead.');
    expect(brief.highlights.length).toBeGreaterThan(0);
    const log = await asTenant('initech', () => stack.services.feeds.logs.get('initech', brief.run_id));
    expect(log).toMatchObject({ status: 'completed', stats: { sources_checked: 4, articles_fetched: 3, brief_generated: true } });
  });

  it('reads a source whose text is cut inside a character', async () => {
    const text = `${'A language model. '.repeat(27)}${'x'.repeat(13)}😀 and more`;
    await using site = await serve((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/rss+xml' })
        .end(
          `<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>${'T'.repeat(199)}😀</title><item><title>One</title><link>https://one.test/a</link><description>&lt;img src="x"&gt;</description><content:encoded><![CDATA[<p>${text}</p>]]></content:encoded><pubDate>${new Date(ago(1)).toUTCString()}</pubDate></item></channel></rss>`,
        );
    });
    const tenant = await stack.caller({ tenant: 'tyrell', name: 'seventh', kind: 'human' });
    await stack.ok(tenant, 'feed.source.save', { feed_id: 'cut', url: `${site.origin}/feed.xml` });
    expect((await run({}, tenant)).brief.sources).toMatchObject([{ feed_id: 'cut', ok: true, articles: 1 }]);
  });

  it('says so when nothing is relevant, and notifies nobody', async () => {
    const tenant = await stack.caller({ tenant: 'umbrella', name: 'fourth', kind: 'human' });
    await stack.ok(tenant, 'feed.source.save', { feed_id: 'north', url: feeds.feed('north') });
    await configure(tenant, {
      topics: [{ name: 'beekeeping', keywords: [], weight: 1 }],
      recipients: [{ channel: 'webhook', recipient: `${hook.url}/bees` }],
    });
    const calls = hook.calls();
    const { brief, job } = await run({}, tenant);
    expect(brief).toMatchObject({ highlights: [], total_articles_analyzed: 0 });
    expect(brief.executive_summary).toMatch(/^Nothing/);
    expect(job.result).toMatchObject({ readers: { told: 0, failed: 0 } });
    expect(hook.calls()).toBe(calls);
  });

  it('goes on where it was when its worker ends in the middle, and is started again when its process is gone', async () => {
    const tenant = await stack.caller({ tenant: 'hooli', name: 'fifth', kind: 'human' });
    for (const name of ['tech', 'slow']) await stack.ok(tenant, 'feed.source.save', { feed_id: name, url: feeds.feed(name) });
    feeds.items.set('slow', feeds.items.get('north')!);
    feeds.modes.set('slow', 'hang');
    const begin = (callKey: string) => asTenant('hooli', () => stack.services.briefs.run(tenant, { date: today }, { callKey, waitMs: 0 }));
    expect((await begin('first')).brief).toBe(null);
    await eventually('only the slow one is still read', async () => {
      const asked = ['slow', 'tech'].every((name) => (feeds.asked.get(`/feeds/${name}.xml`) ?? 0) > 0);
      const { raw } = await stack.temporal.handle(workflowIds.dailyBrief('hooli', today)).describe();
      return asked && raw.pendingActivities?.length === 1;
    });
    const tech = feeds.asked.get('/feeds/tech.xml');
    const stopping = stack.stopWorkers();
    feeds.modes.set('slow', 'fine');
    await stopping;
    await stack.startWorkers();
    const { brief } = await run({ date: today }, tenant);
    expect(brief.version).toBe(1);
    expect(brief.sources.every(({ ok }) => ok)).toBe(true);
    // Articles that were read are not read again.
    expect(feeds.asked.get('/feeds/tech.xml')).toBe(tech);

    // Its job ends a moment before its run does, and the next run of the day begins after that.
    await stack.temporal.handle(workflowIds.dailyBrief('hooli', today)).result();
    await stack.stopWorkers();
    const { job: again } = await begin('again');
    await stack.temporal.handle(workflowIds.dailyBrief('hooli', today)).terminate('test');
    await stack.startWorkers();
    const lost = await lostOf(stack, again.job_id);
    expect(lost).toHaveLength(1);
    expect(await restart(stack.services, lost)).toBe(1);
    await eventually('it is done', async () => {
      const { job } = await stack.ok<{ job: Job }>(tenant, 'system.job.get', { job_id: again.job_id, wait_seconds: 5 });
      return job.status === 'completed';
    });
  }, 120_000);
});

describe('the clock', () => {
  const handle = () => stack.temporal.client.schedule.getHandle(workflowIds.briefSchedule('acme'));

  it('follows the settings: made, changed, removed, and mended when it is lost', async () => {
    const settings = await stack.ok(pm, 'authoring.brief.configure', {});
    expect(settings).toMatchObject({ enabled: false, configured: true });
    expect(JSON.stringify(settings)).not.toContain('/hook');
    await expect(handle().describe()).rejects.toThrow();
    await configure(pm, { enabled: true, time: '06:30', time_zone: 'Europe/Berlin' });
    const { spec, policies } = await handle().describe();
    expect(spec).toMatchObject({ calendars: [{ hour: [{ start: 6 }], minute: [{ start: 30 }] }], timezone: 'Europe/Berlin' });
    expect(policies.overlap).toBe('SKIP');
    await configure(pm, { time: '07:15' });
    const changed = await handle().describe();
    expect(changed.spec.calendars).toMatchObject([{ hour: [{ start: 7 }], minute: [{ start: 15 }] }]);
    expect(changed.info.nextActionTimes.length).toBeGreaterThan(0);
    await handle().delete();
    expect(await asTenant('acme', () => stack.services.briefs.tend('acme'))).toBe(true);
    expect(await asTenant('acme', () => stack.services.briefs.tend('acme'))).toBe(false);
    expect((await handle().describe()).spec.timezone).toBe('Europe/Berlin');
  });

  it('knows zones as Temporal spells them, and is not held up by one that there is not', async () => {
    expect(await configure(pm, { time_zone: 'utc' })).toMatchObject({ time_zone: 'UTC' });
    expect((await handle().describe()).spec.timezone).toBe('UTC');
    await expect(configure(pm, { time_zone: '+01:00' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    // As rows of before have it.
    const written = (zone: string) =>
      asTenant('acme', () => stack.db.query(`update brief_settings set time_zone = $1 where tenant_id = 'acme'`, [zone]));
    const tend = () => asTenant('acme', () => stack.services.briefs.tend('acme'));
    await handle().delete();
    await written('europe/berlin');
    expect(await tend()).toBe(true);
    expect((await handle().describe()).spec.timezone).toBe('Europe/Berlin');
    await written('Mars/Olympus');
    expect(await tend()).toBe(false);
    await configure(pm, { time_zone: 'europe/berlin' });
    expect((await handle().describe()).spec.timezone).toBe('Europe/Berlin');
  });

  it('does not join a run without notifications: a new run notifies readers', async () => {
    const tenant = await stack.caller({ tenant: 'cyberdyne', name: 'sixth', kind: 'human' });
    await stack.ok(tenant, 'feed.source.save', { feed_id: 'tech', url: feeds.feed('tech') });
    const far = `${String((new Date().getUTCHours() + 12) % 24).padStart(2, '0')}:00`;
    const recipients = [{ channel: 'webhook' as const, recipient: `${hook.url}/clock` }];
    await configure(tenant, { enabled: true, time: far, topics, recipients });
    const at = new Date();
    const strike = () => asTenant('cyberdyne', () => stack.services.briefs.runScheduled('cyberdyne', at));
    const begin = (callKey: string, notify?: boolean) =>
      asTenant('cyberdyne', () => stack.services.briefs.run(tenant, { date: dayIn('UTC', at), notify }, { callKey, waitMs: 0 }));
    await stack.stopWorkers();
    const { job } = await begin('quietly', false);
    expect((await begin('quietly too', false)).job.job_id).toBe(job.job_id);
    const busy = { code: 'SERVICE_UNAVAILABLE', retryable: true, retryAfterSeconds: 30, details: { job_id: job.job_id } };
    await expect(strike()).rejects.toMatchObject(busy);
    await expect(begin('by default')).rejects.toMatchObject(busy);
    await stack.startWorkers();
    const told = hook.told.length;
    // Waits for its workflow, too, because a closing one would be mistaken for the next.
    await stack.temporal.handle(workflowIds.dailyBrief('cyberdyne', dayIn('UTC', at))).result();
    expect((await stack.ok<{ job: Job }>(tenant, 'system.job.get', { job_id: job.job_id })).job.status).toBe('completed');
    expect(hook.told.length).toBe(told);
    await strike();
    await eventually('its reader is told', async () => hook.told.length === told + 1);
    await configure(tenant, { enabled: false });
  });

  it('begins the day’s run when it strikes', async () => {
    const day = dayIn('Europe/Berlin', new Date());
    const before = await count(`jobs where kind = 'daily_brief'`);
    await handle().trigger();
    await eventually('a run is begun', async () => (await count(`jobs where kind = 'daily_brief'`)) === before + 1);
    const job = await eventually('it has ended', async () =>
      asTenant('acme', async () => {
        const [row] = await stack.db.query<{ status: string; workflow_id: string; created_by: string }>(
          `select status, workflow_id, created_by from jobs where tenant_id = 'acme' and kind = 'daily_brief' order by created_at desc limit 1`,
        );
        return row?.status === 'completed' ? row : null;
      }),
    );
    expect(job).toMatchObject({ workflow_id: workflowIds.dailyBrief('acme', day), created_by: 'signalbox' });
    await configure(pm, { enabled: false });
    await expect(handle().describe()).rejects.toThrow();
  });

  it('refuses what can be no time, zone or reader', async () => {
    const code = async (args: object) => (await stack.call(pm, 'authoring.brief.configure', args)).error?.code;
    expect(await code({ time: '25:00' })).toBe('VALIDATION_ERROR');
    expect(await code({ time_zone: 'Mars/Olympus' })).toBe('VALIDATION_ERROR');
    await expect(configure(pm, { recipients: [{ channel: 'email', recipient: 'nobody' }] })).rejects.toThrow();
    expect((await stack.call(pm, 'authoring.brief.run', { date: '2999-01-01' })).error?.code).toBe('VALIDATION_ERROR');
    for (const odd of [{ date: '0000-01-01' }, { date: '0001-01-01' }, { version: 3_000_000_000 }])
      expect((await stack.call(pm, 'authoring.brief.get', odd)).error?.code).toBe('VALIDATION_ERROR');
    const cursor = writeCursor('2026-13-45', 'brief_x');
    expect((await stack.call(pm, 'authoring.brief.list', { cursor })).error?.code).toBe('VALIDATION_ERROR');
  });
});

describe('a brief of given articles', () => {
  const articles = [
    {
      title: 'Halden Labs releases Orion 5',
      url: 'https://north.test/orion',
      ai_summary: 'Halden Labs released Orion 5, the largest language model so far. Rivals will have to cut prices.',
      relevance_score: 9.5,
      categories: ['AI', 'Technology'],
    },
    {
      title: 'Chip maker Varda raises forecast',
      url: 'https://line.test/varda',
      ai_summary: 'Varda raised its forecast to $14 billion on Monday.',
      relevance_score: 7,
      categories: ['Business'],
    },
  ];
  const wanted = { run_id: 'run_1731585600', date: '2025-11-14', top_articles: articles, max_highlights: 5 };

  it('has perception’s shape exactly, and is the same version when it is asked for again', async () => {
    const answer = await stack.ok<Record<string, any>>(pm, 'generate_brief', wanted);
    expect(Object.keys(answer)).toEqual([
      'run_id',
      'date',
      'executive_summary',
      'highlights',
      'topic_breakdown',
      'total_articles_analyzed',
      'generated_at',
    ]);
    expect(answer).toMatchObject({
      run_id: 'run_1731585600',
      date: '2025-11-14',
      total_articles_analyzed: 2,
      topic_breakdown: { AI: 1, Business: 1 },
    });
    expect(Object.keys(answer['highlights'][0])).toEqual(['title', 'significance', 'strategic_implications', 'url']);
    expect(answer['highlights'][0]).toMatchObject({
      title: 'Halden Labs releases Orion 5',
      strategic_implications: 'Rivals will have to cut prices.',
    });
    const again = await stack.ok<Answer>(pm, 'authoring.brief.generate', wanted);
    expect(again).toMatchObject({ version: 1, generated_at: answer['generated_at'] });
    const other = await stack.ok<Answer>(pm, 'authoring.brief.generate', { ...wanted, top_articles: articles.slice(1) });
    expect(other).toMatchObject({ version: 2, brief_id: again.brief_id, total_articles_analyzed: 1 });
  });

  it('says how long to wait when the language model is asked too often, and is made without one that is away', async () => {
    const { language } = stack.services;
    const model = vi.spyOn(language, 'model', 'get').mockReturnValue('scripted');
    const nothing = { inputTokens: 0, outputTokens: 0, costUsd: null };
    const reply = (error: AppError) => async () => ({
      ok: false as const,
      reason: 'failed' as const,
      warning: 'It is away. This was made without it.',
      error,
    });
    const ask = vi.spyOn(language, 'ask');
    ask.mockImplementation(
      reply(modelFailure('rate_limited', 'The model limits how often it is asked.', nothing, { retryAfterSeconds: 17 })),
    );
    const limited = { ...wanted, run_id: 'run_limited' };
    const { error } = await stack.call(pm, 'generate_brief', limited);
    expect(error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      httpStatus: 429,
      retryAfterSeconds: 17,
      details: { gemini_error: 'RESOURCE_EXHAUSTED', provider_error: 'rate_limited', retry_after_seconds: 17 },
    });
    ask.mockImplementation(reply(modelFailure('unavailable', 'It is away.', nothing)));
    const answer = await stack.call(pm, 'generate_brief', limited);
    expect(answer.error).toBeUndefined();
    expect(answer.envelope.warnings).toContain('It is away. This was made without it.');
    ask.mockRestore();
    model.mockRestore();
  });

  it('is refused without articles and for addresses that are none', async () => {
    const refused = async (args: object) => (await stack.call(pm, 'generate_brief', { ...wanted, ...args })).error;
    expect(await refused({ top_articles: [] })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await refused({ top_articles: [{ ...articles[0]!, url: 'javascript:alert(1)' }] })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { field: 'top_articles[0].url' },
    });
    expect(await refused({ date: '14.11.2025' })).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

it('replays what it has done', async () => {
  await eventually('all have ended', async () => {
    const query = `(WorkflowType = 'dailyBrief' or WorkflowType = 'brief' or WorkflowType = 'briefClock') and ExecutionStatus = 'Running'`;
    return (await stack.temporal.client.workflow.count(query)).count === 0;
  });
  expect(await replayCourses(stack.temporal.client, 'dailyBrief')).toBeGreaterThan(1);
  expect(await replayCourses(stack.temporal.client, 'brief')).toBeGreaterThan(0);
  expect(await replayCourses(stack.temporal.client, 'briefClock')).toBeGreaterThan(0);
});
