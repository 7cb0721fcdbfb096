/** Work that a person has approved: any runner of the repository merges it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunCheck, WorkRun } from '../../contracts/work/runs.ts';
import { isOver } from './api.ts';
import { environmentFor } from './environment.ts';
import { commitOf, git, tryGit } from './git.ts';
import { integrate } from './integrate.ts';
import { pushBranch } from './push.ts';
import { runCommand } from './shell.ts';
import type { Shop } from './shop.ts';
import { folderOf, makeFolder, removeRun, worktreesIn } from './state.ts';
import { removeBranches, removeWorktree } from './worktree.ts';

/** Merges what waits for it. @returns how many */
export async function mergeApproved(shop: Shop, signal: AbortSignal): Promise<number> {
  const { settings, api } = shop;
  const { runs } = await api.call<{ runs: WorkRun[] }>('work.run.list', {
    state: 'approved',
    repository: settings.repository,
    phase_id: settings.phase,
  });
  let merged = 0;
  for (const listed of runs) {
    if (signal.aborted) break;
    // Its pull request is followed by the server.
    if (listed.pull_request !== null) continue;
    const head = await headHere(shop, listed);
    if (head === null) continue;
    const bring = listed.merge === 'pull_request' ? pushOne : mergeOne;
    if (await bring(shop, listed, head, signal)) merged += 1;
  }
  return merged;
}

/** The approved commit, if this repository has it. Never the tip of the branch: only what was reviewed is merged. */
async function headHere({ settings: { repo, remote } }: Shop, { head_commit, branch }: WorkRun): Promise<string | null> {
  if (head_commit === null) return null;
  const here = await commitOf(repo, head_commit);
  if (here !== null || branch === null) return here;
  await tryGit(repo, ['fetch', '-q', remote, `refs/heads/${branch}`]);
  return await commitOf(repo, head_commit);
}

async function mergeOne(shop: Shop, { id }: WorkRun, head: string, signal: AbortSignal): Promise<boolean> {
  const { settings, api } = shop;
  const { repo, data } = settings;
  const { run } = await api.call<{ run: WorkRun }>('work.run.get', { run_id: id });
  if (run.state !== 'approved' || run.base === null) return false;
  mkdirSync(worktreesIn(data), { recursive: true });
  const worktree = join(worktreesIn(data), `merge-${process.pid}-${run.id}`);
  await git(repo, ['worktree', 'add', '-q', '--detach', worktree, head]);
  try {
    const said = await integrate(
      {
        repo,
        base: run.base,
        task: run.task_id,
        run: run.id,
        way: run.merge === 'rebase' ? 'rebase' : 'merge',
        worktree,
        branch: null,
        head,
        since: run.base_commit,
        title: run.title,
        body: run.summary ?? '',
        identity: shop.identity,
        push: settings.push === 'base' ? settings.remote : null,
      },
      {
        mayWrite: async () =>
          !signal.aborted && (await api.call<{ run: WorkRun }>('work.run.get', { run_id: id })).run.state === 'approved',
        go: () => !signal.aborted,
        check: () => checks(shop, run, worktree, signal),
        pollMs: settings.pace.tick,
      },
    );
    const answer = answerOf(run.base, said);
    if (answer === null) {
      const word = said.kind === 'in the way' ? `${run.task_id}: approved, and not merged yet: ${said.reason}` : '';
      if (word !== '' && !shop.told.has(word)) settings.say(word);
      shop.told.add(word);
      return false;
    }
    // While the server is away, the trailer on base remembers the merge.
    await api.call('work.run.merged', { run_id: id, ...answer }, { until: () => !signal.aborted });
    settings.say(
      `${run.task_id}: ${'commit' in answer ? `approved and merged as ${answer.commit.slice(0, 10)}` : `not merged: ${answer.conflict}`}`,
    );
    if ('commit' in answer && !settings.keep) await removeBranches(repo, run.task_id);
    return true;
  } catch (error) {
    if (!isOver(error)) throw error;
    // Another runner was faster, or the review was taken back.
    return false;
  } finally {
    await removeWorktree(repo, worktree);
    removeRun(data, `merge-${run.id}`);
  }
}

/** Pushes the approved commit, for which the server opens a pull request. @returns whether it did */
async function pushOne(shop: Shop, { id, task_id, branch }: WorkRun, head: string, signal: AbortSignal): Promise<boolean> {
  const { settings, api } = shop;
  if (branch === null) return false;
  const refused = await pushBranch(settings.repo, settings.remote, branch, head);
  if (refused !== null) {
    const word = `${task_id}: approved, and not pushed yet: ${refused}`;
    if (!shop.told.has(word)) settings.say(word);
    shop.told.add(word);
    return false;
  }
  try {
    await api.call('work.run.pushed', { run_id: id, commit: head }, { until: () => !signal.aborted });
  } catch (error) {
    if (!isOver(error)) throw error;
    // Another runner was faster, the review was taken back, or no tracker has this repository.
    const word = `${task_id}: approved and pushed as ${branch}, without a pull request: ${(error as Error).message}`;
    if (!shop.told.has(word)) settings.say(word);
    shop.told.add(word);
    return false;
  }
  settings.say(`${task_id}: approved and pushed as ${branch}; its pull request is opened.`);
  return true;
}

function answerOf(base: string, said: Awaited<ReturnType<typeof integrate>>): { commit: string } | { conflict: string } | null {
  switch (said.kind) {
    case 'merged':
    case 'already':
      return { commit: said.commit };
    case 'conflict':
      return { conflict: `It conflicts with ${base}: ${said.files.join(', ')}` };
    case 'checks':
      return {
        conflict:
          `Together with ${base} it does not pass: ${said.failed.map(({ command }) => command).join(', ')}\n${said.failed[0]!.output}`.slice(
            0,
            3_900,
          ),
      };
    case 'in the way':
    case 'lost':
      return null;
  }
}

/** The phase's commands, as far as this runner has them. */
async function checks(shop: Shop, run: WorkRun, cwd: string, signal: AbortSignal): Promise<RunCheck[]> {
  const { settings, api } = shop;
  const { phase } = await api.call<{ phase: { setup?: string[]; checks?: string[] } }>('work.phase.get', { phase_id: run.phase_id });
  const id = `merge-${run.id}`;
  makeFolder(folderOf(settings.data, id));
  const done: RunCheck[] = [];
  for (const command of [...(phase.setup ?? []), ...settings.setup, ...(phase.checks ?? []), ...settings.checks]) {
    const { commandTimeout, pace } = settings;
    const file = join(folderOf(settings.data, id), `check-${done.length}`);
    const env = environmentFor(shop.env, id, shop.nameless);
    done.push(
      await runCommand(command, {
        run: id,
        cwd,
        env,
        file,
        timeoutMs: commandTimeout * 1_000,
        tickMs: pace.tick,
        graceMs: pace.grace,
        signal,
      }),
    );
  }
  return done.filter(({ exit_code }) => exit_code !== 0);
}
