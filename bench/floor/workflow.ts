/** The minimum of a durable claim: one update, and one local activity that writes the row. */
import { allHandlersFinished, condition, defineUpdate, proxyActivities, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { FloorActivities, FloorRow } from './types.ts';

const local = proxyLocalActivities<FloorActivities>({ startToCloseTimeout: '2s' });
const durable = proxyActivities<FloorActivities>({ startToCloseTimeout: '10s' });

export const claim = defineUpdate<FloorRow, [string]>('claim');
export const complete = defineUpdate<FloorRow, [string]>('complete');

export async function floorTask(id: string): Promise<void> {
  const row: FloorRow = { id, status: 'ready', agent: null, token: 0, rev: 0 };
  setHandler(claim, async (agent) => {
    Object.assign(row, { status: 'in_progress', agent, token: row.token + 1, rev: row.rev + 1 });
    await local.write(row);
    return { ...row };
  });
  setHandler(complete, async () => {
    Object.assign(row, { status: 'done', rev: row.rev + 1 });
    await local.write(row);
    return { ...row };
  });
  await condition(() => row.status === 'done' && allHandlersFinished());
}

/** The minimum of handing a task over and receiving its result. */
export async function floorRelay(): Promise<void> {
  const row: FloorRow = { id: 'none', status: 'ready', agent: null, token: 0, rev: 0 };
  await durable.write(row);
  await durable.write(row);
}
