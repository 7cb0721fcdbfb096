import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { fromTokens, keepCredentials } from './credentials.ts';
import { quantile, samplesOf } from './prometheus.ts';
import { Scrapes, type Figures } from './top-figures.ts';
import { frame } from './top-frame.ts';
import { topCommand } from './top.ts';

/** An api as far as metrics go. */
function api(instance: string) {
  const registry = new Registry();
  const registers = [registry];
  const calls = new Counter({
    name: 'signalbox_tool_calls_total',
    help: 'x',
    labelNames: ['tool', 'class', 'front', 'outcome'],
    registers,
  });
  const buckets = [0.01, 0.1, 1];
  const seconds = new Histogram({ name: 'signalbox_call_seconds', help: 'x', labelNames: ['class', 'front'], buckets, registers });
  const byTool = new Histogram({ name: 'signalbox_tool_call_seconds', help: 'x', labelNames: ['tool'], buckets, registers });
  new Gauge({ name: 'signalbox_info', help: 'x', labelNames: ['instance', 'version'], registers }).set({ instance, version: '2.6.0' }, 1);
  const backlog = new Gauge({ name: 'signalbox_queue_backlog', help: 'x', labelNames: ['queue', 'kind'], registers });
  backlog.set({ queue: 'background', kind: 'activity' }, 5);
  backlog.set({ queue: 'background', kind: 'workflow' }, 2);
  return {
    call(tool: string, kind: string, took: number, outcome = 'success', times = 1) {
      calls.inc({ tool, class: kind, front: 'mcp', outcome }, times);
      for (let i = 0; i < times; i += 1) {
        seconds.observe({ class: kind, front: 'mcp' }, took);
        byTool.observe({ tool }, took);
      }
    },
    scrape: async (at: number) => ({ at, instance, samples: samplesOf(await registry.metrics()) }),
    text: () => registry.metrics(),
  };
}

it('reads Prometheus text, with escaped labels, and interpolates quantiles as Prometheus does', async () => {
  const text = '# HELP x y\n# TYPE x counter\nx{a="1",b="say \\"hi\\"\\n"} 3\ny 2.5e-3\nz_bucket{le="+Inf"} 4 1700000000\n';
  expect(samplesOf(text)).toEqual([
    { name: 'x', labels: { a: '1', b: 'say "hi"\n' }, value: 3 },
    { name: 'y', labels: {}, value: 0.0025 },
    { name: 'z_bucket', labels: { le: '+Inf' }, value: 4 },
  ]);
  const registry = new Registry();
  const histogram = new Histogram({ name: 'h', help: 'x', buckets: [1, 2, 4], registers: [registry] });
  for (const value of [0.5, 1.5, 1.6, 3]) histogram.observe(value);
  const samples = samplesOf(await registry.metrics());
  expect(quantile(0.5, samples, 'h')).toBe(1.5);
  expect(quantile(1, samples, 'h')).toBe(4);
  histogram.observe(100);
  expect(quantile(1, samplesOf(await registry.metrics()), 'h')).toBe(4);
  expect(quantile(0.5, [], 'h')).toBeNull();
});

it('tells rates of the time between two scrapes, and not what happened before', async () => {
  const one = api('one');
  one.call('old.tool', 'L3', 5, 'success', 100);
  const scrapes = new Scrapes();
  scrapes.add(await one.scrape(1_000_000));
  expect(scrapes.figures(null)).toBeNull();
  one.call('work.task.claim', 'L2', 0.05, 'success', 20);
  one.call('claim_task', 'L2', 0.05, 'CONFLICT', 10);
  one.call('index.chunk.search', 'L3', 0.5, 'success', 10);
  scrapes.add(await one.scrape(1_010_000));
  const figures = scrapes.figures(null)!;
  expect(figures).toMatchObject({ seconds: 10, apis: 1, version: '2.6.0', tenant: null });
  expect(figures.calls).toMatchObject({ per_second: 4, claims_per_second: 3, errors_per_second: 1 });
  expect(figures.calls.p50_ms).toBeCloseTo(70, 0);
  expect(figures.calls.p95_ms).toBeCloseTo(820, 0);
  expect(figures.classes.map((each) => [each.class, each.per_second])).toEqual([
    ['L2', 3],
    ['L3', 1],
  ]);
  expect(figures.errors).toEqual([{ code: 'CONFLICT', per_second: 1 }]);
  expect(figures.slowest.map(({ tool }) => tool)).toEqual(['index.chunk.search', 'work.task.claim', 'claim_task']);
  expect(figures.queues).toMatchObject([{ queue: 'background', backlog: 7 }]);
});

it('adds up apis behind a load balancer, and forgets one that has ended', async () => {
  const [one, two] = [api('one'), api('two')];
  const scrapes = new Scrapes();
  scrapes.add(await one.scrape(0));
  scrapes.add(await two.scrape(1_000));
  one.call('a', 'L1', 0.001, 'success', 20);
  two.call('a', 'L1', 0.001, 'success', 30);
  scrapes.add(await one.scrape(2_000));
  scrapes.add(await two.scrape(4_000));
  // 20 in 2 s and 30 in 3 s.
  expect(scrapes.figures(null)!.calls.per_second).toBeCloseTo(20, 1);
  expect(scrapes.figures(null)!.apis).toBe(2);
  scrapes.add(await two.scrape(70_000));
  expect(scrapes.figures(null)!.apis).toBe(1);
});

it('fits the terminal, and shows nothing that a terminal would obey', async () => {
  const one = api('one');
  const scrapes = new Scrapes();
  scrapes.add(await one.scrape(0));
  one.call('evil\u001b[2J', 'L1', 0.001);
  scrapes.add(await one.scrape(1_000));
  const lines = frame(scrapes.figures(null)!, 'http://127.0.0.1:8080', { width: 60, height: 8, problem: 'away' });
  expect(lines).toHaveLength(8);
  expect(lines.join('\n')).not.toContain('\u001b[2J');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
  expect(lines[1]).toBe('away');
});

const served = api('served');
const asked: string[] = [];
const server = createServer((request, response) => {
  void (async () => {
    const { authorization, 'x-api-key': key } = request.headers;
    asked.push(`${request.method} ${request.url}`);
    if (key !== 'good' && authorization !== 'Bearer of-a-login') return response.writeHead(401).end('{}');
    served.call('work.board.get', 'L1', 0.005, 'success', 3);
    if (request.url === '/metrics') return response.end(await served.text());
    const error = { code: 'FORBIDDEN', message: 'no' };
    return response.end(JSON.stringify({ status: 'error', data: null, error, metadata: {}, refs: [], warnings: [], tool_call_id: 'x' }));
  })();
});
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => new Promise((done) => server.close(done)));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it('prints one document for scripts, also with a key that may not read the overview', async () => {
  vi.stubEnv('SIGNALBOX_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('SIGNALBOX_API_KEY', 'good');
  let printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed += text as string), true));
  await topCommand({ interval: 1, json: true });
  const figures = JSON.parse(printed) as Figures;
  expect(figures.calls.per_second).toBeGreaterThan(0);
  expect(figures.slowest[0]).toMatchObject({ tool: 'work.board.get' });
  expect(figures.tenant).toBeNull();
  expect(asked.filter((line) => line.includes('overview'))).toHaveLength(1);
  vi.stubEnv('SIGNALBOX_API_KEY', 'bad');
  await expect(topCommand({ interval: 1, json: true })).rejects.toMatchObject({ exit: 4 });
});

it('asks as whoever has logged in, when there is no key', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-top-'));
  vi.stubEnv('SIGNALBOX_URL', url);
  vi.stubEnv('SIGNALBOX_API_KEY', undefined);
  vi.stubEnv('MCP_API_KEY', undefined);
  vi.stubEnv('XDG_CONFIG_HOME', folder);
  try {
    await keepCredentials({ XDG_CONFIG_HOME: folder }, url, fromTokens('http://issuer', 'cli', { access_token: 'of-a-login' }));
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await topCommand({ interval: 1, json: true });
    expect((JSON.parse(write.mock.calls.join('')) as Figures).slowest[0]).toMatchObject({ tool: 'work.board.get' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
