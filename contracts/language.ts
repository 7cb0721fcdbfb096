import { z } from 'zod';
import { AppError, type ErrorCode, type ErrorDetails } from './errors.ts';

export const modelProviders = ['anthropic', 'openai-compatible', 'google'] as const;
export type ModelProvider = (typeof modelProviders)[number];

/** USD per million tokens. */
export interface ModelPrice {
  input: number;
  output: number;
}

export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  /** Null: no price is configured. */
  costUsd: number | null;
}

export const costOf = (inputTokens: number, outputTokens: number, price: ModelPrice | null): number | null =>
  price && (inputTokens * price.input + outputTokens * price.output) / 1_000_000;

/** Estimated tokens of a text, rather too many than too few. */
export const estimatedTokens = (text: string): number => Math.ceil(text.length / 3);

/** Why a language model gave no usable answer. */
export type ModelFailureReason =
  /** Not the requested structure, even on the second try. */
  | 'garbage'
  /** The model refuses to answer. */
  | 'refused'
  /** The answer did not fit into the token limit. */
  | 'too_long'
  | 'timeout'
  | 'rate_limited'
  | 'unavailable'
  /** The key is not accepted. */
  | 'credentials'
  /** The provider rejects the request as invalid. */
  | 'rejected';

const codes: Record<ModelFailureReason, ErrorCode> = {
  garbage: 'SERVICE_UNAVAILABLE',
  refused: 'VALIDATION_ERROR',
  too_long: 'PAYLOAD_TOO_LARGE',
  timeout: 'TIMEOUT',
  rate_limited: 'RATE_LIMIT_EXCEEDED',
  unavailable: 'SERVICE_UNAVAILABLE',
  credentials: 'FORBIDDEN',
  rejected: 'VALIDATION_ERROR',
};

/** @param usage what the call used, or may have used if that is unknown */
export const modelFailure = (reason: ModelFailureReason, message: string, usage: ModelUsage, extra: ErrorDetails = {}): AppError =>
  new AppError(codes[reason], message, { ...extra, details: { ...extra.details, reason, usage } });

/** Usage of a failed call; null: unknown. */
export const usageOf = (error: unknown): ModelUsage | null =>
  error instanceof AppError ? ((error.details?.['usage'] as ModelUsage | undefined) ?? null) : null;

export const reasonOf = (error: AppError): ModelFailureReason | null =>
  (error.details?.['reason'] as ModelFailureReason | undefined) ?? null;

/** Data of `system.model.get`. */
export const modelUse = z.object({
  model: z.string().nullable().describe('provider/model; null: none is configured'),
  budget: z.object({
    tokens_per_day: z.number().nullable().describe('null: no limit'),
    usd_per_day: z.number().nullable(),
  }),
  today: z.object({ tokens: z.number().describe('Calls under way included, as estimated'), cost_usd: z.number() }),
  usage: z.array(
    z.object({
      day: z.string().describe('UTC'),
      purpose: z.string(),
      model: z.string(),
      calls: z.number(),
      failed: z.number(),
      input_tokens: z.number(),
      output_tokens: z.number(),
      cost_usd: z.number(),
    }),
  ),
});
