/**
 * Runs at most `limit` tasks at a time per key; the others wait in order. A wait ends early when the signal aborts,
 * with its reason.
 */
export function slotsPerKey(limit: number): <T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>) => Promise<T> {
  const keys = new Map<string, { active: number; waiting: (() => void)[] }>();

  return async (key, signal, work) => {
    signal?.throwIfAborted();
    const slots = keys.get(key) ?? { active: 0, waiting: [] };
    keys.set(key, slots);
    if (slots.active < limit) slots.active++;
    else await turn(slots.waiting, signal);
    try {
      return await work();
    } finally {
      const next = slots.waiting.shift();
      // The slot is passed on directly, so that no other caller can take it in between.
      if (next !== undefined) next();
      else if (--slots.active === 0) keys.delete(key);
    }
  };
}

const turn = (waiting: (() => void)[], signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const go = (): void => {
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    const leave = (): void => {
      waiting.splice(waiting.indexOf(go), 1);
      reject(signal?.reason as Error);
    };
    waiting.push(go);
    signal?.addEventListener('abort', leave, { once: true });
  });
