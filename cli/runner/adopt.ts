/** Runs that a former runner of this name has left open. */
import { isAway } from './api.ts';
import { endAll } from './process.ts';
import { Run } from './run.ts';
import type { Shop } from './shop.ts';
import { endState, openStates, type RunState } from './state.ts';
import { workerName } from './settings.ts';

/** The runs whose lease still stands, to go on with. The others are ended here, and nothing is written for them. */
export async function adopt(shop: Shop, go: () => boolean): Promise<Run[]> {
  const { settings } = shop;
  const prefix = workerName(settings, 0).replace(/0$/, '');
  const own = openStates(settings.data).filter(({ worker }) => worker.startsWith(prefix) && /^\d+$/.test(worker.slice(prefix.length)));
  const runs = await Promise.all(own.map(async (state) => await take(shop, state, go)));
  return runs.filter((run) => run !== null);
}

async function take(shop: Shop, state: RunState, go: () => boolean): Promise<Run | null> {
  const { settings, api } = shop;
  const { task, token, worker } = state;
  try {
    await api.call('work.task.heartbeat', { task_id: task, fencing_token: token }, { agentId: worker, until: go });
  } catch (error) {
    if (isAway(error)) throw error;
    await endAll(state.run, state.pid === null ? null : { pid: state.pid, mark: state.mark }, settings.pace.grace);
    endState(settings.data, state.run);
    settings.say(`${task}: its lease has ended (${(error as Error).message}); the agent is stopped.`);
    return null;
  }
  if (state.agent !== settings.agent.name) {
    // Its output has another format: given back, for a claim of its own.
    settings.say(`${task} was begun with ${state.agent}: it is given back.`);
    const run = new Run(shop, state);
    run.halt('released');
    return run;
  }
  settings.say(`${task}: taken over where it stands.`);
  return new Run(shop, state);
}
