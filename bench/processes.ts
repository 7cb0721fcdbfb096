/** Processor time and memory of processes, from /proc. */
import { readFileSync, readdirSync } from 'node:fs';
import type { Runtime } from '../platform/config.ts';

interface Stat {
  pid: number;
  parent: number;
  /** Milliseconds of processor time, ended children included. */
  cpuMs: number;
}

/** /proc reports processor time in hundredths of a second. */
const tickMs = 10;

function stats(): Stat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8');
        const fields = text
          .slice(text.lastIndexOf(')') + 2)
          .split(' ')
          .map(Number);
        const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
        return [{ pid: Number(name), parent: fields[1] ?? 0, cpuMs: ticks * tickMs }];
      } catch {
        return [];
      }
    });
}

/** A process with its descendants. This process counts alone, because the stack is among its descendants. */
function tree(all: Stat[], root: number): Stat[] {
  const found = all.filter((stat) => stat.pid === root);
  if (root === process.pid) return found;
  for (const parent of found) found.push(...all.filter((stat) => stat.parent === parent.pid));
  return found;
}

/** Processor time of each named process and its children so far, in ms. */
function cpuOf(pids: Record<string, number>): Record<string, number> {
  const all = stats();
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, tree(all, pid).reduce((sum, stat) => sum + stat.cpuMs, 0)]));
}

const cpuSince = (pids: Record<string, number>, before: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(cpuOf(pids)).map(([name, cpu]) => [name, cpu - (before[name] ?? 0)]));

/** The processes that a call of the product or of its floor uses. */
export const stackPids = (runtime: Runtime, floor?: { workerPid: number }): Record<string, number> => ({
  caller: process.pid,
  ...Object.fromEntries(Object.entries(runtime.pids).filter(([name]) => name !== 'supervisor')),
  ...(floor ? { floorWorker: floor.workerPid } : {}),
});

/** Processes that this one has started itself, e.g. for models: its children that are no part of the stack. */
export function helperPids(runtime: Runtime): Record<string, number> {
  const stack = new Set(Object.values(runtime.pids));
  const own = stats().filter(({ pid, parent }) => parent === process.pid && !stack.has(pid));
  return Object.fromEntries(own.map(({ pid }, i) => [`helper ${i + 1}`, pid]));
}

/** Processor time by contender and process, summed over their blocks. */
export class CpuMeter {
  private used: Record<string, Record<string, number>> = {};
  private readonly pids: Record<string, number>;

  constructor(pids: Record<string, number>) {
    this.pids = pids;
  }

  readonly around = async (name: string, block: () => Promise<unknown>): Promise<void> => {
    const before = cpuOf(this.pids);
    await block();
    const sums = (this.used[name] ??= {});
    for (const [part, ms] of Object.entries(cpuSince(this.pids, before))) sums[part] = (sums[part] ?? 0) + ms;
  };

  reset(): void {
    this.used = {};
  }

  /** Milliseconds per call: in total, and by process. */
  perCall(name: string, calls: number): { total: number; parts: Record<string, number>; text: string } {
    const parts = Object.fromEntries(Object.entries(this.used[name] ?? {}).map(([part, ms]) => [part, ms / calls]));
    const total = Object.values(parts).reduce((sum, ms) => sum + ms, 0);
    const text = Object.entries(parts)
      .filter(([, ms]) => ms >= 0.05)
      .map(([part, ms]) => `${part} ${ms.toFixed(1)}`)
      .join(' + ');
    return { total, parts, text: `${total.toFixed(1)} (${text})` };
  }
}

export interface Memory {
  rss: number;
  /** Proportional set size: shared pages are divided among their processes. */
  pss: number;
}

/** Memory of each named process and its children, in bytes. */
export function memoryOf(pids: Record<string, number>): Record<string, Memory> {
  const all = stats();
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const parts = tree(all, pid).map(({ pid: each }) => rollup(each));
      return [name, { rss: parts.reduce((sum, part) => sum + part.rss, 0), pss: parts.reduce((sum, part) => sum + part.pss, 0) }];
    }),
  );
}

function rollup(pid: number): Memory {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const bytes = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
    return { rss: bytes('Rss'), pss: bytes('Pss') };
  } catch {
    return { rss: 0, pss: 0 };
  }
}
