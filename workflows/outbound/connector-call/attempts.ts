import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { ConnectorAttempt } from '../../../contracts/activities/connector.ts';
import type { ConnectorState } from './state.ts';

interface Attempts {
  /** @param check look first whether an earlier one has arrived */
  attempt(attempt: number, check: boolean): Promise<ConnectorAttempt>;
  /** What is said of one that never told how it ended. */
  lost: string;
  show(): void;
}

/** Attempts until it is known how it ended, or can not be known; called off between two of them. The state says which. */
export async function untilKnown(state: ConnectorState, { attempt, lost, show }: Attempts): Promise<void> {
  for (;;) {
    const { attempt: number, check } = state.next();
    // A worker that died, or an activity that never told: it may have been done.
    const unknown = (): ConnectorAttempt => ({ kind: 'unknown', error: { code: 'CONFLICT', message: lost } });
    const pause = state.attempted(await CancellationScope.nonCancellable(() => attempt(number, check).catch(unknown)));
    if (pause === null) return;
    show();
    try {
      await sleep(pause);
    } catch (error) {
      if (!isCancellation(error)) throw error;
      state.calledBack();
      return;
    }
  }
}
