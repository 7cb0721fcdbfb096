/** Pushes a branch of a run, with the git credentials of whoever runs this. */
import { tryGit } from './git.ts';

/** Branches that runs make. No other one is ever written over. */
const ours = /^signalbox\//;

/**
 * The branch is this commit afterwards. What the remote has under this name is replaced only if it is what was just seen
 * there.
 * @returns why the remote refuses it; null: it is there
 */
export async function pushBranch(repo: string, remote: string, branch: string, head: string): Promise<string | null> {
  if (!ours.test(branch)) return `${branch} is no branch of a run.`;
  const ref = `refs/heads/${branch}`;
  const seen = await tryGit(repo, ['ls-remote', '--quiet', remote, ref]);
  if (seen.code !== 0) return `${remote} cannot be reached: ${wordOf(seen.err)}`;
  const there = seen.out.split(/\s/, 1)[0] ?? '';
  if (there === head) return null;
  const pushed = await tryGit(repo, ['push', '-q', `--force-with-lease=${ref}:${there}`, remote, `${head}:${ref}`]);
  if (pushed.code === 0) return null;
  if (/stale info/.test(pushed.err)) return `${branch} was changed on ${remote} at this moment; it is tried again.`;
  return `${remote} refuses ${branch}: ${wordOf(pushed.err)}`;
}

const wordOf = (said: string): string =>
  said
    .trim()
    .replaceAll(/(https?:\/\/)[^/@\s]*@/g, '$1')
    .slice(0, 500);
