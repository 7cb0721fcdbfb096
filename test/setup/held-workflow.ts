import { condition, defineSignal, setHandler, sleep } from '@temporalio/workflow';

/** Of a former release: a process that is under way when workers are upgraded. `wake` needs no seal. */
export async function held({ job }: { job: string }): Promise<string> {
  let woken = false;
  setHandler(defineSignal('wake'), () => void (woken = true));
  await sleep('2 ms');
  await condition(() => woken);
  return `former ${job}`;
}
