import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';

/** Events per history. */
const eventsPerRun = 1_000;

interface Draining {
  /** Processes the next piece; a signal after its start requests another. */
  work(): Promise<void>;
  /** Details for operators. */
  describe(): string;
  /** Continues as a new run. */
  afresh(): Promise<never>;
  /**
   * Waits for more.
   * @returns whether there is any; if not, the process ends
   */
  rest(): Promise<boolean>;
}

/** Runs a process that works through its rows until none are left, with a short history. */
export async function drain({ work, describe, afresh, rest }: Draining): Promise<void> {
  do {
    await work();
    setCurrentDetails(describe());
    if (workflowInfo().historyLength > eventsPerRun) await afresh();
  } while (await rest());
}

/**
 * Activities that work through rows. A faulty row is recorded in the row or the answer; failures here are temporary
 * faults of the platform, so they are retried.
 * @param startToCloseTimeout of one piece
 */
export const drainingActivities = <A extends object>(startToCloseTimeout: '5m' | '10m') =>
  proxyActivities<A>({
    startToCloseTimeout,
    heartbeatTimeout: '15s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
  });
