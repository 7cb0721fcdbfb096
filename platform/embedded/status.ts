/** Looking at a running stack from outside, and stopping it. */
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
  /** Memory of it and its children in bytes, shared pages counted wholly in each; null where the system does not tell. */
  rss_bytes: number | null;
  /** The same with shared pages divided among those who share them. */
  pss_bytes: number | null;
  uptime_seconds: number | null;
}

export interface StackStatus {
  /** down: nothing runs. starting: a supervisor, not ready yet. abandoned: processes without a supervisor ("down" stops them). */
  state: 'up' | 'starting' | 'abandoned' | 'down';
  data_dir: string;
  supervisor: { pid: number; since: string } | null;
  parts: PartStatus[];
}

/** What runs of this data folder. Reads only. */
export async function status(config: Config): Promise<StackStatus> {
  const supervisor = lockHolder(config.SIGNALBOX_DATA_DIR);
  const runtime = safeRuntime(config);
  const pids = Object.entries(recordedPids(config));
  const parts = await Promise.all(pids.map(([name, pid]) => partStatus(name, pid, runtime)));
  const running = parts.some((part) => part.running);
  const without = running ? 'abandoned' : 'down';
  const state = supervisor === null ? without : runtime === null ? 'starting' : 'up';
  return { state, data_dir: resolve(config.SIGNALBOX_DATA_DIR), supervisor, parts };
}

/**
 * Stops the stack of this data folder: asks its supervisor, and stops what a killed one left behind.
 * @returns whether anything ran, and the names of what had to be stopped without a supervisor
 * @throws AppError when something cannot be stopped
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

async function partStatus(name: string, pid: number, runtime: Runtime | null): Promise<PartStatus> {
  const database = runtime ? new URL(runtime.database_url).host : null;
  const addresses: Record<string, string | null> = { api: runtime?.api ?? null, temporal: runtime?.temporal ?? null, postgres: database };
  const base = { name, pid, address: addresses[name] ?? null };
  if (!isAlive(pid)) return { ...base, running: false, rss_bytes: null, pss_bytes: null, uptime_seconds: null };
  const figures = existsSync('/proc/self/stat') ? procFigures(pid, name === 'postgres') : await psFigures(pid);
  return { ...base, running: true, ...figures };
}

type Figures = Pick<PartStatus, 'rss_bytes' | 'pss_bytes' | 'uptime_seconds'>;

/** Postgres has a process per connection; the supervisor's children are parts of their own. */
function procFigures(pid: number, withChildren: boolean): Figures {
  const all = withChildren ? [pid, ...childrenOf(pid)] : [pid];
  const sum = (file: string, field: string): number | null => {
    const values = all.map((each) => readKilobytes(`/proc/${each}/${file}`, field)).filter((value) => value !== null);
    return values.length > 0 ? values.reduce((total, value) => total + value, 0) * 1024 : null;
  };
  return { rss_bytes: sum('status', 'VmRSS'), pss_bytes: sum('smaps_rollup', 'Pss'), uptime_seconds: procUptime(pid) };
}

function readKilobytes(file: string, field: string): number | null {
  try {
    const match = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(file, 'utf8'));
    return match ? Number(match[1]) : null;
  } catch {
    return null;
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => Number(procStat(other)?.[1]) === pid);
}

function procUptime(pid: number): number | null {
  const ticks = procStat(pid)?.[19];
  if (ticks === undefined) return null;
  // Linux counts in hundredths of a second on every platform Node runs on.
  const sinceBoot = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
  return Math.max(0, Math.round(sinceBoot - Number(ticks) / 100));
}

async function psFigures(pid: number): Promise<Figures> {
  const { code, output } = await run('ps', ['-o', 'rss=,etime=', '-p', String(pid)]);
  const [rss, elapsed = ''] = output.trim().split(/\s+/);
  if (code !== 0) return { rss_bytes: null, pss_bytes: null, uptime_seconds: null };
  // [[days-]hours:]minutes:seconds
  const [days, clock] = elapsed.includes('-') ? elapsed.split('-') : ['0', elapsed];
  const seconds = (clock ?? '').split(':').reduce((total, part) => total * 60 + Number(part), 0);
  return { rss_bytes: Number(rss) * 1024, pss_bytes: null, uptime_seconds: Number(days) * 86_400 + seconds };
}
