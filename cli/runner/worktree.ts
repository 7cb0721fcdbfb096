/** The folder of a run: made, filled, looked at and removed. */
import { existsSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkRun } from '../../contracts/work/runs.ts';
import { checkouts, commitOf, contains, git, tryGit } from './git.ts';
import { worktreesIn } from './state.ts';

/** Longer than git needs to write an index, in ms. */
const lockedFor = 5_000;

export interface Spot {
  worktree: string;
  branch: string;
}

const exists = async (repo: string, branch: string): Promise<boolean> => (await commitOf(repo, `refs/heads/${branch}`)) !== null;

/** Names that nothing uses. A task keeps its folder over its attempts, so that the agent's session can go on there. */
export async function findSpot(repo: string, data: string, task: string, attempt: number, busy: ReadonlySet<string>): Promise<Spot> {
  const wanted = `signalbox/${task}-${attempt}`;
  let branch = wanted;
  for (let n = 2; await exists(repo, branch); n += 1) branch = `${wanted}-${n}`;
  const folder = join(worktreesIn(data), task);
  let worktree = folder;
  for (let n = 2; busy.has(worktree); n += 1) worktree = `${folder}-${n}`;
  return { worktree, branch };
}

/**
 * Makes the worktree with its branch, or takes it over from a former attempt. A repeat finds it done.
 * @param from where the branch begins, unless the folder of a former attempt is there
 */
export async function makeWorktree(repo: string, { worktree, branch }: Spot, from: string): Promise<void> {
  await git(repo, ['worktree', 'prune']);
  const known = await registered(repo, worktree);
  if (known && (await commitOf(worktree, 'HEAD')) !== null) {
    await unlock(worktree);
    if (known.branch === branch) return;
    await abortAll(worktree);
    // What the former attempt left uncommitted goes along.
    const head = await commitOf(worktree, 'HEAD');
    if (head !== null && (await contains(worktree, from, head))) return void (await git(worktree, ['checkout', '-q', '-B', branch]));
    await removeWorktree(repo, worktree);
  }
  // A crash of `git worktree add` leaves a folder that git does not know.
  if (existsSync(worktree)) rmSync(worktree, { recursive: true, force: true });
  const begin = (await exists(repo, branch)) ? [worktree, branch] : ['-b', branch, worktree, from];
  await git(repo, ['worktree', 'add', '-q', ...begin]);
}

const real = (path: string): string => (existsSync(path) ? realpathSync(path) : path);
const registered = async (repo: string, worktree: string) => (await checkouts(repo)).find(({ path }) => real(path) === real(worktree));

/** Ends a merge or rebase that was left half way. */
export async function abortAll(worktree: string): Promise<void> {
  for (const what of ['merge', 'rebase', 'cherry-pick']) await tryGit(worktree, [what, '--abort']);
}

/** Git of a killed runner may still be at work; one that was killed itself has left its lock. */
async function unlock(worktree: string): Promise<void> {
  const lock = await git(worktree, ['rev-parse', '--path-format=absolute', '--git-path', 'index.lock']);
  for (const until = Date.now() + lockedFor; existsSync(lock) && Date.now() < until;) await sleep(50);
  rmSync(lock, { force: true });
}

export async function removeWorktree(repo: string, worktree: string): Promise<void> {
  await tryGit(repo, ['worktree', 'remove', '--force', '--force', worktree]);
  rmSync(worktree, { recursive: true, force: true });
  await tryGit(repo, ['worktree', 'prune']);
}

/** Branches of a task's attempts. */
export async function branchesOf(repo: string, task: string): Promise<string[]> {
  const text = await git(repo, ['for-each-ref', '--format=%(refname:short)', `refs/heads/signalbox/${task}-*`]);
  return text.split('\n').filter((name) => new RegExp(`^signalbox/${task}-\\d+(?:-\\d+)?$`).test(name));
}

export const removeBranch = async (repo: string, branch: string): Promise<void> =>
  void (await tryGit(repo, ['branch', '-q', '-D', branch]));

export async function removeBranches(repo: string, task: string): Promise<void> {
  const held = new Set((await checkouts(repo)).map(({ branch }) => branch));
  for (const branch of await branchesOf(repo, task)) if (!held.has(branch)) await removeBranch(repo, branch);
}

/** Where a new attempt begins: the latest former branch of the task with work on it, else base. */
export async function beginning(repo: string, base: string, earlier: readonly WorkRun[]): Promise<{ from: string; continues: boolean }> {
  for (const { branch, head_commit } of earlier) {
    for (const name of [branch === null ? null : `refs/heads/${branch}`, head_commit]) {
      const commit = name === null ? null : await commitOf(repo, name);
      if (commit !== null && !(await contains(repo, commit, base))) return { from: commit, continues: true };
    }
  }
  return { from: base, continues: false };
}

/** Commits what the agent left, and puts the run's branch onto its last commit, wherever the agent has been. @returns the commit */
export async function commitAll(worktree: string, branch: string, message: string, identity: readonly string[]): Promise<string> {
  await unlock(worktree);
  const unresolved = await unmerged(worktree);
  if (unresolved.length > 0 && (await markersIn(worktree, unresolved))) throw new UnresolvedError(unresolved);
  await git(worktree, ['add', '--all']);
  const merging = (await commitOf(worktree, 'MERGE_HEAD')) !== null;
  if (merging || (await tryGit(worktree, ['diff', '--cached', '--quiet'])).code !== 0) {
    // Hooks of the repository are for people; the checks decide here. Without them, no hook can reject or change what the agent left.
    await git(worktree, [...identity, 'commit', '-q', '--no-verify', '--no-gpg-sign', '-F', '-'], { input: message });
  }
  const head = await git(worktree, ['rev-parse', 'HEAD']);
  const on = await tryGit(worktree, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  if (on.out.trim() !== branch) await git(worktree, ['checkout', '-q', '-B', branch, head]);
  return head;
}

export class UnresolvedError extends Error {
  constructor(files: readonly string[]) {
    super(`Conflicts are not resolved: ${files.join(', ')}`);
    this.name = 'UnresolvedError';
  }
}

export const unmerged = async (worktree: string): Promise<string[]> =>
  (await git(worktree, ['diff', '--name-only', '-z', '--diff-filter=U'])).split('\0').filter(Boolean);

const markersIn = async (worktree: string, files: readonly string[]): Promise<boolean> =>
  (await tryGit(worktree, ['grep', '--no-index', '-lE', '^(<<<<<<<|>>>>>>>)( |$)', '--', ...files])).code === 0;

export interface Stat {
  commits: number;
  files_changed: number;
  insertions: number;
  deletions: number;
}

/** What a commit has that base has not. */
export async function statOf(repo: string, base: string, head: string): Promise<Stat> {
  const commits = Number(await git(repo, ['rev-list', '--count', `${base}..${head}`]));
  const lines = (await git(repo, ['diff', '--numstat', `${base}...${head}`])).split('\n').filter(Boolean);
  const sum = (column: number): number => lines.reduce((total, line) => total + (Number(line.split('\t')[column]) || 0), 0);
  return { commits, files_changed: lines.length, insertions: sum(0), deletions: sum(1) };
}

/** With its last line end, without which `git apply` refuses it. */
export const patchOf = async (repo: string, base: string, head: string): Promise<string> =>
  (await tryGit(repo, ['diff', '--binary', `${base}...${head}`])).out;

/** Nothing would be lost with the folder. */
export async function isEmpty(worktree: string, base: string): Promise<boolean> {
  if ((await tryGit(worktree, ['status', '--porcelain'])).out.trim() !== '') return false;
  return (await commitOf(worktree, 'HEAD')) !== null && (await contains(worktree, 'HEAD', base));
}
