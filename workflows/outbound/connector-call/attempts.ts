import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { ConnectorAttempt } from '../../../contracts/activities/connector.ts';
import type { ConnectorState } from './state.ts';

interface Attempts {
  /** @param check ask first whether an earlier attempt arrived */
  attempt(attempt: number, check: boolean): Promise<ConnectorAttempt>;
  /** The message for an attempt without outcome. */
  lost: string;
  show(): void;
}

/**
 * Makes attempts until the outcome is known, or cannot be known; can be cancelled between two attempts. The state has
 * the result.
 */
export async function untilKnown(state: ConnectorState, { attempt, lost, show }: Attempts): Promise<void> {
  for (;;) {
    const { attempt: number, check } = state.next();
    // A worker died, or the activity never answered: it may have been done.
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
