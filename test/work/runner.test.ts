/** `signalbox work` against a real api and real git, with agents that are small programs. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { settingsOf } from '../../cli/runner/command.ts';
import { plainAgent } from '../../cli/runner/agents/plain.ts';
import { Runner, type Tally } from '../../cli/runner/loop.ts';
import { preflight } from '../../cli/runner/preflight.ts';
import { marked } from '../../cli/runner/process.ts';
import type { Settings } from '../../cli/runner/settings.ts';
import { openStates, type RunState } from '../../cli/runner/state.ts';
import { sandbox, type Sandbox } from '../../cli/runner/testing.ts';
import { Run } from '../../cli/runner/run.ts';
import type { RunEvent, WorkRun } from '../../contracts/work/runs.ts';
import type { Task } from '../../contracts/work/work.ts';
import type { Caller } from '../../contracts/caller.ts';
import { isAlive } from '../../platform/embedded/process.ts';
import { openApis, type Api } from '../setup/apis.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const agent = join(import.meta.dirname, 'fake-agent.mjs');
const launcher = join(import.meta.dirname, '..', '..', 'cli', 'signalbox.js');
const command = [process.execPath, agent, '{prompt_file}'];

// Commands are processes of their own, and git is called often.
vi.setConfig({ testTimeout: 90_000 });

let stack: TestStack;
let api: Api;
let pm: Caller & { apiKey: string };
let worker: Caller & { apiKey: string };
let box: Sandbox;
let data: string;
let phase = 60;

beforeAll(async () => {
  stack = await testStack({ model: false });
  [api] = (await openApis(stack, 1)) as [Api];
  pm = await stack.caller({ name: 'pm', role: 'pm' });
  worker = await stack.caller({ name: 'runners', role: 'agent' });
});
afterAll(async () => {
  await api?.close();
  await stack?.stop();
});
beforeEach(async () => {
  box = await sandbox();
  data = join(box.folder, 'data');
  phase += 1;
  await stack.ok(await admin(), 'work.phase.set', { phase_id: phase });
  vi.stubEnv('SIGNALBOX_URL', api.url);
  vi.stubEnv('SIGNALBOX_API_KEY', worker.apiKey);
});
afterEach(() => {
  vi.unstubAllEnvs();
  box.remove();
});

let boss: (Caller & { apiKey: string }) | undefined;
const admin = async (): Promise<Caller> => (boss ??= await stack.caller({ name: 'boss', role: 'admin' }));

/** Files a task whose agent does these lines. */
const file = async (lines: string[], more: object = {}): Promise<string> => {
  const description = [`Task of phase ${phase}`, ...lines.map((line) => `! ${line}`)].join('\n');
  return (await stack.ok<{ task: Task }>(pm, 'work.task.create', { description, phase_id: phase, ...more })).task.id;
};
const row = async (id: string): Promise<Task> => (await stack.ok<{ task: Task }>(pm, 'work.task.get', { task_id: id })).task;
const runsOf = async (task_id: string): Promise<WorkRun[]> => (await stack.ok<{ runs: WorkRun[] }>(pm, 'work.run.list', { task_id })).runs;
const eventsOf = async (run_id: string): Promise<RunEvent[]> =>
  (await stack.ok<{ events: RunEvent[] }>(pm, 'work.run.tail', { run_id, limit: 500 })).events;

/** Quick enough that a test waits for nothing but work. */
const quick = { tick: 20, append: 20, grace: 300, margin: 500, wait: 1_000, retry: 30, retryMost: 200, approved: 300 };

const given = (more: Partial<Parameters<typeof settingsOf>[0]> = {}): Parameters<typeof settingsOf>[0] => ({
  phase,
  command,
  repo: box.repo,
  data,
  max: 1,
  timeout: 300,
  idle: 30,
  commandTimeout: 20,
  lease: 15,
  untilEmpty: true,
  json: false,
  ...more,
});
async function settings(more: Partial<Parameters<typeof settingsOf>[0]> = {}, own: Partial<Settings> = {}): Promise<Settings> {
  return { ...(await settingsOf(given(more), process.env, quick)), say: () => {}, ...own };
}
const open = async (...args: Parameters<typeof settings>): Promise<Runner> => await Runner.open(await settings(...args), process.env);
const work = async (...args: Parameters<typeof settings>): Promise<Tally> => await (await open(...args)).run();

/** The command in a process of its own, to be killed. */
function runnerProcess(...flags: string[]): ChildProcess {
  const args = ['work', '--phase', String(phase), '--repo', box.repo, '--data', data, '--lease', '60', ...flags, '--', ...command];
  return spawn(process.execPath, [launcher, ...args], { env: { ...process.env, NO_COLOR: '1' }, stdio: ['ignore', 'ignore', 'pipe'] });
}
async function kill9(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
/** The state of a run whose agent runs. */
const atWork = async (): Promise<RunState> =>
  await eventually('an agent is at work', async () =>
    openStates(data).find(({ step, pid }) => step === 'started' && pid !== null && isAlive(pid)),
  );

const mergesOf = async (task: string): Promise<number> =>
  (await box.git('log', '--format=%H', `--grep=^Signalbox-Task: ${task}$`, 'main')).split('\n').filter(Boolean).length;
const shown = (path: string): string => readFileSync(join(box.repo, path), 'utf8');

/** Nothing of finished tasks is left: folders, branches, locks, processes. */
async function expectTidy(runs: readonly WorkRun[]): Promise<void> {
  expect((await box.git('worktree', 'list')).split('\n')).toHaveLength(1);
  expect(await box.git('branch', '--list', 'signalbox/*')).toBe('');
  for (const folder of ['worktrees', 'runs']) if (existsSync(join(data, folder))) expect(readdirSync(join(data, folder))).toEqual([]);
  expect(readdirSync(data).filter((name) => name.includes('lock'))).toEqual([]);
  expect(readdirSync(join(box.repo, '.git')).filter((name) => /signalbox|lock/.test(name))).toEqual([]);
  for (const { id } of runs) expect(marked(id)).toEqual([]);
  expect(await box.git('status', '--porcelain')).toBe('');
}

describe('a runner', () => {
  it('has a task done, checked and merged once, and leaves nothing behind', async () => {
    const id = await file(['say Looking around', 'write b.txt new', 'commit Add b', 'write c.txt left', 'say All is there.', 'say DONE']);
    expect(
      await work({ setup: ['echo ready >setup.log && echo setup.log >>.git-ignored'], check: ['test -f b.txt && test -f c.txt'] }),
    ).toMatchObject({ done: 1, merged: 1, failed: 0 });
    expect(await row(id)).toMatchObject({ status: 'done', attempts: 1 });
    const [run] = (await runsOf(id)) as [WorkRun];
    expect(run).toMatchObject({
      state: 'completed',
      outcome: 'done',
      commits: 3,
      merged_commit: await box.git('rev-parse', 'main'),
      summary: expect.stringContaining('All is there.') as string,
    });
    expect(run.patch_artifact).toBeTypeOf('string');
    expect(run.checks).toMatchObject([{ exit_code: 0 }]);
    expect((await eventsOf(run.id)).map(({ text }) => text)).toEqual(expect.arrayContaining(['Looking around', 'All is there.']));
    expect([shown('b.txt'), shown('c.txt')]).toEqual(['new\n', 'left\n']);
    expect(await mergesOf(id)).toBe(1);
    await expectTidy([run]);
  });

  it('ends with its last task, also a slot that looked shortly before its end', { timeout: 40_000 }, async () => {
    const id = await file(['write b.txt new', 'say DONE']);
    // Only the end of the run itself is heard in time.
    const runner = await open({ max: 2 }, { pace: { ...quick, wait: 25_000, approved: 120_000 } });
    const { api } = runner['shop'];
    const [call, live] = [api.call.bind(api), Run.prototype.live];
    const calls: string[] = [];
    vi.spyOn(api, 'call').mockImplementation((name, ...rest) => {
      calls.push(name);
      return call(name, ...rest);
    });
    const living = vi.spyOn(Run.prototype, 'live').mockImplementationOnce(async function (this: Run) {
      const end = await live.call(this);
      await eventually('the idle slot has looked, and waits again', async () => {
        const since = calls.slice(calls.lastIndexOf('work.run.close'));
        return since.includes('work.task.claim') && since.lastIndexOf('event.stream.subscribe') > since.indexOf('work.task.claim');
      });
      return end;
    });
    expect(await runner.run()).toMatchObject({ done: 1, merged: 1 });
    expect((await row(id)).status).toBe('done');
    living.mockRestore();
  });

  it('shares six tasks with dependencies with another on the same repository', async () => {
    const own = (n: number): string[] => [`write f${n}.txt ${n}`, 'say DONE'];
    const first = await Promise.all([1, 2].map(async (n) => await file(own(n))));
    const then = await Promise.all([3, 4].map(async (n) => await file(own(n), { blocked_by: first })));
    const last = await Promise.all([5, 6].map(async (n) => await file(own(n), { blocked_by: [then[n - 5]!] })));
    const all = [...first, ...then, ...last];
    const tallies = await Promise.all([work({ name: 'a', max: 2 }), work({ name: 'b', max: 2 })]);
    expect((await Promise.all(all.map(row))).map(({ status }) => status)).toEqual(all.map(() => 'done'));
    expect(await Promise.all(all.map(mergesOf))).toEqual(all.map(() => 1));
    expect(tallies[0].done + tallies[1].done).toBe(6);
    await expectTidy((await Promise.all(all.map(runsOf))).flat());
  });
});

describe('an agent that', () => {
  it('cannot continue its session begins anew in the same attempt', async () => {
    const id = await file(
      ['forgetful', 'say {"kind":"session","id":"s-1"}', 'append b.txt b', 'unless Earlier attempts', 'exit 3', 'say DONE'],
      { max_attempts: 2 },
    );
    const agent = { ...plainAgent(command), resumes: true };
    expect(await work({}, { agent })).toMatchObject({ done: 1, failed: 1 });
    const [second, first] = (await runsOf(id)) as [WorkRun, WorkRun];
    expect([first, second]).toMatchObject([
      { state: 'returned', session_id: 's-1' },
      { state: 'completed', session_id: 's-1' },
    ]);
    const notices = (await eventsOf(second.id)).filter(({ kind }) => kind === 'notice').map(({ text }) => text);
    expect(notices).toContainEqual(expect.stringMatching(/^Its session s-1 could not be continued, it begins anew: .*No such session/s));
    expect(shown('b.txt')).toBe('b\nb\n');
    expect(await mergesOf(id)).toBe(1);
    await expectTidy([first, second]);
  });

  it.each([
    ['dies', ['write b.txt b', 'die'], /was killed|SIGKILL/],
    ['ends with an error', ['say I cannot', 'exit 3'], /ended with 3/],
    ['exits with 0 after an error', ['say [API Error: 401]', 'exit 0'], /without saying how/],
    ['claims success without a change', ['say DONE'], /changed nothing/],
    ['does not pass the checks', ['write broken.txt x', 'say DONE'], /Checks failed/],
  ])('%s has not done its task, and nothing is merged', async (_, lines, reason) => {
    const before = await box.git('rev-parse', 'main');
    const id = await file(lines, { max_attempts: 1 });
    expect(await work({ check: ['test ! -f broken.txt'] })).toMatchObject({ done: 0, failed: 1 });
    expect(await row(id)).toMatchObject({ status: 'failed', failure: expect.stringMatching(reason) as string });
    expect(await box.git('rev-parse', 'main')).toBe(before);
  });

  it('hangs is ended, and its next attempt goes on from what it had committed', async () => {
    const never = join(box.folder, 'never');
    const id = await file([
      'append b.txt part',
      'unless Earlier attempts',
      'commit Half',
      'unless Earlier attempts',
      `wait ${never}`,
      'say DONE',
    ]);
    expect(await work({}, { idle: 4 })).toMatchObject({ done: 1, merged: 1, failed: 1 });
    const [second, first] = (await runsOf(id)) as [WorkRun, WorkRun];
    expect(first).toMatchObject({ attempt: 1, reason: expect.stringContaining('no life') as string, commits: 1 });
    expect(second).toMatchObject({ attempt: 2, state: 'completed' });
    expect(shown('b.txt')).toBe('part\npart\n');
    await expectTidy([first, second]);
  });

  it('finds nothing to change may say so', async () => {
    const id = await file(['say No change needed: it is there already.', 'say DONE']);
    expect(await work()).toMatchObject({ done: 1, merged: 0 });
    expect(await row(id)).toMatchObject({ status: 'done' });
  });

  it('is blocked or asks has its task wait for a person', async () => {
    const [one, two] = [await file(['say BLOCKED no network']), await file(['say QUESTION Which colour?'])];
    expect(await work()).toMatchObject({ waiting: 2 });
    expect((await runsOf(one))[0]).toMatchObject({ outcome: 'blocked', reason: 'no network' });
    expect((await runsOf(two))[0]).toMatchObject({ outcome: 'question', reason: 'Which colour?' });
    expect((await row(two)).kanban_column).toBe('review');
  });

  it('prints 100 MB is followed to its end, and few events of it are kept', { timeout: 180_000 }, async () => {
    const id = await file(['flood 100', 'write b.txt b', 'say DONE']);
    expect(await work()).toMatchObject({ done: 1, merged: 1 });
    const [run] = (await runsOf(id)) as [WorkRun];
    expect(run.events).toBeLessThan(20_000);
    const [last] = (await stack.ok<{ events: RunEvent[] }>(pm, 'work.run.tail', { run_id: run.id, after: run.events - 1 })).events.slice(
      -1,
    );
    expect(last!.text).not.toContain('xxx');
  });

  it('leaves a child in a session of its own leaves no process', async () => {
    const pidFile = join(box.folder, 'pid');
    const id = await file([`detach ${pidFile}`, 'write b.txt b', 'say DONE']);
    expect(await work()).toMatchObject({ done: 1 });
    expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
    await expectTidy(await runsOf(id));
  });

  it('writes outside its worktree changes nothing that is merged', async () => {
    const id = await file([`write ${join(box.repo, 'stray.txt')} stray`, 'write b.txt b', 'say DONE']);
    expect(await work()).toMatchObject({ done: 1, merged: 1 });
    expect(await box.git('ls-tree', '--name-only', 'main')).toBe('a.txt\nb.txt');
    expect(shown('stray.txt')).toBe('stray\n');
    const [run] = (await runsOf(id)) as [WorkRun];
    expect((await eventsOf(run.id)).map(({ text }) => text).join('\n')).toContain('stray.txt');
  });
});

describe('a lease', () => {
  it('that is taken away ends the agent, and nothing is merged or completed afterwards', async () => {
    const before = await box.git('rev-parse', 'main');
    const id = await file(['write b.txt half', `wait ${join(box.folder, 'never')}`, 'say DONE'], { max_attempts: 1 });
    const runner = await open();
    const ended = runner.run();
    const state = await atWork();
    await stack.ok(pm, 'work.task.fail', { task_id: id, reason: 'Not wanted any more' });
    expect(await ended).toMatchObject({ done: 0, lost: 1 });
    expect(marked(state.run)).toEqual([]);
    expect(await box.git('rev-parse', 'main')).toBe(before);
    expect(await row(id)).toMatchObject({ status: 'failed', failure: 'Not wanted any more' });
    // With what it had begun.
    expect(readFileSync(join(state.worktree, 'b.txt'), 'utf8')).toBe('half\n');
  });

  it('is given back when the runner is stopped', async () => {
    const id = await file(['write b.txt half', `wait ${join(box.folder, 'go')}`, 'say DONE']);
    const runner = await open();
    const ended = runner.run();
    const state = await atWork();
    await eventually('it has begun', async () => existsSync(join(state.worktree, 'b.txt')));
    runner.stop();
    await ended;
    expect(await row(id)).toMatchObject({ status: 'ready' });
    expect((await runsOf(id))[0]).toMatchObject({ state: 'returned', outcome: 'released', commits: 1 });
    expect(marked(state.run)).toEqual([]);
    writeFileSync(join(box.folder, 'go'), '');
    expect(await work()).toMatchObject({ done: 1, merged: 1 });
    await expectTidy(await runsOf(id));
  });
});

describe('kill -9', () => {
  it('of the runner: the next one takes the agent over where it stands', async () => {
    const id = await file(['say before', `wait ${join(box.folder, 'go')}`, 'write b.txt b', 'say after', 'say DONE']);
    const child = runnerProcess();
    const state = await atWork();
    await kill9(child);
    expect(isAlive(state.pid!)).toBe(true);
    const ended = work();
    writeFileSync(join(box.folder, 'go'), '');
    expect(await ended).toMatchObject({ done: 1, merged: 1 });
    const runs = await runsOf(id);
    expect(runs).toMatchObject([{ id: state.run, attempt: 1, state: 'completed' }]);
    expect((await eventsOf(state.run)).filter(({ text }) => text === 'before')).toHaveLength(1);
    await expectTidy(runs);
  });

  it('of the runner, and the agent ends meanwhile: its last word counts', async () => {
    const id = await file([`wait ${join(box.folder, 'go')}`, 'write b.txt b', 'say DONE']);
    const child = runnerProcess();
    const state = await atWork();
    await kill9(child);
    writeFileSync(join(box.folder, 'go'), '');
    await eventually('the agent has ended', async () => !isAlive(state.pid!));
    expect(await work()).toMatchObject({ done: 1, merged: 1 });
    expect(await runsOf(id)).toMatchObject([{ attempt: 1, state: 'completed' }]);
  });

  it('of runner and agent: another attempt', async () => {
    const id = await file(['append b.txt b', 'unless Earlier attempts', `wait ${join(box.folder, 'never')}`, 'say DONE']);
    const child = runnerProcess();
    const state = await atWork();
    await kill9(child);
    for (const pid of marked(state.run)) process.kill(pid, 'SIGKILL');
    await eventually('the agent is gone', async () => marked(state.run).length === 0);
    expect(await work()).toMatchObject({ done: 1, merged: 1, failed: 1 });
    const runs = await runsOf(id);
    expect(runs).toMatchObject([
      { attempt: 2, state: 'completed' },
      { attempt: 1, reason: expect.stringMatching(/was killed|SIGKILL/) as string },
    ]);
    expect(await mergesOf(id)).toBe(1);
    await expectTidy(runs);
  });

  it('a second runner of the same name is refused', async () => {
    await file([`wait ${join(box.folder, 'go')}`, 'write b.txt b', 'say DONE']);
    const runner = await open();
    const ended = runner.run();
    await atWork();
    await expect(work()).rejects.toThrow('A runner works here already');
    writeFileSync(join(box.folder, 'go'), '');
    expect(await ended).toMatchObject({ done: 1 });
  });
});

describe('two tasks on one line', () => {
  /** Both begin from the same commit; the second ends after the first is merged. */
  const together = async (second: string[]): Promise<{ ids: [string, string]; tally: Tally }> => {
    const [one, two] = [join(box.folder, 'one'), join(box.folder, 'two')];
    const ids: [string, string] = [
      await file(['write a.txt first', `wait ${one}`, 'say DONE']),
      await file(['unless have conflict markers', 'write a.txt second', `wait ${two}`, ...second, 'say DONE'], { max_attempts: 1 }),
    ];
    const ended = work({ max: 2 });
    await eventually('both are at work', async () => {
      const begun = openStates(data).filter(
        ({ step, worktree }) => step === 'started' && !readFileSync(join(worktree, 'a.txt'), 'utf8').startsWith('one'),
      );
      return begun.length === 2;
    });
    writeFileSync(one, '');
    await eventually('the first is done', async () => (await row(ids[0])).status === 'done');
    writeFileSync(two, '');
    return { ids, tally: await ended };
  };

  it('are brought together by the agent whose work comes second', async () => {
    const { ids, tally } = await together(['if have conflict markers', 'write a.txt both']);
    expect(tally).toMatchObject({ done: 2, merged: 2 });
    expect(shown('a.txt')).toBe('both\n');
    expect(await Promise.all(ids.map(mergesOf))).toEqual([1, 1]);
    await expectTidy((await Promise.all(ids.map(runsOf))).flat());
  });

  it('fail for the second when its agent cannot', async () => {
    const { ids, tally } = await together([]);
    expect(tally).toMatchObject({ done: 1, failed: 1 });
    expect(await row(ids[1])).toMatchObject({ status: 'failed', failure: expect.stringContaining('a.txt') as string });
    expect(shown('a.txt')).toBe('first\n');
    expect(await box.git('status', '--porcelain')).toBe('');
  });
});

describe('review', () => {
  it('approved work is merged, and work that is sent back comes with the comment', async () => {
    const prompts = join(box.folder, 'prompts');
    await stack.ok(await admin(), 'work.phase.set', { phase_id: phase, needs_review: true });
    const id = await file([`prompt ${prompts}`, 'append b.txt b', 'say DONE']);
    const before = await box.git('rev-parse', 'main');
    expect(await work()).toMatchObject({ done: 1, merged: 0 });
    const [first] = (await runsOf(id)) as [WorkRun];
    expect(first).toMatchObject({ state: 'review', outcome: 'done' });
    expect(await box.git('rev-parse', 'main')).toBe(before);
    await stack.ok(pm, 'work.run.review', { run_id: first.id, verdict: 'send_back', note: 'Twice, please' });
    expect(await work()).toMatchObject({ done: 1, merged: 0 });
    expect(readFileSync(prompts, 'utf8').split('=====')[1]).toContain('Twice, please');
    const [second] = (await runsOf(id)) as [WorkRun];
    await stack.ok(pm, 'work.run.review', { run_id: second.id, verdict: 'approve' });
    expect((await runsOf(id))[0]!.state).toBe('approved');
    await Promise.all([work({ name: 'a' }), work({ name: 'b' })]);
    expect(await row(id)).toMatchObject({ status: 'done' });
    expect(shown('b.txt')).toBe('b\nb\n');
    expect(await mergesOf(id)).toBe(1);
    await expectTidy(await runsOf(id));
  });
});

describe('the commands', () => {
  const cli = async (...args: string[]): Promise<string> => {
    const child = spawn(process.execPath, [launcher, ...args], {
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    await once(child, 'close');
    return out;
  };

  it('list, show and print a run; its patch applies', async () => {
    const id = await file(['write b.txt b', 'say DONE']);
    await work();
    const [run] = (await runsOf(id)) as [WorkRun];
    const [listed, shownRun, diff, tail] = await Promise.all([
      cli('work', 'ls', '--task', id),
      cli('work', 'show', run.id),
      cli('work', 'diff', run.id),
      cli('work', 'tail', run.id),
    ]);
    expect(listed).toContain(run.id);
    expect(shownRun).toContain('completed');
    expect(tail).toContain('DONE');
    await box.git('checkout', '-q', '--detach', 'main^1');
    writeFileSync(join(box.folder, 'work.patch'), diff);
    await box.git('apply', '--check', join(box.folder, 'work.patch'));
  });

  it('stop an agent: its task waits for a person', async () => {
    const id = await file([`wait ${join(box.folder, 'never')}`, 'say DONE']);
    const ended = work();
    const { run } = await atWork();
    await cli('work', 'stop', run, '--repo', box.repo, '--data', data);
    expect(await ended).toMatchObject({ failed: 1 });
    expect(await row(id)).toMatchObject({ status: 'failed', failure: 'Stopped by a person.' });
    expect(marked(run)).toEqual([]);
  });
});

describe('before a claim', () => {
  it('tells what is missing', async () => {
    const id = await file(['say DONE']);
    const refused = async (more: Partial<Parameters<typeof settingsOf>[0]>, word: RegExp): Promise<void> =>
      await expect((async () => await preflight(await settings(more)))()).rejects.toThrow(word);
    await refused({ command: ['no-such-agent'] }, /not on PATH/);
    await refused({ base: 'nope' }, /no branch nope/);
    await refused({ repo: box.folder }, /not in a git repository/);
    await refused({ push: 'base' }, /no remote/);
    await refused({ agent: 'nope' }, /No agent "nope"/);
    await refused({ phase: 999 }, /phase/i);
    writeFileSync(join(box.repo, 'a.txt'), 'changed by hand\n');
    await refused({}, /uncommitted changes/);
    expect(await preflight(await settings({ merge: 'patch' }))).toEqual([]);
    vi.stubEnv('SIGNALBOX_API_KEY', (await stack.caller({ role: 'readonly', name: 'reader' })).apiKey);
    await refused({ merge: 'patch' }, /may not call work\.task\.claim/);
    vi.stubEnv('SIGNALBOX_URL', 'http://127.0.0.1:9');
    await refused({ merge: 'patch' }, /not reachable/);
    expect(await row(id)).toMatchObject({ status: 'ready', attempts: 0 });
  });
});
