import type { ConnectorAttempt, ConnectorEnd } from '../../../contracts/activities/outbound/connector.ts';
import type { JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import { JobState } from '../../kernel/job.ts';

/** Maximum attempts in total, and of those that may have arrived: each of these risks a duplicate. */
const maxAttempts = 12;
const maxUnknown = 3;

/** State of a call to another system: at most one effect, and a definite end. */
export class ConnectorState extends JobState {
  private attempts: number;
  private unknown = 0;
  private doubtful: boolean;
  private ended: ConnectorEnd | null = null;

  /** @param attempts of a previous process: any of them may have arrived */
  constructor(rev: number, attempts = 0) {
    super(rev, 'sending');
    this.attempts = attempts;
    this.doubtful = attempts > 0;
  }

  /** The next attempt's number, and whether to ask for an earlier one first. */
  next(): { attempt: number; check: boolean } {
    this.attempts += 1;
    return { attempt: this.attempts, check: this.doubtful };
  }

  get end(): ConnectorEnd | null {
    return this.ended;
  }

  /** @returns milliseconds until the next attempt; null: it is over */
  attempted(outcome: ConnectorAttempt): number | null {
    if (outcome.kind === 'completed') return this.over({ status: 'completed', response: outcome.response });
    if (outcome.kind === 'ambiguous') return this.over({ status: 'ambiguous', error: outcome.error });
    if (outcome.kind === 'failed') return this.over({ status: 'failed', error: outcome.error });
    if (outcome.kind === 'unknown') {
      this.doubtful = true;
      this.unknown += 1;
      if (this.unknown >= maxUnknown || this.attempts >= maxAttempts) return this.over({ status: 'ambiguous', error: outcome.error });
      this.enter('checking');
      return 1_000;
    }
    if (this.attempts >= maxAttempts) return this.over({ status: this.doubtful ? 'ambiguous' : 'failed', error: outcome.error });
    this.enter('waiting');
    return outcome.afterMs;
  }

  /** Cancelled while it waited: nothing more is sent. */
  calledBack(): void {
    const error = { code: 'CONFLICT', message: this.doubtful ? 'Cancelled, but it may have been done.' : 'Cancelled before it was sent.' };
    this.ended = { status: this.doubtful ? 'ambiguous' : 'failed', error };
    if (this.doubtful) this.failed(error);
    else this.cancelled();
  }

  protected progress(): { done: number } {
    return { done: this.attempts };
  }

  protected result(): JobSnapshot['result'] {
    return this.ended?.status === 'completed' ? this.ended.response : undefined;
  }

  private over(end: ConnectorEnd): null {
    this.ended = end;
    if (end.status === 'completed') {
      this.status = 'completed';
      this.enter('done');
    } else this.failed({ code: end.error.code, message: end.error.message });
    return null;
  }
}
