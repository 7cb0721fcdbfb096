import {
  ActivityFailure,
  TimeoutFailure,
  condition,
  defineSignal,
  makeContinueAsNewFunc,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { AgentActivities, AgentRef, PresenceSnapshot } from '../../../contracts/activities/agents/agent.ts';
import { queues } from '../../../contracts/temporal.ts';
import { attributes } from '../../kernel/attributes.ts';
import { Projector } from '../../kernel/projector.ts';
import { AgentState } from './state.ts';

/** A heartbeat that no presence activity could take: the agent was unhealthy or offline, or is not monitored yet. */
export const alive = defineSignal('alive');
/** It was unregistered. */
export const left = defineSignal('left');

const activities = proxyActivities<AgentActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
});

/** Events per history. Three a day are typical, because heartbeats write none. */
const eventsPerRun = 500;
/** How long an offline agent is kept. */
const forgetAfter = '24 hours';

/** Started by a former version, in the queue of claims. It moves at its next change, at the latest after a day. */
const misplaced = (): boolean => workflowInfo().taskQueue !== queues.presence && patched('own-queue');

/** One agent's presence: only this workflow writes its health. */
export async function agent(ref: AgentRef): Promise<void> {
  // Signals may arrive before the row is read.
  let state: AgentState | undefined;
  let early = false;
  let gone = false;
  setHandler(alive, () => {
    if (state) state.alive();
    else early = true;
  });
  setHandler(left, () => {
    gone = true;
    state?.left();
  });

  const start = await activities.findPresence(ref);
  if (!start || gone) return;
  const current = (state = new AgentState(start));
  const full = (): boolean => workflowInfo().historyLength > eventsPerRun;
  const projector = new Projector<PresenceSnapshot>({
    snapshot: () => current.snapshot(),
    overtake: (rev) => current.overtake(rev),
    write: async (snapshot) => {
      const rev = await activities.writeHealth(ref, snapshot);
      if (rev === null) current.left();
      return rev ?? snapshot.rev;
    },
    written: show,
  });
  // After the projector is created, so that there is a change to write.
  if (early) current.alive();
  await projector.settle();
  setCurrentDetails(`**${current.snapshot().health}**`);

  while (!current.over && (current.watched || current.offline)) {
    if (current.watched) await watch();
    else if (!(await condition(() => !current.offline || current.over || full(), start.removable ? forgetAfter : '1 day'))) {
      // Other agents need no process while offline: the next heartbeat starts it again.
      if (!start.removable || (await activities.forgetAgent(ref))) break;
    }
    await projector.settle();
    if (!current.over && (full() || misplaced())) await makeContinueAsNewFunc<typeof agent>({ taskQueue: queues.presence })(ref);
  }

  /** Runs until the next timeout and writes the changes that heartbeats cause. */
  async function watch(): Promise<void> {
    let ended: 'silent' | 'again' | undefined;
    void present(start!.timeoutMs).then((how) => (ended = how));
    while (ended === undefined && !current.over) {
      const { rev } = current.snapshot();
      await condition(() => ended !== undefined || current.over || current.snapshot().rev !== rev);
      await projector.settle();
    }
    if (ended !== 'silent' || current.over) return;
    const since = Date.now();
    // Free the leases first: a reader that sees the agent offline then finds its tasks free.
    if (current.silent()) await activities.freeLeases(ref, since);
  }

  /** Only a foreign client could complete it; that does not end the monitoring. */
  async function present(timeoutMs: number): Promise<'silent' | 'again'> {
    const watched = proxyActivities<AgentActivities>({
      activityId: 'presence',
      startToCloseTimeout: '24 hours',
      heartbeatTimeout: timeoutMs,
      retry: { maximumAttempts: 1 },
    });
    try {
      await watched.presence(ref);
    } catch (error) {
      const cause = error instanceof ActivityFailure ? error.cause : error;
      if (cause instanceof TimeoutFailure) return cause.timeoutType === 'HEARTBEAT' ? 'silent' : 'again';
    }
    await sleep('1 second');
    return 'again';
  }

  function show({ health }: PresenceSnapshot): void {
    upsertSearchAttributes(attributes({ status: health }));
    setCurrentDetails(`**${health}**`);
  }
}
