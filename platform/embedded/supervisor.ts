/** Keeps the children of the stack running: restarts what crashes, stops all in order. */
import { copyFileSync, existsSync, statSync, truncateSync } from 'node:fs';
import { type Exit, messageOf, type Running } from './process.ts';

export interface ChildSpec {
  name: string;
  /** Starts it and resolves when it is ready. `signal` aborts when everything is being stopped. */
  start(signal: AbortSignal): Promise<Running>;
  /** Its log, kept below `maxLogBytes`. */
  log?: string;
}

export interface SupervisorOptions {
  /** Names in the order to stop them; others are stopped first. */
  stopOrder: string[];
  /** Receives a line when a child ends or is back. */
  onEvent?: (line: string) => void;
  /** Called when a child got a new pid. */
  onRestart?: (name: string, pid: number) => void;
  /** Milliseconds before each restart after consecutive crashes; the last value repeats. */
  backoffMs?: number[];
  /** After running this many milliseconds, a crash counts as the first again. */
  healthyMs?: number;
  maxLogBytes?: number;
}

export interface Supervisor {
  /** Starts a child and keeps it running. @throws whatever its first start throws */
  start<T extends Running>(spec: Omit<ChildSpec, 'start'> & { start(signal: AbortSignal): Promise<T> }): Promise<T>;
  /** pids of the running children. */
  pids(): Record<string, number>;
  /** Stops all. Never rejects; safe to call twice. */
  stop(): Promise<void>;
}

interface Child {
  spec: ChildSpec;
  running: Running | null;
  /** The start in progress, if any: stopping waits for it. */
  starting: Promise<unknown>;
}

/** Immediately, then with increasing delays, so that a failing child does not overload the machine. */
const defaultBackoff = [0, 500, 1000, 2000, 4000, 8000, 10_000];
const LOG_CHECK_MS = 60_000;

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const children = new Map<string, Child>();
  const abort = new AbortController();
  const backoff = options.backoffMs ?? defaultBackoff;
  const event = options.onEvent ?? (() => {});
  let stopping: Promise<void> | undefined;

  const logTimer = setInterval(() => {
    for (const { spec } of children.values()) if (spec.log) rotateLog(spec.log, options.maxLogBytes);
  }, LOG_CHECK_MS);
  logTimer.unref();

  /** Watches one child and restarts it, until everything is stopped. */
  async function watch(child: Child, first: Running): Promise<void> {
    let crashes = 0;
    for (let running: Running | null = first; running !== null;) {
      const since = Date.now();
      const exit = await running.exited;
      child.running = null;
      if (abort.signal.aborted) return;
      if (Date.now() - since >= (options.healthyMs ?? 30_000)) crashes = 0;
      event(`${child.spec.name} ended (${describe(exit)}); starting it again`);
      running = null;
      while (running === null && !abort.signal.aborted) {
        const delay = backoff[Math.min(crashes, backoff.length - 1)] ?? 0;
        crashes += 1;
        running = await startAfter(child, delay);
      }
      if (running === null) return;
      event(`${child.spec.name} is back (pid ${running.pid})`);
      options.onRestart?.(child.spec.name, running.pid);
    }
  }

  async function startAfter(child: Child, delayMs: number): Promise<Running | null> {
    if (delayMs > 0) await pause(delayMs, abort.signal);
    if (abort.signal.aborted) return null;
    return startOnce(child).catch((error: unknown) => {
      event(`${child.spec.name} does not start: ${messageOf(error)}`);
      return null;
    });
  }

  function startOnce(child: Child): Promise<Running> {
    if (child.spec.log) rotateLog(child.spec.log, options.maxLogBytes);
    const starting = child.spec.start(abort.signal).then((running) => (child.running = running));
    child.starting = starting.catch(() => {});
    return starting;
  }

  async function stopAll(): Promise<void> {
    abort.abort();
    clearInterval(logTimer);
    const ordered = [...children.values()].sort((a, b) => options.stopOrder.indexOf(a.spec.name) - options.stopOrder.indexOf(b.spec.name));
    for (const child of ordered) {
      await child.starting;
      await child.running?.stop().catch((error: unknown) => event(`${child.spec.name} cannot be stopped: ${messageOf(error)}`));
    }
  }

  return {
    async start<T extends Running>(spec: Omit<ChildSpec, 'start'> & { start(signal: AbortSignal): Promise<T> }): Promise<T> {
      if (abort.signal.aborted) throw new Error('The supervisor is stopping.');
      const child: Child = { spec, running: null, starting: Promise.resolve() };
      children.set(spec.name, child);
      const running = (await startOnce(child)) as T;
      void watch(child, running);
      return running;
    },
    pids: () =>
      Object.fromEntries([...children.values()].flatMap((child) => (child.running ? [[child.spec.name, child.running.pid]] : []))),
    stop: () => (stopping ??= stopAll()),
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(finish, ms);
    function finish(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      done();
    }
    signal.addEventListener('abort', finish, { once: true });
  });
}

const describe = (exit: Exit): string => (exit.signal === null ? `exit code ${exit.code}` : exit.signal);

/** Copies and truncates: the child keeps its open file and continues to append. */
export function rotateLog(file: string, maxBytes = 10_000_000): void {
  try {
    if (!existsSync(file) || statSync(file).size <= maxBytes) return;
    copyFileSync(file, `${file}.1`);
    truncateSync(file, 0);
  } catch {
    // A failed rotation is not fatal.
  }
}
