/** The metrics of a real api and a real worker: every one that an alert or a dashboard uses is told. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { samplesOf, type Sample } from '../../cli/prometheus.ts';
import { freePort } from '../../platform/embedded/ports.ts';
import { ApiProcess } from '../setup/api-process.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const root = join(import.meta.dirname, '../..');
const deploy = join(root, 'deploy');
let stack: TestStack;
let api: ApiProcess;
let worker: ChildProcess;
let workerUrl: string;
let key: string;

beforeAll(async () => {
  stack = await testStack({ model: false, workers: false });
  const taken = new Set<number>();
  const [apiPort, workerPort] = [await freePort(0, { name: 'api', taken }), await freePort(0, { name: 'worker', taken })];
  workerUrl = `http://127.0.0.1:${workerPort}`;
  api = new ApiProcess(stack, apiPort);
  const { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, SIGNALBOX_DATA_DIR } = stack.config;
  worker = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'workers/main.ts')], {
    env: {
      ...process.env,
      DATABASE_URL,
      TEMPORAL_ADDRESS,
      TEMPORAL_NAMESPACE,
      SIGNALBOX_DATA_DIR,
      WORKER_PORT: String(workerPort),
      EMBEDDING_MODEL_DIR: 'none',
      LOG_LEVEL: 'silent',
    },
    stdio: 'ignore',
  });
  await api.start();
  const ready = async (): Promise<void> => {
    const { status } = await fetch(`${workerUrl}/ready`);
    if (status !== 200) throw new Error(`The worker is not ready: ${status}`);
  };
  await vi.waitFor(ready, { timeout: 120_000, interval: 100 });
  ({ apiKey: key } = await stack.caller({ tenant: 'seen', name: 'seer' }));
}, 180_000);
afterAll(async () => {
  await api?.kill();
  if (worker && worker.exitCode === null) {
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  }
  await stack?.stop();
});

const call = async (tool: string, args: object): Promise<{ data: any; error?: { code: string } }> =>
  (await (
    await fetch(`${api.url}/api/tools/${tool}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(args),
    })
  ).json()) as { data: any; error?: { code: string } };
const scrape = async (url: string, headers: Record<string, string> = {}): Promise<string> =>
  await (await fetch(`${url}/metrics`, { headers })).text();
const scrapeApi = (): Promise<string> => scrape(api.url, { 'x-api-key': key });

/** Names of series that a scrape declares. */
const declared = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name!],
    ),
  );

/** Every query of the rules and the dashboards. */
function queries(): string[] {
  const dashboards = join(deploy, 'grafana/dashboards');
  const found = readdirSync(dashboards).flatMap((name) => {
    const { panels } = JSON.parse(readFileSync(join(dashboards, name), 'utf8')) as { panels: { targets: { expr: string }[] }[] };
    return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  });
  const rules = readFileSync(join(deploy, 'prometheus/rules/signalbox.yml'), 'utf8');
  return [...found, ...[...rules.matchAll(/^\s+expr: (.+)$/gm)].map(([, expr]) => expr!)];
}

it('tells every metric that an alert or a dashboard uses', async () => {
  await call('work.phase.set', { phase_id: 2 });
  const { data } = await call('work.task.create', { description: 'Be seen', phase_id: 2 });
  expect((await call('work.task.claim', { task_id: data.task.id })).error).toBeUndefined();
  expect((await call('agent.registry.register', { agent_type: 'seen' })).error).toBeUndefined();
  await eventually('the presence has run its activities', async () => (await scrape(workerUrl)).includes('activity_type="findPresence"'));

  const used = queries().flatMap(
    (expr) => expr.replaceAll(/\{[^}]*\}/g, '').match(/\b(?:signalbox|temporal|nodejs|process)_[a-z0-9_]+/g) ?? [],
  );
  expect(new Set(used).size).toBeGreaterThan(25);
  const missing = async (): Promise<string[]> => {
    const known = new Set([...declared(await scrapeApi()), ...declared(await scrape(workerUrl))]);
    return [...new Set(used)].filter((name) => !known.has(name));
  };
  await expect.poll(missing, { timeout: 20_000, interval: 250 }).toEqual([]);
});

const of = (samples: Sample[], name: string, labels: Record<string, string> = {}): number | undefined =>
  samples.find((sample) => sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value))?.value;

it('tells the state of queues, stores and duties, and by name what ran', { timeout: 60_000 }, async () => {
  // Temporal is asked for its counts every five seconds.
  const samples = await vi.waitFor(
    async () => {
      const now = samplesOf(await scrape(workerUrl));
      for (const queue of ['interactive', 'presence', 'light', 'background', 'outbound']) {
        expect(of(now, 'signalbox_worker_running', { queue })).toBe(1);
        expect(of(now, 'signalbox_queue_pollers', { queue, kind: 'workflow' })).toBeGreaterThan(0);
        expect(of(now, 'signalbox_queue_backlog', { queue, kind: 'activity' })).toBe(0);
      }
      return now;
    },
    { timeout: 20_000, interval: 250 },
  );
  expect(of(samples, 'temporal_activity_execution_latency_seconds_count', { activity_type: 'findPresence' })).toBeGreaterThan(0);
  // The alert on used up slots tells workers by these words.
  for (const worker_type of ['WorkflowWorker', 'ActivityWorker'])
    expect(of(samples, 'temporal_worker_task_slots_available', { task_queue: 'interactive', worker_type })).toBeGreaterThan(0);
  const told = await eventually('the ledger is linked', async () => {
    const now = samplesOf(await scrapeApi());
    return of(now, 'signalbox_ledger_linked_timestamp_seconds') === undefined ? null : now;
  });
  expect(of(told, 'signalbox_pool_size')).toBe(16);
  expect(of(told, 'signalbox_waiting', { kind: 'approvals' })).toBe(0);
  expect(of(told, 'signalbox_call_seconds_count', { class: 'L1', front: 'rest' })).toBeGreaterThan(3);
  expect(of(told, 'signalbox_temporal_request_seconds_count', { operation: 'start', outcome: 'success' })).toBeGreaterThan(0);
  expect(of(told, 'signalbox_data_free_bytes')).toBeGreaterThan(0);
  expect(of(told, 'signalbox_word_index_bytes')).toBe(0);
});

it('tells a stranger nothing about the installation', async () => {
  const text = await scrape(api.url);
  expect(text).toContain('signalbox_call_seconds_count');
  for (const secret of ['tool=', 'signalbox_waiting', 'signalbox_queue', 'signalbox_pool', 'signalbox_agents', 'signalbox_info', 'seen'])
    expect(text).not.toContain(secret);
});

it('counts a backlog that no worker takes, with its age', async () => {
  const died = once(worker, 'exit');
  worker.kill('SIGTERM');
  await died;
  const { data } = await call('work.task.create', { description: 'Wait', phase_id: 2 });
  expect(data.task.id).toBeTruthy();
  await eventually(
    'the backlog is told',
    async () => {
      const now = samplesOf(await scrapeApi());
      const age = of(now, 'signalbox_queue_backlog_age_seconds', { queue: 'interactive', kind: 'workflow' }) ?? 0;
      return (of(now, 'signalbox_queue_backlog', { queue: 'interactive', kind: 'workflow' }) ?? 0) >= 1 && age > 0;
    },
    40_000,
  );
}, 60_000);
