import type { z } from 'zod';
import type { ModelPrice, ModelUsage } from '../../contracts/language.ts';

export interface ObjectRequest<T> {
  /** What it is for, e.g. `classify`; usage is counted by it. */
  purpose: string;
  /** Instructions. Nothing of strangers. */
  system: string;
  /** The task, with data of strangers fenced (services/kernel/language/fence.ts). */
  prompt: string;
  /** Every field required and every object closed: some providers take nothing else. */
  schema: z.ZodType<T>;
  /** Thinking included, where a model thinks. */
  maxOutputTokens: number;
  signal?: AbortSignal | undefined;
}

export interface ObjectAnswer<T> {
  value: T;
  /** Of all attempts together. */
  usage: ModelUsage;
}

/** A model that answers in a given structure. It has no tools, and nothing it names is fetched. */
export interface LanguageModel {
  /** `anthropic/claude-…`: what answers are told apart by. */
  readonly id: string;
  readonly price: ModelPrice | null;
  /**
   * One question. 429, 5xx and lost connections are tried again while the time-out allows, after the pause that the
   * provider asks for; an answer of another structure is sent back once.
   * @throws {AppError} `contracts/language.ts` modelFailure; the signal's reason when aborted
   */
  object<T>(request: ObjectRequest<T>): Promise<ObjectAnswer<T>>;
  /** Ends all connections. */
  close(): Promise<void>;
}
