/** Removes folders and branches whose task is finished, and what crashes have left. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Task } from '../../contracts/work/work.ts';
import { isAlive } from '../../platform/embedded/process.ts';
import { Refused, type Api } from './api.ts';
import { git } from './git.ts';
import { folderOf, openStates, removeRun, runFolders, worktreeFolders, worktreesIn } from './state.ts';
import { isEmpty, removeBranches, removeWorktree } from './worktree.ts';

export interface Swept {
  worktrees: string[];
  runs: string[];
  /** With work that is merged nowhere. */
  kept: string[];
}

/** @param all also unfinished work that no run goes on with */
export async function sweep(api: Api, repo: string, base: string, data: string, all = false): Promise<Swept> {
  const open = openStates(data);
  const busy = new Set(open.map(({ worktree }) => worktree));
  const swept: Swept = { worktrees: [], runs: [], kept: [] };
  for (const name of worktreeFolders(data)) {
    const worktree = join(worktreesIn(data), name);
    if (busy.has(worktree)) continue;
    const merging = /^merge-(\d+)-/.exec(name)?.[1];
    if (merging !== undefined && isAlive(Number(merging))) continue;
    const task = merging === undefined ? taskOf(name) : null;
    const over =
      all ||
      task === null ||
      (await isFinished(api, task)) ||
      (await isEmpty(worktree, base).catch(() => !existsSync(join(worktree, '.git'))));
    if (!over) {
      swept.kept.push(worktree);
      continue;
    }
    await removeWorktree(repo, worktree);
    swept.worktrees.push(worktree);
    if (task !== null && (all || (await isFinished(api, task)))) await removeBranches(repo, task);
  }
  const live = new Set(open.map(({ run }) => basename(folderOf(data, run))));
  for (const run of runFolders(data)) {
    if (live.has(run) || !all) continue;
    removeRun(data, run);
    swept.runs.push(run);
  }
  if (swept.worktrees.length > 0) await git(repo, ['worktree', 'prune']);
  return swept;
}

/** A further folder of a task has a number after its name. */
const taskOf = (name: string): string => name.replace(/-\d+$/, '');

async function isFinished(api: Api, task: string): Promise<boolean> {
  try {
    const found = await api.call<{ task: Task }>('work.task.get', { task_id: task });
    return found.task.status === 'done';
  } catch (error) {
    if (error instanceof Refused) return error.code === 'NOT_FOUND';
    throw error;
  }
}
