import { WithStartWorkflowOperation, WorkflowExecutionAlreadyStartedError, WorkflowFailedError, type Workflow } from '@temporalio/client';
import { attributesOf, fairShare } from '../../adapters/temporal/attributes.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { asAppError, isClosing, isGone, isUnanswered, isUnreachable } from '../../adapters/temporal/errors.ts';
import type { JobRef } from '../../contracts/activities/kernel/jobs.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import type { Job } from '../../contracts/jobs.ts';
import { jobKinds, queues, workflowTaskTimeout, type JobKind } from '../../contracts/temporal.ts';
import type * as workflows from '../../workflows/index.ts';

/** A process to start, or to find running under its id. */
export interface Process<T extends Workflow = Workflow> {
  /** Name of the workflow's function. */
  workflow: string;
  id: string;
  queue: keyof typeof queues;
  args: Parameters<T>;
  /** Absent: it serves all tenants. */
  tenant?: string;
  kind: string;
  status: string;
  owner?: string;
  /** Shown in Temporal's list: one line, without Markdown. */
  summary: string;
  /**
   * The purpose of this run, where one workflow id serves several jobs one after the other. A running process with
   * another purpose has written its job's end and is about to close.
   */
  purpose?: string | undefined;
  /** Do not start another run after one has ended: the caller's row was outdated. */
  once?: boolean;
}

/** A process that should be running, and how to start it if it is not; `start` is read only then. */
export interface Expected {
  id: string;
  revive?: () => Promise<Process>;
}

/** Kinds of jobs whose workflow takes only the job; the rest is in the job's row. */
type PlainKind = {
  [K in JobKind]: (typeof workflows)[(typeof jobKinds)[K]['workflow']] extends (input: { job: JobRef; rev: number }) => Promise<unknown>
    ? K
    : never;
}[JobKind];

/** How long a caller waits for Temporal before the outcome counts as unknown, and the timeout of one attempt, in ms. */
const answerWithin = 15_000;
/** The same while Temporal is known to be unreachable: a restart was waited for by whoever found that out. In ms. */
const answerWithinAway = 2_000;
/** How long that is believed after the last call that found it so, in ms. */
const staysAway = 30_000;
/** Under load the server silently drops updates that it has not written yet. */
const askAgainAfter = 4_000;
/** Limits retries when a server refuses immediately. */
const maxAttempts = 5;

/** Access to workflows: started once, updated under ids that make repeats harmless, restarted when gone. */
export class Processes {
  private readonly temporal: Temporal;
  private readonly closesWithin: number;
  /** When a call last found Temporal unreachable, in ms since the epoch; 0: not since the last answer. */
  private unreachable = 0;

  /** @param closesWithin how long to wait for the end of a previous run, in ms */
  constructor(temporal: Temporal, closesWithin = 10_000) {
    this.temporal = temporal;
    this.closesWithin = closesWithin;
  }

  /**
   * Does nothing if it is running. With a purpose, waits for the end of a run with another purpose, and then starts.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async start<T extends Workflow>(process: Process<T>): Promise<void> {
    const { workflow } = this.temporal.client;
    if (process.purpose === undefined) {
      await this.guard(() => workflow.start<Workflow>(process.workflow, options(process)));
      return;
    }
    await this.guard(async () => {
      const until = Date.now() + this.closesWithin;
      while (Date.now() < until) {
        try {
          await workflow.start<Workflow>(process.workflow, { ...options(process), workflowIdConflictPolicy: 'FAIL' });
          return;
        } catch (error) {
          if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
        }
        if (await this.servesOrCloses(process, until)) return;
      }
      throw new AppError('SERVICE_UNAVAILABLE', 'The previous run of this process is still closing.', {
        hint: 'Repeat the call with the same idempotency key in a few seconds. Is a worker running?',
        details: { reason: 'closing', workflow_id: process.id },
        retryAfterSeconds: 5,
      });
    });
  }

  /** @returns whether the running process has this purpose; otherwise waits until it has closed, or until `until` */
  private async servesOrCloses({ id, purpose }: Process, until: number): Promise<boolean> {
    const { client } = this.temporal;
    try {
      const { runId, status, memo } = await client.workflow.getHandle(id).describe();
      if (status.name !== 'RUNNING') return false;
      const other = memo?.['purpose'];
      // Runs of former versions have no purpose.
      if (other === undefined || other === purpose) return true;
      await client.withDeadline(until, () => client.workflow.getHandle(id, runId, { followRuns: false }).result());
    } catch (error) {
      if (!(error instanceof WorkflowFailedError || isGone(error) || isUnanswered(error))) throw error;
    }
    return false;
  }

  /** Starts the process of an unfinished job. @throws AppError SERVICE_UNAVAILABLE */
  async startJob(kind: PlainKind, tenant: string, job: Job): Promise<void> {
    const { workflow } = jobKinds[kind];
    const args = [{ job: { tenant, id: job.job_id }, rev: 0 }];
    const { workflow_id: id, title: summary, created_by: owner, job_id: purpose } = job;
    await this.start({ workflow, id, queue: 'background', args, tenant, kind, status: 'queued', owner, summary, purpose });
  }

  /**
   * Sends an update and waits for its answer; starts the process if it is gone and can be started.
   * @param callKey identifies the request together with update and arguments: a repeat gets the same answer
   * @param said the arguments that distinguish requests; default: all
   * @throws AppError the workflow's refusal, or SERVICE_UNAVAILABLE; `isGone` when it is not running and cannot be
   * started
   */
  async ask<A>(asked: Process | Expected, update: string, args: object, callKey: string, said = args): Promise<A> {
    const sent = { args: [args] as [object], updateId: `${update}:${callKey}:${hashOf(said).slice(0, 16)}` };
    const until = this.deadline();
    return await this.guard(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.temporal.client.withDeadline(Math.min(until, Date.now() + askAgainAfter), () =>
            this.send<A>(asked, update, sent),
          );
        } catch (error) {
          // The run ended during the update (usually continue-as-new), so the update was never applied; or there is
          // no answer yet. Sent again under the same id: a known update is awaited, a lost one is applied.
          if (attempt < maxAttempts && Date.now() < until - 100 && (isClosing(error) || isUnanswered(error))) continue;
          throw error;
        }
      }
    });
  }

  private async send<A>(asked: Process | Expected, update: string, sent: { args: [object]; updateId: string }): Promise<A> {
    let process: Process;
    if ('workflow' in asked) process = asked;
    else {
      try {
        return await this.temporal.handle(asked.id).executeUpdate<A, [object]>(update, sent);
      } catch (error) {
        if (!asked.revive || !isGone(error)) throw error;
        process = await asked.revive();
      }
    }
    const startWorkflowOperation = new WithStartWorkflowOperation<Workflow>(process.workflow, options(process));
    return await this.temporal.client.workflow.executeUpdateWithStart<Workflow, A, [object]>(update, { ...sent, startWorkflowOperation });
  }

  /**
   * Queries a process.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async query<A>(workflowId: string, query: string): Promise<A> {
    return await this.guard(() => this.temporal.handle(workflowId).query<A>(query));
  }

  /**
   * Signals a running process.
   * @returns false when it is not running
   */
  async signal(workflowId: string, signal: string, ...args: unknown[]): Promise<boolean> {
    return await this.guard(() => this.temporal.handle(workflowId).signal(signal, ...args)).then(() => true, orGone(false));
  }

  /**
   * Signals a process, and starts it if necessary.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async signalStarting<T extends Workflow>(process: Process<T>, signal: string, ...args: unknown[]): Promise<void> {
    await this.guard(() =>
      this.temporal.client.workflow.signalWithStart<Workflow, unknown[]>(process.workflow, {
        ...options(process),
        signal,
        signalArgs: args,
      }),
    );
  }

  /** The running run's id, or null. */
  async running(workflowId: string): Promise<string | null> {
    return await this.guard(() => this.temporal.handle(workflowId).describe()).then(
      ({ status, runId }) => (status.name === 'RUNNING' ? runId : null),
      orGone(null),
    );
  }

  /** Cancels a run; does nothing if it has ended. */
  async cancel(workflowId: string, runId?: string): Promise<void> {
    await this.guard(() => this.temporal.client.workflow.getHandle(workflowId, runId).cancel()).then(() => {}, orGone(undefined));
  }

  refs(workflowId: string): Ref[] {
    const url = this.temporal.link(workflowId);
    return [{ type: 'workflow', id: workflowId, ...(url ? { url } : {}) }];
  }

  private deadline(): number {
    const now = Date.now();
    return now + (now - this.unreachable < staysAway ? answerWithinAway : answerWithin);
  }

  private async guard<R>(work: () => Promise<R>): Promise<R> {
    try {
      const answer = await this.temporal.client.withDeadline(this.deadline(), work);
      this.unreachable = 0;
      return answer;
    } catch (error) {
      this.unreachable = isUnreachable(error) ? Date.now() : 0;
      throw isGone(error) ? error : asAppError(error);
    }
  }
}

const orGone =
  <R>(otherwise: R) =>
  (error: unknown): R => {
    if (isGone(error)) return otherwise;
    throw error;
  };

const options = (process: Omit<Process, 'args'> & { args: unknown[] }) => {
  const { id, queue, args, tenant, kind, status, owner, summary, purpose, once } = process;
  return {
    workflowId: id,
    taskQueue: queues[queue],
    args,
    workflowTaskTimeout,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    ...(once ? { workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const } : {}),
    staticSummary: firstLine(summary),
    typedSearchAttributes: attributesOf({
      ...(tenant === undefined ? {} : { tenant }),
      kind,
      status,
      ...(owner === undefined ? {} : { owner }),
    }),
    ...(tenant === undefined ? {} : { priority: fairShare(tenant) }),
    ...(purpose === undefined ? {} : { memo: { purpose } }),
  };
};

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
