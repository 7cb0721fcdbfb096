import {
  ActivityCancellationType,
  ApplicationFailure,
  CancellationScope,
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  isCancellation,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { A2aActivities, A2aRef, A2aStanding } from '../../../contracts/activities/agents/a2a.ts';
import { failureType, queues } from '../../../contracts/temporal.ts';
import { attributes } from '../../kernel/attributes.ts';
import { failureOf } from '../../kernel/failure.ts';
import { written } from '../../kernel/projector.ts';
import { watchTask } from '../../work/watching.ts';
import { A2aTaskState, type Refusal } from './state.ts';

/** The client's answer; the message is in the row, whose revision was `rev`. Completes when the message has been planned. */
export const message = defineUpdate<void, [{ messageId: string; rev?: number }]>('message');
/** Completes when the task is cancelled. */
export const cancel = defineUpdate<void, [object]>('cancel');
/** There are events that the callbacks have not received. */
export const news = defineSignal('news');

/** Events per history. */
const eventsPerRun = 1_000;
/** How long a question waits for the client's answer. */
const patience = '7 days';
/** Polling interval of a job, in ms: half a minute for the first ten polls, then increasing with the job's duration. */
const usualLook = 30_000;
const longestLook = 600_000;

const retry = { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' } as const;
const quick = proxyActivities<A2aActivities>({ taskQueue: queues.interactive, startToCloseTimeout: '10s', retry });
const planning = proxyActivities<Pick<A2aActivities, 'planA2aTask' | 'openA2aWork'>>({
  taskQueue: queues.interactive,
  startToCloseTimeout: '60s',
  heartbeatTimeout: '8s',
  retry: { ...retry, maximumAttempts: 20 },
});
// A cancelled task ends at once; its call notices at its next heartbeat.
const working = proxyActivities<Pick<A2aActivities, 'callA2aTool'>>({
  taskQueue: queues.interactive,
  startToCloseTimeout: '24h',
  heartbeatTimeout: '8s',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { ...retry, maximumAttempts: 20 },
});
const outbound = proxyActivities<Pick<A2aActivities, 'pushA2aEvents'>>({
  taskQueue: queues.outbound,
  startToCloseTimeout: '30m',
  heartbeatTimeout: '15s',
  retry: { ...retry, maximumAttempts: 10 },
});

/** State that continue-as-new carries over. */
interface Carried {
  /** The job or approval that the call became. */
  job?: string;
  /** Lower in tests. */
  eventsPerRun?: number;
}

/** One task of the A2A protocol, from its first message to its final state. Takes a reference; the row has the rest. */
export async function a2aTask(ref: A2aRef, carried: Carried = {}): Promise<void> {
  const state = new A2aTaskState();
  let { job } = carried;
  const full = (): boolean => workflowInfo().historyLength > (carried.eventsPerRun ?? eventsPerRun);
  let turn: CancellationScope | null = null;

  setHandler(message, async ({ rev = 0 }) => {
    await condition(() => state.known);
    // The client may answer a question before this process has heard from its activity that it is asked.
    if (state.rev < rev) await condition(() => state.rev >= rev || state.over);
    refuse(state.checkSay());
    const before = state.rev;
    state.say();
    await condition(() => state.rev > before || state.over);
  });
  setHandler(cancel, async () => {
    await condition(() => state.known);
    refuse(state.checkCancel());
    state.cancel();
    turn?.cancel();
    await condition(() => state.over);
    // The task ended before the cancellation arrived.
    if (state.status !== 'canceled') refuse(state.checkCancel());
  });
  setHandler(news, () => state.news());
  setHandler(written, () => (state.known ? state.rev : null));
  let workNews = 0;
  let telling = false;
  /** Whether the wait continues in a new run. */
  let goesOn = false;
  const watched = watchTask(ref.tenant, () => {
    workNews += 1;
  });

  state.loaded(await quick.loadA2aTask(ref));
  const pushed = pushAll();
  if (!state.over) setCurrentDetails(`**${state.status}**`);

  while (!state.over) {
    if (state.toCancel) {
      if (state.workTaskId !== null) await watched.withdraw(state.workTaskId, 'Cancelled by the agent that asked for it.');
      show(await quick.endA2aTask(ref, state.nextRev, 'canceled', 'Cancelled by the client.'));
      continue;
    }
    if (state.waiting) {
      if (full()) {
        await condition(idle);
        if (state.waiting && !state.toCancel) await continueAsNew<typeof a2aTask>(ref, carried);
        continue;
      }
      if (!(await condition(() => !state.waiting || state.toCancel, patience)))
        show(await quick.endA2aTask(ref, state.nextRev, 'failed', 'Nobody answered the question within seven days.'));
      continue;
    }
    try {
      turn = new CancellationScope();
      await turn.run(takeTurn);
      if (!state.settled && !state.toCancel && !goesOn)
        show(await quick.endA2aTask(ref, state.nextRev, 'failed', 'The request had no result.'));
    } catch (error) {
      if (isCancellation(error) && state.toCancel) continue;
      const { message: told } = failureOf(error, 'The task');
      show(await quick.endA2aTask(ref, state.nextRev, 'failed', told));
    } finally {
      turn = null;
    }
    if (goesOn && renewable()) await continueAsNew<typeof a2aTask>(ref, { ...carried, ...(job === undefined ? {} : { job }) });
  }
  await pushed;
  await condition(allHandlersFinished);

  function idle(): boolean {
    return allHandlersFinished() && !telling && !state.toPush;
  }

  /** Whether a new run can continue the wait. */
  function renewable(): boolean {
    return full() && idle() && !state.toCancel && !state.over;
  }

  async function takeTurn(): Promise<void> {
    state.planning();
    goesOn = false;
    if (job !== undefined && state.status === 'working') return await followJob();
    if (state.workTaskId !== null && state.status === 'working') return await CancellationScope.nonCancellable(followWork);
    job = undefined;
    const { next, ...planned } = await planning.planA2aTask(ref, state.nextRev);
    show(planned);
    if (state.toCancel || state.over) return;
    if (next === 'call') {
      const { job: became, ...called } = await working.callA2aTool(ref, state.nextRev);
      show(called);
      job = became;
      if (job !== undefined) await followJob();
    } else if (next === 'work') {
      const { job: asked, ...opened } = await planning.openA2aWork(ref, state.nextRev);
      show(opened);
      job = asked;
      if (job !== undefined) await followJob();
      else await CancellationScope.nonCancellable(followWork);
    } else if (next === 'script') await play();
  }

  /**
   * Polls with increasing intervals, so that a long job occupies no worker. A request that needs approval may become
   * work.
   */
  async function followJob(): Promise<void> {
    for (let wait = 500; job !== undefined && !state.over;) {
      await sleep(wait);
      wait = Math.min(wait < usualLook ? Math.min(wait * 1.5, usualLook) : wait * 1.05, longestLook);
      show(await quick.followA2aJob(ref, state.nextRev, job));
      if (!patched('renewed')) continue;
      if (state.settled || state.workTaskId !== null) job = undefined;
      else if (renewable()) return void (goesOn = true);
    }
    job = undefined;
    if (state.workTaskId !== null && !state.over) await CancellationScope.nonCancellable(followWork);
  }

  /** Handles the cancellation itself: the task must be withdrawn from the board. */
  async function followWork(): Promise<void> {
    const id = state.workTaskId;
    if (id === null || state.over) return;
    const renews = patched('renewed');
    const ended = watched.ended(id, () => state.toCancel || (renews && (goesOn ||= renewable())));
    let over = false;
    const following = (async () => {
      for (let told = 0; ;) {
        await condition(() => over || workNews > told);
        if (over) return;
        told = workNews;
        show(await quick.tellA2aWork(ref, state.nextRev));
      }
    })();
    await ended;
    over = true;
    await following;
    if (state.toCancel || goesOn) return;
    show(await quick.tellA2aWork(ref, state.nextRev));
    if (!state.over) show(await quick.endA2aTask(ref, state.nextRev, 'failed', 'The work was taken off the board.'));
  }

  async function play(): Promise<void> {
    for (let step = 0; !state.over && !state.toCancel; step += 1) {
      const { holdMs, ...played } = await quick.playA2aStep(ref, state.nextRev, step);
      show(played);
      if (holdMs === null) return;
      if (holdMs > 0) await sleep(holdMs);
    }
  }

  /** Delivers to callbacks concurrently; the task never waits for them. */
  async function pushAll(): Promise<void> {
    for (;;) {
      await condition(() => state.toPush || state.over);
      if (!state.toPush) return;
      state.pushing();
      telling = true;
      // Failed deliveries are recorded with the callback.
      await outbound.pushA2aEvents(ref).catch(() => {});
      telling = false;
    }
  }

  function show(row: A2aStanding): void {
    const before = state.status;
    state.wrote(row);
    if (state.status === before) return;
    setCurrentDetails(`**${state.status}**`);
    upsertSearchAttributes(attributes({ status: state.status }));
  }
}

function refuse(refusal: Refusal | null): void {
  if (!refusal) return;
  const { code, message: text, ...details } = refusal;
  throw ApplicationFailure.create({ type: failureType(code), message: text, nonRetryable: true, details: [details] });
}
