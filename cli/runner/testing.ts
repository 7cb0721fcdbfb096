/** A repository to try things in. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from './git.ts';

export const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];

export interface Sandbox {
  folder: string;
  repo: string;
  /** Runs git in the repository. */
  git(...args: string[]): Promise<string>;
  /** Writes files and commits them. @returns the commit */
  commit(files: Record<string, string>, cwd?: string): Promise<string>;
  remove(): void;
}

/** With one commit on `main`. */
export async function sandbox(): Promise<Sandbox> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-work-')));
  const repo = join(folder, 'shop');
  await git(folder, ['init', '-q', '-b', 'main', repo]);
  const commit: Sandbox['commit'] = async (files, cwd = repo) => {
    for (const [path, content] of Object.entries(files)) writeFileSync(join(cwd, path), content);
    await git(cwd, ['add', '--all']);
    await git(cwd, [...identity, 'commit', '-q', '-m', `Change ${Object.keys(files).join(', ')}`]);
    return await git(cwd, ['rev-parse', 'HEAD']);
  };
  await commit({ 'a.txt': 'one\ntwo\nthree\n' });
  return { folder, repo, commit, git: (...args) => git(repo, args), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
