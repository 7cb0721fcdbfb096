import { WithStartWorkflowOperation, WorkflowExecutionAlreadyStartedError, WorkflowFailedError, type Workflow } from '@temporalio/client';
import { attributesOf, fairShare } from '../../adapters/temporal/attributes.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { asAppError, isClosing, isGone, isUnanswered } from '../../adapters/temporal/errors.ts';
import type { JobRef } from '../../contracts/activities/jobs.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import type { Job } from '../../contracts/jobs.ts';
import { jobKinds, queues, workflowTaskTimeout, type JobKind } from '../../contracts/temporal.ts';
import type * as workflows from '../../workflows/index.ts';

/** A process as it is started, or found running under its id. */
export interface Process<T extends Workflow = Workflow> {
  /** Name of the workflow's function. */
  workflow: string;
  id: string;
  queue: keyof typeof queues;
  args: Parameters<T>;
  /** None: it serves all. */
  tenant?: string;
  kind: string;
  status: string;
  owner?: string;
  /** For Temporal's list; its first line, without Markdown. */
  summary: string;
  /**
   * Names what this run is for, where one workflow id serves one job after the other. A run for something else has written
   * its job's end and is about to close.
   */
  purpose?: string | undefined;
  /** A run that has come to its end is not followed by another: the caller's row was older. */
  once?: boolean;
}

/** A process that is expected to run, and what it is started from when it does not; that is read only then. */
export interface Expected {
  id: string;
  revive?: () => Promise<Process>;
}

/** Kinds of jobs whose workflow is started with the job alone: all else stands in the job's row. */
type PlainKind = {
  [K in JobKind]: (typeof workflows)[(typeof jobKinds)[K]['workflow']] extends (input: { job: JobRef; rev: number }) => Promise<unknown>
    ? K
    : never;
}[JobKind];

/** How long a caller waits for Temporal before the outcome is called unknown, and one attempt, in ms. */
const answerWithin = 15_000;
/** A server under load drops updates that it has not written yet, and says nothing. */
const askAgainAfter = 4_000;
/** A server that refuses at once must not be asked in a tight loop. */
const maxAttempts = 5;

/** Workflows as seen from outside: started once, asked under ids that make a repeat harmless, started again when gone. */
export class Processes {
  private readonly temporal: Temporal;
  private readonly closesWithin: number;

  /** @param closesWithin how long the end of a former run is awaited, in ms */
  constructor(temporal: Temporal, closesWithin = 10_000) {
    this.temporal = temporal;
    this.closesWithin = closesWithin;
  }

  /**
   * A running one is left alone. With a purpose, one that runs for another purpose is awaited, and then this one starts.
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
      throw new AppError('SERVICE_UNAVAILABLE', 'The former run of this process is still closing.', {
        hint: 'Repeat the call with the same idempotency key in a few seconds. Is a worker running?',
        details: { reason: 'closing', workflow_id: process.id },
        retryAfterSeconds: 5,
      });
    });
  }

  /** @returns whether the run under way serves this purpose; else after it has closed, or at `until` */
  private async servesOrCloses({ id, purpose }: Process, until: number): Promise<boolean> {
    const { client } = this.temporal;
    try {
      const { runId, status, memo } = await client.workflow.getHandle(id).describe();
      if (status.name !== 'RUNNING') return false;
      const other = memo?.['purpose'];
      // Runs of former versions name no purpose.
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
   * Sends an update and waits for its answer; a process that is gone is started from what it is given.
   * @param callKey with the update and its arguments the name of this asking: the same again is answered, not done twice
   * @param said the arguments as far as they tell one asking from another; all of them, unless given
   * @throws AppError as the workflow refuses, or SERVICE_UNAVAILABLE; `isGone` when it does not run and has nothing to start from
   */
  async ask<A>(asked: Process | Expected, update: string, args: object, callKey: string, said = args): Promise<A> {
    const sent = { args: [args] as [object], updateId: `${update}:${callKey}:${hashOf(said).slice(0, 16)}` };
    const until = Date.now() + answerWithin;
    return await this.guard(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.temporal.client.withDeadline(Math.min(until, Date.now() + askAgainAfter), () =>
            this.send<A>(asked, update, sent),
          );
        } catch (error) {
          // The run ended (mostly: continued as new) under the update, which is then as if never sent; or there is no answer
          // yet: asked again under the same id, an update that is known is waited for and a lost one is sent.
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

  /** What a process says of itself. @throws AppError SERVICE_UNAVAILABLE */
  async query<A>(workflowId: string, query: string): Promise<A> {
    return await this.guard(() => this.temporal.handle(workflowId).query<A>(query));
  }

  /** Tells a process that runs. @returns false when none does */
  async signal(workflowId: string, signal: string, ...args: unknown[]): Promise<boolean> {
    return await this.guard(() => this.temporal.handle(workflowId).signal(signal, ...args)).then(() => true, orGone(false));
  }

  /** Tells a process, and starts it when it does not run. @throws AppError SERVICE_UNAVAILABLE */
  async signalStarting<T extends Workflow>(process: Process<T>, signal: string, ...args: unknown[]): Promise<void> {
    await this.guard(() =>
      this.temporal.client.workflow.signalWithStart<Workflow, unknown[]>(process.workflow, {
        ...options(process),
        signal,
        signalArgs: args,
      }),
    );
  }

  /** The run that is under way, if one is. */
  async running(workflowId: string): Promise<string | null> {
    return await this.guard(() => this.temporal.handle(workflowId).describe()).then(
      ({ status, runId }) => (status.name === 'RUNNING' ? runId : null),
      orGone(null),
    );
  }

  /** Asks one run to end; one that has ended is left alone. */
  async cancel(workflowId: string, runId?: string): Promise<void> {
    await this.guard(() => this.temporal.client.workflow.getHandle(workflowId, runId).cancel()).then(() => {}, orGone(undefined));
  }

  refs(workflowId: string): Ref[] {
    const url = this.temporal.link(workflowId);
    return [{ type: 'workflow', id: workflowId, ...(url ? { url } : {}) }];
  }

  private async guard<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await this.temporal.client.withDeadline(Date.now() + answerWithin, work);
    } catch (error) {
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
