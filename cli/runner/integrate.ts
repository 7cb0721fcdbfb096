/** Brings finished work onto the base branch: once, alone, and only under a lease that stands. */
import type { MergeWay, RunCheck } from '../../contracts/work/runs.ts';
import { alone, moveBase } from './base.ts';
import { commitOf, contains, git, tryGit } from './git.ts';

export interface Work {
  repo: string;
  base: string;
  task: string;
  run: string;
  way: Extract<MergeWay, 'merge' | 'rebase'>;
  /** A folder in which commits are made; on the branch, without changes. */
  worktree: string;
  branch: string | null;
  head: string;
  /** A commit of base from before the task's first attempt, if it is known. */
  since: string | null;
  title: string;
  body: string;
  identity: readonly string[];
  /** Remote that base is pushed to before it moves here. */
  push: string | null;
}

export interface Hands {
  /** A heartbeat now: false when nothing may be written any more. */
  mayWrite(): Promise<boolean>;
  /** Whether waiting goes on. */
  go(): boolean;
  /** Runs the checks in the worktree. @returns those that failed */
  check(): Promise<RunCheck[]>;
  pollMs: number;
}

export type Integrated =
  /** `from`: base before the work came to it. */
  | { kind: 'merged' | 'already'; commit: string; from: string }
  | { kind: 'conflict'; files: string[] }
  | { kind: 'checks'; failed: RunCheck[] }
  | { kind: 'in the way'; reason: string }
  | { kind: 'lost' };

const tries = 50;

export async function integrate(work: Work, hands: Hands): Promise<Integrated> {
  const done = await alone(work.repo, hands.go, hands.pollMs, async () => {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const outcome = await once(work, hands);
      if (outcome !== 'again') return outcome;
    }
    return { kind: 'in the way', reason: `${work.base} keeps moving: ${tries} tries in vain.` } as const;
  });
  return done ?? { kind: 'lost' };
}

async function once(work: Work, hands: Hands): Promise<Integrated | 'again'> {
  const { repo, base, worktree } = work;
  if (work.push !== null) {
    const refused = await catchUp(work);
    if (refused !== null) return { kind: 'in the way', reason: refused };
  }
  const old = await commitOf(repo, `refs/heads/${base}`);
  if (old === null) return { kind: 'in the way', reason: `There is no branch ${base} any more.` };
  const already = await mergedAs(repo, work.task, old, work.since);
  if (already !== null) return { kind: 'already', commit: already, from: `${already}^1` };

  const made = await make(work, old);
  try {
    if ('files' in made) return { kind: 'conflict', files: made.files };
    // Work on the newest base has passed its checks already; together with other work it has not.
    if (!made.checked) {
      const failed = await hands.check();
      if (failed.length > 0) return { kind: 'checks', failed };
    }
    if (!(await hands.mayWrite())) return { kind: 'lost' };
    if (work.push !== null) {
      const pushed = await tryGit(repo, ['push', '--porcelain', work.push, `${made.commit}:refs/heads/${base}`]);
      if (pushed.code !== 0) {
        if (/rejected|non-fast-forward|fetch first/.test(pushed.out + pushed.err)) return 'again';
        return { kind: 'in the way', reason: `${base} cannot be pushed: ${pushed.err.trim().slice(0, 1_000)}` };
      }
    }
    const moved = await moveBase(repo, base, old, made.commit);
    if (moved.kind === 'behind') return 'again';
    if (moved.kind === 'in the way') return moved;
    return { kind: 'merged', commit: made.commit, from: old };
  } finally {
    await tryGit(
      worktree,
      work.branch === null ? ['checkout', '-q', '--force', '--detach', work.head] : ['checkout', '-q', '--force', work.branch],
    );
  }
}

/** The commit of base that carries the task's trailer, or null. */
export async function mergedAs(repo: string, task: string, base: string, since: string | null): Promise<string | null> {
  const known = since !== null && (await commitOf(repo, since)) !== null && (await contains(repo, since, base));
  const found = await git(repo, ['log', '-1', '--format=%H', '-E', `--grep=^Signalbox-Task: ${task}$`, known ? `${since}..${base}` : base]);
  return found === '' ? null : found;
}

type Made = { commit: string; checked: boolean } | { files: string[] };

const message = ({ title, body, task, run }: Work, subject = title): string =>
  `${subject}\n\n${body.trim() === '' ? '' : `${body.trim().slice(0, 4_000)}\n\n`}Signalbox-Task: ${task}\nSignalbox-Run: ${run}\n`;

/** Makes the commit that base shall move to. */
async function make(work: Work, base: string): Promise<Made> {
  const { repo, worktree, head, identity } = work;
  const fresh = await contains(repo, base, head);
  const subject = `Merge ${work.branch ?? head.slice(0, 12)}: ${work.title}`;
  if (work.way === 'merge') {
    if (fresh) {
      const commit = await git(repo, [...identity, 'commit-tree', `${head}^{tree}`, '-p', base, '-p', head, '-F', '-'], {
        input: message(work, subject),
      });
      return { commit, checked: true };
    }
    await git(worktree, ['checkout', '-q', '--force', '--detach', base]);
    const merged = await tryGit(worktree, [...identity, 'merge', '-q', '--no-ff', '--no-gpg-sign', '-m', message(work, subject), head]);
    return merged.code === 0
      ? { commit: await git(worktree, ['rev-parse', 'HEAD']), checked: false }
      : await conflict(worktree, 'merge', merged.err || merged.out);
  }
  const linear = (await git(repo, ['rev-list', '--merges', `${base}..${head}`])) === '';
  if (!linear) {
    // A conflict was resolved in a merge, which a rebase would ask about again: the work becomes one commit.
    if (!fresh) return await make({ ...work, way: 'merge' }, base);
    const commit = await git(repo, [...identity, 'commit-tree', `${head}^{tree}`, '-p', base, '-F', '-'], { input: message(work) });
    return { commit, checked: true };
  }
  await git(worktree, ['checkout', '-q', '--force', '--detach', head]);
  if (!fresh) {
    const rebased = await tryGit(worktree, [...identity, 'rebase', '-q', '--no-gpg-sign', base]);
    if (rebased.code !== 0) return await conflict(worktree, 'rebase', rebased.err || rebased.out);
    // All its changes were on base already.
    if ((await git(worktree, ['rev-parse', 'HEAD'])) === base)
      await git(worktree, [...identity, 'commit', '-q', '--allow-empty', '--no-verify', '-m', work.title]);
  }
  const last = await git(worktree, ['log', '-1', '--format=%B']);
  const trailed = await git(
    worktree,
    [
      'interpret-trailers',
      '--if-exists',
      'replace',
      '--trailer',
      `Signalbox-Task: ${work.task}`,
      '--trailer',
      `Signalbox-Run: ${work.run}`,
    ],
    { input: last },
  );
  await git(worktree, [...identity, 'commit', '-q', '--amend', '--allow-empty', '--no-verify', '--no-gpg-sign', '-F', '-'], {
    input: trailed,
  });
  return { commit: await git(worktree, ['rev-parse', 'HEAD']), checked: fresh };
}

async function conflict(worktree: string, what: 'merge' | 'rebase', said: string): Promise<Made> {
  const files = (await git(worktree, ['diff', '--name-only', '-z', '--diff-filter=U'])).split('\0').filter(Boolean);
  await tryGit(worktree, [what, '--abort']);
  if (files.length === 0) throw new Error(`git ${what}: ${said.trim().slice(0, 1_000)}`);
  return { files };
}

/** Fetches base and follows it. @returns why that is not possible */
async function catchUp({ repo, base, push }: Work): Promise<string | null> {
  const fetched = await tryGit(repo, ['fetch', '-q', push!, `refs/heads/${base}`]);
  if (fetched.code !== 0)
    return /couldn't find remote ref/i.test(fetched.err) ? null : `${base} cannot be fetched: ${fetched.err.trim().slice(0, 1_000)}`;
  const [theirs, ours] = [await commitOf(repo, 'FETCH_HEAD'), await commitOf(repo, `refs/heads/${base}`)];
  if (theirs === null || ours === null || (await contains(repo, theirs, ours))) return null;
  if (!(await contains(repo, ours, theirs))) return `${base} and ${push}/${base} have gone different ways: bring them together.`;
  const moved = await moveBase(repo, base, ours, theirs);
  return moved.kind === 'in the way' ? moved.reason : null;
}

/** Begins the merge of base in the worktree, for the agent to resolve. */
export async function beginMerge(worktree: string, base: string, identity: readonly string[]): Promise<void> {
  await tryGit(worktree, [...identity, 'merge', '-q', '--no-commit', '--no-ff', base]);
}
