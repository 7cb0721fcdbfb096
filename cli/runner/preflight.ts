/** Everything that would make a run fail is said before a task is claimed. */
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { run } from '../../platform/embedded/process.ts';
import { CliError, exits, usage } from '../exit.ts';
import type { Agent } from './agents/agent.ts';
import { Api } from './api.ts';
import { checkouts, commitOf, git, tryGit } from './git.ts';
import type { Settings } from './settings.ts';

const leastFree = 500 * 1024 ** 2;

const cannot = (message: string, hint?: string): CliError => new CliError(exits.failed, 'CONFLICT', message, { hint });

/** The repository's main folder. @throws CliError */
export async function repositoryAt(folder: string): Promise<string> {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw cannot(`There is no folder ${folder}.`);
  const version = await tryGit(folder, ['--version']).catch(() => null);
  if (version === null || version.code !== 0) throw cannot('git is not installed.', 'Install git 2.31 or newer.');
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version.out) ?? [];
  if (Number(major) < 2 || (Number(major) === 2 && Number(minor) < 31))
    throw cannot(`git ${major}.${minor} is too old.`, 'Install git 2.31 or newer.');
  const top = await tryGit(folder, ['rev-parse', '--show-toplevel']);
  if (top.code !== 0)
    throw cannot(
      `${folder} is not in a git repository.`,
      /dubious ownership/.test(top.err) ? top.err.trim() : 'Go to one, or name it with --repo. `git init` makes one.',
    );
  if ((await commitOf(folder, 'HEAD')) === null)
    throw cannot('The repository has no commit yet.', 'Make a first one: `git commit --allow-empty -m "Begin"`.');
  return (await checkouts(folder))[0]?.path ?? top.out.trim();
}

/** The branch that finished work goes to. @throws CliError */
export async function baseOf(repo: string, wanted: string | undefined): Promise<string> {
  const base = wanted ?? (await tryGit(repo, ['symbolic-ref', '--quiet', '--short', 'HEAD'])).out.trim();
  if (base === '') throw usage('The repository is on no branch.', 'Name the branch that finished work goes to: --base main.');
  if ((await commitOf(repo, `refs/heads/${base}`)) === null) {
    const all = (await git(repo, ['for-each-ref', '--count=10', '--format=%(refname:short)', 'refs/heads'])).split('\n').join(', ');
    throw cannot(`There is no branch ${base}.`, `--base names one of: ${all}`);
  }
  return base;
}

/** @returns the agent's version, if it tells one. @throws CliError with how to install it */
export async function agentVersion(agent: Agent, path: string): Promise<string | null> {
  const { command } = agent;
  if (command === null) throw usage('Give the program after `--`, e.g. -- my-agent {prompt_file}');
  if (!onPath(command, path)) throw cannot(`${agent.title} is not installed: ${command} is not on PATH.`, agent.install);
  if (agent.name === command.split('/').at(-1) && !agent.resumes) return null;
  const { code, output } = await run(command, ['--version'], { timeoutMs: 20_000 });
  return code === 0 ? versionIn(output) : null;
}

/** The version in what a program prints about itself. Some add their name, warnings before it, or advice after it. */
export function versionIn(output: string): string | null {
  const lines = output.trim().split('\n');
  const found = lines.map((line) => /\d+(?:\.\d+)+(?:[-+][\w.+-]*\w)?/.exec(line)?.[0]).findLast((version) => version !== undefined);
  return found ?? (lines.at(-1)?.slice(0, 100) || null);
}

function onPath(command: string, path: string): boolean {
  const places = isAbsolute(command) || command.includes('/') ? [command] : path.split(delimiter).map((folder) => join(folder, command));
  return places.some((place) => {
    try {
      accessSync(place, constants.X_OK);
      return statSync(place).isFile();
    } catch {
      return false;
    }
  });
}

/** @throws CliError. @returns what is worth a word, but no reason to stop */
export async function preflight({ repo, base, merge, data, phase, target, pace, push, remote }: Settings): Promise<string[]> {
  const words: string[] = [];
  const where = (await checkouts(repo)).find(({ branch }) => branch === base);
  if (where && merge !== 'patch' && merge !== 'pull_request') {
    const dirty = (await git(where.path, ['status', '--porcelain', '--untracked-files=no'])).trim();
    if (dirty !== '')
      throw cannot(
        `${base} is checked out in ${where.path} with uncommitted changes:\n${dirty.split('\n').slice(0, 5).join('\n')}`,
        'Commit or stash them, or use --merge patch, which leaves the branch alone.',
      );
    for (const [file, what] of Object.entries({ MERGE_HEAD: 'a merge', 'rebase-merge': 'a rebase', 'rebase-apply': 'a rebase' })) {
      if (existsSync(await git(where.path, ['rev-parse', '--path-format=absolute', '--git-path', file])))
        throw cannot(`In ${where.path}, ${what} is not finished.`, 'Finish or abort it.');
    }
  }
  const free = statfsSync(existsSync(data) ? data : repo);
  if (free.bavail * free.bsize < leastFree)
    throw cannot(
      `Less than ${leastFree / 1024 ** 2} MB are free for worktrees in ${data}.`,
      'Free some, or choose another place with --data.',
    );
  if ((push !== null || merge === 'pull_request') && (await tryGit(repo, ['remote', 'get-url', remote])).code !== 0)
    throw cannot(`There is no remote ${remote} to push to.`, '`git remote -v` lists them; --remote names one.');
  if (existsSync(join(repo, '.gitmodules')))
    words.push('The repository has submodules. Worktrees begin without them: --setup "git submodule update --init"');
  if (usesLfs(repo) && (await tryGit(repo, ['lfs', 'version'])).code !== 0)
    words.push('The repository uses git LFS, which is not installed here: agents see pointers instead of files.');
  if ((await git(repo, ['rev-parse', '--is-shallow-repository'])) === 'true') words.push('The repository is a shallow clone.');
  return [...words, ...(await mayWork(new Api(target, pace), phase))];
}

const usesLfs = (repo: string): boolean =>
  existsSync(join(repo, '.gitattributes')) && readFileSync(join(repo, '.gitattributes'), 'utf8').includes('filter=lfs');

/** What a runner calls. The first three it cannot do without. */
const needed = ['work.task.claim', 'work.run.open', 'work.run.close'];
const wanted = {
  'event.stream.subscribe': 'it asks for tasks every 15 s instead of hearing of them',
  'substrate.artifact.upload': 'patches and logs are not kept',
};

/** The api answers, the phase exists, and the key may do what a runner does. @returns what it must do without */
async function mayWork(api: Api, phase: number): Promise<string[]> {
  await api.call('work.phase.get', { phase_id: phase });
  const may = async (tool: string): Promise<{ effect: string; reason: string; hint: string | null }> =>
    await api.call('system.policy.explain', { tool });
  for (const tool of needed) {
    const { effect, reason, hint } = await may(tool);
    if (effect === 'allow') continue;
    throw new CliError(exits.refused, 'FORBIDDEN', `This key may not call ${tool} as a runner must: ${reason}`, {
      hint: hint ?? 'A runner needs a key of the role agent: `signalbox keys create --role agent`.',
    });
  }
  const words = await Promise.all(
    Object.entries(wanted).map(async ([tool, without]) =>
      (await may(tool)).effect === 'allow' ? '' : `This key may not call ${tool}: ${without}.`,
    ),
  );
  return words.filter(Boolean);
}
