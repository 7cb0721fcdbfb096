import { patched, proxyActivities } from '@temporalio/workflow';
import type { GraphActivities, GraphDone, GraphWork } from '../contracts/activities/graph.ts';
import { Abandoned, type Parking } from './parking.ts';

/** SPEC G44. */
const attempts = 5;
const retry = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: attempts } as const;
const graphing = proxyActivities<GraphActivities>({ startToCloseTimeout: '30m', heartbeatTimeout: '15s', retry });

/**
 * Published documents to the graph: extract → resolve → signals → ask people. What fails waits for a decision.
 * @returns null when somebody gave it up: the documents are searched, and not in the graph
 */
export async function toGraph(tenant: string, work: GraphWork, parking: Parking): Promise<GraphDone | null> {
  try {
    await parking.through('extraction', 'extract', () => graphing.extractMentions(tenant, work));
    const done = await parking.through('entity_resolution', 'resolve', () => graphing.resolveMentions(tenant, work));
    if (patched('signals')) await parking.through('extraction', 'signals', () => graphing.readSignals(tenant, work));
    if (done.reviews.length > 0) await parking.through('entity_resolution', 'ask', () => graphing.startReviews(tenant, done.reviews));
    return done;
  } catch (error) {
    if (error instanceof Abandoned) return null;
    throw error;
  }
}
