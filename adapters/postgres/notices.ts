import pg from 'pg';
import type { Logger } from 'pino';
import { noticeChannel } from '../../contracts/notices.ts';

/** Wakes waiters for possible changes. Only a hint: waiters also poll. */
export interface Notices {
  /** Resolves at the next notice about `topic`, after `ms`, or when `signal` fires. @returns whether a notice came */
  wait(topic: string, ms: number, signal?: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/** Listens from the first `wait` on, on a separate connection; a lost one is replaced. */
export function openNotices(url: string, log: Logger): Notices {
  const waiting = new Map<string, Set<() => void>>();
  let client: pg.Client | null = null;
  let opening: Promise<void> | null = null;
  let closed = false;
  let retryAt = 0;
  let missed = false;

  const wake = (topic: string): void => {
    for (const woken of waiting.get(topic) ?? []) woken();
  };

  const wakeAll = (): void => {
    for (const topic of waiting.keys()) wake(topic);
  };

  async function open(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      application_name: 'signalbox-notices',
    });
    const lost = (): void => {
      if (client !== fresh) return;
      client = null;
      missed = true;
      wakeAll();
    };
    fresh.on('error', lost);
    fresh.on('end', lost);
    fresh.on('notification', ({ payload }) => payload !== undefined && wake(payload));
    await fresh.connect();
    await fresh.query(`listen ${noticeChannel}`);
    if (closed) return await fresh.end();
    client = fresh;
    // Waiters check for notices missed meanwhile.
    if (missed) wakeAll();
    missed = false;
  }

  const listening = (): void => {
    if (client || opening || closed || Date.now() < retryAt) return;
    opening = open()
      .catch((error: unknown) => {
        retryAt = Date.now() + 1_000;
        log.debug({ err: error }, 'cannot listen for notices; looking instead');
      })
      .finally(() => (opening = null));
  };

  return {
    wait(topic, ms, signal) {
      listening();
      return new Promise((resolve) => {
        const waiters = waiting.get(topic) ?? new Set();
        waiting.set(topic, waiters);
        const end = (came: boolean): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', aborted);
          waiters.delete(woken);
          if (waiters.size === 0 && waiting.get(topic) === waiters) waiting.delete(topic);
          resolve(came);
        };
        const woken = (): void => end(true);
        const aborted = (): void => end(false);
        // Without a connection no notices arrive: poll sooner.
        const timer = setTimeout(aborted, client ? ms : Math.min(ms, 250));
        waiters.add(woken);
        if (signal?.aborted) end(false);
        else signal?.addEventListener('abort', aborted, { once: true });
      });
    },
    async close() {
      closed = true;
      wakeAll();
      await opening?.catch(() => {});
      await client?.end().catch(() => {});
    },
  };
}
