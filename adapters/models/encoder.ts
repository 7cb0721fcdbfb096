/** The statement encoder: upper layers of an embedding model, trained by scripts/train-encoder.py to tell statements apart. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { EmbedOptions } from './embedder.ts';

/** A customer statement, with the text before it that it refers to. */
export interface EncoderInput {
  text: string;
  /** Empty: none. */
  context: string;
}

export interface StatementEncoder {
  readonly id: string;
  /**
   * Per statement, in order: the scores of all labels (engines/classifier/encoded.ts), then features of the statement.
   * @throws {AppError} SERVICE_UNAVAILABLE when the model cannot be used; the signal's reason when aborted.
   */
  encode(statements: readonly EncoderInput[], options?: EmbedOptions): Promise<Float32Array[]>;
}

/** For the process that runs it. */
export interface EncoderFiles {
  file: string;
  /** The tensor of the embedding model that it continues from. */
  tensor: string;
}

export interface EncoderFacts {
  id: string;
  /** SHA-256 of the embedding model's file: with another one the layers make no sense. */
  model: string;
  tensor: string;
  /** Identifies the examples it was trained on. */
  examples: string;
}

export const encoderFacts = (): EncoderFacts =>
  JSON.parse(readFileSync(new URL('./encoder.json', import.meta.url), 'utf8')) as EncoderFacts;

export const encoderFile = fileURLToPath(new URL('./encoder.onnx', import.meta.url));
