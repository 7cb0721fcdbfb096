/** The whole product in a temporary folder, started like `npm start`. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareDatabase } from '../deploy/database.ts';
import { openDatabase } from '../adapters/postgres/database.ts';
import { ensureLocalKey } from '../cli/local-key.ts';
import type { Role } from '../contracts/caller.ts';
import { readConfig, type Config, type Runtime } from '../platform/config.ts';
import { acquireEmbeddingModel, cacheFolder } from '../platform/embedded/parts.ts';
import { up, type Stack } from '../platform/embedded/up.ts';
import { Keys } from '../services/governance/keys.ts';

export interface BenchStack {
  config: Config;
  runtime: Runtime;
  dir: string;
  /** Folder from which it may read files. */
  files: string;
  /** Log folder of the stack. */
  logs: string;
  /** Folder of the embedding model in use; null when there is none. */
  modelDir: string | null;
  key(options?: { tenant?: string; role?: Role; kind?: 'human' | 'agent'; name?: string; policy?: string }): Promise<string>;
  /** Stops everything, keeps the folder. */
  stop(): Promise<void>;
  /** Stops everything and deletes the folder. */
  remove(): Promise<void>;
}

export interface BenchStackOptions {
  /** An existing folder: a warm start. Default: a new one. */
  dir?: string;
  env?: Record<string, string>;
  onProgress?: (line: string) => void;
  /** Puts a pooler before the database. */
  through?: (appUrl: string) => Promise<string>;
}

/** Calls per minute of the keys used here: high enough that the limit never matters. */
const unlimited = 100_000_000;

export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  // As root, Postgres runs as another user, which must be able to enter the folder.
  chmodSync(dir, 0o711);
  return dir;
}

export async function startStack(options: BenchStackOptions = {}): Promise<BenchStack> {
  const dir = options.dir ?? temporaryFolder();
  mkdirSync(join(dir, 'files'), { recursive: true });
  const files = realpathSync(join(dir, 'files'));
  const config = readConfig({
    ...process.env,
    SIGNALBOX_DATA_DIR: dir,
    MCP_SERVER_PORT: '0',
    TEMPORAL_PORT: '0',
    TEMPORAL_UI_PORT: '0',
    POSTGRES_PORT: '0',
    INGEST_ROOTS: files,
    ...options.env,
  });
  // The child processes inherit this environment; compiled code is kept as by the `signalbox` command.
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
  Object.assign(process.env, { MCP_RATE_LIMIT_RPM: String(unlimited), LOG_LEVEL: 'info', INGEST_ROOTS: files, ...options.env });
  const stack: Stack = await up(config, {
    migrate: prepareDatabase,
    ensureLocalKey: (appUrl) => ensureLocalKey(config, appUrl),
    onProgress: options.onProgress ?? (() => {}),
    ...(options.through ? { through: options.through } : {}),
  });
  return {
    config,
    runtime: stack.runtime,
    dir,
    files,
    logs: join(dir, 'logs'),
    modelDir: config.EMBEDDING_MODEL_DIR ?? (await acquireEmbeddingModel({ cacheDir: cacheFolder(config) })).dir,
    async key({ tenant = 'bench', role = 'admin', kind, name, policy } = {}) {
      const db = await openDatabase(stack.runtime.database_url, { max: 1 });
      try {
        const made = await new Keys({ db }).create({
          tenant,
          role,
          rpm: unlimited,
          burst: 0,
          ...(kind ? { kind } : {}),
          ...(policy ? { policy } : {}),
          ...(name ? { name } : {}),
        });
        return made.api_key;
      } finally {
        await db.close();
      }
    },
    stop: () => stack.stop(),
    async remove() {
      await stack.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
