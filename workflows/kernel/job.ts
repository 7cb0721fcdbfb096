import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  ContinueAsNew,
  defineQuery,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { JobActivities, JobRef, JobSnapshot, JobStatus } from '../../contracts/activities/jobs.ts';
import { failureType, jobKinds, type JobKind } from '../../contracts/temporal.ts';
import { attributes } from './attributes.ts';
import { failureOf } from './failure.ts';
import { Projector } from './projector.ts';

/** What the states of all jobs have in common: a revision that only grows, a stage, and how it ended. */
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

  /** How far it is; the stage is told anyway. */
  protected abstract progress(): Omit<JobSnapshot['progress'], 'stage' | 'waiting'>;
  /** References and figures, once there are any. */
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

  /** How many of its stages wait for a decision. */
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

  /** The row was found ahead of us (a former run, or a write that outlived its workflow task): go beyond it. */
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

/** Where a job stands, also while its row lags behind. */
export const progress = defineQuery<JobSnapshot>('progress');

interface Following {
  /** What is counted: passages, documents. */
  unit: string;
  write(snapshot: JobSnapshot): Promise<number>;
  /** Goes on from a former run of the same process. */
  continued?: boolean;
}

/** Keeps a job's row, its list entry and its details in Temporal in step with its state. */
export function followJob(state: JobState, { unit, write, continued = false }: Following) {
  let shown = continued ? 'running' : 'queued';
  const projector = new Projector<JobSnapshot>({
    snapshot: () => state.snapshot(),
    overtake: (rowRev) => state.overtake(rowRev),
    write,
    written: (snapshot) => {
      if (snapshot.status !== shown) upsertSearchAttributes(attributes({ status: snapshot.status }));
      shown = snapshot.status;
      setCurrentDetails(describe(snapshot, unit));
    },
  });
  setHandler(progress, () => state.snapshot());
  return {
    settle: (): Promise<void> => projector.settle(),
    /** Progress is a courtesy: whoever cannot write it just now must not fail for it. */
    show: (): void => void projector.settle().catch(() => {}),
    async end(): Promise<void> {
      await condition(allHandlersFinished);
      // Twice: a progress write under way when this is called may fail, and its failure is not ours.
      await projector.settle().catch(() => projector.settle());
    },
  };
}

interface Failure {
  code: string;
  message: string;
}

interface Course {
  kind: JobKind;
  /** What is counted: passages, documents. */
  unit: string;
  /** Of the job's row, where an ordinary activity is not what it takes. */
  write?: (snapshot: JobSnapshot) => Promise<number>;
  /** Goes on from a former run of the same process. */
  continued?: boolean;
  /** Takes back what was begun, before the job is said to have failed, or to be cancelled (null). */
  undo?: (failure: Failure | null, error: unknown) => Promise<void>;
}

const rows = proxyActivities<JobActivities>({ startToCloseTimeout: '1m', retry: { initialInterval: '1s', maximumInterval: '60s' } });

/**
 * The course of a job of some activities: its row follows, its failure and its cancellation are said there before the
 * process ends with them.
 * @param work completes the state; `show` writes how far it is, `end` before the process goes on as a new run
 */
export async function runJob(
  state: JobState,
  job: JobRef,
  { kind, unit, write = (snapshot) => rows.writeJob(job, snapshot), continued = false, undo }: Course,
  work: (following: { show: () => void; end: () => Promise<void> }) => Promise<void>,
): Promise<void> {
  const { show, end } = followJob(state, { unit, write, continued });
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
