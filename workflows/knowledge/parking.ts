import {
  ApplicationFailure,
  CancellationScope,
  condition,
  defineUpdate,
  isCancellation,
  patched,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { Decision, DlqActivities, DlqStage } from '../../contracts/activities/knowledge/dlq.ts';
import type { JobRef } from '../../contracts/activities/kernel/jobs.ts';
import { failureType } from '../../contracts/temporal.ts';
import { failureOf } from '../kernel/failure.ts';
import { interrupted, patience } from '../kernel/outlasting.ts';

/** A person's decision about a parked stage. Refused when nothing is parked under the id, or it is already decided. */
export const decide = defineUpdate<'retrying' | 'abandoned', [Decision]>('decide');

/** A stage that a person abandoned. */
export class Abandoned extends Error {
  override name = 'Abandoned';
}

interface Waiting {
  /** Its row has been written. */
  noted: boolean;
  deciding: boolean;
  decision?: Decision;
}

const { park, settleParked } = proxyActivities<DlqActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '60s' },
});

/**
 * Keeps failed stages: after all attempts, the process waits until a person decides retry or abandon. Faulty contents
 * are not parked; their stage refuses them.
 */
export class Parking {
  private readonly job: JobRef;
  private readonly attempts: number;
  private readonly onChange: (waiting: number) => void;
  private readonly waiting = new Map<string, Waiting>();
  private count: number;

  /** @param count stages parked by previous runs of the same process: ids continue from there */
  constructor(job: JobRef, attempts: number, onChange: (waiting: number) => void, count = 0) {
    this.job = job;
    this.attempts = attempts;
    this.onChange = onChange;
    this.count = count;
    setHandler(decide, async (decision) => await this.decided(decision), { validator: (decision) => this.check(decision) });
  }

  get parkedEver(): number {
    return this.count;
  }

  /**
   * Runs a stage until it succeeds.
   * @throws Abandoned; the stage's error when a retry cannot help; CancelledFailure
   */
  async through<T>(stage: DlqStage, step: string, work: () => Promise<T>): Promise<T> {
    let id: string | undefined;
    let attempts = 0;
    let lost = 0;
    for (;;) {
      try {
        const result = await work();
        if (id !== undefined) await settleParked(this.job, id, 'resolved', null);
        return result;
      } catch (error) {
        const failure = isCancellation(error) ? null : failureOf(error, `Stage ${stage}`);
        // Histories from before parking existed fail here instead.
        if (failure === null || failure.final || !patched('park')) {
          if (id !== undefined && failure !== null) await settleParked(this.job, id, 'resolved', null);
          if (id !== undefined && failure === null) await this.close(id);
          throw error;
        }
        if (interrupted(error) && (lost += 1) <= patience) continue;
        id ??= `dlq_${this.job.id.replace(/^job_/, '')}_${(this.count += 1)}`;
        attempts += this.attempts;
        await this.decisionAbout(id, stage, step, attempts, failure);
      }
    }
  }

  private async decisionAbout(
    id: string,
    stage: DlqStage,
    step: string,
    attempts: number,
    failure: { code: string; message: string },
  ): Promise<void> {
    const entry: Waiting = { noted: false, deciding: false };
    // A person who sees the row may decide immediately, so register first.
    this.waiting.set(id, entry);
    const note = (): Promise<void> => park(this.job, { id, stage, step, code: failure.code, message: failure.message, attempts });
    try {
      // Not cancellable: a late write would overwrite the final one of the process.
      await (patched('parks-surely') ? CancellationScope.nonCancellable(note) : note());
      entry.noted = true;
      this.onChange(this.waiting.size);
      await condition(() => entry.decision !== undefined);
    } catch (error) {
      if (isCancellation(error)) await this.close(id);
      throw error;
    } finally {
      this.waiting.delete(id);
      this.onChange(this.waiting.size);
    }
    if (entry.decision!.decision === 'abandon') throw new Abandoned(`Given up by ${entry.decision!.by}: ${failure.message}`);
  }

  /** A stage of a cancelled process can no longer be decided. */
  private async close(id: string): Promise<void> {
    if (patched('closes-parked')) await CancellationScope.nonCancellable(() => settleParked(this.job, id, 'abandoned', null));
  }

  private check({ id }: Decision): void {
    const entry = this.waiting.get(id);
    if (entry && !entry.deciding) return;
    throw ApplicationFailure.nonRetryable(entry ? 'It has just been decided.' : 'Nothing waits under this id.', failureType('CONFLICT'));
  }

  private async decided(decision: Decision): Promise<'retrying' | 'abandoned'> {
    const entry = this.waiting.get(decision.id)!;
    entry.deciding = true;
    const status = decision.decision === 'retry' ? 'retrying' : 'abandoned';
    await condition(() => entry.noted);
    // Before the stage continues: its end writes the next status.
    await settleParked(this.job, decision.id, status, decision.by);
    entry.decision = decision;
    return status;
  }
}
