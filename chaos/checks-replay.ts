/** Replays the histories that kills, lost tasks and late answers have shaped. A worker must be able to continue each. */
import type { Client } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker, type ReplayHistoriesIterable } from '@temporalio/worker';
import { workflowBundle } from '../workers/bundle.ts';
import type { Invariant } from './checks.ts';

/** @param cache folder of the bundle that the workers use */
export async function replays(temporal: Client, tenant: string, cache: string): Promise<Invariant> {
  // A history that fails is told as a breach, not in the log.
  Runtime.install({ logger: new DefaultLogger('ERROR', () => {}), telemetryOptions: { logging: { filter: 'OFF', forward: {} } } });
  async function* histories(): ReplayHistoriesIterable {
    for await (const { workflowId, runId } of temporal.workflow.list({ query: `SignalboxTenant = '${tenant}'` })) {
      yield { workflowId, history: await temporal.workflow.getHandle(workflowId, runId).fetchHistory() };
    }
  }
  const breaches: string[] = [];
  let checked = 0;
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: await workflowBundle(cache) }, histories())) {
    checked += 1;
    if (error) breaches.push(`${workflowId}: ${error.message.slice(0, 600)}`);
  }
  return { name: 'every history replays', checked, breaches };
}
