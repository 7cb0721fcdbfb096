/** Removes folders and branches whose task is finished, and what crashes have left. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { WorkRun } from '../../contracts/work/runs.ts';
import type { Task } from '../../contracts/work/work.ts';
import { isAlive } from '../../platform/embedded/process.ts';
import { Refused, type Api } from './api.ts';
import { git } from './git.ts';
import { mergedAs } from './integrate.ts';
import { endAll } from './process.ts';
import { endState, folderOf, openStates, removeRun, type RunState, runFolders, worktreeFolders, worktreesIn } from './state.ts';
import { isEmpty, removeBranches, removeWorktree } from './worktree.ts';

const graceMs = 5_000;

export interface Swept {
  worktrees: string[];
  runs: string[];
  /** With work that is merged nowhere. */
  kept: string[];
}

interface Wanted {
  /** Also unfinished work that no run goes on with. */
  all?: boolean;
  /** Also what agents of ended runs have printed. */
  output?: boolean;
}

export async function sweep(
  api: Api,
  repo: string,
  base: string,
  data: string,
  { all = false, output = false }: Wanted = {},
): Promise<Swept> {
  // Folders first: the state of a run is written before its folder is made.
  const [folders, branches] = [worktreeFolders(data), await ownBranches(repo)];
  const open: RunState[] = [];
  for (const state of openStates(data)) if (!(await abandoned(api, data, state))) open.push(state);
  const busy = new Set(open.map(({ worktree }) => worktree));
  const swept: Swept = { worktrees: [], runs: [], kept: [] };
  for (const name of folders) {
    const worktree = join(worktreesIn(data), name);
    if (busy.has(worktree)) continue;
    const merging = /^merge-(\d+)-/.exec(name)?.[1];
    if (merging !== undefined && isAlive(Number(merging))) continue;
    const over =
      all ||
      merging !== undefined ||
      (await isFinished(api, taskOf(name))) ||
      (await isEmpty(worktree, base).catch(() => !existsSync(join(worktree, '.git'))));
    if (!over) {
      swept.kept.push(worktree);
      continue;
    }
    await removeWorktree(repo, worktree);
    swept.worktrees.push(worktree);
  }
  await sweepBranches(repo, base, branches, new Set(open.map(({ task }) => task)));
  const live = new Set(open.map(({ run }) => basename(folderOf(data, run))));
  for (const run of runFolders(data)) {
    if (live.has(run) || !output) continue;
    removeRun(data, run);
    swept.runs.push(run);
  }
  return swept;
}

/** A run whose lease has ended, and whose runner may never come back: its agent is stopped. */
async function abandoned(api: Api, data: string, state: RunState): Promise<boolean> {
  const over = await api.call<{ run: WorkRun }>('work.run.get', { run_id: state.run }).then(
    ({ run }) => run.state === 'lost',
    () => false,
  );
  if (!over) return false;
  await endAll(state.run, state.pid === null ? null : { pid: state.pid, mark: state.mark }, graceMs);
  endState(data, state.run);
  return true;
}

/** A further folder of a task has a number after its name. */
const taskOf = (name: string): string => name.replace(/-\d+$/, '');

/** A task that this server does not know may be one of another. */
async function isFinished(api: Api, task: string): Promise<boolean> {
  try {
    const found = await api.call<{ task: Task }>('work.task.get', { task_id: task });
    return found.task.status === 'done';
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

const ownBranches = async (repo: string): Promise<string[]> =>
  (await git(repo, ['for-each-ref', '--format=%(refname:short)', 'refs/heads/signalbox/'])).split('\n').filter(Boolean);

/** Branches of tasks whose work is on base. Others may hold the only copy of it. */
async function sweepBranches(repo: string, base: string, names: readonly string[], open: ReadonlySet<string>): Promise<void> {
  const tasks = new Set(names.map((name) => /^signalbox\/(.+?)-\d+(?:-\d+)?$/.exec(name)?.[1]).filter((task) => task !== undefined));
  for (const task of tasks) {
    if (!open.has(task) && (await mergedAs(repo, task, `refs/heads/${base}`, null)) !== null) await removeBranches(repo, task);
  }
}
