import { asScoped } from '../../adapters/postgres/tenancy.ts';
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

type Limited = Pick<Caller, 'keyId' | 'consoleSession' | 'rateRpm' | 'rateBurst' | 'profile'>;

/** The minute of a key as this process knows it. */
interface Window {
  /** Calls that all apis together may serve in it. */
  points: number;
  /** By the clock of `performance.now()`, in ms. */
  endsAt: number;
  /** Calls leased by this process and not served yet. */
  here: number;
  /** Calls that no api has leased yet, at the time of our last lease. */
  free: number;
  /** Size of the last lease. */
  lease: number;
  /** Calls that wait for the running lease. */
  waiting: number;
  leasing: Promise<void> | null;
}

const minuteMs = 60_000;
/** A lease is this part of the calls that are left: large at first, and single calls at the end. */
const parts = 8;
/** Number of windows in memory at which those that are over are forgotten, at least. */
const manyWindows = 1_000;

/**
 * Calls per minute and key (in the web console: per session), plus a tolerated burst, over all apis. Each api leases
 * calls in advance, so that most calls need no database (docs/decisions/0048-limits-over-apis.md).
 */
export class RateLimits extends Service<'limits'> {
  private readonly windows = new Map<string, Window>();
  /** Twice the number that the last sweep left: with many live windows, a sweep must not follow each new one. */
  private sweepAt = manyWindows;

  limitsOf(caller: Pick<Caller, 'rateRpm' | 'rateBurst' | 'profile'>): LimitDefaults {
    const base = caller.profile === 'devflow' ? { rpm: 100, burst: 20 } : this.deps.limits;
    return { rpm: caller.rateRpm ?? base.rpm, burst: caller.rateBurst ?? base.burst };
  }

  /**
   * The calls of keys in their current minute, at all apis. Calls that another api has leased count as made, for less
   * than a minute.
   */
  async used(tenant: string, callers: readonly Limited[]): Promise<Rate[]> {
    const rows = await asScoped(tenant, null, () =>
      this.db.query<{ holder: string; granted: number; left_ms: number }>(
        `select holder, granted::float8 as granted, ${leftMs} as left_ms from rate_windows w
         where tenant_id = $1 and holder = any($2) and began_at > now() - interval '1 minute'`,
        [tenant, callers.map(holderOf)],
      ),
    );
    const found = new Map(rows.map((row) => [row.holder, row]));
    return callers.map((caller) => {
      const { rpm: limit, burst } = this.limitsOf(caller);
      const window = this.current(`${tenant} ${holderOf(caller)} ${limit + burst}`);
      const row = found.get(holderOf(caller));
      const granted = row?.granted ?? (window ? window.points - window.free : 0);
      const leftFor = row?.left_ms ?? (window ? window.endsAt - performance.now() : 0);
      return { limit, burst, used: Math.max(0, granted - (window?.here ?? 0)), resets_in_seconds: Math.max(0, Math.ceil(leftFor / 1000)) };
    });
  }

  /** @throws AppError RATE_LIMIT_EXCEEDED with `retryAfterSeconds`. */
  async take(caller: Caller): Promise<LimitState> {
    const { tenant } = caller;
    const holder = holderOf(caller);
    const { rpm, burst } = this.limitsOf(caller);
    for (;;) {
      const window = this.windowOf(tenant, holder, rpm + burst);
      if (window.here > 0) {
        window.here -= 1;
        // The last calls are leased one by one, when they are needed: none is left over here while another api refuses.
        if (window.lease > 1 && window.here < window.lease / 2 && window.free > 0) void this.lease(window, tenant, holder).catch(() => {});
        return { limit: rpm, remaining: window.here + window.free, resetSeconds: secondsLeft(window) };
      }
      if (window.free === 0) throw exceeded(rpm, burst, secondsLeft(window));
      window.waiting += 1;
      await this.lease(window, tenant, holder).finally(() => (window.waiting -= 1));
    }
  }

  /** @returns how many have been deleted */
  async sweep(tenant: string): Promise<number> {
    const gone = await this.db.query(`delete from rate_windows where tenant_id = $1 and began_at < now() - interval '1 hour' returning 1`, [
      tenant,
    ]);
    return gone.length;
  }

  private current(id: string): Window | undefined {
    const window = this.windows.get(id);
    return window && performance.now() < window.endsAt ? window : undefined;
  }

  private windowOf(tenant: string, holder: string, points: number): Window {
    const id = `${tenant} ${holder} ${points}`;
    const current = this.current(id);
    if (current) return current;
    const now = performance.now();
    if (this.windows.size > this.sweepAt) {
      for (const [other, { endsAt, leasing }] of this.windows) if (endsAt <= now && !leasing) this.windows.delete(other);
      this.sweepAt = Math.max(manyWindows, 2 * this.windows.size);
    }
    // What is left is not known before the first lease. A lease that is under way for the last minute goes on.
    const window = this.windows.get(id) ?? { points, endsAt: 0, here: 0, free: 0, lease: 0, waiting: 0, leasing: null };
    Object.assign(window, { endsAt: now + minuteMs, here: 0, free: points, lease: 0 });
    this.windows.set(id, window);
    return window;
  }

  private lease(window: Window, tenant: string, holder: string): Promise<void> {
    return (window.leasing ??= this.more(window, tenant, holder).finally(() => (window.leasing = null)));
  }

  /**
   * Leases more calls. Without the database this process counts alone: a call that needs the database is refused
   * anyway, and the others go on.
   */
  private async more(window: Window, tenant: string, holder: string): Promise<void> {
    const { points } = window;
    const wanted = Math.max(1, window.waiting);
    const askedAt = performance.now();
    try {
      const [row] = await asScoped(tenant, null, () =>
        this.db.query<{ leased: number; granted: number; left_ms: number }>(
          `insert into rate_windows as w (tenant_id, holder, began_at, granted, leased) select $1, $2, now(), n, n from (${share('$3')}) s
           on conflict (tenant_id, holder) do update set (began_at, granted, leased) = (
             select b.began_at, b.granted + s.n, s.n
             from (select case when over then now() else w.began_at end as began_at, case when over then 0 else w.granted end as granted
                   from (select w.began_at <= now() - interval '1 minute' as over) o) b, lateral (${share('$3 - b.granted')}) s)
           returning leased::float8 as leased, granted::float8 as granted, ${leftMs} as left_ms`,
          [tenant, holder, points, wanted],
        ),
      );
      // What is left of a minute that ended meanwhile is not added to the new one.
      if (performance.now() >= window.endsAt) window.here = 0;
      window.lease = row!.leased;
      window.free = Math.max(0, points - row!.granted);
      // From the time of asking on, so that it never lasts longer than the minute of all.
      window.endsAt = askedAt + row!.left_ms;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
      window.lease = Math.min(window.free, Math.max(wanted, Math.ceil(window.free / parts)));
      window.free -= window.lease;
    }
    window.here += window.lease;
  }
}

const holderOf = (caller: Limited): string => caller.consoleSession ?? caller.keyId;
const secondsLeft = (window: Window): number => Math.max(1, Math.ceil((window.endsAt - performance.now()) / 1000));

/** The size of a lease when `left` calls are left: a part of them, at least $4. */
const share = (left: string): string =>
  `select least(greatest(ceil((${left})::numeric / ${parts}), $4), greatest(${left}, 0))::bigint as n`;
const leftMs = `(extract(epoch from w.began_at + interval '1 minute' - now()) * 1000)::float8`;

const exceeded = (rpm: number, burst: number, wait: number): AppError =>
  new AppError('RATE_LIMIT_EXCEEDED', `Over the limit of ${rpm} calls per minute (burst ${burst}).`, {
    hint: `Wait ${wait} s, or ask for a key with a higher limit (signalbox keys create --rpm N).`,
    retryAfterSeconds: wait,
    details: { limit: rpm, burst },
  });
