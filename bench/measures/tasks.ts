import { Client, Connection } from '@temporalio/client';
import type { Caller } from '../clients.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Runtime } from '../../platform/config.ts';
import { eventually } from '../context.ts';
import { each } from '../stats.ts';

/** Creates tasks, twenty at a time. @returns their ids */
export async function fillPhase(caller: Caller, phase: number, count: number, fields: object = {}): Promise<string[]> {
  const ids: string[] = [];
  await each(count, 20, async (index) => {
    const { task } = await caller.ok<{ task: { id: string } }>('work.task.create', {
      description: `Task ${index}: look into what a customer reported, and say what is to be done.`,
      phase_id: phase,
      ...fields,
    });
    ids.push(task.id);
  });
  return ids;
}

/** Waits until these tasks' workflows have run their first step, so that their creation does not disturb the measurement. */
export async function startedAll(runtime: Runtime, tenant: string, ids: string[]): Promise<void> {
  await historiesReach(
    runtime,
    ids.map((id) => workflowIds.task(tenant, id)),
  );
}

export async function historiesReach(runtime: Runtime, workflows: string[], events = 4): Promise<void> {
  const connection = await Connection.connect({ address: runtime.temporal });
  const client = new Client({ connection });
  try {
    await each(workflows.length, 10, (index) =>
      eventually(`${workflows[index]} has started`, async () => {
        const { historyLength } = await client.workflow.getHandle(workflows[index]!).describe();
        return historyLength >= events;
      }),
    );
  } finally {
    await connection.close();
  }
}
