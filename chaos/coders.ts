/**
 * Coding agents under kills: tasks with dependencies, two runners on one repository, four scripted agents. Runners, agents and all parts of
 * the stack are killed at random; at the end every task is done and merged once.
 *   npm run agents:chaos
 *   npm run agents:chaos -- --minutes 5 --tasks 20 --seed 7
 * Exit code 1 when an invariant is broken.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { eventually } from '../bench/context.ts';
import { startStack } from '../bench/stack.ts';
import { callTool } from '../cli/client.ts';
import { marked } from '../cli/runner/process.ts';
import { openStates } from '../cli/runner/state.ts';
import { sandbox } from '../cli/runner/testing.ts';
import type { WorkRun } from '../contracts/work/runs.ts';
import type { Task } from '../contracts/work/work.ts';
import type { Invariant } from './checks.ts';
import { isAlive } from '../platform/embedded/process.ts';
import { Random } from './random.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, tasks: { type: 'string', default: '20' }, seed: { type: 'string' } },
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed);
const random = new Random(seed);
const [minutes, count] = [Number(values.minutes), Number(values.tasks)];
const phase = 2;
const leaseSeconds = 15;
/** For what is at work after the last kill, in ms. */
const drainWithin = 240_000;

const began = Date.now();
const say = (line: string): void => console.error(`  ${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}`);
console.log(`agents:chaos: ${count} tasks, ${minutes} minutes, seed ${seed}`);
const stack = await startStack({ env: { EMBEDDING_MODEL_DIR: 'none' }, onProgress: say });
const key = await stack.key({ tenant: 'chaos', role: 'admin', name: 'runners', kind: 'human' });
const to = { url: stack.runtime.api, key, runtime: null };
const box = await sandbox();
const data = join(box.folder, 'data');
const times = join(box.folder, 'times.jsonl');
appendFileSync(times, '');

/** Repeated until the stack answers. */
async function ask<T>(tool: string, args: object, idempotencyKey?: string): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    const answer = await callTool(tool, args, { idempotencyKey, signal: AbortSignal.timeout(20_000) }, to).catch(() => null);
    if (answer && !answer.error) return answer.data as T;
    if (answer?.error && !answer.error.retryable && answer.error.code !== 'INTERNAL') throw new Error(`${tool}: ${answer.error.message}`);
    if (tries > 600) throw new Error(`${tool} is not answered.`);
    await new Promise((done) => setTimeout(done, 250));
  }
}

const fileTask = async (name: string, seconds: number, shared: string, blockedBy: string[]): Promise<string> => {
  const args = {
    description: `TASK ${name} SECONDS ${seconds.toFixed(1)} SHARED ${shared}`,
    phase_id: phase,
    blocked_by: blockedBy,
    max_attempts: 20,
  };
  return (await ask<{ task: Task }>('work.task.create', args, `task-${name}`)).task.id;
};
const taskOf = async (task_id: string): Promise<Task> => (await ask<{ task: Task }>('work.task.get', { task_id })).task;

function startRunner(name: string, ...flags: string[]): ChildProcess {
  const own = ['--phase', String(phase), '--repo', box.repo, '--data', data, '--lease', String(leaseSeconds), '--name', name, ...flags];
  const agent = [process.execPath, join(import.meta.dirname, 'coder.ts'), '{prompt_file}', times];
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'cli', 'signalbox.js'), 'work', ...own, '--', ...agent], {
    env: { ...process.env, SIGNALBOX_URL: to.url, SIGNALBOX_API_KEY: key, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.on('data', (chunk: Buffer) => appendFileSync(join(box.folder, `runner-${name}.log`), chunk));
  return child;
}
const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await new Promise((done) => child.once('exit', done));
};

/** What the runner adds to an agent's own time, without kills. */
async function overhead(): Promise<string> {
  const names = Array.from({ length: 6 }, (_, n) => `calm${n}`);
  for (const name of names) await fileTask(name, 1, 'calm.txt', []);
  const since = performance.now();
  const runner = startRunner('calm', '--max', '1', '--until-empty');
  await ended(runner);
  const wall = (performance.now() - since) / 1_000;
  const own = lines(times).reduce((sum, { ms }) => sum + ms / 1_000, 0);
  const { runs } = await ask<{ runs: WorkRun[] }>('work.run.list', { phase_id: phase, limit: 100 });
  const inside = runs.reduce(
    (sum, { started_at, ended_at }) => sum + (Date.parse(ended_at ?? started_at) - Date.parse(started_at)) / 1_000,
    0,
  );
  const each = (total: number): string => ((total - own) / names.length).toFixed(2);
  return `${each(wall)} s a task beside the agent's own ${(own / names.length).toFixed(2)} s, start and end of the runner included; ${each(inside)} s from open to close`;
}
const lines = (file: string): { task: string; ms: number }[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { task: string; ms: number });

const overheadSaid = await overhead();
say(`overhead: ${overheadSaid}`);

const ids: string[] = [];
for (let n = 0; n < count; n += 1) {
  // Each waits for one or two of those four before it, the first four for nothing.
  const blockers = n < 4 ? [] : [...new Set([random.pick(ids.slice(-4)), ...(random.chance(0.4) ? [random.pick(ids)] : [])])];
  ids.push(await fileTask(`t${n}`, random.between(4, 20), `shared${n % 3}.txt`, blockers));
}

const runners = new Map<string, ChildProcess>();
let ending = false;
/** As a service manager would: a runner that finds no api at its start is started again. */
function keep(name: string): void {
  const runner = startRunner(name, '--max', '2');
  runners.set(name, runner);
  runner.once('exit', () => void (ending || setTimeout(() => keep(name), 500)));
}
keep('a');
keep('b');
const kills: Record<string, number> = {};
const kill = async (what: string): Promise<void> => {
  if (what === 'agent') {
    const state = openStates(data).find(() => random.chance(0.7));
    const pid = state && marked(state.run)[0];
    if (pid === undefined || !isAlive(pid)) return;
    process.kill(pid, 'SIGKILL');
  } else if (runners.has(what)) {
    const runner = runners.get(what)!;
    runner.kill('SIGKILL');
    await ended(runner);
  } else {
    const pid = stack.runtime.pids[what as 'api'];
    if (pid === undefined) return;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      return;
    }
  }
  kills[what] = (kills[what] ?? 0) + 1;
  say(`killed ${what}`);
};
const allDone = async (): Promise<boolean> =>
  (await ask<{ tasks: unknown[] }>('work.task.list', { phase_id: phase, status: 'done', limit: 100 })).tasks.length >= ids.length + 6;

const until = Date.now() + minutes * 60_000;
let done = false;
while (Date.now() < until && !done) {
  await new Promise((next) => setTimeout(next, random.between(2_000, 9_000)));
  await kill(random.pick(['a', 'b', 'a', 'b', 'agent', 'agent', 'api', 'worker', 'temporal', 'postgres']));
  done = await allDone();
}
say(done ? 'all tasks are done' : 'no more kills');
await eventually('all tasks are done', allDone, drainWithin).catch((error: unknown) => say((error as Error).message));
ending = true;
for (const runner of runners.values()) runner.kill('SIGTERM');
await Promise.all([...runners.values()].map(ended));
// Whatever a killed runner has left to tidy.
await ended(startRunner('calm', '--until-empty'));

async function invariants(): Promise<Invariant[]> {
  const tasks = await Promise.all(ids.map(taskOf));
  const runs = (
    await Promise.all(ids.map(async (task_id) => (await ask<{ runs: WorkRun[] }>('work.run.list', { task_id, limit: 100 })).runs))
  ).flat();
  const merges = (await box.git('log', '--format=%(trailers:key=Signalbox-Task,valueonly)', 'main')).split('\n').filter(Boolean);
  const shared = [0, 1, 2].flatMap((n) =>
    readFileSync(join(box.repo, `shared${n}.txt`), 'utf8')
      .split('\n')
      .filter(Boolean),
  );
  const times = (list: readonly string[], one: string): number => list.filter((each) => each === one).length;
  const breachesOf = (check: (id: string, n: number) => string | null): string[] => ids.map(check).filter((breach) => breach !== null);
  const folders = ['worktrees'].flatMap((name) => (existsSync(join(data, name)) ? readdirSync(join(data, name)) : []));
  const left = runs.flatMap(({ id }) => marked(id));
  return [
    {
      name: 'every task is done',
      checked: ids.length,
      breaches: tasks.filter(({ status }) => status !== 'done').map(({ id, status, failure }) => `${id} is ${status}: ${failure}`),
    },
    {
      name: 'every task is merged once',
      checked: ids.length,
      breaches: breachesOf((id, n) =>
        times(merges, id) === 1 && times(shared, `line of t${n}`) === 1
          ? null
          : `${id} (t${n}): ${times(merges, id)} merges, its line ${times(shared, `line of t${n}`)} times`,
      ),
    },
    {
      name: 'every task was completed by one run',
      checked: runs.length,
      breaches: breachesOf((id) =>
        runs.filter(({ task_id, state }) => task_id === id && state === 'completed').length === 1
          ? null
          : `${id}: ${runs
              .filter(({ task_id }) => task_id === id)
              .map(({ state, attempt }) => `${attempt} ${state}`)
              .join(', ')}`,
      ),
    },
    {
      name: 'no run was completed after another attempt had begun',
      checked: runs.length,
      breaches: breachesOf((id) => stale(runs.filter(({ task_id }) => task_id === id))),
    },
    { name: 'no worktree is left', checked: 1, breaches: [...folders, ...(await box.git('worktree', 'list')).split('\n').slice(1)] },
    { name: 'no branch is left', checked: 1, breaches: (await box.git('branch', '--list', 'signalbox/*')).split('\n').filter(Boolean) },
    { name: 'no process is left', checked: 1, breaches: left.map(String) },
    { name: 'the folder of main is clean', checked: 1, breaches: (await box.git('status', '--porcelain')).split('\n').filter(Boolean) },
  ];
}

function stale(runs: readonly WorkRun[]): string | null {
  const completed = runs.find(({ state }) => state === 'completed');
  const last = Math.max(...runs.map(({ attempt }) => attempt));
  return completed && completed.attempt !== last ? `${completed.task_id}: attempt ${completed.attempt} of ${last} completed it` : null;
}

const results = await invariants();
const attempts = (await Promise.all(ids.map(taskOf))).reduce((sum, { attempts: tries }) => sum + tries, 0);
console.log(
  `\nKills: ${Object.entries(kills)
    .map(([what, n]) => `${what} ${n}`)
    .join(', ')}   attempts: ${attempts} for ${ids.length} tasks   ${((Date.now() - began) / 1000).toFixed(0)} s`,
);
console.log(`Overhead of the runner: ${overheadSaid}`);
for (const { name, checked, breaches } of results) {
  console.log(`  ${breaches.length === 0 ? 'holds ' : 'BROKEN'}  ${name} (${checked} checked)`);
  for (const breach of breaches.slice(0, 12)) console.log(`            ${breach}`);
}
const broken = results.some(({ breaches }) => breaches.length > 0);
if (broken) console.log(`Kept: ${stack.dir}, ${box.folder}`);
else box.remove();
await (broken ? stack.stop() : stack.remove());
process.exitCode = broken ? 1 : 0;
