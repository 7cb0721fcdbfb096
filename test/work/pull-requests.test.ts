/** Approved work as pull requests: pushed by a real runner with real git, opened and followed by the server. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { settingsOf } from '../../cli/runner/command.ts';
import { git } from '../../cli/runner/git.ts';
import { Runner } from '../../cli/runner/loop.ts';
import { sandbox, type Sandbox } from '../../cli/runner/testing.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { WorkRun } from '../../contracts/work/runs.ts';
import type { Tracker } from '../../contracts/work/trackers.ts';
import type { Task } from '../../contracts/work/work.ts';
import { openApis, type Api } from '../setup/apis.ts';
import { openForge, type Forge } from '../setup/forges.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

vi.setConfig({ testTimeout: 90_000 });

const agent = join(import.meta.dirname, 'fake-agent.mjs');
const quick = { tick: 20, append: 20, grace: 300, margin: 500, wait: 1_000, retry: 30, retryMost: 200, approved: 300 };

let stack: TestStack;
let api: Api;
let pm: Caller;
let boss: Caller;
let box: Sandbox;
let remote: string;
let forge: Forge;
let tracker: string;
let phase = 500;
const said: string[] = [];

beforeAll(async () => {
  stack = await testStack({ model: false, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  [api] = (await openApis(stack, 1)) as [Api];
  pm = await stack.caller({ name: 'pm', role: 'pm', kind: 'human' });
  boss = await stack.caller({ name: 'boss', kind: 'human' });
});
afterAll(async () => {
  await api?.close();
  await stack?.stop();
});
beforeEach(async () => {
  phase += 1;
  said.length = 0;
  box = await sandbox();
  remote = join(box.folder, 'remote.git');
  await git(box.folder, ['init', '-q', '--bare', remote]);
  await box.git('remote', 'add', 'origin', remote);
  await box.git('push', '-q', 'origin', 'main');
  await stack.ok(boss, 'work.phase.set', { phase_id: phase, needs_review: true, merge: 'pull_request' });
  const worker = await stack.caller({ name: `runners-${phase}`, role: 'agent' });
  vi.stubEnv('SIGNALBOX_URL', api.url);
  vi.stubEnv('SIGNALBOX_API_KEY', worker.apiKey);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  if (tracker) await stack.ok(boss, 'work.tracker.remove', { tracker_id: tracker });
  tracker = '';
  await forge?.close();
  box.remove();
});

async function track(kind: 'github' | 'gitlab'): Promise<void> {
  forge = await openForge(kind);
  const saved = await stack.ok<{ tracker: Tracker }>(boss, 'work.tracker.save', {
    name: `tracker ${phase}`,
    kind,
    base_url: forge.url,
    repository: forge.repository,
    remote: `${hostname()}:${remote}`,
    token: forge.token,
    phase_id: phase,
    every_minutes: 1_440,
  });
  tracker = saved.tracker.tracker_id;
}
const sync = async (): Promise<Tracker['last']> => {
  const { tracker: now, finished } = await stack.ok<{ tracker: Tracker; finished: boolean }>(pm, 'work.tracker.sync', {
    tracker_id: tracker,
  });
  expect(finished).toBe(true);
  return now.last;
};
const work = async (): Promise<void> => {
  const settings = await settingsOf(
    {
      phase,
      command: [process.execPath, agent, '{prompt_file}'],
      repo: box.repo,
      data: join(box.folder, 'data'),
      max: 1,
      timeout: 60,
      idle: 30,
      commandTimeout: 20,
      lease: 15,
      untilEmpty: true,
      json: false,
    },
    process.env,
    quick,
  );
  await (await Runner.open({ ...settings, say: (line: string) => void said.push(line) }, process.env)).run();
};
const row = async (id: string) =>
  (await stack.ok<{ task: Task & { pull_request: WorkRun['pull_request'] } }>(pm, 'work.task.get', { task_id: id })).task;
const runOf = async (task_id: string): Promise<WorkRun> => (await stack.ok<{ runs: WorkRun[] }>(pm, 'work.run.list', { task_id })).runs[0]!;
const review = (run: WorkRun, verdict: string) => stack.ok(pm, 'work.run.review', { run_id: run.id, verdict });
/** A task of an issue, whose agent does these lines. */
async function handedIn(lines = ['append b.txt b', 'say DONE']): Promise<{ task: string; number: number; run: WorkRun }> {
  const { number } = forge.file({ title: `Issue of ${phase}`, body: lines.map((line) => `! ${line}`).join('\n') });
  await sync();
  await work();
  const [found] = await asTenant('acme', () =>
    stack.db.query<{ task_id: string }>('select task_id from work_task_issues where tenant_id = $1 and tracker_id = $2 and number = $3', [
      'acme',
      tracker,
      number,
    ]),
  );
  return { task: found!.task_id, number, run: await runOf(found!.task_id) };
}

describe('approved work', () => {
  it.each(['github', 'gitlab'] as const)(
    'is pushed, becomes one pull request at %s, and its task is done when that is merged',
    async (kind) => {
      await track(kind);
      const { task, number, run } = await handedIn();
      expect(run).toMatchObject({ state: 'review', merge: 'pull_request', pull_request: null });
      expect(await git(remote, ['for-each-ref', '--format=%(refname:short)'])).toBe('main');
      await review(run, 'approve');
      forge.mishaps.push('lost_after');
      await work();
      expect(await git(remote, ['rev-parse', run.branch!])).toBe(run.head_commit);
      await sync();
      await work();
      await sync();
      expect(forge.pulls).toEqual([
        expect.objectContaining({
          head: run.branch,
          base: 'main',
          title: `Issue of ${phase}`,
          body: expect.stringContaining(`For #${number}.`),
        }),
      ]);
      const [pull] = forge.pulls;
      expect(await row(task)).toMatchObject({ status: 'review', pull_request: { number: pull!.number, state: 'open', error: null } });
      expect((await runOf(task)).pull_request!.url).toMatch(new RegExp(`/${pull!.number}$`));
      const before = await box.git('rev-parse', 'main');

      forge.end(pull!.number, 'merged', 'abcdef1abcdef1abcdef1abcdef1abcdef1abcde');
      expect(await sync()).toMatchObject({ error: null });
      expect(await row(task)).toMatchObject({ status: 'done', ended_by: 'pm', pull_request: { state: 'merged' } });
      expect(await runOf(task)).toMatchObject({ state: 'completed', merged_commit: 'abcdef1abcdef1abcdef1abcdef1abcdef1abcde' });
      expect(forge.issues[0]!.state).toBe('closed');
      expect(forge.written(number).at(-1)).toMatch(/is done\.\n\nPull request: http/);
      // Nothing has come to the branch of whoever runs this.
      expect(await box.git('rev-parse', 'main')).toBe(before);
      expect(await sync()).toMatchObject({ pulls: 0, written: 0, error: null });
    },
  );

  it('comes back when its pull request is closed, and the next attempt has a pull request of its own', async () => {
    await track('github');
    const { task, run } = await handedIn();
    await review(run, 'approve');
    await work();
    await sync();
    forge.end(forge.pulls[0]!.number, 'closed');
    await sync();
    expect(await row(task)).toMatchObject({ status: 'ready', pull_request: { state: 'closed' } });
    expect(await runOf(task)).toMatchObject({ state: 'returned', reason: expect.stringContaining('was closed without being merged') });
    await work();
    const second = await runOf(task);
    expect(second.attempt).toBe(1);
    expect(second.id).not.toBe(run.id);
    await review(second, 'approve');
    await work();
    await sync();
    expect(forge.pulls.map(({ head, state }) => [head, state])).toEqual([
      [run.branch, 'closed'],
      [second.branch, 'open'],
    ]);
  });

  it('that is sent back after its push is followed no more', async () => {
    await track('github');
    const { task, run } = await handedIn();
    await review(run, 'approve');
    await work();
    await sync();
    await review(run, 'send_back');
    forge.end(forge.pulls[0]!.number, 'merged', 'abcdef1');
    expect(await sync()).toMatchObject({ error: null });
    expect(await row(task)).toMatchObject({ status: 'ready', pull_request: { state: 'dropped' } });
  });

  it('waits where no tracker has its repository, and is only what was approved', async () => {
    await track('github');
    const { task, run } = await handedIn();
    const pushed = async (commit: string) =>
      (await stack.call(boss, 'work.run.pushed', { run_id: run.id, commit })).error?.details?.['reason'];
    expect(await pushed(run.head_commit!)).toBe('review');
    await review(run, 'approve');
    expect(await pushed('abcdef1')).toBe('not_approved');
    const { tracker: other } = await stack.ok<{ tracker: Tracker }>(boss, 'work.tracker.save', {
      tracker_id: tracker,
      name: 'elsewhere',
      kind: 'github',
      base_url: forge.url,
      repository: forge.repository,
      remote: 'github.com/acme/other',
      phase_id: phase,
    });
    expect(other.remote).toBe('github.com/acme/other');
    await work();
    expect(said.join('\n')).toMatch(/approved and pushed as signalbox\/.*, without a pull request: .*No tracker has the repository/);
    expect(await row(task)).toMatchObject({ status: 'review', pull_request: null });
  });

  it('that the remote refuses stays approved, and the runner says why', async () => {
    await track('github');
    const { task, run } = await handedIn();
    await git(remote, ['config', 'transfer.hideRefs', 'refs/heads/signalbox']);
    await review(run, 'approve');
    await work();
    expect(said.join('\n')).toMatch(/approved, and not pushed yet: origin refuses/);
    expect(await runOf(task)).toMatchObject({ state: 'approved', pull_request: null });
    await git(remote, ['config', '--unset', 'transfer.hideRefs']);
    await work();
    await sync();
    expect(await row(task)).toMatchObject({ pull_request: { state: 'open' } });
  });
});

it('a phase whose work becomes pull requests has a review', async () => {
  const set = async (fields: object) => (await stack.call(boss, 'work.phase.set', { phase_id: 599, ...fields })).error?.code;
  expect(await set({ merge: 'pull_request' })).toBe('VALIDATION_ERROR');
  expect(await set({ merge: 'pull_request', needs_review: true })).toBeUndefined();
  expect(await set({ needs_review: false })).toBe('VALIDATION_ERROR');
  expect(await set({ needs_review: false, merge: null })).toBeUndefined();
});
