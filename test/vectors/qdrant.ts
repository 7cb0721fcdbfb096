/** A Qdrant for tests: the configured one if it is reachable, otherwise Qdrant's engine behind scripts/qdrant-shim.py. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openQdrant } from '../../adapters/vectors/qdrant.ts';
import { readConfig } from '../../platform/config.ts';
import { cacheFolder } from '../../platform/embedded/parts.ts';
import { run } from '../../platform/embedded/process.ts';
import type { Archive } from '../../platform/embedded/archives.ts';
import { fetchArchives, placesOf } from '../../platform/embedded/sources.ts';
import { unzip } from '../../platform/embedded/unzip.ts';

export interface TestQdrant {
  /** For people: which of the two it is. */
  name: string;
  url: string;
  apiKey: string | undefined;
  /** Beginning of collection names that nobody else uses. */
  prefix: string;
  /** Kills it as kill -9 does and starts it again on its data and address; null for a server that is not ours. */
  control: { kill(): Promise<void>; start(): Promise<void> } | null;
  stop(): Promise<void>;
}

const engineVersion = '0.9.0';
const wheelFor = (tag: string, sha256: string): Archive => ({ file: `qdrant_edge_py-${engineVersion}-cp310-abi3-${tag}.whl`, sha256 });
const wheels: Record<string, Archive> = {
  'linux-x64': wheelFor('manylinux_2_28_x86_64', '7bc734ea493d1f92e6b8af74bc68c4f903b2ca90593f899cd1b998cd12744da4'),
  'linux-arm64': wheelFor('manylinux_2_28_aarch64', 'a285d655ee065d4bba81c638977098a137a3c614cdfffc4cc3974f485f72b1f2'),
  'darwin-x64': wheelFor('macosx_10_12_x86_64', 'd6b11f36455450a4215d7b528cce44be8cd19bf9f974738c864632967b536f51'),
  'darwin-arm64': wheelFor('macosx_11_0_arm64', '7500651fa855462c96149a501dac4187ad9e73a91a9306ef20f827969f34ea8e'),
};
const script = fileURLToPath(new URL('../../scripts/qdrant-shim.py', import.meta.url));

/** @returns the reason when neither is available; never a fake */
export async function startQdrant(): Promise<TestQdrant | { missing: string }> {
  const { QDRANT_URL: url, QDRANT_API_KEY: apiKey } = readConfig();
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  if (url !== undefined) {
    try {
      await openQdrant({ url, apiKey, model: 'none', dimensions: 4, prefix }).health();
      console.log(`Qdrant: the server that QDRANT_URL names, collections ${prefix}-*`);
      return { name: 'server', url, apiKey, prefix, control: null, stop: () => Promise.resolve() };
    } catch (error) {
      console.warn(`QDRANT_URL is set, but that Qdrant is not used: ${(error as Error).message}`);
    }
  }
  let engine: string;
  try {
    engine = await acquireEngine();
  } catch (error) {
    return {
      missing: `no Qdrant to test with: QDRANT_URL names none that answers, and its engine cannot be had (${(error as Error).message})`,
    };
  }
  console.log(`Qdrant: its own engine (qdrant-edge-py ${engineVersion}) behind scripts/qdrant-shim.py`);
  return await startShim(engine, prefix);
}

async function startShim(engine: string, prefix: string): Promise<TestQdrant> {
  const data = mkdtempSync(join(tmpdir(), 'signalbox-qdrant-'));
  const apiKey = 'test-key';
  let port = 0;
  let child: ChildProcess | null = null;

  const start = async (): Promise<void> => {
    child = spawn('python3', [script, engine, data, String(port), apiKey], { stdio: ['pipe', 'pipe', 'inherit'] });
    port = Number(await firstLine(child));
    if (!(port > 0)) throw new Error('the Qdrant shim did not start');
  };
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((done) => child?.once('exit', done));
    child.kill('SIGKILL');
    await gone;
    child = null;
  };
  await start();
  return {
    name: 'engine',
    url: `http://127.0.0.1:${port}`,
    apiKey,
    prefix,
    control: { kill, start },
    async stop() {
      await kill();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Empty when it ends without one. */
async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  return '';
}

/** The wheel's contents, kept between runs. @returns a folder to be put on Python's path */
async function acquireEngine(): Promise<string> {
  const cache = cacheFolder(readConfig());
  const target = join(cache, `qdrant-edge-${engineVersion}-${platform()}-${arch()}`);
  if (!existsSync(target)) {
    mkdirSync(cache, { recursive: true });
    const temp = mkdtempSync(join(cache, '.tmp-qdrant-edge-'));
    try {
      const content = join(temp, 'content');
      mkdirSync(content);
      const wheel = wheels[`${platform()}-${arch()}`];
      if (wheel === undefined) throw new Error('no wheel is pinned for this platform');
      await fetchArchives(placesOf([wheel], undefined)[0]!, [wheel], temp, () => {});
      await unzip(join(temp, wheel.file), content, (name) => (name.startsWith('qdrant_edge/') ? name : null));
      await checkEngine(content);
      // Another test process may have been first; its copy is as good.
      if (!existsSync(target)) renameSync(content, target);
    } catch (error) {
      if (!existsSync(target)) throw error;
    } finally {
      rmSync(temp, { recursive: true, force: true });
    }
  }
  await checkEngine(target);
  return target;
}

async function checkEngine(folder: string): Promise<void> {
  const code = 'import sys; sys.path.insert(0, sys.argv[1]); import qdrant_edge';
  const result = await run('python3', ['-c', code, folder], { timeoutMs: 30_000 });
  if (result.code !== 0) throw new Error(`python3: ${result.output.trim().split('\n').at(-1)}`);
}
