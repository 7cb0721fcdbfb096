import { AppError } from '../../contracts/errors.ts';
import type { Config } from '../../platform/config.ts';
import { createHttpEmbedder } from './embedder-http.ts';
import { createEmbedders, type Embedder } from './embedder.ts';

export type EmbeddingConfig = Partial<
  Pick<
    Config,
    | 'EMBEDDING_MODEL_DIR'
    | 'EMBEDDING_FORMER_MODEL_DIR'
    | 'EMBEDDING_PROCESSES'
    | 'EMBEDDING_POOLING'
    | 'EMBEDDING_QUERY_PREFIX'
    | 'EMBEDDING_PASSAGE_PREFIX'
    | 'EMBEDDING_DIMENSIONS'
    | 'EMBEDDING_URL'
    | 'EMBEDDING_API_KEY'
    | 'EMBEDDING_MODEL'
    | 'EMBEDDING_DIALECT'
    | 'EMBEDDING_SHORTEN'
    | 'EMBEDDING_TIMEOUT_SECONDS'
    | 'EMBEDDING_MAX_RETRIES'
    | 'EMBEDDING_BATCH'
    | 'EMBEDDING_MAX_CHARACTERS'
    | 'EMBEDDING_CONCURRENCY'
    | 'OPENAI_API_KEY'
  >
>;

export interface Embedders {
  /** Makes the vectors of records and of queries. Null (`none`, or nothing configured): searches go by words alone. */
  embedder: Embedder | null;
  /** Others at hand: they answer from vectors that the current one has not replaced yet. */
  former: Embedder[];
  /** A model on this machine, the shipped one if it is at hand: for the search of tools and the classifier of statements. */
  local: Embedder | null;
  close(): Promise<void>;
}

/** @throws AppError VALIDATION_ERROR naming a missing setting. Models are loaded, and servers reached, at first use. */
export function openEmbedders(config: EmbeddingConfig, idleMs?: number): Embedders {
  const { EMBEDDING_PROCESSES: processes } = config;
  const url = config.EMBEDDING_URL?.trim();
  const dir = folder(config.EMBEDDING_MODEL_DIR);
  const formerDir = folder(config.EMBEDDING_FORMER_MODEL_DIR);
  // What the settings say is about the model that is in use.
  const facts = {
    pooling: config.EMBEDDING_POOLING,
    queryPrefix: config.EMBEDDING_QUERY_PREFIX,
    passagePrefix: config.EMBEDDING_PASSAGE_PREFIX,
    dimensions: config.EMBEDDING_DIMENSIONS,
  };
  const own = dir === null ? null : createEmbedders(dir, processes, idleMs, url ? {} : facts);
  const before = formerDir === null || formerDir === dir ? null : createEmbedders(formerDir, processes, idleMs);
  const embedder = url ? createHttpEmbedder(serverOf(config, url)) : own;
  const former = [own, before].filter((each) => each !== null && each !== embedder) as Embedder[];
  return {
    embedder,
    former,
    local: before && !(own && isShipped(own)) ? before : own,
    async close() {
      await embedder?.close();
      for (const each of former) await each.close();
    },
  };
}

/** @throws AppError VALIDATION_ERROR naming the missing setting */
export function serverOf(config: EmbeddingConfig, url: string): Parameters<typeof createHttpEmbedder>[0] {
  const missing = (name: string, hint: string): AppError =>
    new AppError('VALIDATION_ERROR', `EMBEDDING_URL is set, but ${name} is not.`, { hint });
  if (!config.EMBEDDING_MODEL) throw missing('EMBEDDING_MODEL', "Set it to the server's name of the model.");
  if (config.EMBEDDING_DIMENSIONS === undefined)
    throw missing('EMBEDDING_DIMENSIONS', "Set it to the length of the model's vectors, e.g. 1024.");
  if (!URL.canParse(url)) throw new AppError('VALIDATION_ERROR', 'EMBEDDING_URL is no URL.');
  const { protocol, host } = new URL(url);
  if (!/^https?:$/.test(protocol)) throw new AppError('VALIDATION_ERROR', 'EMBEDDING_URL is no http address.');
  return {
    url,
    // A provider's usual key is used only for that provider's address.
    apiKey: config.EMBEDDING_API_KEY ?? (host === 'api.openai.com' ? config.OPENAI_API_KEY : undefined),
    model: config.EMBEDDING_MODEL,
    dialect: config.EMBEDDING_DIALECT ?? 'openai',
    dimensions: config.EMBEDDING_DIMENSIONS,
    shorten: config.EMBEDDING_SHORTEN ?? false,
    queryPrefix: config.EMBEDDING_QUERY_PREFIX ?? '',
    passagePrefix: config.EMBEDDING_PASSAGE_PREFIX ?? '',
    timeoutMs: (config.EMBEDDING_TIMEOUT_SECONDS ?? 30) * 1_000,
    maxRetries: config.EMBEDDING_MAX_RETRIES ?? 3,
    batch: config.EMBEDDING_BATCH ?? 32,
    maxCharacters: config.EMBEDDING_MAX_CHARACTERS ?? 8_000,
    concurrency: config.EMBEDDING_CONCURRENCY ?? 4,
  };
}

/** Only the shipped model has a statement encoder. */
function isShipped(embedder: Embedder): boolean {
  try {
    return embedder.encoder !== undefined;
  } catch {
    // Its files cannot be read; its first use says so.
    return false;
  }
}

function folder(value: string | undefined): string | null {
  const dir = value?.trim();
  return dir === undefined || dir === '' || dir === 'none' ? null : dir;
}

/** The embedder in use alone, for programs that need nothing else. */
export const createEmbedder = (config: EmbeddingConfig, idleMs?: number): Embedder | null => openEmbedders(config, idleMs).embedder;
