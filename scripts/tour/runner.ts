import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git, tryGit } from '../../cli/runner/git.ts';
import type { WorkRun } from '../../contracts/work/runs.ts';
import type { Agent } from './agent.ts';
import { boats, check, timetable } from './ferry.ts';
import { expect, seconds, type Tell } from './narrate.ts';

/** Of its own, so that the runner never takes real work. */
const phase = { id: 905, name: 'tour: by a coding agent' };
const longest = 90_000;
const root = join(import.meta.dirname, '..', '..');

interface Runner {
  url: string;
  key: string;
}

/** `signalbox work` in a new repository, with an agent that is a script. @returns the run of the second task; null: there is no git */
export async function codingAgent(me: Agent, { url, key }: Runner, run: string, tell: Tell): Promise<WorkRun | null> {
  const version = /(\d+)\.(\d+)/.exec((await tryGit(tmpdir(), ['--version'])).out);
  if (version === null || Number(version[1]) * 1_000 + Number(version[2]) < 2_031) {
    tell(
      `${version ? `git ${version[0]}` : 'git'} is ${version ? 'too old' : 'not installed'}: \`signalbox work\`, which needs 2.31, is not shown.`,
    );
    return null;
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-tour-')));
  try {
    const repo = await newRepository(join(folder, `ferry-${run}`));
    await cancelLeft(me);
    await me.ok('work.phase.set', { phase_id: phase.id, name: phase.name, needs_review: false, setup: [], checks: [], merge: null });
    const ids = await fileTasks(me);
    const output = await work(['--phase', String(phase.id), '--repo', repo, '--data', join(folder, 'data'), '--until-empty'], { url, key });
    const runs = await Promise.all(ids.map(async (task_id) => (await me.ok<{ runs: WorkRun[] }>('work.run.list', { task_id })).runs));
    const said = `\n${output.trim()}`;
    expect(
      runs.every((all) => all.length === 1 && all[0]!.state === 'completed'),
      `each task is done at the first attempt${said}`,
    );
    const [first, second] = runs.flat() as [WorkRun, WorkRun];
    await tellOf(me, [first, second], tell);
    expect(Date.parse(second.started_at) >= Date.parse(first.ended_at!), 'the second task waits for the first');
    await tellMerged(repo, [first, second], tell);
    expect(await git(repo, ['worktree', 'list', '--porcelain']).then((text) => !text.includes('\n\n')), 'no worktree is left');
    return second;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** With one commit, and without what this user's settings add to commits: signatures, hooks, templates. */
async function newRepository(repo: string): Promise<string> {
  await git(tmpdir(), ['init', '--quiet', '--initial-branch', 'main', '--template=', repo]);
  for (const [name, value] of [
    ['user.name', 'Tour'],
    ['user.email', 'tour@localhost'],
    ['commit.gpgsign', 'false'],
    ['core.hooksPath', '.no-hooks'],
    ['core.autocrlf', 'false'],
  ] as const)
    await git(repo, ['config', name, value]);
  writeFileSync(join(repo, 'check.cjs'), check);
  await git(repo, ['add', '--all']);
  await git(repo, ['commit', '--quiet', '--message', 'Begin']);
  return repo;
}

/** Tasks of a tour that was ended early: their files are in a repository that is gone. */
async function cancelLeft(me: Agent): Promise<void> {
  // Dependants first: a task that others wait for is not cancelled.
  for (const status of ['blocked', 'ready', 'in_progress']) {
    const { tasks } = await me.ok<{ tasks: { id: string }[] }>('work.task.list', { phase_id: phase.id, status, limit: 100 });
    for (const { id } of tasks) await me.ok('work.task.cancel', { task_id: id, reason: 'Left by an earlier tour.', dependants: 'free' });
  }
}

async function fileTasks(me: Agent): Promise<[string, string]> {
  const create = async (description: string, blocked_by: string[]): Promise<string> => {
    const wanted = { description, phase_id: phase.id, blocked_by, tags: ['tour'], max_attempts: 1 };
    return (await me.ok<{ task: { id: string } }>('work.task.create', wanted)).task.id;
  };
  const first = await create(`List the sailings in ${boats.file}`, []);
  return [first, await create(`Write ${timetable.file} from the list of sailings`, [first])];
}

/** @returns what it said. @throws Error with that, when it fails or takes too long */
async function work(flags: string[], { url, key }: Runner): Promise<string> {
  const agent = [process.execPath, join(import.meta.dirname, 'coder.ts'), '{prompt_file}'];
  const checked = ['--check', `'${process.execPath}' check.cjs`, '--timeout', '60', '--lease', '30'];
  const child = spawn(process.execPath, [join(root, 'cli', 'signalbox.js'), 'work', ...flags, ...checked, '--', ...agent], {
    // A child of its own key: the tour's may do more than a runner must.
    env: { ...process.env, SIGNALBOX_URL: url, SIGNALBOX_API_KEY: key, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  // The first signal gives the tasks back, the second ends it.
  const timers = [longest, longest + 10_000].map((ms) => setTimeout(() => child.kill(), ms));
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    expect(code === 0, `\`signalbox work\` ends well, not with ${code}:\n${said.trim()}`);
    return said;
  } finally {
    timers.forEach(clearTimeout);
  }
}

async function tellOf(me: Agent, runs: WorkRun[], tell: Tell): Promise<void> {
  for (const run of runs) {
    const took = seconds(Date.parse(run.ended_at!) - Date.parse(run.started_at));
    const tokens = run.usage.input_tokens + run.usage.output_tokens;
    tell(`${run.worker} claimed “${run.title}”: ${run.agent} ran in a worktree of its own on ${run.branch}.`);
    tell(
      `  ${run.commits} commit${run.commits === 1 ? '' : 's'} with the merge, up to ${run.head_commit?.slice(0, 7)}, ${run.files_changed} file, +${run.insertions} -${run.deletions}; ${run.checks.length} check passed; ${took}, ${tokens === 0 ? 'no tokens: it has no model' : `${tokens} tokens`}.`,
    );
    const { events } = await me.ok<{ events: { kind: string; text: string }[] }>('work.run.tail', { run_id: run.id, limit: 100 });
    expect(
      events.some(({ text }) => text.includes('I tried to complete the task myself: FORBIDDEN')),
      'the key of a run cannot complete its task',
    );
    const { task } = await me.ok<{ task: { comments: { author: string }[] } }>('work.task.get', { task_id: run.task_id });
    expect(
      task.comments.some(({ author }) => author.includes(run.id)),
      "the agent's comment is there, under the name of its run",
    );
  }
  tell('Each agent had a key for its run: its comments are there, its attempt to complete the task was refused.');
}

async function tellMerged(repo: string, [first, second]: [WorkRun, WorkRun], tell: Tell): Promise<void> {
  const message = await git(repo, ['log', '--format=%(trailers:key=Signalbox-Task,valueonly)', 'main']);
  for (const { task_id } of [first, second]) expect(message.includes(task_id), `${task_id} is merged into main`);
  expect(existsSync(join(repo, timetable.file)), 'the checked out branch has followed');
  const written = readFileSync(join(repo, timetable.file), 'utf8');
  expect(written === timetable.from(boats.content), 'the second agent has read what the first one wrote');
  tell('The second began when the first was merged, and read its file. git log:');
  for (const line of (await git(repo, ['log', '--graph', '--format=%h %s', 'main'])).split('\n')) tell(`  ${line}`);
}
