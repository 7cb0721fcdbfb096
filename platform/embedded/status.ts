/** Inspects a running stack from outside, and stops it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, readRuntime, type Runtime } from '../config.ts';
import { recordedPids, stopLeftovers } from './leftovers.ts';
import { lockHolder, takeLock } from './lock.ts';
import { isAlive, procStat, run, stopPid } from './process.ts';

export interface PartStatus {
  name: string;
  pid: number;
  running: boolean;
  /** host:port or URL it serves, when it serves one. */
  address: string | null;
  /**
   * Memory of it and its children in bytes, with shared pages counted in each; null where the system does not show
   * it.
   */
  rss_bytes: number | null;
  /** The same with shared pages divided among their users. */
  pss_bytes: number | null;
  uptime_seconds: number | null;
}

export interface StackStatus {
  /**
   * down: nothing runs. starting: a supervisor, not ready yet. abandoned: processes without a supervisor ("down"
   * stops them).
   */
  state: 'up' | 'starting' | 'abandoned' | 'down';
  data_dir: string;
  supervisor: { pid: number; since: string } | null;
  parts: PartStatus[];
}

/** The running processes of this data folder. Reads only. */
export async function status(config: Config): Promise<StackStatus> {
  const supervisor = lockHolder(config.SIGNALBOX_DATA_DIR);
  const runtime = safeRuntime(config);
  const pids = Object.entries(recordedPids(config));
  const parts = await Promise.all(pids.map(([name, pid]) => partStatus(name, pid, runtime, new Set(pids.map(([, each]) => each)))));
  const running = parts.some((part) => part.running);
  const without = running ? 'abandoned' : 'down';
  const state = supervisor === null ? without : runtime === null ? 'starting' : 'up';
  return { state, data_dir: resolve(config.SIGNALBOX_DATA_DIR), supervisor, parts };
}

/**
 * Stops the stack of this data folder: asks its supervisor, and stops the leftovers of a killed one.
 * @returns whether anything ran, and the names of processes stopped without a supervisor
 * @throws AppError when one cannot be stopped
 */
export async function down(config: Config, onProgress: (line: string) => void = () => {}): Promise<{ ran: boolean; leftovers: string[] }> {
  const dir = resolve(config.SIGNALBOX_DATA_DIR);
  if (!existsSync(dir)) return { ran: false, leftovers: [] };
  const supervisor = lockHolder(dir);
  if (supervisor !== null) {
    onProgress(`Stopping (pid ${supervisor.pid})`);
    // Longer than the deadlines of all children together.
    await stopPid(supervisor.pid, [
      ['SIGTERM', 60_000],
      ['SIGKILL', 5000],
    ]);
  }
  const release = await takeLock(dir);
  try {
    const leftovers = await stopLeftovers(config, onProgress);
    return { ran: supervisor !== null || leftovers.length > 0, leftovers };
  } finally {
    await release();
  }
}

function safeRuntime(config: Config): Runtime | null {
  try {
    return readRuntime(config);
  } catch {
    return null;
  }
}

async function partStatus(name: string, pid: number, runtime: Runtime | null, parts: ReadonlySet<number>): Promise<PartStatus> {
  const database = runtime ? new URL(runtime.database_url).host : null;
  const addresses: Record<string, string | null> = { api: runtime?.api ?? null, temporal: runtime?.temporal ?? null, postgres: database };
  const base = { name, pid, address: addresses[name] ?? null };
  if (!isAlive(pid)) return { ...base, running: false, rss_bytes: null, pss_bytes: null, uptime_seconds: null };
  const figures = existsSync('/proc/self/stat') ? procFigures(pid, parts) : await psFigures(pid, parts);
  return { ...base, running: true, ...figures };
}

type Figures = Pick<PartStatus, 'rss_bytes' | 'pss_bytes' | 'uptime_seconds'>;

/**
 * Including descendants: Postgres has a process per connection, api and worker run models and parsers in child
 * processes.
 */
function procFigures(pid: number, parts: ReadonlySet<number>): Figures {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name): [number, number] => [Number(name), Number(procStat(Number(name))?.[1])]);
  const all = treeOf(pid, parents, parts);
  const rss = new Map(all.map((each) => [each, readKilobytes(`/proc/${each}/status`, 'VmRSS')]));
  const pss = new Map(all.map((each) => [each, readKilobytes(`/proc/${each}/smaps_rollup`, 'Pss')]));
  const known = [...pss.values()].some((value) => value !== null);
  return {
    rss_bytes: kilobytes([...rss.values()]),
    // A process of another user may hide its share; its total memory is used instead.
    pss_bytes: known ? kilobytes(all.map((each) => pss.get(each) ?? rss.get(each) ?? null)) : null,
    uptime_seconds: procUptime(pid),
  };
}

/**
 * A process and its descendants.
 * @param parents pairs of a pid and its parent's
 * @param parts pids that are counted separately: the supervisor's children are parts themselves
 */
export function treeOf(pid: number, parents: readonly (readonly [number, number])[], parts: ReadonlySet<number>): number[] {
  const tree = new Set([pid]);
  for (let before = 0; before < tree.size;) {
    before = tree.size;
    for (const [child, parent] of parents) if (tree.has(parent) && !parts.has(child)) tree.add(child);
  }
  return [...tree];
}

function kilobytes(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? known.reduce((total, value) => total + value, 0) * 1024 : null;
}

function readKilobytes(file: string, field: string): number | null {
  try {
    const match = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(file, 'utf8'));
    return match ? Number(match[1]) : null;
  } catch {
    return null;
  }
}

function procUptime(pid: number): number | null {
  const ticks = procStat(pid)?.[19];
  if (ticks === undefined) return null;
  // Linux counts in hundredths of a second on every platform Node runs on.
  const sinceBoot = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
  return Math.max(0, Math.round(sinceBoot - Number(ticks) / 100));
}

async function psFigures(pid: number, parts: ReadonlySet<number>): Promise<Figures> {
  const { code, output } = await run('ps', ['-axo', 'pid=,ppid=,rss=,etime=']);
  if (code !== 0) return { rss_bytes: null, pss_bytes: null, uptime_seconds: null };
  const rows = output
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const tree = new Set(treeOf(pid, rows.map(([child, parent]) => [Number(child), Number(parent)]), parts)); // prettier-ignore
  const rss = kilobytes(rows.filter(([each]) => tree.has(Number(each))).map((row) => Number(row[2])));
  const elapsed = rows.find(([each]) => Number(each) === pid)?.[3] ?? '';
  // [[days-]hours:]minutes:seconds
  const [days, clock] = elapsed.includes('-') ? elapsed.split('-') : ['0', elapsed];
  const seconds = (clock ?? '').split(':').reduce((total, part) => total * 60 + Number(part), 0);
  return { rss_bytes: rss, pss_bytes: null, uptime_seconds: Number(days) * 86_400 + seconds };
}
