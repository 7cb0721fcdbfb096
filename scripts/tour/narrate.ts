import { clean, paint, say } from '../../cli/output.ts';

export type Tell = (line: string) => void;

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

let step = 0;

/** Runs one step of the tour, and prints its heading and its duration. */
export async function narrate<T>(title: string, work: (tell: Tell) => Promise<T>): Promise<T> {
  step += 1;
  const started = performance.now();
  say();
  say(paint('bold', `${step}. ${title}`));
  const result = await work((line) => say(`   ${clean(line)}`));
  say(paint('dim', `   ${seconds(performance.now() - started)}`));
  return result;
}

/** @throws Error naming the failed expectation */
export function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`expected that ${what}`);
}
