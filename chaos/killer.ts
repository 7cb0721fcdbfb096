/**
 * Kills processes of a running stack with -9, one at a time and sometimes two, and waits until all serve again. With
 * several apis or workers it kills one of them, and restarts all one after the other as a deployment does.
 */
import { eventually } from '../bench/context.ts';
import type { Runtime } from '../platform/config.ts';
import type { Journal } from './journal.ts';
import { pause } from './load.ts';
import type { Random } from './random.ts';
import { isBack, rollingRestart, type Instance } from './several.ts';

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
  /** Apis and workers. */
  instances: readonly Instance[];
  /** Whether all are restarted in the middle, and sometimes later. */
  rolling: boolean;
  say(line: string): void;
}

const rollingAgain = 0.15;

export async function killer({ runtime, journal, random, until, targets, instances, rolling, say }: KillerOptions): Promise<void> {
  // Kills every process once before choosing at random, so that a short run covers all.
  const first = shuffled([...targets], random);
  const middle = (Date.now() + until) / 2;
  let rolled = !rolling;
  for (;;) {
    await pause(random.between(...calm) * 1000);
    if (Date.now() >= until && rolled) return;
    if (rolling && (rolled ? random.chance(rollingAgain) : Date.now() >= middle)) {
      rolled = true;
      const restart = { at: Date.now(), what: 'rolling restart' };
      journal.kills.push(restart);
      await rollingRestart(instances, say);
      Object.assign(restart, { backAfter: Date.now() - restart.at });
      continue;
    }
    const kinds: Target[] = [first.shift() ?? random.pick(targets)];
    if (targets.length > 1 && random.chance(twoAtOnce)) kinds.push(random.pick(targets.filter((target) => target !== kinds[0])));
    const victims = kinds.map((kind) => one(kind, instances, runtime, random));
    const before = victims.map((victim) => victim.pid());
    const kill = { at: Date.now(), what: kinds.toSorted().join('+') };
    journal.kills.push(kill);
    for (const pid of before) end(pid);
    say(`killed ${victims.map(({ name }) => name).join('+')}`);
    const all = [...victims.map((victim, i) => ({ victim, before: before[i] })), ...instances.map((victim) => ({ victim, before: 0 }))];
    const back = async (): Promise<boolean> => (await Promise.all(all.map((each) => isBack(each.victim, each.before)))).every(Boolean);
    await eventually(`${kill.what} is back`, back, backWithin);
    Object.assign(kill, { backAfter: Date.now() - kill.at });
  }
}

/** One of the processes of a kind. */
function one(kind: Target, instances: readonly Instance[], runtime: Runtime, random: Random): Pick<Instance, 'name' | 'pid' | 'url'> {
  const some = instances.filter((instance) => instance.kind === kind);
  return some.length > 0 ? random.pick(some) : { name: kind, pid: () => runtime.pids[kind] };
}

function end(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended, because a process that it needs was killed just before.
  }
}

function shuffled<T>(values: T[], random: Random): T[] {
  for (let i = values.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random.next() * (i + 1));
    [values[i], values[j]] = [values[j]!, values[i]!];
  }
  return values;
}
