import type { ConnectorAttempt, ConnectorError } from '../../contracts/activities/outbound/connector.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Job } from '../../contracts/jobs.ts';
import type { Outcome } from '../../contracts/outbound/connectors.ts';
import { jobKinds } from '../../contracts/temporal.ts';
import type { OnceInput } from '../../workflows/outbound/connector-call/once.ts';
import type { Processes } from '../kernel/processes.ts';

type Answer = Record<string, string | null>;

/** A message or a call that is ready to send. */
export interface Letter {
  /** Looks for the result of an earlier attempt. `unknown`: it cannot be found out. */
  find(): Promise<Answer | 'absent' | 'unknown'>;
  /** Reserves an attempt number. Only one process can. @returns whether it was free */
  take(attempt: number): Promise<boolean>;
  send(): Promise<Answer>;
  /** Writes the outcome of the attempt to its log. */
  note?(attempt: number, outcome: string, reason: string | null): Promise<void>;
}

/** A row whose content is to be sent once. */
export interface Parcel<R> {
  /** Its name in the error when the row does not exist. */
  name: string;
  row(): Promise<R | null>;
  /** How it has ended; null: it must be sent. */
  ended(row: R): ConnectorAttempt | null;
  letter(row: R): Promise<Letter>;
  /** The error when it is not known whether it arrived. */
  ambiguous: ConnectorError;
}

interface Manner {
  /** The longest pause between attempts, in ms. */
  longest: number;
  /** The longest pause that the other side may ask for, in ms. */
  mostImposed: number;
  /** Names of error details that may go into a workflow history: words and numbers of the other side's protocol. */
  told?: readonly string[];
}

/** Pause after the first request that was not received, in ms. It doubles with each attempt. */
const firstPause = 500;

/** Attempts at sending something at most once. Each attempt knows whether it was received, was not received, or may have been received. */
export function sendingOnce({ longest, mostImposed, told }: Manner) {
  /** Only our own texts and the other side's code, because the result goes into a workflow history. */
  const brief = ({ code, message, hint, details = {} }: AppError): ConnectorError => {
    const kept = Object.entries(details).filter(([name, value]) => told?.includes(name) && /^[\w-]{1,64}$/.test(String(value)));
    return {
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(told === undefined ? {} : { details: Object.fromEntries(kept) as Record<string, string | number> }),
    };
  };
  const failed = (error: AppError): ConnectorAttempt => ({ kind: 'failed', error: brief(error) });
  const pauseAfter = (attempt: number): number => Math.min(firstPause * 2 ** (attempt - 1), longest);

  async function prepare<R>({ name, row, ended, letter, ambiguous }: Parcel<R>, check: boolean): Promise<Letter | ConnectorAttempt> {
    const found = await row();
    if (found === null) return failed(new AppError('NOT_FOUND', `This ${name} does not exist.`));
    const before = ended(found);
    if (before) return before;
    try {
      return await letter(found);
    } catch (error) {
      if (!(error instanceof AppError) || error.retryable) throw error;
      // This failure says nothing about an earlier attempt, which may have arrived.
      return check ? { kind: 'ambiguous', error: ambiguous } : failed(error);
    }
  }

  function outcomeOf(error: AppError, attempt: number): ConnectorAttempt {
    const outcome = error.details?.['outcome'] as Outcome | undefined;
    if (outcome === 'refused') return failed(error);
    if (outcome === 'unknown') return { kind: 'unknown', error: brief(error) };
    if (outcome === undefined) throw error;
    // The other side did not accept the request, and may say when to retry.
    const { retryAfterSeconds: imposed } = error;
    const afterMs = imposed === undefined ? pauseAfter(attempt) : Math.min(imposed * 1_000, mostImposed);
    return { kind: 'again', afterMs, error: brief(error) };
  }

  /**
   * One attempt, called by the workflow's activity. Runs as the tenant.
   * @param check an earlier attempt may have arrived: look for it first
   */
  return async function attemptOnce<R>(parcel: Parcel<R>, attempt: number, check: boolean): Promise<ConnectorAttempt> {
    /** For failures of our own stores before anything is sent. @throws any other error */
    const unsent = (error: unknown): ConnectorAttempt => {
      if (!(error instanceof AppError) || !error.retryable) throw error;
      return { kind: 'again', afterMs: pauseAfter(attempt), error: brief(error) };
    };
    const letter = await prepare(parcel, check).catch(unsent);
    if ('kind' in letter) return letter;
    // The log of attempts is for people; the outcome does not depend on its entries.
    const note = async (outcome: string, reason: string | null): Promise<void> =>
      void (await letter.note?.(attempt, outcome, reason).catch(unsent));
    try {
      const found = check ? await letter.find() : 'absent';
      if (found === 'unknown') return { kind: 'ambiguous', error: parcel.ambiguous };
      if (found !== 'absent') return { kind: 'completed', response: found };
      const free = await letter.take(attempt).catch(unsent);
      if (typeof free === 'object') return free;
      // Another process is sending, or has sent, under this attempt number.
      if (!free) return { kind: 'unknown', error: parcel.ambiguous };
      const response = await letter.send();
      await note('delivered', null);
      return { kind: 'completed', response };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const outcome = outcomeOf(error, attempt);
      await note(outcome.kind === 'failed' ? 'refused' : outcome.kind, String(error.details?.['reason'] ?? error.code).slice(0, 64));
      return outcome;
    }
  };
}

/**
 * Starts the workflow of an unfinished job that sends once.
 * @param attempts attempts of a lost workflow: any of them may have arrived
 * @param purpose set when the same workflow id is used for several jobs in turn
 */
export async function startOnce<R extends { tenant: string; jobId: string }>(
  processes: Processes,
  job: Job,
  ref: R,
  attempts: number,
  purpose?: string,
): Promise<void> {
  const { workflow_id: id, created_by: owner, title: summary } = job;
  const kind = job.kind as 'connector_call' | 'notification';
  const { workflow } = jobKinds[kind];
  const args: [OnceInput<R>] = [{ ref, rev: 0, attempts }];
  await processes.start({ workflow, id, queue: 'outbound', args, tenant: ref.tenant, kind, status: 'queued', owner, summary, purpose });
}
