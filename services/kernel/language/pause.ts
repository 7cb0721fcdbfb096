import type { AppError } from '../../../contracts/errors.ts';
import { modelFailure, reasonOf, type ModelFailureReason } from '../../../contracts/language.ts';

/** Failures of the provider that do not depend on the question. */
const ofProvider: ReadonlySet<ModelFailureReason | null> = new Set(['timeout', 'unavailable', 'rate_limited', 'credentials']);
const tolerated = 1;
const pauseMs = 30_000;
const nothing = { inputTokens: 0, outputTokens: 0, costUsd: null };

/**
 * Stops asking a provider that requested a pause or failed twice in a row, so that many questions do not each wait
 * for a failure. Per process.
 */
export class Pause {
  private failures = 0;
  private until = 0;
  private last: AppError | null = null;

  /** Why the provider is not asked now, with the remaining seconds; null: it may be asked. */
  current(now: number): AppError | null {
    if (this.last === null || now >= this.until) return null;
    const { message, hint } = this.last;
    return modelFailure(reasonOf(this.last)!, message, nothing, {
      ...(hint === undefined ? {} : { hint }),
      retryAfterSeconds: Math.ceil((this.until - now) / 1_000),
    });
  }

  answered(): void {
    this.failures = 0;
  }

  failed(error: AppError, now: number): void {
    const reason = reasonOf(error);
    // It has answered, even if the answer is not usable.
    if (!ofProvider.has(reason)) return this.answered();
    this.failures += 1;
    if (reason !== 'rate_limited' && this.failures <= tolerated) return;
    this.last = error;
    this.until = Math.max(this.until, now + (error.retryAfterSeconds === undefined ? pauseMs : error.retryAfterSeconds * 1_000));
  }
}
