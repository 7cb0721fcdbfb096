/** Installs a part into the cache: download, verify, unpack, test, and only then rename into place. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, chmod, constants, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import type { AppError } from '../../contracts/errors.ts';
import type { Archive } from './archives.ts';
import { howToInstall, howToInstallPostgres, MissingTool, type Tool } from './machine.ts';
import { isRoot, messageOf, run, stackError } from './process.ts';
import { fetchArchives, type Place, placesOf, type Progress } from './sources.ts';
import { unzip } from './unzip.ts';

export interface AcquireOptions {
  /** Folder that keeps parts; see `cacheFolder`. */
  cacheDir: string;
  onProgress?: Progress;
  /** Source of archives: a folder or an http address (SIGNALBOX_PARTS_URL). */
  partsUrl?: string | undefined;
  /** Whether a part installed on this machine may be used; default true. */
  usePath?: boolean;
  /** Replaces archives and sources; for tests. */
  offers?: { archives: Archive[]; places: Place[] }[];
}

export interface Part {
  /** For people: "Temporal". */
  name: string;
  /** Folder in the cache; names version and platform, so that a new version is a new folder. */
  folder: string;
  /** The setting that replaces the part, and its meaning. */
  replacedBy: string;
  /** Sets of archives, any one of which is enough. */
  archives: Archive[][];
  /** Selects and renames the files of an archive; absent: the archives themselves are kept. */
  choose?: (name: string, all: readonly string[]) => string | null;
  /** @throws Error when the part in the folder is incomplete; `fresh` runs the slow checks too */
  check(folder: string, fresh: boolean): Promise<void>;
}

/** Folder of downloaded parts, shared by runs and checkouts. */
export function cacheFolder(config: Pick<Config, 'SIGNALBOX_CACHE_DIR' | 'XDG_CACHE_HOME'>): string {
  if (config.SIGNALBOX_CACHE_DIR) return resolve(config.SIGNALBOX_CACHE_DIR);
  // Root runs Postgres as "nobody", who cannot read root's home.
  if (isRoot()) return '/var/cache/signalbox';
  return join(config.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'signalbox');
}

/** @returns the part's folder in the cache, or null when it is missing or incomplete */
export async function cached(part: Part, { cacheDir, onProgress }: AcquireOptions): Promise<string | null> {
  const target = join(cacheDir, part.folder);
  if (!existsSync(target)) return null;
  const problem = await problemOf(part, target, false);
  if (problem === null) return target;
  onProgress?.(`The cached ${part.name} is damaged (${problem}); getting it again`);
  await discard(target);
  return null;
}

/**
 * @returns the part's folder in the cache.
 * @throws AppError with every source tried, its error, and what to do
 */
export async function install(part: Part, options: AcquireOptions): Promise<string> {
  const progress = options.onProgress ?? (() => {});
  const kept = await cached(part, options);
  if (kept !== null) return kept;
  await prepareCache(options.cacheDir);
  const target = join(options.cacheDir, part.folder);
  const failures: { place: string; error: unknown }[] = [];
  for (const { archives, place } of offersOf(part, options)) {
    const temp = await mkdtemp(join(options.cacheDir, `.tmp-${part.folder}-`));
    try {
      progress(`Getting ${part.name} from ${place.name}`);
      const content = join(temp, 'content');
      await mkdir(content);
      await chmod(content, 0o755);
      await unpacked(part, archives, place, content, temp, progress);
      const problem = await problemOf(part, content, true);
      if (problem !== null) throw new Error(problem);
      await moveInto(content, target, part);
      progress(`${part.name} is ready`);
      return target;
    } catch (error) {
      failures.push({ place: place.name, error });
      progress(`${part.name} from ${place.name}: ${messageOf(error)}`);
    } finally {
      await rm(temp, { recursive: true, force: true });
    }
  }
  throw await notToBeHad(part, failures);
}

/** Every set of archives with every source, local ones first. */
function offersOf(part: Part, options: AcquireOptions): { archives: Archive[]; place: Place }[] {
  const offers = options.offers ?? part.archives.map((archives) => ({ archives, places: placesOf(archives, options.partsUrl) }));
  const all = offers.flatMap(({ archives, places }) => places.map((place) => ({ archives, place })));
  const ready = (place: Place): number => (place.name === 'SIGNALBOX_PARTS_URL' ? 0 : 1);
  return all.sort((a, b) => ready(a.place) - ready(b.place));
}

async function unpacked(part: Part, archives: Archive[], place: Place, into: string, temp: string, progress: Progress): Promise<void> {
  if (part.choose === undefined) return fetchArchives(place, archives, into, progress);
  const folder = join(temp, 'archives');
  await mkdir(folder);
  await fetchArchives(place, archives, folder, progress);
  for (const { file } of archives) {
    if (!file.endsWith('.tar.gz')) await unzip(join(folder, file), into, part.choose);
    else {
      const result = await run('tar', ['-xzf', join(folder, file), '-C', into], { timeoutMs: 120_000 });
      if (result.code !== 0) throw new Error(`tar: ${result.output.trim().slice(-200)}`);
    }
  }
}

/** The error with every source tried; first the easiest way to get the part on this machine. */
async function notToBeHad(part: Part, failures: { place: string; error: unknown }[]): Promise<AppError> {
  const tools = [...new Set(failures.flatMap(({ error }) => (error instanceof MissingTool ? [error.tool] : [])))];
  const here = `${process.platform} on ${process.arch}`;
  const tried = failures.map(({ place, error }) => `${place}: ${messageOf(error)}`);
  const message =
    failures.length === 0
      ? `Cannot get ${part.name}: there is no build of it to fetch for ${here}.`
      : `Cannot get ${part.name}. Tried: ${tried.join('; ')}.`;
  const way = failures.length === 0 ? await ofTheSystem(part) : await byTools(tools);
  const rest = `or set SIGNALBOX_PARTS_URL to a folder that \`npm run parts\` filled on another machine, or set ${part.replacedBy}.`;
  return stackError(message, `${way} and start again, ${rest}`);
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

async function byTools(tools: Tool[]): Promise<string> {
  if (tools.length === 0) return 'Make one of these places reachable';
  const commands = await Promise.all(tools.map(howToInstall));
  return capital(commands.map((command) => (command.startsWith('`') ? `run ${command}` : command)).join(', '));
}

async function ofTheSystem(part: Part): Promise<string> {
  if (!part.name.startsWith('Postgres')) return `Put ${part.name} on PATH`;
  const command = await howToInstallPostgres();
  return capital(command.startsWith('`') ? `run ${command}` : command);
}

async function problemOf(part: Part, folder: string, fresh: boolean): Promise<string | null> {
  return part.check(folder, fresh).then(() => null, messageOf);
}

async function prepareCache(folder: string): Promise<void> {
  try {
    // Readable whatever the umask: root runs Postgres from here as another user.
    if ((await mkdir(folder, { recursive: true, mode: 0o755 })) !== undefined) await chmod(folder, 0o755);
    await access(folder, constants.W_OK);
    for (const name of await readdir(folder)) {
      if (!name.startsWith('.tmp-')) continue;
      const path = join(folder, name);
      // Left by a killed process; a running one finishes within a day.
      if (Date.now() - (await stat(path)).mtimeMs > 86_400_000) await rm(path, { recursive: true, force: true });
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw stackError(
      `Cannot write to the cache folder ${folder}: ${messageOf(error)}.`,
      'Set SIGNALBOX_CACHE_DIR to a folder you may write to.',
      error,
    );
  }
}

/** The rename makes a part appear atomically. If another process was first, its copy is used. */
async function moveInto(content: string, target: string, part: Part): Promise<void> {
  try {
    await rename(content, target);
  } catch (error) {
    if (!existsSync(target) || (await problemOf(part, target, false)) !== null) throw error;
  }
}

/** Rename first: another process must never see a partly deleted folder under the final name. */
async function discard(folder: string): Promise<void> {
  const aside = join(dirname(folder), `.tmp-damaged-${randomBytes(4).toString('hex')}`);
  await rename(folder, aside).catch(() => {});
  await rm(aside, { recursive: true, force: true });
}
