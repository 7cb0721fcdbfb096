import { createHash, type Hash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { currentTenant } from '../postgres/tenancy.ts';
import type { EmbedderRequest, EmbedderSettings } from './embedder-host.ts';
import { EmbeddingTurns, type EmbedPriority, type EmbedText, processesFor } from './embedding-queue.ts';
import { encoderFacts, encoderFile, type EncoderFacts, type StatementEncoder } from './encoder.ts';
import { readModelFacts, type GivenFacts, type ModelFacts } from './model-facts.ts';
import { modelPool, unavailableModel } from './model-process.ts';

/** Turns texts into unit vectors whose dot product is their cosine similarity. */
export interface Embedder {
  /** Model name and hash prefix. Store it beside vectors: only vectors of the same id may be compared. */
  readonly id: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /**
   * One L2-normalised vector per text, in order; tenants take turns. Text beyond the model's window (mostly 512 tokens) is
   * ignored.
   * @throws {AppError} SERVICE_UNAVAILABLE when the model cannot be used; the signal's reason when aborted.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Of the same model; absent: there is none for it. */
  readonly encoder?: StatementEncoder | undefined;
  /** It did not answer of late, and is not asked at the moment. Absent: it runs on this machine. */
  readonly resting?: boolean | undefined;
  /** Frees the model and refuses what still waits. Idempotent. */
  close(): Promise<void>;
}

export interface EmbedOptions {
  /** Default: `query` for a single text, `batch` for more. */
  priority?: EmbedPriority;
  /** Puts the model's instruction for queries before each text, if it has one. Default false. */
  instruct?: boolean;
  /** What the texts are: some models put other words before a query. Default: `passage`. */
  as?: 'query' | 'passage';
  signal?: AbortSignal;
}

export interface LocalEmbedderOptions {
  /** Folder with `model.onnx` and `tokenizer.json`. */
  dir: string;
  /**
   * Milliseconds without work after which the model's process ends and gives its memory back. Default 5 minutes. Further
   * processes end after 15 seconds.
   */
  idleMs?: number | undefined;
  /** How many of them at most. Default 1. */
  processes?: number;
  /** Instead of what the model's files say. */
  facts?: GivenFacts;
}

interface Identity {
  id: string;
  facts: ModelFacts;
  /** Before a query that describes without asking; '' for none. */
  instruction: string;
  encoder: EncoderFacts | null;
}

/** Known models, by the SHA-256 of model.onnx; they come without the files that others have beside it. */
const knownModels: Record<string, { name: string; pooling: 'cls' | 'mean'; instruction?: string }> = {
  '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4': {
    name: 'bge-small-en-v1.5-int8',
    pooling: 'cls',
    instruction: 'Represent this sentence for searching relevant passages: ',
  },
  afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1: { name: 'all-minilm-l6-v2-int8', pooling: 'mean' },
};

/** Length of their vectors. */
const knownLength = 384;
/** Each takes 100 to 200 MB. */
const furtherIdleMs = 15_000;
/** Far more than 512 tokens of any language; keeps tokenising and message passing bounded. */
const maxCharacters = 16_384;
/** Statements and their contexts are a few sentences. */
const maxStatement = 2_000;

/** As many processes of a model as wanted, but no more than there are processors. */
export const createEmbedders = (dir: string, processes = 1, idleMs?: number, facts: GivenFacts = {}): Embedder =>
  createLocalEmbedder({ dir, processes: Math.min(processes, availableParallelism()), idleMs, facts });

/**
 * An embedder with a local ONNX model, in separate processes: on two cores, two processes are nearly twice as fast, while
 * a second thread in one process gains little. Each text is embedded alone, because batches change int8 vectors and save
 * no time. Creation reads no files. The first access to `id` hashes the model's files (about 100 ms). Like `embed`, it
 * throws SERVICE_UNAVAILABLE when they cannot be read.
 */
export function createLocalEmbedder({ dir, idleMs = 300_000, processes = 1, facts: given = {} }: LocalEmbedderOptions): Embedder {
  let identity: Identity | undefined;
  const unavailable = unavailableModel(
    `The embedding model in EMBEDDING_MODEL_DIR (${dir})`,
    'Point EMBEDDING_MODEL_DIR at a folder with model.onnx and tokenizer.json, or set it to "none" to search by words only.',
  );
  const turns = new EmbeddingTurns();
  const pool = modelPool<EmbedText, Float32Array>({
    file: new URL('./embedder-host.ts', import.meta.url),
    dir,
    idleMs: (slot) => (slot === 0 ? idleMs : Math.min(idleMs, furtherIdleMs)),
    unavailable,
    size: (waiting, busy) => Math.min(processes, processesFor([...waiting, ...busy])),
    // The other processes mainly serve ingestion, so they have a lower priority.
    niceness: (slot) => (slot === 0 ? 5 : 10),
    next: (waiting) => turns.take(waiting),
    pack: ({ text, context }): EmbedderRequest =>
      context === undefined ? text.slice(0, maxCharacters) : { text: text.slice(0, maxStatement), context: context.slice(0, maxStatement) },
    settings(): EmbedderSettings {
      const { facts, encoder } = identify();
      const { pooling, dimensions, maxTokens } = facts;
      return { pooling, dimensions, maxTokens, encoder: encoder && { file: encoderFile, tensor: encoder.tensor } };
    },
  });

  function identify(): Identity {
    if (identity !== undefined) return identity;
    try {
      const hash = hashFile(createHash('sha256'), join(dir, 'model.onnx'));
      const model = hash.copy().digest('hex');
      const known = knownModels[model];
      const facts = readModelFacts(
        dir,
        known ? { pooling: known.pooling, queryPrefix: '', passagePrefix: '', ...defined(given), dimensions: knownLength } : given,
      );
      const encoder = encoderFacts();
      // The tokenizer is part of the identity, because the same model gives other vectors with another tokenizer.
      hashFile(hash, join(dir, 'tokenizer.json'));
      // Large models keep their weights in a second file.
      if (existsSync(join(dir, 'model.onnx_data'))) hashFile(hash, join(dir, 'model.onnx_data'));
      const how = [facts.pooling, facts.passagePrefix];
      // So are these. Not hashed where they are the usual ones: ids of former releases stay.
      if (how.join() !== [known?.pooling ?? 'cls', ''].join()) hash.update(JSON.stringify(how));
      const prefix = hash.digest('hex').slice(0, 12);
      identity = {
        id: `${known?.name ?? 'onnx'}@${prefix}`,
        facts,
        instruction: known?.instruction ?? '',
        encoder: encoder.model === model ? encoder : null,
      };
      return identity;
    } catch (error) {
      throw unavailable(error instanceof Error ? error.message : String(error), error);
    }
  }

  async function run(
    inputs: readonly Omit<EmbedText, 'call'>[],
    { priority = inputs.length === 1 ? 'query' : 'batch', signal }: EmbedOptions = {},
  ): Promise<Float32Array[]> {
    const call = turns.call(priority, currentTenant());
    return await pool.runAll(
      inputs.map((input) => ({ ...input, call })),
      signal,
    );
  }

  return {
    get id() {
      return identify().id;
    },
    get encoder() {
      const { encoder } = identify();
      return encoder ? { id: encoder.id, encode: run } : undefined;
    },
    get dimensions() {
      return identify().facts.dimensions;
    },
    async embed(texts, options) {
      const { facts, instruction } = identify();
      const { queryPrefix, passagePrefix } = facts;
      const prefix = options?.as !== 'query' ? passagePrefix : queryPrefix || (options.instruct ? instruction : '');
      return await run(
        texts.map((text) => ({ text: prefix + text })),
        options,
      );
    },
    close: () => pool.close(),
  };
}

/** What is set, because a setting that is undefined would hide what is known. */
const defined = (given: GivenFacts): GivenFacts => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

/** Reads in pieces, so that a model of any size needs one megabyte. */
function hashFile(hash: Hash, path: string): Hash {
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.allocUnsafe(1 << 20);
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) hash.update(piece.subarray(0, read));
    return hash;
  } finally {
    closeSync(file);
  }
}
