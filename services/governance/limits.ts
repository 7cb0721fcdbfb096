import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Rate } from '../../contracts/governance/keys.ts';
import { Service } from '../kernel/service.ts';

/** Values of the `RateLimit-*` headers: calls per minute, calls left, seconds until the reset. */
export interface LimitState {
  limit: number;
  remaining: number;
  resetSeconds: number;
}

export interface LimitDefaults {
  rpm: number;
  burst: number;
}

/**
 * Calls per minute and key (in the web console: per session), plus a tolerated burst. Counted in this process: several api processes behind a load
 * balancer each grant the full amount (docs/decisions/0009-rate-limits.md).
 */
export class RateLimits extends Service<'limits'> {
  private readonly windows = new Map<number, RateLimiterMemory>();

  limitsOf(caller: Pick<Caller, 'rateRpm' | 'rateBurst' | 'profile'>): LimitDefaults {
    const base = caller.profile === 'devflow' ? { rpm: 100, burst: 20 } : this.deps.limits;
    return { rpm: caller.rateRpm ?? base.rpm, burst: caller.rateBurst ?? base.burst };
  }

  /** A key's calls in the current minute, in this process; in the console, a session's. */
  async used(caller: Pick<Caller, 'keyId' | 'consoleSession' | 'rateRpm' | 'rateBurst' | 'profile'>): Promise<Rate> {
    const { rpm, burst } = this.limitsOf(caller);
    const state = await this.windows.get(rpm + burst)?.get(caller.consoleSession ?? caller.keyId);
    return {
      limit: rpm,
      burst,
      used: state?.consumedPoints ?? 0,
      resets_in_seconds: Math.max(0, Math.ceil((state?.msBeforeNext ?? 0) / 1000)),
    };
  }

  /** @throws AppError RATE_LIMIT_EXCEEDED with `retryAfterSeconds`. */
  async take(caller: Caller): Promise<LimitState> {
    const { rpm, burst } = this.limitsOf(caller);
    const points = rpm + burst;
    let window = this.windows.get(points);
    if (!window) this.windows.set(points, (window = new RateLimiterMemory({ points, duration: 60 })));
    try {
      const state = await window.consume(caller.consoleSession ?? caller.keyId);
      return { limit: rpm, remaining: state.remainingPoints, resetSeconds: Math.ceil(state.msBeforeNext / 1000) };
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const wait = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      throw new AppError('RATE_LIMIT_EXCEEDED', `Over the limit of ${rpm} calls per minute (burst ${burst}).`, {
        hint: `Wait ${wait} s, or ask for a key with a higher limit (signalbox keys create --rpm N).`,
        retryAfterSeconds: wait,
        details: { limit: rpm, burst },
      });
    }
  }
}
