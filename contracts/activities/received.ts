import type { DelegatedStatus } from '../agents/agents.ts';
import type { DelegatedRef } from './delegation.ts';

/** What the process of a task that a peer handed to us does. Imports types only, so that workflow code may use it. */
export interface ReceivedActivities {
  /** Calls the tool that the capability names; its answer is put into the row. */
  runCapability(ref: DelegatedRef): Promise<DelegatedStatus>;
  /** Makes the kanban task. @returns its id */
  openWork(ref: DelegatedRef): Promise<string>;
  /** Puts what the kanban task came to into the row. */
  takeWorkResult(ref: DelegatedRef): Promise<DelegatedStatus>;
}

/** On the queue for requests to other hosts. */
export interface OutboundReceivedActivities {
  /** Tells the sender how far the kanban task is. */
  relayProgress(ref: DelegatedRef): Promise<void>;
}
