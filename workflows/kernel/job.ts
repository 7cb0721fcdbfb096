import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  ContinueAsNew,
  defineQuery,
  isCancellation,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { JobActivities, JobRef, JobSnapshot, JobStatus } from '../../contracts/activities/kernel/jobs.ts';
import { failureType, jobKinds, type JobKind } from '../../contracts/temporal.ts';
import { attributes } from './attributes.ts';
import { failureOf } from './failure.ts';
import { Projector } from './projector.ts';

/** Base of all job states: an increasing revision, a stage, and the end. */
export abstract class JobState {
  protected status: JobStatus = 'running';
  protected stage: string;
  private rev: number;
  private parkedStages = 0;
  private error: { code: string; message: string } | undefined;

  constructor(rev: number, stage: string) {
    this.rev = rev;
    this.stage = stage;
  }

  /** Progress, besides the stage. */
  protected abstract progress(): Omit<JobSnapshot['progress'], 'stage' | 'waiting'>;
  /** References and figures, if there are any. */
  protected abstract result(): Record<string, unknown> | undefined;

  get revision(): number {
    return this.rev;
  }

  snapshot(): JobSnapshot {
    const result = this.result();
    return {
      rev: this.rev,
      status: this.status,
      progress: {
        stage: this.parkedStages > 0 ? 'parked' : this.stage,
        ...this.progress(),
        ...(this.parkedStages > 0 ? { waiting: this.parkedStages } : {}),
      },
      ...(result ? { result } : {}),
      ...(this.error ? { error: this.error } : {}),
    };
  }

  started(): void {
    this.changed();
  }

  /** Number of stages that wait for a decision. */
  parked(waiting: number): void {
    this.parkedStages = waiting;
    this.changed();
  }

  failed(error: { code: string; message: string }): void {
    this.status = 'failed';
    this.error = error;
    this.changed();
  }

  cancelled(): void {
    this.status = 'cancelled';
    this.changed();
  }

  /**
   * The row has a higher revision (from a previous run, or a write that survived its workflow task): continue above
   * it.
   */
  overtake(rev: number): void {
    this.rev = Math.max(this.rev, rev) + 1;
  }

  protected changed(): void {
    this.rev += 1;
  }

  protected enter(stage: string): void {
    this.stage = stage;
    this.changed();
  }
}

/** State of a job, even while its row lags behind. */
export const progress = defineQuery<JobSnapshot>('progress');

interface Following {
  job: JobRef;
  /** The counted unit: passages, documents. */
  unit: string;
  write(snapshot: JobSnapshot): Promise<number>;
  /** Continues a previous run of the same process. */
  continued?: boolean;
  /** Progress is written after `pause` at the earliest, so that a short job writes its end alone. */
  paced?: boolean;
}

/** From a change of the progress to its write, in ms. */
const pause = 1_000;

/** Best effort: a killed worker or an absent database delays the end by seconds only. */
const progressing = proxyActivities<JobActivities>({ startToCloseTimeout: '5s', retry: { maximumAttempts: 1 } });
/**
 * How jobs wrote their progress before `paced-progress`. While a local activity outlasts its workflow task, results of other
 * activities arrive; a replay then hands out the results in another order, which broke a process.
 */
const formerly = proxyLocalActivities<JobActivities>({ startToCloseTimeout: '2s', retry: { maximumAttempts: 3 } });

/** Keeps a job's row, its list entry and its details in Temporal in sync with its state. */
export function followJob(state: JobState, { job, unit, write, continued = false, paced = false }: Following) {
  let shown = continued ? 'running' : 'queued';
  const waits = paced && patched('paced-progress');
  let waiting = false;
  let ending = false;
  const projector = new Projector<JobSnapshot>({
    snapshot: () => state.snapshot(),
    overtake: (rowRev) => state.overtake(rowRev),
    write: (snapshot) =>
      !paced || snapshot.status !== 'running' ? write(snapshot) : (waits ? progressing : formerly).writeJob(job, snapshot),
    written: (snapshot) => {
      if (snapshot.status !== shown) upsertSearchAttributes(attributes({ status: snapshot.status }));
      shown = snapshot.status;
      setCurrentDetails(describe(snapshot, unit));
    },
  });
  setHandler(progress, () => state.snapshot());
  const later = async (): Promise<void> => {
    if (waiting) return;
    waiting = true;
    await CancellationScope.nonCancellable(() => condition(() => ending, pause));
    waiting = false;
    if (!ending) await projector.settle();
  };
  /** Progress is best effort: a failed write is not an error. */
  const show = (): void => void (waits ? later() : projector.settle()).catch(() => {});
  return {
    settle: (): Promise<void> => projector.settle(),
    show,
    /** A continued run writes that it runs before it does anything: its row may still tell the end of the former run. */
    async begin(): Promise<void> {
      if (waits && continued) await projector.settle().catch(() => {});
      else show();
    },
    async end(): Promise<void> {
      ending = true;
      await condition(allHandlersFinished);
      // Twice: the first call may fail because of a progress write in flight, which is not an error here.
      await projector.settle().catch(() => projector.settle());
      ending = false;
    },
  };
}

interface Failure {
  code: string;
  message: string;
}

interface Course {
  kind: JobKind;
  /** The counted unit: passages, documents. */
  unit: string;
  /** Writes the job's row; default: an ordinary activity. */
  write?: (snapshot: JobSnapshot) => Promise<number>;
  /** Continues a previous run of the same process. */
  continued?: boolean;
  paced?: boolean;
  /** Undoes what was begun, before the job is written as failed, or cancelled (null). */
  undo?: (failure: Failure | null, error: unknown) => Promise<void>;
}

const rows = proxyActivities<JobActivities>({ startToCloseTimeout: '10s', retry: { initialInterval: '1s', maximumInterval: '60s' } });

/**
 * Runs a job of some activities: keeps its row up to date, and writes a failure or cancellation before the process
 * ends with it.
 * @param work completes the state; `show` writes the progress, `end` writes the row before continue-as-new
 */
export async function runJob(
  state: JobState,
  job: JobRef,
  { kind, unit, write = (snapshot) => rows.writeJob(job, snapshot), continued = false, paced = false, undo }: Course,
  work: (following: { show: () => void; end: () => Promise<void> }) => Promise<void>,
): Promise<void> {
  const { show, end } = followJob(state, { job, unit, write, continued, paced });
  if (!continued) state.started();
  show();
  try {
    await work({ show, end });
    await CancellationScope.nonCancellable(end);
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    const failure = isCancellation(error) ? null : failureOf(error, jobKinds[kind].subject);
    await CancellationScope.nonCancellable(async () => {
      await undo?.(failure, error);
      if (failure) state.failed({ code: failure.code, message: failure.message });
      else state.cancelled();
      await end();
    });
    throw failure ? ApplicationFailure.create({ type: failureType(failure.code), message: failure.message, nonRetryable: true }) : error;
  }
}

const describe = ({ status, progress: { stage, done, total }, error }: JobSnapshot, unit: string): string =>
  [`**${status}** (${stage}${total ? ` ${done} of ${total} ${unit}` : ''})`, error?.message ?? ''].filter(Boolean).join('\n\n');
