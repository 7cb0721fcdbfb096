/** From the agent's last word to the task's end. Each step may be repeated, because a crash may come between any two. */
import { existsSync } from 'node:fs';
import { earlierRuns, type RunCheck, type RunOutcome, type WorkRun } from '../../contracts/work/runs.ts';
import { commitOf, contains, reviewLink, tryGit } from './git.ts';
import { integrate, mergedAs } from './integrate.ts';
import { backFor, saysNoChange } from './prompt.ts';
import type { Run } from './run.ts';
import { noteSpent } from './spending.ts';
import { endState, filesOf, removeRun, type Ending } from './state.ts';
import { ends } from './tail.ts';
import { unsaid } from './verdict.ts';
import {
  commitAll,
  isEmpty,
  patchOf,
  removeBranch,
  removeBranches,
  removeWorktree,
  statOf,
  UnresolvedError,
  type Stat,
} from './worktree.ts';

const longestPatch = 15_000_000;
/** Of what an agent printed, the first and last bytes are kept. */
const keptLog = { head: 256 * 1024, tail: 1024 * 1024 };
const firstLine = (text: string): string => text.trim().split('\n', 1)[0]!.slice(0, 120);

export interface Ended {
  outcome: RunOutcome | 'lost';
  merged: string | null;
  reason: string | null;
}

/** @returns how the run ended; `again`: the agent goes on */
export async function finish(run: Run): Promise<Ended | 'again'> {
  const { state, shop } = run;
  const { settings } = shop;
  await run.endProcesses();
  // A former attempt, or this one before a crash, has merged the task.
  const merged = await mergedBefore(run);
  if (merged !== null) return await done(run, merged, `${merged}^1`);

  const said = state.ending ?? failed('Nothing is known of its end.');
  const finished = said.outcome === 'done';
  if (!existsSync(state.worktree)) return await close(run, finished ? failed('Its folder is gone.') : said, null);
  let head: string;
  try {
    head = await commit(run, finished);
  } catch (error) {
    if (!(error instanceof UnresolvedError)) throw error;
    await tryGit(state.worktree, ['merge', '--abort']);
    return await close(run, finished ? failed(error.message) : said, await commit(run, false));
  }
  if (!finished) {
    if (said.reason === unsaid && (await sendBack(run, 'unsaid', backFor.unsaid))) return 'again';
    return await close(run, said, head);
  }
  if (await contains(settings.repo, head, state.base)) {
    if (saysNoChange(said.summary, said.reason)) return await done(run, null, state.base);
    if (await sendBack(run, 'empty', backFor.empty)) return 'again';
    return await close(run, failed('It said DONE, but changed nothing.', said.summary), head);
  }
  const wrong = await check(run);
  if (wrong.length > 0) return await failedChecks(run, said, head, wrong);
  // What the checks have written is no part of the work.
  await tryGit(state.worktree, ['checkout', '-q', '--force', state.branch]);
  if (state.briefing.phase.needs_review || state.merge === 'patch') return await close(run, said, head);
  // Nobody would wait for its pull request: without a review, the task is done when it is handed in.
  if (state.merge === 'pull_request') return await close(run, { ...said, outcome: 'blocked', reason: unreviewed }, head);
  return await merge(run, said, head);
}

const unreviewed = 'Work becomes a pull request once it is approved, and this phase has no review: set its needs_review.';

const failed = (reason: string, summary: string | null = null, retry = true): Ending => ({ outcome: 'failed', summary, reason, retry });

export async function mergedBefore({ state, shop }: Run): Promise<string | null> {
  const base = await commitOf(shop.settings.repo, `refs/heads/${state.base}`);
  if (base === null || state.briefing.phase.needs_review || state.merge === 'patch') return null;
  return await mergedAs(shop.settings.repo, state.task, base, earliest(state));
}

/** Base as the task's first attempt found it. Null: not known, because a briefing has the latest runs only. */
export const earliest = ({
  briefing: { earlier },
  baseCommit,
}: Pick<Run['state'], 'baseCommit'> & { briefing: { earlier: Pick<WorkRun, 'base_commit'>[] } }): string | null => {
  if (earlier.length === 0) return baseCommit;
  return earlier.length < earlierRuns ? earlier.at(-1)!.base_commit : null;
};

const commit = async ({ state, shop }: Run, finished: boolean): Promise<string> =>
  await commitAll(
    state.worktree,
    state.branch,
    `${finished ? '' : 'Unfinished: '}${firstLine(state.briefing.task.description)}\n\nSignalbox-Run: ${state.run}\n`,
    shop.identity,
  );

/** Starts the agent once more for this, at most once a run. */
async function sendBack(run: Run, why: string, message: string): Promise<boolean> {
  const { state, shop } = run;
  const { agent } = shop.settings;
  const again = agent.resumes && state.sessionId !== null;
  // Whoever remembers nothing would begin again at the start.
  if (state.sentBack.includes(why) || (!again && (why === 'unsaid' || why === 'empty'))) return false;
  state.sentBack.push(why);
  run.notice(`Sent back to the agent: ${why}`);
  // The places of waiting events are those of this launch's output.
  await run.feed.flush(run.usage, state.sessionId, 10);
  [state.resume, state.message, state.ending, state.step] = [again ? state.sessionId : null, message, null, 'opened'];
  run.save();
  return true;
}

/** @returns those that failed */
async function check(run: Run): Promise<RunCheck[]> {
  const { state, shop } = run;
  state.checks = [];
  for (const [n, line] of [...state.briefing.phase.checks, ...shop.settings.checks].entries()) {
    run.lease.progress = `Checking: ${line}`;
    state.checks.push({ ...(await run.command(line, `check-${n}`)) });
  }
  return state.checks.filter(({ exit_code }) => exit_code !== 0);
}

async function failedChecks(run: Run, said: Ending, head: string, wrong: RunCheck[]): Promise<Ended | 'again'> {
  if (await sendBack(run, 'checks', backFor.checks(wrong))) return 'again';
  return await close(run, failed(`Checks failed: ${wrong.map(({ command }) => command).join(', ')}`, said.summary), head);
}

async function merge(run: Run, said: Ending, head: string): Promise<Ended | 'again'> {
  const { state, shop, lease } = run;
  const { settings } = shop;
  const outcome = await integrate(
    {
      repo: settings.repo,
      base: state.base,
      task: state.task,
      run: state.run,
      way: state.merge === 'rebase' ? 'rebase' : 'merge',
      worktree: state.worktree,
      branch: state.branch,
      head,
      since: earliest(state),
      title: firstLine(state.briefing.task.description),
      body: said.summary ?? '',
      identity: shop.identity,
      push: settings.push === 'base' ? settings.remote : null,
    },
    {
      mayWrite: () => lease.renew(),
      go: () => !run.signal.aborted && lease.stands,
      check: () => check(run),
      pollMs: settings.pace.tick,
    },
  );
  switch (outcome.kind) {
    case 'merged':
    case 'already':
      return await done(run, outcome.commit, outcome.from, head);
    case 'checks':
      return await failedChecks(run, said, head, outcome.failed);
    case 'conflict':
      if (await sendBack(run, 'conflict', backFor.conflict(state.base, outcome.files))) return 'again';
      return await close(run, failed(`Its work conflicts with ${state.base}: ${outcome.files.join(', ')}`, said.summary), head);
    case 'in the way':
      // A person has local changes there. The work waits on its branch.
      return await close(run, { outcome: 'blocked', summary: said.summary, reason: outcome.reason, retry: true }, head);
    case 'lost':
      throw new Error('The lease no longer stands.');
  }
}

const done = async (run: Run, merged: string | null, from: string, head?: string): Promise<Ended> => {
  const { summary = null } = run.state.ending ?? {};
  const ending: Ending = { outcome: 'done', summary, reason: null, retry: false };
  return await close(
    run,
    ending,
    head ?? (await commitOf(run.shop.settings.repo, `refs/heads/${run.state.branch}`)) ?? merged,
    merged,
    from,
  );
};

/** The last word to the server, then order here. @param from what the work is compared with */
async function close(run: Run, ending: Ending, head: string | null, merged: string | null = null, from = run.state.base): Promise<Ended> {
  const { state, shop, lease } = run;
  const { settings, api } = shop;
  const { repo } = settings;
  const stat: Stat =
    head === null ? { commits: 0, files_changed: 0, insertions: 0, deletions: 0 } : await statOf(repo, from, merged ?? head);
  const link = await push(run, ending, head);
  await run.feed.flush(run.usage, state.sessionId, 10);
  const patch =
    stat.files_changed === 0 || head === null
      ? null
      : await upload(run, await patchOf(repo, from, merged ?? head), 'text/x-diff', `${state.task}-${state.attempt}.patch`);
  const log = await upload(
    run,
    run.feed.masked(ends(filesOf(settings.data, state).out, keptLog.head, keptLog.tail)),
    'text/plain',
    `${state.run}.log`,
  );
  const summary = [ending.summary, link].filter(Boolean).join('\n\n');
  await api.call(
    'work.run.close',
    {
      run_id: state.run,
      fencing_token: state.token,
      outcome: ending.outcome,
      summary: run.feed.masked(summary).slice(0, 15_000) || null,
      reason: ending.reason === null ? null : run.feed.masked(ending.reason).slice(0, 3_900) || null,
      retry: ending.retry,
      ...(head === null ? {} : { head_commit: head }),
      ...(merged === null ? {} : { merged_commit: merged }),
      ...stat,
      checks: state.checks,
      usage: run.usage,
      ...(state.sessionId === null ? {} : { session_id: state.sessionId }),
      patch_artifact: patch,
      log_artifact: log,
    },
    // Safe to repeat: the first call with this outcome decides.
    { agentId: state.worker, until: () => lease.left > 0 },
  );
  lease.stop();
  noteSpent(settings.data, state.run, run.usage);
  const waits = ending.outcome === 'done' && (state.briefing.phase.needs_review || state.merge === 'patch');
  await tidy(run, ending, waits);
  return { outcome: ending.outcome, merged, reason: ending.reason };
}

/** Finished work leaves nothing; unfinished work keeps its folder for the next attempt. */
async function tidy({ state, shop }: Run, { outcome }: Ending, waits: boolean): Promise<void> {
  const { repo, data, keep } = shop.settings;
  const finished = outcome === 'done';
  if (!keep && (finished || (await isEmpty(state.worktree, state.base).catch(() => false)))) {
    await removeWorktree(repo, state.worktree);
    // Work that waits for its review is only on its branch, and unfinished work on those of former attempts.
    if (finished && !waits) await removeBranches(repo, state.task);
    if (!finished) await removeBranch(repo, state.branch);
  }
  endState(data, state.run);
  // The server has what the agent printed.
  if (!keep) removeRun(data, state.run);
}

/** Pushes the branch where that is wanted. @returns where it can be reviewed */
async function push({ state, shop }: Run, { outcome }: Ending, head: string | null): Promise<string | null> {
  const { repo, push: what, remote, repository } = shop.settings;
  if (what !== 'branch' || outcome !== 'done' || head === null) return null;
  const { code, err } = await tryGit(repo, ['push', '-q', remote, `${head}:refs/heads/${state.branch}`]);
  if (code !== 0) return `The branch could not be pushed: ${err.trim().slice(0, 500)}`;
  return reviewLink(repository, state.base, state.branch) ?? `Pushed as ${state.branch}.`;
}

async function upload(run: Run, content: string, mediaType: string, filename: string): Promise<string | null> {
  if (content === '') return null;
  try {
    if (content.length > longestPatch) throw new Error('It is too long.');
    const stored = await run.shop.api.call<{ sha256: string }>(
      'substrate.artifact.upload',
      { content, media_type: mediaType, filename },
      { agentId: run.state.worker, until: () => run.lease.stands },
    );
    return stored.sha256;
  } catch (error) {
    run.shop.settings.say(`${filename} is not kept: ${(error as Error).message}`);
    return null;
  }
}
