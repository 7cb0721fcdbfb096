import type { DelegatedStatus } from '../../agents/agents.ts';
import type { DelegatedRef } from './delegation.ts';

/** Activities of a task that a peer handed to us. Imports types only, so that workflow code may use it. */
export interface ReceivedActivities {
  /** Calls the capability's tool and writes its answer to the row. */
  runCapability(ref: DelegatedRef): Promise<DelegatedStatus>;
  /**
   * Creates the kanban task.
   * @returns its id
   */
  openWork(ref: DelegatedRef): Promise<string>;
  /** Writes the kanban task's result to the row. */
  takeWorkResult(ref: DelegatedRef): Promise<DelegatedStatus>;
}

/** Runs on the queue for requests to other hosts. */
export interface OutboundReceivedActivities {
  /** Reports the kanban task's progress to the sender. */
  relayProgress(ref: DelegatedRef): Promise<void>;
}
