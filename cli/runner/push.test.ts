import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { git } from './git.ts';
import { pushBranch } from './push.ts';
import { sandbox, type Sandbox } from './testing.ts';

let box: Sandbox;
let remote: string;
const branch = 'signalbox/task_1-1';
const there = (): Promise<string> => git(remote, ['rev-parse', branch]);
beforeEach(async () => {
  box = await sandbox();
  remote = join(box.folder, 'remote.git');
  await git(box.folder, ['init', '-q', '--bare', remote]);
  await box.git('remote', 'add', 'origin', remote);
});
afterEach(() => box.remove());

it('pushes the approved commit, once, and over what an earlier push left', async () => {
  const first = await box.commit({ 'a.txt': 'first' });
  expect(await pushBranch(box.repo, 'origin', branch, first)).toBeNull();
  expect(await pushBranch(box.repo, 'origin', branch, first)).toBeNull();
  expect(await there()).toBe(first);
  await box.git('reset', '-q', '--hard', 'HEAD^');
  const other = await box.commit({ 'a.txt': 'other' });
  expect(await pushBranch(box.repo, 'origin', branch, other)).toBeNull();
  expect(await there()).toBe(other);
});

it('writes over no branch but those of runs', async () => {
  const head = await box.git('rev-parse', 'main');
  expect(await pushBranch(box.repo, 'origin', 'main', head)).toMatch(/no branch of a run/);
  expect(await git(remote, ['for-each-ref'])).toBe('');
});

it('says why a remote refuses', async () => {
  const head = await box.git('rev-parse', 'main');
  await git(remote, ['config', 'receive.denyCurrentBranch', 'refuse']);
  await git(remote, ['config', 'transfer.hideRefs', 'refs/heads/signalbox']);
  expect(await pushBranch(box.repo, 'origin', branch, head)).toMatch(/^origin refuses signalbox\/task_1-1: .*hidden/s);
  await box.git('remote', 'set-url', 'origin', join(box.folder, 'nowhere'));
  expect(await pushBranch(box.repo, 'origin', branch, head)).toMatch(/^origin cannot be reached/);
});
