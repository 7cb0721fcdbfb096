import {
  ApplicationFailure,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { DelegatedRef, DelegatedSnapshot, DelegatedStart, DelegationActivities } from '../../../contracts/activities/delegation.ts';
import type { DelegatedStatus } from '../../../contracts/agents/agents.ts';
import { failureType, queues } from '../../../contracts/temporal.ts';
import { attributes } from '../../kernel/attributes.ts';
import { Projector } from '../../kernel/projector.ts';
import { DelegatedState } from './state.ts';

export interface DelegatedAnswer {
  status: DelegatedStatus;
}

const local = proxyLocalActivities<DelegationActivities>({ startToCloseTimeout: '2s', retry: { maximumAttempts: 3 } });
const durable = proxyActivities<DelegationActivities>({
  taskQueue: queues.interactive,
  startToCloseTimeout: '4s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
});

/** Shared by both kinds of delegated tasks: the row, updates that wait for it, one end. */
export class DelegatedProcess {
  private readonly ref: DelegatedRef;
  private opened = false;
  private start: DelegatedStart | null = null;
  private state: DelegatedState | null = null;
  private projector: Projector<DelegatedSnapshot> | null = null;
  private shown: DelegatedStatus | null = null;

  constructor(ref: DelegatedRef) {
    this.ref = ref;
  }

  /** @returns null when the task does not exist, or has ended */
  async open(): Promise<{ start: DelegatedStart; state: DelegatedState } | null> {
    const { ref } = this;
    const start = await local.openDelegated(ref).catch(() => durable.openDelegated(ref));
    this.start = start;
    if (start) {
      const state = new DelegatedState(start);
      this.state = state;
      this.shown = start.status;
      this.projector = new Projector<DelegatedSnapshot>({
        snapshot: () => state.snapshot(),
        overtake: (rev) => state.overtake(rev),
        write: async (snapshot) => {
          const { rev, status } = await local.writeDelegated(ref, snapshot).catch(() => durable.writeDelegated(ref, snapshot));
          state.adopt(status);
          return rev;
        },
        written: () => this.show(state),
      });
    }
    this.opened = true;
    return start && this.state && !this.state.over ? { start, state: this.state } : null;
  }

  /** Refuses updates after the end; for validators, which cannot wait for the row. */
  readonly refuse = (): void => {
    const refusal = this.state?.refusal();
    if (refusal)
      throw ApplicationFailure.create({
        type: failureType(refusal.code),
        message: refusal.message,
        nonRetryable: true,
        details: [refusal],
      });
  };

  /** Applies an update and answers when it is in the row. */
  async apply(change: (state: DelegatedState) => void): Promise<DelegatedAnswer> {
    await condition(() => this.opened);
    if (!this.state) {
      throw ApplicationFailure.create({ type: failureType('NOT_FOUND'), message: 'Task not found', nonRetryable: true });
    }
    this.refuse();
    change(this.state);
    await this.settle();
    return { status: this.state.current };
  }

  settle(): Promise<void> {
    return this.projector!.settle();
  }

  /** Progress is best effort: a failed write is not an error. */
  showProgress(): void {
    void this.settle().catch(() => {});
  }

  private show(state: DelegatedState): void {
    if (state.current !== this.shown) upsertSearchAttributes(attributes({ status: state.current }));
    this.shown = state.current;
    const { error } = state.snapshot();
    setCurrentDetails(
      [`**${state.current}** (${this.start?.capability}, ${this.start?.target})`, error?.message ?? ''].filter(Boolean).join('\n\n'),
    );
  }
}
