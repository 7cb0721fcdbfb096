/**
 * Moves the base branch, which people may have checked out, from one known commit to a later one. Safe at any kill: the
 * intention is noted before, and whoever has the repository's lock next puts a half updated folder right.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, startMark } from '../../platform/embedded/process.ts';
import { tryLock } from '../../platform/embedded/lock.ts';
import { checkouts, commitOf, git, tryGit, type GitAnswer } from './git.ts';
import { writeWhole } from './state.ts';

/** In git's own folder, so that all runners of a repository share it. */
const inGit = async (repo: string, name: string): Promise<string> =>
  join(await git(repo, ['rev-parse', '--path-format=absolute', '--git-common-dir']), name);

/** Runs alone among all runners of the repository. @returns null when `go` says no before the lock is free */
export async function alone<T>(repo: string, go: () => boolean, everyMs: number, work: () => Promise<T>): Promise<T | null> {
  const file = await inGit(repo, 'signalbox.lock');
  while (go()) {
    const taken = await tryLock(file);
    if (typeof taken === 'function') {
      try {
        await mend(repo);
        return await work();
      } finally {
        await taken();
      }
    }
    await sleep(everyMs);
  }
  return null;
}

interface Intent {
  checkout: string;
  old: string;
  new: string;
  /** The git that changes the folder. */
  pid: number | null;
  mark: string | null;
}

export type Moved = { kind: 'moved' } | { kind: 'behind' } | { kind: 'in the way'; reason: string };

/** `behind`: the branch is not at `old` any more. The caller has the repository's lock. */
export async function moveBase(repo: string, base: string, old: string, next: string): Promise<Moved> {
  const ref = `refs/heads/${base}`;
  const where = (await checkouts(repo)).find(({ branch }) => branch === base);
  if (!where) {
    const { code, err } = await tryGit(repo, ['update-ref', '-m', 'signalbox: merge', ref, next, old]);
    if (code === 0) return { kind: 'moved' };
    if ((await commitOf(repo, ref)) !== old) return { kind: 'behind' };
    return { kind: 'in the way', reason: err.trim() };
  }
  if ((await commitOf(repo, ref)) !== old) return { kind: 'behind' };
  const answer = await follow(repo, { checkout: where.path, old, new: next, pid: null, mark: null });
  const now = await commitOf(repo, ref);
  if (now === next) return { kind: 'moved' };
  return now === old ? { kind: 'in the way', reason: (answer.err || answer.out).trim() } : { kind: 'behind' };
}

/**
 * Git's own fast-forward: it refuses before it changes anything if a local change or a file is in the way, or if the branch is not
 * behind the new commit, and moves the branch last, from the commit that it began with.
 */
async function follow(repo: string, intent: Intent): Promise<GitAnswer> {
  const file = await inGit(repo, 'signalbox-move.json');
  writeWhole(file, JSON.stringify(intent));
  const answer = await tryGit(intent.checkout, ['merge', '--ff-only', '--no-stat', '-q', intent.new], {
    onStart: (pid) => writeWhole(file, JSON.stringify({ ...intent, pid, mark: startMark(pid) })),
  });
  rmSync(file, { force: true });
  return answer;
}

/** Finishes or undoes a move that a crash has interrupted. Files that a person has changed since are left alone. */
async function mend(repo: string): Promise<void> {
  const file = await inGit(repo, 'signalbox-move.json');
  if (!existsSync(file)) return;
  const intent = JSON.parse(readFileSync(file, 'utf8')) as Intent;
  // Git may have outlived its runner: it ends by itself.
  while (intent.pid !== null && isAlive(intent.pid) && startMark(intent.pid) === intent.mark) await sleep(50);
  const head = await commitOf(intent.checkout, 'HEAD');
  if (existsSync(intent.checkout) && (head === intent.old || head === intent.new)) {
    const lock = await git(intent.checkout, ['rev-parse', '--path-format=absolute', '--git-path', 'index.lock']);
    if (intent.pid !== null) rmSync(lock, { force: true });
    // Safe when each file is as it was before the move, or as it is after.
    const [one, other] = await Promise.all([changed(intent.checkout, intent.old), changed(intent.checkout, intent.new)]);
    const theirs = [...one].some((path) => other.has(path));
    if (!theirs && (one.size > 0 || other.size > 0) && (await addedAsNew(intent)))
      await git(intent.checkout, ['reset', '-q', '--hard', head]);
  }
  rmSync(file, { force: true });
}

const changed = async (checkout: string, commit: string): Promise<Set<string>> =>
  new Set((await git(checkout, ['diff', '--name-only', '-z', commit])).split('\0').filter(Boolean));

/** New files that are there have the content that the move gave them. */
async function addedAsNew({ checkout, old, new: next }: Intent): Promise<boolean> {
  const added = (await git(checkout, ['diff', '--name-only', '-z', '--diff-filter=A', old, next])).split('\0').filter(Boolean);
  for (const path of added) {
    if (!existsSync(join(checkout, path))) continue;
    const [is, should] = await Promise.all([git(checkout, ['hash-object', '--', path]), git(checkout, ['rev-parse', `${next}:${path}`])]);
    if (is !== should) return false;
  }
  return true;
}
