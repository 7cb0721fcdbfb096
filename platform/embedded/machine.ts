/** What this machine has: programs, package managers, an installed Postgres. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { release, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from './process.ts';

/** A program that downloads parts. */
export type Tool = 'pip' | 'mvn';

export class MissingTool extends Error {
  readonly tool: Tool;
  constructor(tool: Tool) {
    super(tool === 'pip' ? 'neither pip (Python 3) nor uv is installed' : 'Maven (mvn) is not installed');
    this.tool = tool;
  }
}

/** Install commands by package manager; the first installed manager is used. */
const installs: [manager: string, commands: Record<Tool, string>][] = [
  ['brew', { pip: 'brew install uv', mvn: 'brew install maven' }],
  ['apt-get', { pip: 'sudo apt-get install python3-pip', mvn: 'sudo apt-get install maven' }],
  ['dnf', { pip: 'sudo dnf install python3-pip', mvn: 'sudo dnf install maven' }],
  ['zypper', { pip: 'sudo zypper install python3-pip', mvn: 'sudo zypper install maven' }],
  ['pacman', { pip: 'sudo pacman -S python-pip', mvn: 'sudo pacman -S maven' }],
  ['apk', { pip: 'sudo apk add py3-pip', mvn: 'sudo apk add maven' }],
];

/** The command to install a program on this machine. */
export async function howToInstall(tool: Tool): Promise<string> {
  for (const [manager, commands] of installs) if ((await which(manager)) !== null) return `\`${commands[tool]}\``;
  if (tool === 'pip' && process.platform === 'darwin') return '`xcode-select --install` (brings Python with pip)';
  return tool === 'pip' ? 'install pip for Python 3, or uv' : 'install Maven';
}

/** The command to install Postgres with pgvector where no build can be downloaded. */
export async function howToInstallPostgres(): Promise<string> {
  const commands = [
    ['brew', 'brew install postgresql@18 pgvector'],
    ['apk', 'sudo apk add postgresql18 postgresql-pgvector'],
    ['apt-get', 'sudo apt-get install postgresql postgresql-NN-pgvector'],
    ['dnf', 'sudo dnf install postgresql-server pgvector'],
    ['pacman', 'sudo pacman -S postgresql pgvector'],
  ] as const;
  for (const [manager, command] of commands) if ((await which(manager)) !== null) return `\`${command}\``;
  return 'install Postgres 16 or newer with pgvector';
}

/** @returns the path of a command on PATH, or null */
export async function which(command: string): Promise<string | null> {
  const found = await run('sh', ['-c', 'command -v "$0"', command], { timeoutMs: 5000 });
  return found.code === 0 && found.output.startsWith('/') ? found.output.trim() : null;
}

/** Whether this is Linux with this kernel or a later one. */
export function isLinuxSince(major: number, minor: number, platform = process.platform, kernel = release()): boolean {
  const [of = 0, and = 0] = kernel.split('.').map((part) => Number.parseInt(part, 10));
  return platform === 'linux' && (of > major || (of === major && and >= minor));
}

/** Memory that this process may use, in MiB: that of the machine, or of its container. */
export const memoryMb = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity) / 2 ** 20;

/** Folders of installed Postgres versions that are not on PATH. */
const postgresFolders = [
  'usr/lib/postgresql/*/bin', // Debian, Ubuntu
  'usr/lib/postgresql*/bin', // openSUSE
  'usr/pgsql-*/bin', // the project's packages for Fedora and Red Hat
  'usr/libexec/postgresql*', // Alpine
  'opt/homebrew/opt/postgresql*/bin', // Homebrew on Apple silicon
  'usr/local/opt/postgresql*/bin', // Homebrew on Intel
  'home/linuxbrew/.linuxbrew/opt/postgresql*/bin',
  'Applications/Postgres.app/Contents/Versions/*/bin',
];

/** Minimum version of Postgres: migrations grant roles without inheritance. */
const POSTGRES_OLDEST = 16;
/** Minimum version of pgvector: iterative scans, for filters that leave too few rows. */
const PGVECTOR_OLDEST = [0, 8];

interface Found {
  bin: string;
  major: number;
}

/** The Postgres on PATH. @param major only this version */
export async function postgresOnPath(major: number | undefined): Promise<string | null> {
  const config = await which('pg_config');
  const server = await which('postgres');
  const bins = [config === null ? null : (await ask(config, '--bindir')) || null, server === null ? null : dirname(server)];
  return newest(
    bins.filter((bin) => bin !== null),
    major,
  );
}

/**
 * The newest installed Postgres outside PATH.
 * @param root another root folder, for tests
 */
export async function postgresOfSystem(major: number | undefined, root = '/'): Promise<string | null> {
  return newest(
    postgresFolders.flatMap((folder) => foldersLike(root, folder.split('/'))),
    major,
  );
}

/** Folders that match a pattern with stars. Not `glob`, which does not follow links, and Homebrew uses links. */
function foldersLike(folder: string, [first, ...rest]: string[]): string[] {
  if (first === undefined) return existsSync(folder) ? [folder] : [];
  if (!first.includes('*')) return foldersLike(join(folder, first), rest);
  const [start = '', end = ''] = first.split('*');
  return namesIn(folder)
    .filter((name) => name.startsWith(start) && name.endsWith(end))
    .flatMap((name) => foldersLike(join(folder, name), rest));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function newest(bins: string[], major: number | undefined): Promise<string | null> {
  const found = await Promise.all([...new Set(bins)].map(usable));
  const fitting = found.filter((each) => each !== null).filter((each) => major === undefined || each.major === major);
  return fitting.sort((a, b) => b.major - a.major)[0]?.bin ?? null;
}

/** Only complete and recent enough versions, with a recent enough pgvector. */
async function usable(bin: string): Promise<Found | null> {
  if (!['initdb', 'postgres'].every((name) => existsSync(join(bin, name)))) return null;
  const { output, code } = await run(join(bin, 'postgres'), ['--version'], { timeoutMs: 10_000 });
  const major = Number(/PostgreSQL\) (\d+)/.exec(output)?.[1]);
  if (code !== 0 || !(major >= POSTGRES_OLDEST)) return null;
  const config = join(bin, 'pg_config');
  const shares = [
    existsSync(config) ? await ask(config, '--sharedir') : '',
    ...['../share', '../share/postgresql', `../../../../share/postgresql/${major}`, `../../share/postgresql${major}`].map((each) =>
      join(bin, each),
    ),
  ];
  const control = shares.filter(Boolean).map((share) => join(share, 'extension', 'vector.control')).find((file) => existsSync(file)); // prettier-ignore
  if (control === undefined) return null;
  const version = /default_version\s*=\s*'(\d+)\.(\d+)/.exec(readFileSync(control, 'utf8'));
  return version !== null && atLeast([Number(version[1]), Number(version[2])], PGVECTOR_OLDEST) ? { bin, major } : null;
}

const ask = async (config: string, flag: string): Promise<string> => {
  const { code, output } = await run(config, [flag], { timeoutMs: 5000 });
  return code === 0 ? output.trim() : '';
};

/** Whether a version is at least the other; both as numbers, the most significant first. */
export function atLeast(version: readonly number[], oldest: readonly number[]): boolean {
  for (const [i, wanted] of oldest.entries()) {
    const has = version[i] ?? 0;
    if (has !== wanted) return has > wanted;
  }
  return true;
}
