import type { Logger } from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../contracts/errors.ts';
import { isDatabaseAway } from './postgres/errors.ts';
import { isTemporalAway } from './temporal/errors.ts';

/** SQLSTATEs of a Postgres that is still being set up: a role, database, table or right is missing. */
const unfinished = new Set(['28P01', '28000', '3D000', '42P01', '42501', '42704']);

/**
 * Retries until it works: a process that starts before its stores waits for them instead of exiting.
 * @throws permanent errors: a bad setting, a role that bypasses row-level security, a defect
 */
export async function untilReachable<T>(what: string, log: Logger, attempt: () => Promise<T>): Promise<T> {
  for (let wait = 100; ; wait = Math.min(wait * 2, 1_000)) {
    try {
      return await attempt();
    } catch (error) {
      const away = isAway(error);
      if (!away && !unfinished.has(String((error as { code?: unknown }).code))) throw error;
      log.warn({ err: error, retry_in_ms: wait }, `${what} is not ${away ? 'reachable' : 'set up'} yet`);
      await sleep(wait);
    }
  }
}

/** Whether the connection failed. */
function isAway(error: unknown): boolean {
  if (error instanceof AppError) return error.retryable;
  return isDatabaseAway(error) || isTemporalAway(error);
}
