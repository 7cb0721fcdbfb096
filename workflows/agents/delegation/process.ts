import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  allHandlersFinished,
  condition,
  defineUpdate,
  isCancellation,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { UpdateDefinition } from '@temporalio/common';
import type {
  DelegatedRef,
  DelegatedSnapshot,
  DelegatedStart,
  DelegationActivities,
  OutboundDelegationActivities,
} from '../../../contracts/activities/agents/delegation.ts';
import type { OutboundReceivedActivities } from '../../../contracts/activities/agents/received.ts';
import type { DelegatedStatus } from '../../../contracts/agents/agents.ts';
import { failureType, queues, withinWorkflowTask } from '../../../contracts/temporal.ts';
import { attributes } from '../../kernel/attributes.ts';
import { Projector } from '../../kernel/projector.ts';
import { DelegatedState } from './state.ts';

export interface DelegatedAnswer {
  status: DelegatedStatus;
}

export const cancel = defineUpdate<DelegatedAnswer, [{ by: string }]>('cancel');

const rows = proxyActivities<DelegationActivities>({
  taskQueue: queues.interactive,
  startToCloseTimeout: '4s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
});
const local = proxyLocalActivities<DelegationActivities>(withinWorkflowTask);
/**
 * How delegations wrote their row before `rows-by-activity`. A lost workflow task comes again together with what happened
 * meanwhile, e.g. the deadline; a replay then has the result of a local activity first, which was second.
 */
const formerly: DelegationActivities['writeDelegated'] = (ref, snapshot) =>
  local.writeDelegated(ref, snapshot).catch(() => rows.writeDelegated(ref, snapshot));
/** Best effort: four attempts, then it is left. */
export const telling = proxyActivities<Pick<OutboundDelegationActivities, 'cancelAtTarget' | 'callBack'> & OutboundReceivedActivities>({
  taskQueue: queues.outbound,
  startToCloseTimeout: '12s',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '1s', backoffCoefficient: 3, maximumAttempts: 4 },
});

interface Course {
  /** What it is as soon as its process has it. */
  begin?: DelegatedStatus;
  /** Brings the task to its end. Called off when the task has ended otherwise, unless it sees to that itself. */
  work(start: DelegatedStart, state: DelegatedState): Promise<void>;
  endsByItself?(start: DelegatedStart): boolean;
  /** Why the work failed, by the type and the message of the failure. */
  reasonOf(type: string, message: string): { code: string; message: string };
  /** What is told beside the end. */
  after?(state: DelegatedState): Promise<void>;
}

/** Shared by both kinds of delegated tasks: the row, updates that wait for it, one end. */
export class DelegatedProcess {
  private readonly ref: DelegatedRef;
  private readonly write = patched('rows-by-activity') ? rows.writeDelegated : formerly;
  private opened = false;
  private start: DelegatedStart | null = null;
  private state: DelegatedState | null = null;
  private projector: Projector<DelegatedSnapshot> | null = null;
  private shown: DelegatedStatus | null = null;

  constructor(ref: DelegatedRef) {
    this.ref = ref;
  }

  /** Takes an update: refused when it comes too late, answered when the row shows it. */
  on<A>(update: UpdateDefinition<DelegatedAnswer, [A]>, change: (state: DelegatedState, said: A) => void): void {
    setHandler(update, (said: A) => this.apply((state) => change(state, said)), { validator: (_said: A) => this.refuse() });
  }

  /** From the row to the end, which whoever asked for it is told. @returns null when there is no such task, or it is over */
  async run({ begin, work, endsByItself, reasonOf, after }: Course): Promise<DelegatedStatus | null> {
    const opened = await this.open();
    if (!opened) {
      await condition(allHandlersFinished);
      return null;
    }
    const { start, state } = opened;
    if (begin) {
      state.advance(begin);
      // Progress is a courtesy: a task whose row cannot be written just now must not fail for it.
      void this.settle().catch(() => {});
    }
    const scope = new CancellationScope({ cancellable: true });
    const done = scope
      .run(() => work(start, state))
      .catch((error: unknown) => {
        if (isCancellation(error)) return;
        const cause = error instanceof ActivityFailure ? error.cause : error;
        const type = cause instanceof ApplicationFailure ? (cause.type ?? '') : '';
        const { code, message } = reasonOf(type, cause instanceof Error ? cause.message : String(cause));
        state.fail(code, message);
      });
    await condition(() => state.over, Math.max(1, start.deadline - Date.now()));
    state.timeOut();
    await this.settle();
    if (!endsByItself?.(start)) scope.cancel();
    await done;
    await condition(allHandlersFinished);
    await after?.(state);
    if (start.callback) await telling.callBack(this.ref).catch(() => {});
    return state.current;
  }

  private async open(): Promise<{ start: DelegatedStart; state: DelegatedState } | null> {
    const { ref } = this;
    // Everything waits for this one, so that its result may come in any order.
    const start = await local.openDelegated(ref).catch(() => rows.openDelegated(ref));
    this.start = start;
    if (start) {
      const state = new DelegatedState(start);
      this.state = state;
      this.shown = start.status;
      this.projector = new Projector<DelegatedSnapshot>({
        snapshot: () => state.snapshot(),
        overtake: (rev) => state.overtake(rev),
        write: async (snapshot) => {
          const { rev, status } = await this.write(ref, snapshot);
          state.adopt(status);
          return rev;
        },
        written: () => this.show(state),
      });
    }
    this.opened = true;
    return start && this.state && !this.state.over ? { start, state: this.state } : null;
  }

  /** Refuses what comes too late; for validators, which cannot wait for the row. */
  private refuse(): void {
    const refusal = this.state?.refusal();
    if (refusal)
      throw ApplicationFailure.create({
        type: failureType(refusal.code),
        message: refusal.message,
        nonRetryable: true,
        details: [refusal],
      });
  }

  private async apply(change: (state: DelegatedState) => void): Promise<DelegatedAnswer> {
    await condition(() => this.opened);
    if (!this.state) {
      throw ApplicationFailure.create({ type: failureType('NOT_FOUND'), message: 'Task not found', nonRetryable: true });
    }
    this.refuse();
    change(this.state);
    await this.settle();
    return { status: this.state.current };
  }

  private settle(): Promise<void> {
    return this.projector!.settle();
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
