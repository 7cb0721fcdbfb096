import type { BenchStack } from './stack.ts';

/** What every measure gets. */
export interface Context {
  stack: BenchStack;
  /** A line about what is going on. */
  say(line: string): void;
  /** Fewer rounds, for a look rather than a figure. */
  quick: boolean;
  /** Folder of the development data, which is no part of the project. */
  dataDir: string;
}

/** Waits for a condition, not for a time. @throws Error naming what was waited for */
export async function eventually<T>(what: string, probe: () => Promise<T | null | undefined | false>, timeoutMs = 60_000): Promise<T> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > until) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`);
    await new Promise((done) => setTimeout(done, 25));
  }
}
