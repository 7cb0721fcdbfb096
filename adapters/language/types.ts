import type { z } from 'zod';
import type { ModelPrice, ModelUsage } from '../../contracts/language.ts';

export interface ObjectRequest<T> {
  /** Purpose, e.g. `classify`; usage is counted by it. */
  purpose: string;
  /** Instructions, without untrusted text. */
  system: string;
  /** The task, with untrusted data fenced (services/kernel/language/fence.ts). */
  prompt: string;
  /** Every field required and every object closed: some providers accept nothing else. */
  schema: z.ZodType<T>;
  /** Including thinking, for models that think. */
  maxOutputTokens: number;
  signal?: AbortSignal | undefined;
}

export interface ObjectAnswer<T> {
  value: T;
  /** Of all attempts together. */
  usage: ModelUsage;
}

/** A model that answers in a given structure, without tools. */
export interface LanguageModel {
  /** `anthropic/claude-…`: identifies the model in answers. */
  readonly id: string;
  readonly price: ModelPrice | null;
  /**
   * One question. 429, 5xx and lost connections are retried within the timeout, after the provider's requested pause;
   * an answer of another structure is sent back once.
   * @throws {AppError} `contracts/language.ts` modelFailure; the signal's reason when aborted
   */
  object<T>(request: ObjectRequest<T>): Promise<ObjectAnswer<T>>;
  /** Closes all connections. */
  close(): Promise<void>;
}
