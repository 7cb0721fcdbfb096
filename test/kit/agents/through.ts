/** A real command line through the whole of `signalbox work`: claim, worktree, a call of Signalbox, commit, sent back, resumed, merged. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Agent } from '../../../cli/runner/agents/agent.ts';
import { git } from '../../../cli/runner/git.ts';
import { marked } from '../../../cli/runner/process.ts';
import type { RunEvent, WorkRun } from '../../../contracts/work/runs.ts';
import type { Task } from '../../../contracts/work/work.ts';
import { scripts, scriptWord, type Called, type Script, type Step } from '../model/script.ts';
import { startModel, type Asked } from '../model/server.ts';
import type { Outcome } from './cases.ts';
import { useModel } from './model-settings.ts';

export interface Through {
  agent: Agent;
  /** Folder with its program. */
  programs: string;
  version: string;
  /** A new folder, which the caller removes. */
  folder: string;
  /** Address of the api, and the key of a runner. */
  url: string;
  key: string;
  /** Calls a tool as an admin. */
  call<T>(tool: string, args: object): Promise<T>;
  phase: number;
}

const known = 'The greeting of this project is "hello".';
const steps: Step[] = [
  { tool: 'memory.record.search', args: { query: 'greeting' } },
  { write: 'hello.txt', content: 'hello\n' },
  { shell: 'git add hello.txt && git commit -m hello' },
  { text: 'I have stopped.' },
];
/** The runner says so to an agent whose answer tells no outcome. */
const sentBack = 'You ended without saying how';
const script: Script = (conversation) =>
  conversation.items.some((item) => item.kind === 'said' && item.text.includes(sentBack))
    ? { text: 'The file is written.\n\nDONE' }
    : scripts({ runner: steps })(conversation);

const longest = 180_000;
const signalbox = join(import.meta.dirname, '..', '..', '..', 'cli', 'signalbox.js');

/** @returns seconds from the start of `signalbox work` to the merged commit */
export async function throughRunner(through: Through): Promise<Outcome> {
  const { agent, call, phase } = through;
  const root = mkdtempSync(join(through.folder, `${agent.name}-runner-`));
  const [home, repo] = [join(root, 'home'), join(root, 'greeter')];
  mkdirSync(home);
  await newRepository(root, repo);
  await call('work.phase.set', { phase_id: phase });
  await call('memory.record.save', { content: known, category: 'convention' });
  const description = `Write hello.txt. ${scriptWord('runner')}`;
  const { task } = await call<{ task: Task }>('work.task.create', { description, phase_id: phase, max_attempts: 1 });
  const model = await startModel(script);
  try {
    const began = Date.now();
    const printed = await work(through, { home, repo, data: join(root, 'data') }, useModel(agent.name, home, model.url));
    const [run] = (await call<{ runs: WorkRun[] }>('work.run.list', { task_id: task.id })).runs;
    if (run === undefined) return { ok: false, says: 'no run', seconds: (Date.now() - began) / 1_000, lines: printed };
    const { events } = await call<{ events: RunEvent[] }>('work.run.tail', { run_id: run.id, limit: 200 });
    const wrong = [...wrongIn(run, through, model.asked), ...(await wrongLeft(repo, run))];
    const ended = Date.parse(run.ended_at ?? new Date().toISOString());
    const waited = (Date.parse(run.started_at) - began) / 1_000;
    const tokens = run.usage.input_tokens + run.usage.output_tokens;
    return {
      ok: wrong.length === 0,
      says: wrong.length > 0 ? wrong.join('; ') : `claimed after ${waited.toFixed(1)} s, ${tokens} tokens`,
      seconds: (ended - began) / 1_000,
      lines: [...printed, ...events.map(({ kind, text }) => `${kind}: ${text}`)],
    };
  } finally {
    await model.close();
  }
}

async function newRepository(root: string, repo: string): Promise<void> {
  await git(root, ['init', '-q', '-b', 'main', repo]);
  // The agent's home has no settings of git.
  await git(repo, ['config', 'user.name', 'Ann']);
  await git(repo, ['config', 'user.email', 'ann@example.org']);
  writeFileSync(join(repo, 'README.md'), '# Greeter\n');
  await git(repo, ['add', '--all']);
  await git(repo, ['commit', '-q', '-m', 'begin']);
}

interface Folders {
  home: string;
  repo: string;
  data: string;
}

/** @returns what it printed, line by line */
async function work(
  { agent, programs, url, key, phase }: Through,
  { home, repo, data }: Folders,
  env: Record<string, string>,
): Promise<string[]> {
  const flags = ['--phase', String(phase), '--repo', repo, '--data', data, '--agent', agent.name, '--once', '--timeout', '120'];
  const passed = Object.keys(env).flatMap((name) => ['--env', name]);
  const child = spawn(process.execPath, [signalbox, 'work', ...flags, ...passed], {
    // Nothing of this process's environment, which may hold keys of real providers.
    env: {
      PATH: [programs, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      HOME: home,
      ...env,
      SIGNALBOX_URL: url,
      SIGNALBOX_API_KEY: key,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const end = (): void => void child.kill();
  // The first signal gives the task back, the second ends the agent, too.
  const timers = [longest, longest + 10_000].map((ms) => setTimeout(end, ms));
  process.once('exit', end);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  }).finally(() => {
    timers.forEach(clearTimeout);
    process.off('exit', end);
  });
  return printed.split('\n').filter(Boolean);
}

/** What is not as it should be. */
function wrongIn(run: WorkRun, { agent, version }: Through, asked: readonly Asked[]): string[] {
  const conversations = asked.map(({ conversation }) => conversation.items);
  const called = conversations.flat().filter((item): item is Called => item.kind === 'called' && item.result !== null);
  // Qwen calls tools that it had to look for by a tool of its own.
  const search = called.find(
    ({ name, result }) => /record[._-]search/.test(name) || (name === 'tool_call' && result!.includes('"memories"')),
  );
  const resumed = conversations.some(
    (items) => items.some((item) => item.kind === 'called') && items.some((item) => item.kind === 'said' && item.text.includes(sentBack)),
  );
  const { state, reason, agent_version, session_id, usage } = run;
  return Object.entries({
    [`${state}${reason === null ? '' : `: ${reason.split('\n', 1)[0]}`}`]: state !== 'completed',
    [`version ${agent_version}`]: agent_version !== version,
    'no session': session_id === null,
    'no tokens': agent.name !== 'copilot' && usage.output_tokens === 0,
    'Signalbox was not called': search === undefined,
    [`Signalbox answered ${search?.result?.slice(0, 200)}`]: search !== undefined && !search.result!.includes('greeting of this project'),
    'its session was not resumed': !resumed,
  }).flatMap(([what, isWrong]) => (isWrong ? [what] : []));
}

/** What is missing in the repository, or left behind. */
async function wrongLeft(repo: string, run: WorkRun): Promise<string[]> {
  const content = await git(repo, ['show', 'main:hello.txt']).catch(() => null);
  const head = await git(repo, ['rev-parse', 'main']);
  const trees = (await git(repo, ['worktree', 'list'])).split('\n').length;
  return Object.entries({
    'hello.txt is not on main': content !== 'hello',
    'the merged commit is not the head of main': head !== run.merged_commit,
    'a worktree is left': trees !== 1,
    'processes are left': marked(run.id).length > 0,
  }).flatMap(([what, isWrong]) => (isWrong ? [what] : []));
}
