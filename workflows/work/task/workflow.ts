import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  currentUpdateInfo,
  defineUpdate,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { TaskRef, TaskSnapshot, WorkActivities } from '../../../contracts/activities/work/work.ts';
import { failureType, listedStatus, queues, withinWorkflowTask } from '../../../contracts/temporal.ts';
import type { ShapeActivities } from '../../../contracts/activities/work/shape.ts';
import { attributes } from '../../kernel/attributes.ts';
import { Projector } from '../../kernel/projector.ts';
import { Turns } from '../../kernel/turns.ts';
import { cancel, editOf, remove, shape } from './shape.ts';
import { TaskState, type Actor, type Refusal, type Remembered, type TaskAnswer } from './state.ts';
import { conflict } from './lease.ts';

export interface TaskInput {
  ref: TaskRef;
  task: TaskSnapshot;
  /** Answers of recent updates, carried across continue-as-new. */
  recent?: Remembered[];
  /**
   * What histories of their time need. 2: a lease's timer depends on what was applied alone. 3: also, a change waits for the one
   * before it. Without it, the rules of before 2.6.0.
   */
  rules?: 2 | 3;
}

interface Held {
  actor: Actor;
  token?: number;
}

export const claim = defineUpdate<TaskAnswer, [{ actor: Actor; leaseSeconds?: number; resume?: boolean }]>('claim');
export const heartbeat = defineUpdate<TaskAnswer, [Held & { progress?: string }]>('heartbeat');
export const complete = defineUpdate<TaskAnswer, [Held & { result?: string; of?: number }]>('complete');
export const fail = defineUpdate<TaskAnswer, [Held & { reason: string; retry: boolean }]>('fail');
export const release = defineUpdate<TaskAnswer, [Held]>('release');
export const sendBack = defineUpdate<TaskAnswer, [{ actor: Actor; of?: number }]>('sendBack');
export const block = defineUpdate<TaskAnswer, [{ blockers: string[] }]>('block');
export const blockerDone = defineUpdate<TaskAnswer, [{ blocker: string }]>('blockerDone');

/** A statement that has begun may take this long, in ms; the clocks of Temporal and Postgres may differ by as much. */
const writeMargin = 500;

/** Updates per history: a replay must fit into one workflow task timeout. */
const updatesPerRun = 200;

const local = proxyLocalActivities<WorkActivities>(withinWorkflowTask);
const retry = { initialInterval: '200ms', maximumInterval: '5s' } as const;
// Short timeouts and heartbeats: another worker takes over within seconds.
const durable = proxyActivities<Pick<WorkActivities, 'writeTask'>>({ taskQueue: queues.interactive, startToCloseTimeout: '4s', retry });
const finishing = proxyActivities<Pick<WorkActivities, 'finishTask' | 'releaseRest'>>({
  taskQueue: queues.interactive,
  startToCloseTimeout: '2m',
  heartbeatTimeout: '4s',
  retry,
});

const shaping = proxyActivities<ShapeActivities>({
  taskQueue: queues.interactive,
  startToCloseTimeout: '2m',
  heartbeatTimeout: '4s',
  retry,
});

/**
 * One kanban task: only this workflow writes its lifecycle. Claims, heartbeats and others arrive as updates, are
 * checked and applied synchronously, and answered once the row has them.
 */
export async function task(input: TaskInput): Promise<void> {
  const { ref } = input;
  const state = new TaskState(input.task, input.recent);
  let updates = 0;
  let listed = listedStatus(input.task.status);
  let unblocked: string[] = [];
  /** Dependants are to be notified after the answer. Older workers do not return it. */
  let rest: true | undefined;
  /** The row is told that the lease has expired. */
  let expiring = false;
  const steady = input.rules !== undefined;
  /**
   * A change is applied when the row has the one before it. After a lost workflow task, a replay has the result of a local
   * activity before what came while it was under way; so nothing that it could change places with may be done meanwhile.
   */
  const turns = input.rules === 3 ? new Turns() : null;
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => await (turns ? turns.take(work) : work());

  const projector = new Projector<TaskSnapshot>({
    snapshot: () => state.snapshot(),
    overtake: (rev) => state.overtake(rev),
    // A local activity's write is visible before its workflow task commits. Others act on `done` (dependants are
    // unblocked), so a normal activity writes it: the row is then never ahead of the workflow.
    write: async (snapshot) => {
      if (snapshot.status === 'done') {
        const finished = await finishing.finishTask(ref, snapshot);
        ({ unblocked, rest } = finished);
        return finished.rev;
      }
      // A lease's timer fires in a workflow task that may be lost and come again together with updates: a local activity would
      // keep it open meanwhile.
      if (expiring) return await durable.writeTask(ref, snapshot);
      try {
        return await local.writeTask(ref, snapshot, Date.now() + workflowInfo().taskTimeoutMs - writeMargin);
      } catch {
        return await durable.writeTask(ref, snapshot);
      }
    },
    written: (snapshot) => {
      const status = listedStatus(snapshot.status);
      if (status !== listed && state.open) upsertSearchAttributes(attributes({ status }));
      listed = status;
      setCurrentDetails(describe(snapshot));
    },
  });

  const on = <A>(
    update: ReturnType<typeof defineUpdate<TaskAnswer, [A]>>,
    check: ((args: A) => Refusal | null) | null,
    apply: (args: A) => Partial<TaskAnswer> | void,
    /** What follows once the row has the change; `applied`: the state right after the change. */
    after?: (args: A, applied: TaskSnapshot) => Promise<Partial<TaskAnswer> | void> | void,
  ): void => {
    const updateId = (): string => currentUpdateInfo()?.id ?? '';
    const refuse = (args: A): void => {
      const refusal = state.removing ? deleted() : check?.(args);
      if (refusal) throw failureOf(refusal);
    };
    const change = async (id: string, args: A): Promise<TaskAnswer> => {
      // The changes before it may have taken away what it needs.
      if (turns) refuse(args);
      const extra = apply(args);
      const applied = state.snapshot();
      await projector.settle();
      const more = after ? await after(args, applied) : undefined;
      const answer: TaskAnswer = { task: state.snapshot(), ...(state.open ? {} : { unblocked }), ...extra, ...more };
      state.remember(id, answer);
      return answer;
    };
    setHandler(
      update,
      async (args) => {
        const id = updateId();
        const known = state.recall(id);
        if (known) return known;
        updates += 1;
        return await inTurn(() => change(id, args));
      },
      {
        validator: (args) => {
          if (!state.recall(updateId())) refuse(args);
        },
      },
    );
  };

  /** The lease may have ended while its row could not be written: then nobody is told to have it. */
  const stillHeld = ({ actor }: { actor: Actor }, { token }: TaskSnapshot): void => {
    const refusal = state.checkHeld(actor, token, Date.now());
    if (refusal && patched('lease-ended-before-answer')) throw failureOf(refusal);
  };

  on(
    claim,
    ({ actor, resume }) => state.checkClaim(actor, resume ?? false, Date.now()),
    ({ actor, leaseSeconds }) => ({
      held: state.claim(actor, leaseSeconds, Date.now()),
    }),
    stillHeld,
  );
  on(
    heartbeat,
    ({ actor, token }) => state.checkHeartbeat(actor, token, Date.now()),
    ({ progress }) => state.heartbeat(progress, Date.now()),
    stillHeld,
  );
  on(
    complete,
    ({ actor, token, of }) => state.checkDecided(of, ['review']) ?? state.checkComplete(actor, token, Date.now()),
    ({ actor, token, result }) => state.complete(result, Date.now(), actor, token),
  );
  on(
    fail,
    ({ actor, token }) => state.checkFail(actor, token, Date.now()),
    ({ actor, token, reason, retry }) => state.fail(reason, retry, actor, token),
  );
  on(
    release,
    ({ actor, token }) => state.checkHeld(actor, token, Date.now()),
    ({ actor, token }) => state.release(actor, token),
  );
  on(
    sendBack,
    ({ actor, of }) => state.checkDecided(of, ['review', 'failed']) ?? state.checkSendBack(actor, Date.now()),
    ({ actor }) => state.sendBack(actor),
  );
  on(
    block,
    () => state.checkBlock(),
    ({ blockers }) => state.block(blockers),
  );
  on(blockerDone, null, ({ blocker }) => ({ unblocked: state.blockerDone(blocker) ? [ref.id] : [] }));

  const expire = async (): Promise<void> => {
    if (!state.leaseLapsed(Date.now())) return;
    state.expireLease();
    expiring = steady;
    await projector.settle().finally(() => (expiring = false));
  };

  const unlessDone = (): Refusal | null =>
    state.open ? null : conflict('done', 'The task is done.', 'Create a new one for further work.');
  on(
    cancel,
    ({ unheld }) => unlessDone() ?? (unheld === true ? state.checkUnheld() : null),
    ({ actor, reason }) => state.cancel(reason, actor),
    async ({ actor, reason, free }) =>
      free ? { unblocked: await shaping.freeDependants(ref, { by: actor.id, how: 'cancelled', reason }) } : {},
  );
  on(
    remove,
    unlessDone,
    ({ actor, reason }) => {
      state.removing = true;
      state.cancel(reason, actor);
    },
    async ({ actor, reason }) => {
      const freed = await shaping.freeDependants(ref, { by: actor.id, how: 'deleted', reason });
      await shaping.removeTask(ref);
      state.gone = true;
      return { unblocked: freed };
    },
  );
  const edits = new Map<string, ReturnType<typeof editOf>>();
  on(
    shape,
    unlessDone,
    ({ settings, edit }) => {
      edits.set(edit.key, editOf(state.current, settings, edit));
      state.shape(settings);
    },
    async ({ edit: { key } }) => {
      const note = edits.get(key);
      edits.delete(key);
      if (note && note.fields.length > 0) await shaping.noteEdit(ref, note);
    },
  );

  while (state.open) {
    const seen = { ...state.current };
    // The result of a write may raise the revision. It begins no other timer: after a lost workflow task, a replay has the
    // result of a local activity before what came before it.
    const same = (): boolean =>
      steady
        ? state.current.status === seen.status && state.current.leaseExpiresAt === seen.leaseExpiresAt
        : state.current.rev === seen.rev;
    const moved = (): boolean => !same() || full() || !state.open;
    if (seen.status === 'in_progress' && seen.leaseExpiresAt !== null) {
      const changed = await condition(moved, Math.max(1, seen.leaseExpiresAt - Date.now()));
      // For the same reason, a write that is under way ends first.
      if (!changed && steady && !turns) await condition(() => !projector.busy);
      if (!changed) await inTurn(expire);
    } else await condition(moved);
    if (state.open && full()) {
      await condition(allHandlersFinished);
      if (state.open) await continueAsNew<typeof task>({ ref, task: state.snapshot(), recent: state.carried(), rules: 3 });
    }
  }
  await condition(allHandlersFinished);
  if (rest) await finishing.releaseRest(ref);

  function full(): boolean {
    return updates >= updatesPerRun || workflowInfo().historyLength > 1000;
  }
}

const failureOf = (refusal: Refusal): ApplicationFailure =>
  ApplicationFailure.create({ type: failureType(refusal.code), message: refusal.message, nonRetryable: true, details: [refusal] });

const deleted = (): Refusal => conflict('deleted', 'The task is being deleted.', 'Stop working on this task.');

const describe = (task: TaskSnapshot): string =>
  [
    `**${task.status}**`,
    task.agent ? `held by \`${task.agent}\` (attempt ${task.attempts} of ${task.maxAttempts})` : '',
    task.pendingBlockers.length ? `waits for ${task.pendingBlockers.join(', ')}` : '',
    task.failure ? `last failure: ${task.failure}` : '',
  ]
    .filter(Boolean)
    .join('\n\n');
