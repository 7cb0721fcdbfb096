/** Calls of the runner: repeated while the server is away or busy, refused ones told apart. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '../../contracts/errors.ts';
import { callTool, type CallOptions } from '../client.ts';
import { CliError, exits } from '../exit.ts';
import type { Target } from '../target.ts';
import type { Pace } from './settings.ts';

export class Refused extends Error {
  readonly code: ErrorCode | 'USAGE';
  readonly hint: string | undefined;
  constructor(tool: string, code: ErrorCode | 'USAGE', message: string, hint?: string) {
    super(`${tool}: ${message}`);
    this.name = 'Refused';
    this.code = code;
    this.hint = hint;
  }
}

/** The lease or the record is gone: whatever is sent under it will be refused for good. */
export const isOver = (error: unknown): boolean =>
  error instanceof Refused && ['CONFLICT', 'NOT_FOUND', 'GONE', 'FORBIDDEN', 'UNAUTHORIZED'].includes(error.code);

export interface Asking extends CallOptions {
  /** Tried again until this says no. Default: once. */
  until?: (() => boolean) | undefined;
}

const passing: ReadonlySet<string> = new Set(['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE', 'TIMEOUT', 'INTERNAL']);

export class Api {
  readonly to: Target;
  private readonly pace: Pace;

  constructor(to: Target, pace: Pace) {
    this.to = to;
    this.pace = pace;
  }

  /** @returns the tool's data. @throws Refused, CliError (unreachable) when it is tried no more */
  async call<T>(tool: string, args: object, { until, ...options }: Asking = {}): Promise<T> {
    for (let pause = this.pace.retry; ; pause = Math.min(pause * 2, this.pace.retryMost)) {
      try {
        return await this.once<T>(tool, args, options);
      } catch (error) {
        const wait = waitFor(error, pause);
        if (wait === null || !until?.()) throw error;
        // Spread, so that slots do not return together.
        await sleep(wait * (0.75 + Math.random() / 2));
        if (!until()) throw error;
      }
    }
  }

  private async once<T>(tool: string, args: object, options: CallOptions): Promise<T> {
    const signal = AbortSignal.any([AbortSignal.timeout(60_000), ...(options.signal ? [options.signal] : [])]);
    const envelope = await callTool(tool, args, { ...options, signal }, this.to);
    if (envelope.status === 'pending_approval') throw new Refused(tool, 'FORBIDDEN', 'A person must approve this call of the runner.');
    if (!envelope.error) return envelope.data as T;
    const { code, message, suggestion, retry_after_seconds: after } = envelope.error;
    const refused = new Refused(tool, code, message, suggestion);
    if (after !== undefined) Object.assign(refused, { afterMs: after * 1_000 });
    throw refused;
  }
}

/** Milliseconds until the call may be tried again; null: never. */
function waitFor(error: unknown, pause: number): number | null {
  if (error instanceof Refused) return passing.has(error.code) ? Math.max(pause, (error as { afterMs?: number }).afterMs ?? 0) : null;
  // Not reachable, or a proxy's answer instead of Signalbox's.
  if (error instanceof CliError && (error.exit === exits.unreachable || error.code === 'INTERNAL')) return pause;
  return null;
}

export const isAway = (error: unknown): boolean => waitFor(error, 0) !== null;
