import { patched, proxyActivities } from '@temporalio/workflow';
import type { GraphActivities, GraphDone, GraphWork } from '../../contracts/activities/graph/graph.ts';
import { Abandoned, type Parking } from '../knowledge/parking.ts';

const attempts = 5;
const retry = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: attempts } as const;
const graphing = proxyActivities<GraphActivities>({ startToCloseTimeout: '30m', heartbeatTimeout: '15s', retry });

/**
 * Adds published documents to the graph: extract → resolve → signals → ask people. A failed stage waits for a
 * decision.
 * @returns null when somebody abandoned it: searches find the documents, the graph does not have them
 */
export async function toGraph(tenant: string, work: GraphWork, parking: Parking): Promise<GraphDone | null> {
  try {
    // Older workers do not return `more` and `next`.
    while ((await parking.through('extraction', 'extract', () => graphing.extractMentions(tenant, work))).more);
    const done = await parking.through('entity_resolution', 'resolve', () => graphing.resolveMentions(tenant, work));
    const read = patched('signals') ? await signals(tenant, work, parking) : {};
    if (done.reviews.length > 0) await parking.through('entity_resolution', 'ask', () => graphing.startReviews(tenant, done.reviews));
    return { ...done, ...read };
  } catch (error) {
    if (error instanceof Abandoned) return null;
    throw error;
  }
}

async function signals(tenant: string, work: GraphWork, parking: Parking): Promise<Pick<GraphDone, 'statements' | 'left'>> {
  let after: string | undefined;
  let statements = 0;
  const left: Record<string, number> = {};
  do {
    const from = after;
    const read = await parking.through('extraction', 'signals', () =>
      from === undefined ? graphing.readSignals(tenant, work) : graphing.readSignals(tenant, work, from),
    );
    statements += read.signals;
    // Older workers do not return it.
    for (const [why, n] of Object.entries(read.left ?? {})) left[why] = (left[why] ?? 0) + n;
    after = read.next;
  } while (after !== undefined);
  return { statements, left };
}
