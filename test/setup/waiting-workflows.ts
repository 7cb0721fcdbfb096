import { ApplicationFailure, condition, defineSignal, setHandler } from '@temporalio/workflow';

export const spin = defineSignal('spin');
export const give = defineSignal('give');

/** Waits until it is told to fail, or to loop without an end. */
export async function waiting(): Promise<void> {
  let given = false;
  setHandler(spin, () => {
    for (;;);
  });
  setHandler(give, () => {
    given = true;
  });
  await condition(() => given);
  throw failed();
}

const failed = (): ApplicationFailure => ApplicationFailure.create({ message: 'as it was told', nonRetryable: true });
