import type { Notices } from '../../adapters/postgres/notices.ts';

/** How long a call waits for its job before it is answered with `accepted`, in ms. */
export const waitDefault = 10_000;

/**
 * Looks until it is enough or time is up, again with each notice and from time to time without.
 * @param look asked at least once
 * @param first, longest waits between two looks without a notice, in ms: they grow from the first to the longest
 * @returns what was seen last
 */
export async function untilSeen<T>(
  notices: Notices,
  topic: string,
  ms: number,
  signal: AbortSignal | undefined,
  look: () => Promise<{ seen: T; enough: boolean }>,
  { first, longest } = { first: 2_000, longest: 2_000 },
): Promise<T> {
  const until = Date.now() + ms;
  for (let wait = first; ; wait = Math.min(wait * 1.2, longest)) {
    // Heard from before the look on, so that no notice falls between.
    const quiet = new AbortController();
    const left = until - Date.now();
    const news = left > 0 ? notices.wait(topic, Math.min(left, wait), AbortSignal.any([quiet.signal, ...(signal ? [signal] : [])])) : null;
    try {
      const { seen, enough } = await look();
      if (enough || !news || signal?.aborted) return seen;
      await news;
    } finally {
      quiet.abort();
    }
  }
}
