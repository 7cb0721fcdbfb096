import type { Logger as TemporalLogger, LogMetadata } from '@temporalio/worker';
import type { Logger } from 'pino';

const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** Writes Temporal's log lines into ours, with the reason why a workflow or activity failed. */
export function temporalLogger(log: Logger): TemporalLogger {
  return {
    log: (level, message, meta) => log[levels[level]](toldOf(meta), message),
    trace: () => {},
    debug: () => {},
    info: () => {},
    warn: (message, meta) => log.warn(toldOf(meta), message),
    error: (message, meta) => log.error(toldOf(meta), message),
  };
}

/** Only the message of an error: its other fields contain arguments and answers. */
function toldOf({ error, ...meta }: LogMetadata = {}): object {
  if (error === undefined) return meta;
  const causes = chainOf(error);
  const reason = causes.map(({ message }) => message).join(': ');
  const root = causes.at(-1);
  // A refusal explains itself; a defect needs the stack.
  const expected = causes.some(({ type }) => type?.startsWith('app:'));
  return { ...meta, reason: reason || String(error), ...(expected || !root?.stack ? {} : { stack: root.stack }) };
}

interface Cause {
  message: string;
  type?: string;
  stack?: string;
  cause?: unknown;
}

/** Not `instanceof`: errors of workflows come from another realm. */
function chainOf(error: unknown): Cause[] {
  const chain: Cause[] = [];
  for (
    let cause = error as Partial<Cause> | undefined;
    typeof cause?.message === 'string' && chain.length < 8;
    cause = cause.cause as Partial<Cause>
  ) {
    chain.push(cause as Cause);
  }
  return chain;
}
