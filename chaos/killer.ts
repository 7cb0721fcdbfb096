/** Kills processes of a running stack with -9, one at a time and sometimes two, and waits until all serve again. */
import { eventually } from '../bench/context.ts';
import type { Runtime } from '../platform/config.ts';
import type { Journal } from './journal.ts';
import { pause } from './load.ts';
import type { Random } from './random.ts';

export const everything = ['api', 'worker', 'temporal', 'postgres'] as const;
export type Target = (typeof everything)[number];

/** Seconds of load between two kills. */
const calm = [3, 9] as const;
const twoAtOnce = 0.25;
const backWithin = 120_000;

export interface KillerOptions {
  runtime: Runtime;
  journal: Journal;
  random: Random;
  until: number;
  /** Processes that may be killed. */
  targets: readonly Target[];
  say(line: string): void;
}

export async function killer({ runtime, journal, random, until, targets, say }: KillerOptions): Promise<void> {
  // Kills every process once before choosing at random, so that a short run covers all.
  const first = shuffled([...targets], random);
  for (;;) {
    await pause(random.between(...calm) * 1000);
    if (Date.now() >= until) return;
    const victims: Target[] = [first.shift() ?? random.pick(targets)];
    if (targets.length > 1 && random.chance(twoAtOnce)) victims.push(random.pick(targets.filter((target) => target !== victims[0])));
    const before = victims.map((victim) => runtime.pids[victim] ?? 0);
    const kill = { at: Date.now(), what: victims.toSorted().join('+') };
    journal.kills.push(kill);
    for (const pid of before) end(pid);
    say(`killed ${kill.what}`);
    await eventually(`${kill.what} is back`, () => serves(runtime, victims, before), backWithin);
    Object.assign(kill, { backAfter: Date.now() - kill.at });
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended, because a process that it needs was killed just before.
  }
}

async function serves(runtime: Runtime, victims: Target[], before: number[]): Promise<boolean> {
  if (victims.some((victim, i) => runtime.pids[victim] === undefined || runtime.pids[victim] === before[i])) return false;
  const ready = await fetch(`${runtime.api}/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
  await ready?.arrayBuffer().catch(() => {});
  return ready?.ok ?? false;
}

function shuffled<T>(values: T[], random: Random): T[] {
  for (let i = values.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random.next() * (i + 1));
    [values[i], values[j]] = [values[j]!, values[i]!];
  }
  return values;
}
