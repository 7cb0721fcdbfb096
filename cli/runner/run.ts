/** The life of one run, from the claim to its last word; also of one that another runner has begun. */
import { randomUUID } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunUsage } from '../../contracts/work/runs.ts';
import type { Reader, Verdict } from './agents/agent.ts';
import { isAway, isOver } from './api.ts';
import { environmentFor, secretsOf } from './environment.ts';
import { Feed } from './feed.ts';
import { finish, mergedBefore, type Ended } from './finish.ts';
import { tryGit } from './git.ts';
import { beginMerge } from './integrate.ts';
import { Lease } from './lease.ts';
import { Life } from './life.ts';
import { inWorktree } from './paths.ts';
import { endAll, endOf, runs, start, type Started } from './process.ts';
import { backAnew, prompt } from './prompt.ts';
import { lastLines, runCommand } from './shell.ts';
import type { Shop } from './shop.ts';
import { addUsage, endState, filesOf, folderOf, isAskedToStop, removeRun, writeState, type RunState } from './state.ts';
import { Tail } from './tail.ts';
import { endingOf, isAct, sessionIsGone } from './verdict.ts';
import { beginning, isEmpty, makeWorktree, removeBranch, removeWorktree } from './worktree.ts';

/** An agent that prints more is out of control. */
const longestOutput = 1024 ** 3;

/** How the runner wants a run to end before its time. */
export type Halt = 'released' | 'stopped';

export class Run {
  readonly state: RunState;
  readonly shop: Shop;
  readonly lease: Lease;
  readonly feed: Feed;
  readonly env: Record<string, string>;
  private readonly halted = new AbortController();
  /** Fires when the lease is lost or the run shall end. */
  readonly signal: AbortSignal;
  private reader: Reader | null = null;

  /** @param sinceMs how long ago the lease was known to stand */
  constructor(shop: Shop, state: RunState, sinceMs = 0) {
    const { worker, token, run, task, leaseSeconds } = state;
    this.shop = shop;
    this.state = state;
    this.lease = new Lease(shop.api, { task, token, worker, seconds: leaseSeconds }, shop.settings.pace, sinceMs);
    this.env = environmentFor(shop.env, run, shop.nameless);
    this.feed = new Feed(shop.api, shop.settings.pace, { run, token, worker }, state.seq, [...secretsOf(this.env), state.key ?? '']);
    this.signal = AbortSignal.any([this.lease.lost, this.halted.signal]);
  }

  halt(how: Halt): void {
    this.halted.abort(how);
  }

  async live(): Promise<Ended> {
    const { state, shop } = this;
    this.lease.start();
    try {
      for (;;) {
        this.signal.throwIfAborted();
        // Another attempt may have merged it, and died before it could say so.
        if (state.step === 'opened' && (await mergedBefore(this)) === null) await this.begin();
        if (state.step === 'started' && !(await this.watch())) continue;
        const said = await finish(this);
        if (said !== 'again') return said;
      }
    } catch (error) {
      await this.endProcesses();
      if (this.lease.lost.aborted || isOver(error)) return await this.lost();
      const how = this.halted.signal.aborted ? (this.halted.signal.reason as Halt) : null;
      // A crash of the server, not of this run: the record stays open, and the lease decides what becomes of it.
      if (how === null && isAway(error)) return await this.lost();
      state.ending =
        how === 'released'
          ? { outcome: 'released', summary: null, reason: 'The runner was stopped.', retry: true }
          : {
              outcome: 'failed',
              summary: null,
              reason: how === 'stopped' ? 'Stopped by a person.' : (error as Error).message,
              retry: how === null,
            };
      state.step = 'ended';
      this.save();
      // Once more, to write it down; what fails now leaves the task to its lease.
      const ended = await finish(this).catch((again: unknown) => void shop.settings.say(`${state.task}: ${(again as Error).message}`));
      return typeof ended === 'object' ? ended : await this.lost();
    } finally {
      this.lease.stop();
    }
  }

  save(): void {
    writeState(this.shop.settings.data, this.state);
  }

  get usage(): RunUsage {
    return this.reader === null ? this.state.usage : addUsage(this.state.usage, this.reader.usage);
  }

  /** What the session that is continued had used: some agents count a session as a whole. */
  private usedBefore(): RunUsage | null {
    const { resume, briefing, usage } = this.state;
    if (resume === null) return null;
    const before = briefing.earlier.filter(({ session_id }) => session_id === resume);
    return before.reduce((sum, { usage: each }) => addUsage(sum, each), usage);
  }

  notice(text: string): void {
    this.feed.add([{ kind: 'notice', text }], this.state.offset);
  }

  get top(): Started | null {
    return this.state.pid === null ? null : { pid: this.state.pid, mark: this.state.mark };
  }

  async endProcesses(): Promise<void> {
    const left = await endAll(this.state.run, this.top, this.shop.settings.pace.grace);
    if (left > 0 && this.state.step === 'ended') this.notice(`${left} processes of the agent were left over and are ended.`);
  }

  /** Runs a command in the worktree. */
  async command(line: string, name: string): ReturnType<typeof runCommand> {
    const { data, commandTimeout, pace } = this.shop.settings;
    const check = await runCommand(line, {
      run: this.state.run,
      cwd: this.state.worktree,
      env: this.env,
      file: join(folderOf(data, this.state.run), name),
      timeoutMs: commandTimeout * 1_000,
      tickMs: pace.tick,
      graceMs: pace.grace,
      signal: this.signal,
    });
    this.notice(
      `${line}: ${check.exit_code === null ? 'stopped at its time limit' : `ended with ${check.exit_code}`} after ${check.seconds} s`,
    );
    return check;
  }

  /** Makes the worktree and starts the agent. What a crash has left of an earlier try is put away first. */
  private async begin(): Promise<void> {
    const { state, shop } = this;
    const { settings } = shop;
    await endAll(state.run, null, settings.pace.grace);
    const { from, continues } = await beginning(settings.repo, state.base, state.briefing.earlier);
    if (state.launches === 0) {
      await makeWorktree(settings.repo, state, from);
      for (const [n, line] of [...state.briefing.phase.setup, ...settings.setup].entries()) {
        const { exit_code, output } = await this.command(line, `setup-${n}`);
        if (exit_code !== 0) throw new Error(`Setup failed: ${line} ended with ${exit_code ?? 'its time limit'}.\n${output}`);
      }
    }
    // The agent finds the conflict in its folder.
    if (state.launches > 0 && state.sentBack.at(-1) === 'conflict') await beginMerge(state.worktree, state.base, shop.identity);
    await this.launch(continues);
  }

  private async launch(continues: boolean): Promise<void> {
    const { state, shop } = this;
    const { settings } = shop;
    state.launches += 1;
    [state.pid, state.mark, state.offset] = [null, null, 0];
    state.startedAt ||= Date.now();
    state.outside = await outside(settings.repo);
    const sessionId = randomUUID();
    if (settings.agent.named && state.resume === null) state.sessionId = sessionId;
    // A crash after the start finds the process by its marker.
    this.save();
    const files = filesOf(settings.data, state);
    const tools = state.key !== null;
    const whole = prompt(state.briefing, { worktree: state.worktree, branch: state.branch, base: state.base, continues, tools });
    const text = state.message === null ? whole : state.resume === null ? backAnew(whole, state.message) : state.message;
    writeFileSync(files.prompt, text, { mode: 0o600 });
    const launch = settings.agent.launch({
      prompt: text,
      promptFile: files.prompt,
      sessionId,
      resume: state.resume,
      folder: folderOf(settings.data, state.run),
      worktree: state.worktree,
      mcp: tools ? { url: `${settings.target.url}/mcp`, headers: { 'X-API-Key': state.key! } } : null,
      model: settings.model,
      budgetUsd: settings.budgetUsd,
      extra: state.extra,
    });
    for (const { path, content } of launch.files) writeFileSync(path, content, { mode: 0o600 });
    const { command, args, stdin } = launch;
    const started = await start({ command, args, cwd: state.worktree, env: { ...this.env, ...launch.env }, stdin, files });
    [state.pid, state.mark, state.step] = [started.pid, started.mark, 'started'];
    this.save();
  }

  /** Follows the agent to its end, or ends it. @returns false: its session was gone, and it must begin anew */
  private async watch(): Promise<boolean> {
    const { state, shop } = this;
    const { settings } = shop;
    const { pace } = settings;
    const files = filesOf(settings.data, state);
    const reader = (this.reader = settings.agent.reader(this.usedBefore()));
    const tail = new Tail(files.out);
    const known = state.offset;
    let acted = false;
    const take = (atEnd: boolean): boolean => {
      const lines = tail.read(atEnd);
      for (const { text, end } of lines) {
        const events = reader.read(text);
        acted ||= events.some(isAct);
        if (end > known) this.feed.add(inWorktree(events, state.worktree), end);
        const told = events.findLast(({ kind, text: said }) => (kind === 'text' || kind === 'tool') && said.trim() !== '');
        if (told)
          this.lease.progress = this.feed
            .masked(told.text)
            .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ')
            .trim();
      }
      return lines.length > 0 || tail.behind;
    };
    const life = new Life(state.run, () => tail.position + sizeOf(files.err), settings.idle * 1_000);
    let cut: Pick<Verdict, 'reason' | 'retry'> | null = null;
    while (cut === null && !this.signal.aborted) {
      const alive = this.top !== null && runs(this.top);
      const more = take(!alive);
      this.sendEvents();
      if (!alive && !more) break;
      if (alive) cut = this.limit(reader, life, tail.position);
      if (isAskedToStop(settings.data, state.run)) this.halt('stopped');
      await sleep(more ? 0 : pace.tick);
    }
    await this.endProcesses();
    while (take(true)) this.signal.throwIfAborted();
    this.signal.throwIfAborted();
    const strays = (await outside(settings.repo)).filter((line) => !state.outside.includes(line));
    if (strays.length > 0)
      this.notice(`Changed in ${settings.repo} meanwhile, by this agent or somebody else: ${strays.slice(0, 10).join(', ')}`);
    const end = endOf(files);
    const verdict = reader.end({ ...end, errors: lastLines(files.err) });
    const gone = state.resume !== null && cut === null && sessionIsGone(verdict, end.exitCode, acted);
    if (gone) {
      this.notice(`Its session ${state.resume} could not be continued, it begins anew: ${verdict.reason}`);
      [state.resume, state.sessionId, state.step] = [null, null, 'opened'];
    } else {
      state.sessionId = reader.sessionId ?? state.sessionId;
      state.usage = this.usage;
      [state.ending, state.step] = [endingOf(verdict, cut), 'ended'];
    }
    this.reader = null;
    this.save();
    return !gone;
  }

  private sendEvents(): void {
    void this.feed.send(this.usage, this.reader?.sessionId ?? this.state.sessionId).then((sent) => {
      if (sent === null || this.signal.aborted || this.state.step !== 'started') return;
      [this.state.seq, this.state.offset] = [sent.seq, Math.max(sent.offset, this.state.offset)];
      this.save();
    });
  }

  /** Why the agent must not go on. */
  private limit(reader: Reader, life: Life, printed: number): Pick<Verdict, 'reason' | 'retry'> | null {
    const { timeout, budgetUsd, tokens, idle } = this.shop.settings;
    if (reader.hopeless !== null) return { reason: reader.hopeless, retry: false };
    if (Date.now() - this.state.startedAt > timeout * 1_000) return { reason: `It took longer than ${timeout} s.`, retry: true };
    const { cost_usd, input_tokens, output_tokens } = this.usage;
    if (budgetUsd !== null && (cost_usd ?? 0) > budgetUsd) return { reason: `It cost more than $${budgetUsd}.`, retry: false };
    if (tokens !== null && input_tokens + output_tokens > tokens) return { reason: `It used more than ${tokens} tokens.`, retry: false };
    if (printed > longestOutput) return { reason: 'It printed more than 1 GB.', retry: true };
    if (!life.shown()) return { reason: `It showed no life for ${idle} s: no output, no CPU time.`, retry: true };
    return null;
  }

  /** Nothing more is written on the server or on base. */
  private async lost(): Promise<Ended> {
    const { state, shop } = this;
    const { settings } = shop;
    await this.endProcesses();
    const keep = settings.keep || !(await isEmpty(state.worktree, state.base).catch(() => false));
    if (!keep) {
      await removeWorktree(settings.repo, state.worktree);
      await removeBranch(settings.repo, state.branch);
      removeRun(settings.data, state.run);
    } else endState(settings.data, state.run);
    const why = this.lease.reason || 'The server does not answer.';
    return { outcome: 'lost', merged: null, reason: `${why}${keep ? ` Its folder stays: ${state.worktree}` : ''}` };
  }
}

/** What is changed in the user's own folder: an agent shall work in its worktree. */
const outside = async (repo: string): Promise<string[]> => (await tryGit(repo, ['status', '--porcelain'])).out.split('\n').filter(Boolean);

const sizeOf = (path: string): number => {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
};
