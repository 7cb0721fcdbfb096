/** What every real command line is put through, with its adapter's own launch and reader. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Start, Verdict } from '../../../cli/runner/agents/agent.ts';
import { applySkills } from '../../../cli/skill-files.ts';
import { skillClients, skillFiles, type SkillClient } from '../../../cli/skills.ts';
import { startModel, type ScriptedModel } from '../model/server.ts';
import { scripts, scriptWord, type Step } from '../model/script.ts';
import { forbidden, forbiddingArguments, useModel } from './model-settings.ts';
import { runAgent, type Run } from './run.ts';

export const caseNames = ['work', 'mcp', 'resume', 'blocked', 'refusal', '401', 'SIGTERM', 'kill -9', 'skills'] as const;
export type CaseName = (typeof caseNames)[number];

export interface Outcome {
  ok: boolean;
  /** What happened, in a few words. */
  says: string;
  seconds: number;
  lines: string[];
}

export interface Bench {
  agent: Agent;
  /** Folder with its program. */
  programs: string;
  /** A new folder, which the caller removes. */
  folder: string;
  mcp: Start['mcp'];
  model: ScriptedModel;
}

/** Runs until it is killed, and is no `sleep`, which some agents refuse. */
const endless = 'tail -f /dev/null';

const steps: Record<string, Step[]> = {
  work: [
    { shell: 'pwd' },
    { write: 'hello.txt', content: 'hello\n' },
    { shell: 'git add hello.txt && git commit -m hello' },
    { text: 'The file is written.\n\nDONE' },
  ],
  mcp: [{ tool: 'work.board.get', args: {} }, { text: 'I have read the board.\n\n**DONE**' }],
  resume: [{ shell: 'cat hello.txt' }, { text: 'I went on.\n\nQUESTION Which colour?' }],
  blocked: [{ text: 'I looked for it.\nBLOCKED the database cannot be reached' }],
  refusal: [{ shell: `${forbidden} refused.txt` }, { text: 'I could not do it.' }],
  unauthorized: [{ status: 401 }],
  endless: [{ shell: endless }, { text: 'It ended.\nDONE' }],
};

export const casesModel = (): Promise<ScriptedModel> => startModel(scripts(steps));

/** A repository with a worktree, and a home folder that knows the scripted model. */
export class Trial {
  readonly tree: string;
  private readonly repository: string;
  private readonly env: Record<string, string>;
  private readonly bench: Bench;

  constructor(bench: Bench) {
    this.bench = bench;
    const root = mkdtempSync(join(bench.folder, `${bench.agent.name}-`));
    const [home, repository] = [join(root, 'home'), join(root, 'repository')];
    this.repository = repository;
    this.tree = join(root, 'tree');
    for (const folder of [home, repository]) mkdirSync(folder);
    const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
    const git = (...args: string[]): void => void execFileSync('git', [...identity, ...args], { cwd: repository, stdio: 'ignore' });
    git('init', '--initial-branch', 'main');
    git('commit', '--allow-empty', '--message', 'begin');
    git('config', 'user.name', 'Ann');
    git('config', 'user.email', 'ann@example.org');
    git('worktree', 'add', '-b', 'task', this.tree);
    this.env = { HOME: home, ...useModel(bench.agent.name, home, bench.model.url) };
  }

  start(script: string, more: Partial<Start> = {}): Run {
    const folder = mkdtempSync(join(this.bench.folder, 'run-'));
    const prompt = `This is a task for you. ${scriptWord(script)}`;
    const promptFile = join(folder, 'prompt.md');
    writeFileSync(promptFile, prompt);
    const launch = this.bench.agent.launch({
      prompt,
      promptFile,
      sessionId: randomUUID(),
      resume: null,
      folder,
      worktree: this.tree,
      mcp: null,
      model: null,
      budgetUsd: null,
      extra: [],
      ...more,
    });
    return runAgent(this.bench.agent, launch, { programs: this.bench.programs, cwd: this.tree, env: this.env });
  }

  /** Codex reads the subagents of a project that is trusted. */
  trust(): void {
    const lines = [this.repository, this.tree].map((folder) => `[projects.${JSON.stringify(folder)}]\ntrust_level = "trusted"\n`);
    appendFileSync(join(this.env['HOME']!, '.codex', 'config.toml'), lines.join(''));
  }

  isCommitted(): boolean {
    return execFileSync('git', ['log', '--format=%s', 'main..task'], { cwd: this.tree, encoding: 'utf8' }).trim() === 'hello';
  }
}

type Told = Pick<Outcome, 'ok' | 'says'>;

/** Runs all cases one after the other. @param only these cases; resume needs work before it */
export async function tryAgent(bench: Bench, only: readonly CaseName[], onCase: (name: CaseName, outcome: Outcome) => void): Promise<void> {
  const trial = new Trial(bench);
  let session: string | null = null;
  const cases: Record<CaseName, (limit: Limit) => Promise<Told>> = {
    async work(limit) {
      const { run, verdict } = await limit(trial.start('work'));
      session = run.reader.sessionId;
      const isThere = existsSync(join(trial.tree, 'hello.txt'));
      const usage = run.reader.usage;
      return {
        ok: isDone(verdict) && isThere && session !== null && (bench.agent.name === 'copilot' || usage.output_tokens > 0),
        says: `${isThere ? (trial.isCommitted() ? 'committed' : 'not committed') : 'no file'}, ${usage.input_tokens + usage.output_tokens} tokens`,
      };
    },
    async mcp(limit) {
      const { run, verdict } = await limit(trial.start('mcp', { mcp: bench.mcp }));
      const asked = bench.model.asked.findLast(({ conversation }) =>
        conversation.items.some((item) => item.kind === 'said' && item.text.includes(scriptWord('mcp'))),
      );
      const board = asked?.conversation.items.findLast((item) => item.kind === 'called');
      const answered = board?.kind === 'called' && /total_tasks/.test(board.result ?? '');
      const result = run.events.some(({ kind, data }) => kind === 'tool_result' && data?.['error'] === undefined);
      const own = asked?.conversation.tools.filter(({ name, namespace }) => `${namespace ?? ''}${name}`.includes('signalbox')).length ?? 0;
      return { ok: isDone(verdict) && answered && result, says: answered ? `called, ${own} listed` : `not called: ${verdict.reason}` };
    },
    async resume(limit) {
      const before = bench.model.asked.length;
      const { run, verdict } = await limit(trial.start('resume', { resume: session }));
      const remembers = bench.model.asked
        .slice(before)
        .some(({ conversation: { items } }) => items.some((item) => item.kind === 'said' && item.text.includes(scriptWord('work'))));
      const isSame = session !== null && run.reader.sessionId === session;
      const asks = verdict.outcome === 'question' && verdict.reason === 'Which colour?';
      return { ok: verdict.well && asks && remembers && isSame, says: remembers ? (isSame ? 'same session' : 'another id') : 'forgot' };
    },
    async blocked(limit) {
      const { verdict } = await limit(trial.start('blocked'));
      return {
        ok: verdict.well && verdict.outcome === 'blocked' && verdict.reason === 'the database cannot be reached',
        says: String(verdict.outcome),
      };
    },
    async refusal(limit) {
      const { verdict } = await limit(trial.start('refusal', { extra: forbiddingArguments(bench.agent.name) }));
      const isThere = existsSync(join(trial.tree, 'refused.txt'));
      return {
        ok: !isThere && verdict.outcome === null,
        says: isThere ? 'not refused' : verdict.well ? 'refused, not told' : `refused${verdict.retry ? ', would retry' : ''}`,
      };
    },
    async '401'(limit) {
      const { run, verdict, end } = await limit(trial.start('unauthorized'), (started) => started.reader.hopeless !== null);
      const how = run.reader.hopeless === null ? `exit ${end.exitCode}` : 'stopped as hopeless';
      return { ok: !verdict.well && !verdict.retry, says: `${how}${verdict.retry ? ', would retry' : ''}` };
    },
    async skills(limit) {
      const client = skillClientOf(bench.agent.name)!;
      applySkills(skillFiles(client, trial.tree, false), 'write');
      const before = bench.model.asked.length;
      if (client === 'codex') trial.trust();
      const { verdict } = await limit(trial.start('blocked'));
      const told = bench.model.asked
        .slice(before)
        .map(({ conversation: { system, descriptions, items } }) => [system, descriptions, JSON.stringify(items)].join('\n'))
        .join('\n');
      const lacking = skillFiles(client, '', false).filter(({ name }) => !told.includes(name));
      return {
        ok: verdict.well && lacking.length === 0,
        says: lacking.length === 0 ? 'its model is told of them' : `not told of ${lacking.map(({ name }) => name).join(', ')}`,
      };
    },
    async SIGTERM(limit) {
      const run = trial.start('endless');
      await run.waitFor(endless);
      const sent = performance.now();
      run.kill('SIGTERM');
      const { verdict, end } = await limit(run, () => performance.now() - sent > 10_000);
      const ignored = performance.now() - sent > 10_000;
      return { ok: !isDone(verdict), says: ignored ? 'goes on, killed' : `exit ${end.signal ?? end.exitCode}, ${run.left.length} left` };
    },
    async 'kill -9'(limit) {
      const run = trial.start('endless');
      await run.waitFor(endless);
      run.kill('SIGKILL');
      const { verdict } = await limit(run);
      return { ok: !isDone(verdict) && run.alive().length === 0, says: `${run.left.length} left, then none` };
    },
  };
  for (const name of only) {
    // `signalbox connect` writes none for this agent.
    if (name === 'skills' && skillClientOf(bench.agent.name) === undefined) continue;
    const began = performance.now();
    let run: Run | null = null;
    const limit: Limit = async (started, isOver = () => false) => {
      run = started;
      const ended = await endOf(started, isOver);
      return { ...ended, run: started };
    };
    const told = await cases[name](limit).catch((error: unknown): Told => ({ ok: false, says: String(error) }));
    (run as Run | null)?.killAll();
    onCase(name, { ...told, seconds: (performance.now() - began) / 1000, lines: (run as Run | null)?.lines ?? [] });
  }
}

type Ended = Awaited<Run['ended']>;
type Limit = (run: Run, isOver?: (run: Run) => boolean) => Promise<Ended & { run: Run }>;

/** Waits for its end; kills it and everything it started when it is over, at the latest after two minutes. */
async function endOf(run: Run, isOver: (run: Run) => boolean): Promise<Ended> {
  const began = performance.now();
  const watch = setInterval(() => {
    if (isOver(run) || performance.now() - began > 120_000) run.killAll();
  }, 200);
  try {
    return await run.ended;
  } finally {
    clearInterval(watch);
    run.killAll();
  }
}

const skillClientOf = (agent: string): SkillClient | undefined =>
  skillClients.find((client) => client === (agent === 'claude' ? 'claude-code' : agent));

const isDone = (verdict: Verdict): boolean => verdict.well && verdict.outcome === 'done';

export const removeTrials = (folder: string): void => rmSync(folder, { recursive: true, force: true });
