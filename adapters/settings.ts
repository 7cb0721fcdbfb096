import { existsSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '../contracts/errors.ts';
import type { Config } from '../platform/config.ts';
import { oidcSettings } from '../platform/oidc.ts';
import { blobPlace } from './blobs/settings.ts';
import { modelSettings } from './language/settings.ts';
import { serverOf } from './models/open.ts';

/**
 * Checks the settings as far as possible without connecting.
 * @throws AppError VALIDATION_ERROR naming every bad setting, in one line
 */
export function checkSettings(config: Config): void {
  const problems = [
    ...config.INGEST_ROOTS.map((root) => problemOf('INGEST_ROOTS', () => needFolder(root))),
    problemOf('EMBEDDING_MODEL_DIR', () => needModel(config.EMBEDDING_MODEL_DIR)),
    problemOf('EMBEDDING_FORMER_MODEL_DIR', () => needModel(config.EMBEDDING_FORMER_MODEL_DIR)),
    problemOf('EMBEDDING_URL', () => void (config.EMBEDDING_URL && serverOf(config, config.EMBEDDING_URL.trim()))),
    problemOf('RERANKER_MODEL_DIR', () => needModel(config.RERANKER_ENABLED ? config.RERANKER_MODEL_DIR : undefined)),
    problemOf('FEED_SOURCES_FILE', () => needFile(config.FEED_SOURCES_FILE)),
    ...addresses.map((name) => problemOf(name, () => needUrl(config[name]))),
    problemOf('BLOB_STORE_URL', () => void blobPlace(config, config.BLOB_STORE_URL, 'BLOB_STORE_URL')),
    problemOf('BLOB_STORE_FORMER_URL', () => void blobPlace(config, config.BLOB_STORE_FORMER_URL ?? 'folder', 'BLOB_STORE_FORMER_URL')),
    problemOf('LLM_PROVIDER', () => void modelSettings(config)),
    problemOf('OIDC_ISSUER', () => void oidcSettings(config)),
  ].filter((problem) => problem !== null);
  if (problems.length === 0) return;
  throw new AppError('VALIDATION_ERROR', `Bad configuration: ${problems.map(({ message }) => message).join('; ')}.`, {
    hint: problems.find(({ hint }) => hint)?.hint ?? 'docs/configuration.md lists every setting.',
  });
}

/**
 * Folders from which files may be read.
 * @throws AppError VALIDATION_ERROR when one does not exist
 */
export function ingestRoots({ INGEST_ROOTS: roots }: Pick<Config, 'INGEST_ROOTS'>): string[] {
  const problem = roots.map((root) => problemOf('INGEST_ROOTS', () => needFolder(root))).find((each) => each !== null);
  if (problem) throw new AppError('VALIDATION_ERROR', `Bad configuration: ${problem.message}.`);
  return (roots.length > 0 ? roots : [process.cwd()]).map((root) => realpathSync(resolve(root)));
}

const addresses = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'LLM_BASE_URL',
  'RERANKER_URL',
  'QDRANT_URL',
  'NEO4J_URI',
  'OIDC_ISSUER',
  'A2A_ENDPOINT_URL',
  'TELEMETRY_EXPORT_ENDPOINT',
] as const satisfies (keyof Config)[];

interface Problem {
  message: string;
  hint: string | undefined;
}

function problemOf(name: string, check: () => void): Problem | null {
  try {
    check();
    return null;
  } catch (error) {
    // Some checks already name their setting.
    const message = (error as Error).message.replace(/^Bad configuration: /, '').replace(/\.$/, '');
    return { message: message.includes(name) ? message : `${name}: ${message}`, hint: error instanceof AppError ? error.hint : undefined };
  }
}

function needFolder(path: string): void {
  if (!existsSync(path)) throw new Error(`the folder ${resolve(path)} does not exist`);
  if (!statSync(path).isDirectory()) throw new Error(`${resolve(path)} is not a folder`);
}

function needFile(path: string | undefined): void {
  if (path !== undefined && !existsSync(path)) throw new Error(`the file ${resolve(path)} does not exist`);
}

function needModel(folder: string | undefined): void {
  const path = folder?.trim();
  if (!path || path === 'none') return;
  needFolder(path);
  for (const name of ['model.onnx', 'tokenizer.json'])
    if (!existsSync(join(path, name))) throw new Error(`${resolve(path)} has no ${name}`);
}

/** The message does not contain the value: an address may contain a password. */
function needUrl(value: string | undefined): void {
  if (value !== undefined && !URL.canParse(value)) throw new Error('this is not a URL');
}
