import type { ConnectorAttempt, ConnectorError } from '../../contracts/activities/connector.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Job } from '../../contracts/jobs.ts';
import type { Outcome } from '../../contracts/outbound/connectors.ts';
import { jobKinds } from '../../contracts/temporal.ts';
import type { OnceInput } from '../../workflows/outbound/connector-call/once.ts';
import type { Processes } from '../kernel/processes.ts';

type Answer = Record<string, string | null>;

/** Something that is ready to be sent. */
export interface Letter {
  /** What became of an earlier attempt. `unknown`: nobody can tell. */
  find(): Promise<Answer | 'absent' | 'unknown'>;
  /** Takes the number of an attempt, which one alone can. @returns whether it was free */
  take(attempt: number): Promise<boolean>;
  send(): Promise<Answer>;
  /** Writes into the log of attempts what came of this one. */
  note?(attempt: number, outcome: string, reason: string | null): Promise<void>;
}

/** What is to be sent, as it stands in a row. */
export interface Parcel<R> {
  /** What it is called when it is not there. */
  name: string;
  row(): Promise<R | null>;
  /** How it ended before; null: it is to be sent. */
  ended(row: R): ConnectorAttempt | null;
  letter(row: R): Promise<Letter>;
  /** What is said when nobody can tell whether it arrived. */
  ambiguous: ConnectorError;
}

interface Manner {
  /** The longest pause of our own, in ms. */
  longest: number;
  /** The longest that the other side may impose, in ms. */
  mostImposed: number;
  /** Details of an error that may stand in a history: words and numbers of the other side's protocol. */
  told?: readonly string[];
}

/** Pause after the first request that was not received, in ms: doubled with each attempt. */
const firstPause = 500;

/** Attempts of what must have one effect at most. Each knows whether it was received, was not, or may have been. */
export function sendingOnce({ longest, mostImposed, told }: Manner) {
  /** Our own words, and the code of the other side: they stand in a history. */
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
    if (found === null) return failed(new AppError('NOT_FOUND', `This ${name} stands nowhere.`));
    const before = ended(found);
    if (before) return before;
    try {
      return await letter(found);
    } catch (error) {
      if (!(error instanceof AppError) || error.retryable) throw error;
      // After an attempt that may have arrived, this says nothing about that one.
      return check ? { kind: 'ambiguous', error: ambiguous } : failed(error);
    }
  }

  function outcomeOf(error: AppError, attempt: number): ConnectorAttempt {
    const outcome = error.details?.['outcome'] as Outcome | undefined;
    if (outcome === 'refused') return failed(error);
    if (outcome === 'unknown') return { kind: 'unknown', error: brief(error) };
    if (outcome === undefined) throw error;
    // The other side has not taken it, and may say when to come back.
    const { retryAfterSeconds: imposed } = error;
    const afterMs = imposed === undefined ? pauseAfter(attempt) : Math.min(imposed * 1_000, mostImposed);
    return { kind: 'again', afterMs, error: brief(error) };
  }

  /**
   * One attempt, as its process makes it. Runs as the tenant.
   * @param check an earlier attempt may have arrived: first looked for
   */
  return async function attemptOnce<R>(parcel: Parcel<R>, attempt: number, check: boolean): Promise<ConnectorAttempt> {
    /** For what fails before anything is sent: our own stores were away. @throws any other error */
    const unsent = (error: unknown): ConnectorAttempt => {
      if (!(error instanceof AppError) || !error.retryable) throw error;
      return { kind: 'again', afterMs: pauseAfter(attempt), error: brief(error) };
    };
    const letter = await prepare(parcel, check).catch(unsent);
    if ('kind' in letter) return letter;
    // The log of attempts is for people: without an entry in it what became of this one is known nevertheless.
    const note = async (outcome: string, reason: string | null): Promise<void> =>
      void (await letter.note?.(attempt, outcome, reason).catch(unsent));
    try {
      const found = check ? await letter.find() : 'absent';
      if (found === 'unknown') return { kind: 'ambiguous', error: parcel.ambiguous };
      if (found !== 'absent') return { kind: 'completed', response: found };
      const free = await letter.take(attempt).catch(unsent);
      if (typeof free === 'object') return free;
      // Somebody sends or has sent it under this number.
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
 * Starts the process of what is sent once, from its unfinished job.
 * @param attempts of a process that is gone: any of them may have arrived
 * @param purpose where one workflow id serves one job after the other
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
