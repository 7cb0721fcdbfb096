import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunCheck } from '../../contracts/work/runs.ts';
import { alone, moveBase } from './base.ts';
import { git } from './git.ts';
import { integrate, type Integrated, type Work } from './integrate.ts';
import { identity, sandbox, type Sandbox } from './testing.ts';
import { commitAll, makeWorktree, removeWorktree, statOf } from './worktree.ts';

let box: Sandbox;
beforeEach(async () => void (box = await sandbox()));
afterEach(() => box.remove());

/** A task's worktree with one commit on its branch. */
async function finished(task: string, files: Record<string, string>): Promise<Work> {
  const [worktree, branch] = [join(box.folder, task), `signalbox/${task}-1`];
  const since = await box.git('rev-parse', 'main');
  await makeWorktree(box.repo, { worktree, branch }, 'main');
  for (const [path, content] of Object.entries(files)) writeFileSync(join(worktree, path), content);
  const head = await commitAll(worktree, branch, `Work on ${task}`, identity);
  return {
    repo: box.repo,
    base: 'main',
    task,
    run: `wrun_${task}`,
    way: 'merge',
    worktree,
    branch,
    head,
    since,
    title: `Do ${task}`,
    body: 'Done.',
    identity,
    push: null,
  };
}

const hands = (more: Partial<Parameters<typeof integrate>[1]> = {}): Parameters<typeof integrate>[1] => ({
  mayWrite: async () => true,
  go: () => true,
  check: async () => [],
  pollMs: 5,
  ...more,
});
const commitIn = (outcome: Integrated): string => (outcome as { commit: string }).commit;
const trailers = async (task: string): Promise<number> =>
  (await box.git('log', '--format=%H', `--grep=^Signalbox-Task: ${task}$`, 'main')).split('\n').filter(Boolean).length;

describe('integrate', () => {
  it('merges once, and the folder where base is checked out follows', async () => {
    const work = await finished('t1', { 'b.txt': 'new\n' });
    const first = await integrate(work, hands());
    expect(first.kind).toBe('merged');
    expect(await box.git('rev-parse', 'main')).toBe(commitIn(first));
    expect(readFileSync(join(box.repo, 'b.txt'), 'utf8')).toBe('new\n');
    expect(await box.git('status', '--porcelain')).toBe('');
    const already = { kind: 'already', commit: commitIn(first), from: `${commitIn(first)}^1` };
    expect(await integrate(work, hands())).toEqual(already);
    expect(await integrate({ ...work, since: null }, hands())).toEqual(already);
    expect(await trailers('t1')).toBe(1);
    expect(await git(work.worktree, ['symbolic-ref', '--short', 'HEAD'])).toBe(work.branch);
  });

  it.each(['merge', 'rebase'] as const)('tells from where the whole work can be seen (%s)', async (way) => {
    const before = await box.git('rev-parse', 'main');
    const work = await finished('t1', { 'b.txt': 'b\n' });
    const head = await box.commit({ 'c.txt': 'c\n' }, work.worktree);
    const merged = await integrate({ ...work, head, way }, hands());
    expect(merged).toMatchObject({ kind: 'merged', from: before });
    expect(await statOf(box.repo, before, commitIn(merged))).toMatchObject({ files_changed: 2, insertions: 2 });
  });

  it.each(['merge', 'rebase'] as const)('brings together (%s) what was begun from one commit, with checks of the whole', async (way) => {
    const works = [
      await finished('t1', { 'b.txt': 'b\n' }),
      await finished('t2', { 'c.txt': 'c\n' }),
      await finished('t3', { 'd.txt': 'd\n' }),
    ];
    let checked = 0;
    const outcomes = await Promise.all(
      works.map(async (work) => await integrate({ ...work, way }, hands({ check: async () => ((checked += 1), []) }))),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['merged', 'merged', 'merged']);
    expect(checked).toBe(2);
    for (const file of ['b.txt', 'c.txt', 'd.txt']) expect(existsSync(join(box.repo, file))).toBe(true);
    expect(await Promise.all(['t1', 't2', 't3'].map(trailers))).toEqual([1, 1, 1]);
    if (way === 'rebase') expect(await box.git('rev-list', '--merges', 'main')).toBe('');
    expect(await box.git('status', '--porcelain')).toBe('');
  });

  it('does not merge what fails together with others, nor without a lease', async () => {
    const work = await finished('t1', { 'b.txt': 'b\n' });
    const before = await box.commit({ 'other.txt': 'x' });
    const failed: RunCheck = { command: 'npm test', exit_code: 1, seconds: 0, output: 'no' };
    expect(await integrate(work, hands({ check: async () => [failed] }))).toEqual({ kind: 'checks', failed: [failed] });
    expect(await integrate(work, hands({ mayWrite: async () => false }))).toEqual({ kind: 'lost' });
    expect(await box.git('rev-parse', 'main')).toBe(before);
  });

  it.each(['merge', 'rebase'] as const)('names the files of a conflict (%s) and leaves everything as it was', async (way) => {
    const work = await finished('t1', { 'a.txt': 'one\nmine\nthree\n' });
    const before = await box.commit({ 'a.txt': 'one\ntheirs\nthree\n' });
    expect(await integrate({ ...work, way }, hands())).toEqual({ kind: 'conflict', files: ['a.txt'] });
    expect(await box.git('rev-parse', 'main')).toBe(before);
    expect(await git(work.worktree, ['status', '--porcelain'])).toBe('');
    expect(await git(work.worktree, ['rev-parse', 'HEAD'])).toBe(work.head);
  });

  it('waits with local changes in the way, and keeps those that are not', async () => {
    const work = await finished('t1', { 'a.txt': 'mine\n' });
    const before = await box.git('rev-parse', 'main');
    writeFileSync(join(box.repo, 'a.txt'), 'a person at work\n');
    const refused = await integrate(work, hands());
    expect(refused).toMatchObject({ kind: 'in the way', reason: expect.stringContaining('a.txt') as string });
    expect(await box.git('rev-parse', 'main')).toBe(before);
    expect(readFileSync(join(box.repo, 'a.txt'), 'utf8')).toBe('a person at work\n');
    await box.git('checkout', '-q', '--', 'a.txt');
    writeFileSync(join(box.repo, 'notes.txt'), 'mine alone\n');
    expect((await integrate(work, hands())).kind).toBe('merged');
    expect(readFileSync(join(box.repo, 'notes.txt'), 'utf8')).toBe('mine alone\n');
  });

  it('moves a base that nobody has checked out, and one that moves between look and write', async () => {
    await box.git('checkout', '-q', '--detach');
    const work = await finished('t1', { 'b.txt': 'b\n' });
    let moved = '';
    const mayWrite = async (): Promise<boolean> => {
      if (moved !== '') return true;
      const tree = await box.git('rev-parse', 'main^{tree}');
      moved = await git(box.repo, [...identity, 'commit-tree', tree, '-p', 'main', '-m', 'Somebody was faster']);
      await box.git('update-ref', 'refs/heads/main', moved);
      return true;
    };
    const outcome = await integrate(work, hands({ mayWrite }));
    expect(outcome.kind).toBe('merged');
    expect(await box.git('rev-parse', 'main^1')).toBe(moved);
    expect(await statOf(box.repo, 'main^1', 'main')).toEqual({ commits: 2, files_changed: 1, insertions: 1, deletions: 0 });
  });

  it('pushes first, and follows a remote that others have pushed to', async () => {
    const remote = join(box.folder, 'remote.git');
    await git(box.folder, ['clone', '-q', '--bare', box.repo, remote]);
    await box.git('remote', 'add', 'origin', remote);
    const other = join(box.folder, 'other');
    await git(box.folder, ['clone', '-q', remote, other]);
    const work = { ...(await finished('t1', { 'b.txt': 'b\n' })), push: 'origin' };
    let pushed = false;
    const mayWrite = async (): Promise<boolean> => {
      if (!pushed) {
        await box.commit({ 'c.txt': 'c\n' }, other);
        await git(other, ['push', '-q', 'origin', 'main']);
        pushed = true;
      }
      return true;
    };
    const outcome = await integrate(work, hands({ mayWrite }));
    expect(outcome.kind).toBe('merged');
    expect(await git(remote, ['rev-parse', 'main'])).toBe(commitIn(outcome));
    expect(await box.git('rev-parse', 'main')).toBe(commitIn(outcome));
    expect(existsSync(join(box.repo, 'c.txt'))).toBe(true);
  });
});

describe('a move of base that a crash interrupts', () => {
  const intent = (): string => join(box.repo, '.git', 'signalbox-move.json');
  const mend = async (): Promise<unknown> =>
    await alone(
      box.repo,
      () => true,
      5,
      async () => true,
    );

  it.each(['before the branch has moved', 'after some files are written'])('%s: the folder is as base says', async (when) => {
    const old = await box.git('rev-parse', 'main');
    const next = await box.commit({ 'a.txt': 'changed\n', 'new.txt': 'new\n' });
    await box.git('reset', '-q', '--hard', old);
    writeFileSync(join(box.repo, 'a.txt'), 'changed\n');
    if (when.startsWith('after')) writeFileSync(join(box.repo, 'new.txt'), 'new\n');
    writeFileSync(intent(), JSON.stringify({ checkout: box.repo, old, new: next, pid: 999_999_999, mark: 'gone' }));
    writeFileSync(join(box.repo, '.git', 'index.lock'), '');
    await mend();
    expect(readFileSync(join(box.repo, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
    expect(existsSync(intent())).toBe(false);
    await box.git('clean', '-qfd');
    expect(await moveBase(box.repo, 'main', old, next)).toEqual({ kind: 'moved' });
    expect(await box.git('status', '--porcelain')).toBe('');
  });

  it('leaves a file alone that a person has changed since', async () => {
    const old = await box.git('rev-parse', 'main');
    const next = await box.commit({ 'a.txt': 'changed\n' });
    await box.git('reset', '-q', '--hard', old);
    writeFileSync(join(box.repo, 'a.txt'), 'by hand\n');
    writeFileSync(intent(), JSON.stringify({ checkout: box.repo, old, new: next, pid: null, mark: null }));
    await mend();
    expect(readFileSync(join(box.repo, 'a.txt'), 'utf8')).toBe('by hand\n');
  });
});

describe('worktrees', () => {
  it('are made again after a crash, and taken over by the next attempt with what was left', async () => {
    const worktree = join(box.folder, 'wt');
    const first = { worktree, branch: 'signalbox/t1-1' };
    await makeWorktree(box.repo, first, 'main');
    await makeWorktree(box.repo, first, 'main');
    writeFileSync(join(worktree, 'half.txt'), 'half\n');
    const second = { worktree, branch: 'signalbox/t1-2' };
    await makeWorktree(box.repo, second, 'main');
    expect(await git(worktree, ['symbolic-ref', '--short', 'HEAD'])).toBe(second.branch);
    expect(existsSync(join(worktree, 'half.txt'))).toBe(true);
    await git(box.repo, ['worktree', 'list']);
    await removeWorktree(box.repo, worktree);
    expect(existsSync(worktree)).toBe(false);
    await makeWorktree(box.repo, second, 'main');
    expect(await git(worktree, ['symbolic-ref', '--short', 'HEAD'])).toBe(second.branch);
  });

  it('have their branch on the last commit, wherever the agent has been', async () => {
    const spot = { worktree: join(box.folder, 'wt'), branch: 'signalbox/t1-1' };
    await makeWorktree(box.repo, spot, 'main');
    await git(spot.worktree, ['checkout', '-q', '-b', 'its-own']);
    const own = await box.commit({ 'b.txt': 'b\n' }, spot.worktree);
    writeFileSync(join(spot.worktree, 'c.txt'), 'c\n');
    const head = await commitAll(spot.worktree, spot.branch, 'Rest', identity);
    expect(await box.git('rev-parse', spot.branch)).toBe(head);
    expect(await box.git('rev-parse', `${spot.branch}^`)).toBe(own);
    expect(await commitAll(spot.worktree, spot.branch, 'Nothing', identity)).toBe(head);
  });

  it('keep a conflict that was not resolved out of the history', async () => {
    const work = await finished('t1', { 'a.txt': 'mine\n' });
    await box.commit({ 'a.txt': 'theirs\n' });
    await git(work.worktree, [...identity, 'merge', '-q', 'main']).catch(() => {});
    await expect(commitAll(work.worktree, work.branch!, 'Resolved', identity)).rejects.toThrow('Conflicts are not resolved: a.txt');
    writeFileSync(join(work.worktree, 'a.txt'), 'both\n');
    const head = await commitAll(work.worktree, work.branch!, 'Resolved', identity);
    expect((await integrate({ ...work, head }, hands())).kind).toBe('merged');
    expect(readFileSync(join(box.repo, 'a.txt'), 'utf8')).toBe('both\n');
  });
});
