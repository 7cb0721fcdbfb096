import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';

/** Events after which a history starts afresh. */
const eventsPerRun = 1_000;

interface Draining {
  /** The next piece; whoever signals from its beginning on asks for another. */
  work(): Promise<void>;
  /** What an operator reads meanwhile. */
  describe(): string;
  /** Goes on in a new history. */
  afresh(): Promise<never>;
  /** Waits for more. @returns whether there is any; if not, the process ends */
  rest(): Promise<boolean>;
}

/** The course of a process that works off what its rows hold, as long as they hold something. Its history stays short. */
export async function drain({ work, describe, afresh, rest }: Draining): Promise<void> {
  do {
    await work();
    setCurrentDetails(describe());
    if (workflowInfo().historyLength > eventsPerRun) await afresh();
  } while (await rest());
}

/**
 * Activities that work rows off. What is wrong with a row stands in the row or in the answer; what fails here is the
 * platform's own trouble, and passes.
 * @param startToCloseTimeout of one piece
 */
export const drainingActivities = <A extends object>(startToCloseTimeout: '5m' | '10m') =>
  proxyActivities<A>({
    startToCloseTimeout,
    heartbeatTimeout: '15s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
  });
