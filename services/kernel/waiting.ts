import type { Notices } from '../../adapters/postgres/notices.ts';

/** How long a call waits for its job before it is answered with `accepted`, in ms. */
export const waitDefault = 10_000;

/**
 * Looks until it is enough or time is up, again with each notice and from time to time without.
 * @param look asked at least once
 * @returns what was seen last
 */
export async function untilSeen<T>(
  notices: Notices,
  topic: string,
  ms: number,
  signal: AbortSignal,
  look: () => Promise<{ seen: T; enough: boolean }>,
): Promise<T> {
  const until = Date.now() + ms;
  for (;;) {
    // Heard from before the look on, so that no notice falls between.
    const quiet = new AbortController();
    const left = until - Date.now();
    const news = left > 0 ? notices.wait(topic, Math.min(left, 2_000), AbortSignal.any([signal, quiet.signal])) : null;
    try {
      const { seen, enough } = await look();
      if (enough || !news || signal.aborted) return seen;
      await news;
    } finally {
      quiet.abort();
    }
  }
}
