/** A careful client: repeats a call with an unknown outcome under the same key until the outcome is known. */
import { randomUUID } from 'node:crypto';
import type { Answer, Caller } from '../bench/clients.ts';
import { count, type Journal } from './journal.ts';

export interface Outcome<T> {
  /** Null: finally refused. */
  data: T | null;
  reason?: string;
  /** Time of the first attempt, in ms. */
  askedAt: number;
}

/** Pauses before retries, in ms: a client's usual backoff. */
const backoff = [50, 100, 200, 400, 800];

export class CarefulCaller {
  private readonly thin: Caller;
  private readonly journal: Journal;
  /** Ends all retries. */
  private readonly giveUp: AbortSignal;

  constructor(thin: Caller, journal: Journal, giveUp: AbortSignal) {
    this.thin = thin;
    this.journal = journal;
    this.giveUp = giveUp;
  }

  write<T>(tool: string, args: object, agent?: string): Promise<Outcome<T>> {
    return this.call<T>('write', tool, args, agent, randomUUID());
  }

  read<T>(tool: string, args: object): Promise<Outcome<T>> {
    return this.call<T>('read', tool, args, undefined, undefined);
  }

  /** Calls once, without retries. */
  async once(effect: 'write' | 'read', tool: string, args: object): Promise<void> {
    const answer = await this.thin.call(tool, args, { timeoutMs: 5_000 }).catch(() => null);
    if (answer && !answer.error) this.journal.answered(tool, effect, answer.tool_call_id);
  }

  private async call<T>(
    effect: 'write' | 'read',
    tool: string,
    args: object,
    agent: string | undefined,
    idempotencyKey: string | undefined,
  ): Promise<Outcome<T>> {
    const { journal } = this;
    const askedAt = Date.now();
    const attempts: Record<string, number> = {};
    let last: string | undefined;
    for (let attempt = 0; ; attempt += 1) {
      this.giveUp.throwIfAborted();
      const answer = await this.thin
        .call<T>(tool, args, { agent, idempotencyKey, timeoutMs: 30_000 })
        .catch((error: unknown) => noAnswer<T>(error));
      if (!answer.error) {
        journal.answered(tool, effect, answer.tool_call_id);
        journal.waited(tool, { from: askedAt, ms: Date.now() - askedAt, attempts, args, ...(last === undefined ? {} : { last }) });
        return { data: answer.data, askedAt };
      }
      const { code, message, retryable, details } = answer.error;
      // After INTERNAL the outcome is unknown; a key in use means that the first attempt is still running.
      const open = retryable || code === 'INTERNAL' || code === 'NO_ANSWER' || /still running/.test(message);
      if (!open) {
        const reason = String(details?.['reason'] ?? code);
        count(journal.refused, `${tool}: ${reason}`);
        return { data: null, reason, askedAt };
      }
      count(journal.unknown, code === 'INTERNAL' ? `INTERNAL ${tool}` : code === 'CONFLICT' ? 'CONFLICT (still running)' : code);
      count(attempts, code);
      last = message;
      await new Promise((done) => setTimeout(done, backoff[Math.min(attempt, backoff.length - 1)]));
    }
  }
}

const noAnswer = <T>(error: unknown): Answer<T> => ({
  status: 'error',
  data: null as T,
  warnings: [],
  tool_call_id: '',
  error: { code: 'NO_ANSWER', message: error instanceof Error ? error.message : String(error), retryable: true },
});
