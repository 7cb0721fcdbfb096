/** Calls as a careful client makes them: an unknown outcome is repeated under the same key until it is known. */
import { randomUUID } from 'node:crypto';
import type { Answer, Caller } from '../bench/clients.ts';
import { count, type Journal } from './journal.ts';

export interface Outcome<T> {
  /** Null: refused, for good. */
  data: T | null;
  reason?: string;
  /** When it was first asked, in ms. */
  askedAt: number;
}

/** Pause before an unknown outcome is asked for again, in ms: a client's ordinary backoff. */
const backoff = [50, 100, 200, 400, 800];

export class CarefulCaller {
  private readonly thin: Caller;
  private readonly journal: Journal;
  /** After this nobody goes on asking. */
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

  /** Asks once; without an answer nothing is known, and nothing asked again. */
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
    for (let attempt = 0; ; attempt += 1) {
      this.giveUp.throwIfAborted();
      const answer = await this.thin
        .call<T>(tool, args, { agent, idempotencyKey, timeoutMs: 30_000 })
        .catch((error: unknown) => noAnswer<T>(error));
      if (!answer.error) {
        journal.answered(tool, effect, answer.tool_call_id);
        journal.waited(tool, Date.now() - askedAt);
        return { data: answer.data, askedAt };
      }
      const { code, message, retryable, details } = answer.error;
      // INTERNAL says nothing about the outcome, and a key in use says that it is not known yet.
      const open = retryable || code === 'INTERNAL' || code === 'NO_ANSWER' || /still running/.test(message);
      if (!open) {
        const reason = String(details?.['reason'] ?? code);
        count(journal.refused, `${tool}: ${reason}`);
        return { data: null, reason, askedAt };
      }
      count(journal.unknown, code === 'INTERNAL' ? `INTERNAL ${tool}` : code === 'CONFLICT' ? 'CONFLICT (still running)' : code);
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
