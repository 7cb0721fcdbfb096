import type { BenchStack } from './stack.ts';

/** The input of every measure. */
export interface Context {
  stack: BenchStack;
  /** Prints a line about the progress. */
  say(line: string): void;
  /** Fewer rounds, for a quick estimate. */
  quick: boolean;
  /** Folder of the development data, which is not in the repository. */
  dataDir: string;
}

/** Polls a condition. @throws Error naming the condition at the timeout */
export async function eventually<T>(what: string, probe: () => Promise<T | null | undefined | false>, timeoutMs = 60_000): Promise<T> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > until) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`);
    await new Promise((done) => setTimeout(done, 25));
  }
}
