/** Git as a child process. Git's own locks and hooks stay in force. */
import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import { resolve } from 'node:path';

export interface GitAnswer {
  code: number;
  out: string;
  err: string;
}

export class GitError extends Error {
  readonly answer: GitAnswer;
  constructor(args: readonly string[], answer: GitAnswer) {
    super(`git ${args.find((arg) => !arg.startsWith('-')) ?? ''}: ${(answer.err || answer.out).trim().slice(0, 2_000)}`);
    this.name = 'GitError';
    this.answer = answer;
  }
}

export interface GitOptions {
  input?: string;
  /** Added to this process's environment. */
  env?: Record<string, string>;
  onStart?: (pid: number) => void;
}

/** Messages of git are read, so they must be English; nobody is there to answer a question. */
const quiet = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true', GIT_OPTIONAL_LOCKS: '0' };
/** A runner that was started by a hook of git has these; they would name another repository. */
const foreign = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_COMMON_DIR', 'GIT_OBJECT_DIRECTORY'];

/** Runs git to its end, whatever its exit code. It has a group of its own: a Ctrl-C must not stop it half way. */
export async function tryGit(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
  const env: Record<string, string | undefined> = { ...environment(), ...quiet, ...options.env };
  for (const name of foreign) delete env[name];
  const child = spawn('git', args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  if (child.pid !== undefined) options.onStart?.(child.pid);
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const code = await new Promise<number | null>((done) => {
    // No git, or no such folder.
    child.once('error', (error) => (err.push(Buffer.from(error.message)), done(127)));
    child.once('close', done);
  });
  return { code: code ?? 128, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}

/** @returns what it printed, without the last line end. @throws GitError */
export async function git(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<string> {
  const answer = await tryGit(cwd, args, options);
  if (answer.code !== 0) throw new GitError(args, answer);
  return answer.out.replace(/\n$/, '');
}

/** The commit that a name stands for, or null. */
export async function commitOf(cwd: string, name: string): Promise<string | null> {
  const { code, out } = await tryGit(cwd, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);
  return code === 0 ? out.trim() : null;
}

export const contains = async (cwd: string, ancestor: string, commit: string): Promise<boolean> =>
  (await tryGit(cwd, ['merge-base', '--is-ancestor', ancestor, commit])).code === 0;

export interface Checkout {
  path: string;
  /** Null: detached. */
  branch: string | null;
}

/** All working trees of the repository, the main one first. */
export async function checkouts(repo: string): Promise<Checkout[]> {
  const text = await git(repo, ['worktree', 'list', '--porcelain']);
  return text.split('\n\n').flatMap((block) => {
    const path = /^worktree (.*)$/m.exec(block)?.[1];
    if (path === undefined || /^(bare|prunable)/m.test(block)) return [];
    return [{ path, branch: /^branch refs\/heads\/(.*)$/m.exec(block)?.[1] ?? null }];
  });
}

/** Address of `origin` without credentials, else `host:folder`. */
export async function repositoryName(repo: string, remote = 'origin'): Promise<string> {
  const { code, out } = await tryGit(repo, ['remote', 'get-url', remote]);
  const address = out.trim();
  if (code !== 0 || address === '') return `${hostname()}:${resolve(repo)}`;
  if (URL.canParse(address)) {
    const url = new URL(address);
    if (url.protocol !== 'file:') {
      [url.username, url.password, url.search, url.hash] = ['', '', '', ''];
      return url.href.replace(/\.git$/, '');
    }
  }
  // git@host:owner/name.git; a local folder is named with its host.
  const [, host, path] = /^(?:[^@/]+@)?([^:/]+):(.+)$/.exec(address) ?? [];
  return host === undefined ? `${hostname()}:${address.replace(/^file:\/\//, '')}` : `${host}:${path!.replace(/\.git$/, '')}`;
}

/** Where a person opens a review of a pushed branch; null for other hosts. */
export function reviewLink(repository: string, base: string, branch: string): string | null {
  const web = repository.replace(/^(?:ssh:\/\/)?([\w.-]+)[:/](.+)$/, (whole, host: string, path: string) =>
    whole.startsWith('http') ? whole : `https://${host}/${path}`,
  );
  if (!URL.canParse(web)) return null;
  const { hostname: host, href } = new URL(web);
  if (host === 'github.com') return `${href}/compare/${encodeURIComponent(base)}...${encodeURIComponent(branch)}?expand=1`;
  if (host.includes('gitlab')) return `${href}/-/merge_requests/new?merge_request[source_branch]=${encodeURIComponent(branch)}`;
  return null;
}

// oxlint-disable-next-line node/no-process-env -- what git of the user needs: HOME, SSH_AUTH_SOCK, proxies
const environment = (): NodeJS.ProcessEnv => process.env;
