import type { Notices } from '../../adapters/postgres/notices.ts';

/** How long a call waits for its job before it is answered with `accepted`, in ms. */
export const waitDefault = 10_000;

/**
 * Polls until the condition holds or time is up, after each notice and at intervals.
 * @param look called at least once
 * @returns the last result
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
    // Subscribe before the first look, so that no notice is missed.
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
