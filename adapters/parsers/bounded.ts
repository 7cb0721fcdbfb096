import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../contracts/errors.ts';
import { currentTenant } from '../postgres/tenancy.ts';
import type { Config } from '../../platform/config.ts';
import type { HostReply, HostRequest } from './bounded-host.ts';
import { formatOf, parse } from './index.ts';
import { refusal } from './refusals.ts';
import type { Parsed, ParseInput } from './types.ts';
import { nextFile } from './waiting.ts';

/** Reads files that may be hostile: whatever a file does, this process goes on. */
export interface Parser {
  /**
   * @throws {AppError} VALIDATION_ERROR or PAYLOAD_TOO_LARGE with `details.reason` (refusals.ts) when the file cannot be
   *   read, however often it is tried; SERVICE_UNAVAILABLE when the reading was cut short by something else
   */
  parse(input: ParseInput): Promise<Parsed>;
  /** Ends the processes and refuses what still waits. Idempotent. */
  close(): Promise<void>;
}

export interface ParserSettings {
  /** For one file, from when its turn comes. */
  timeoutMs: number;
  memoryMb: number;
  maxPages: number;
  maxUnpackedBytes: number;
  /** Milliseconds without work after which a process ends. Default 60,000. */
  idleMs?: number;
}

export const parserSettings = (
  config: Pick<Config, 'PARSE_TIMEOUT_SECONDS' | 'PARSE_MEMORY_MB' | 'PARSE_MAX_PAGES' | 'PARSE_MAX_UNPACKED_MB'>,
): ParserSettings => ({
  timeoutMs: config.PARSE_TIMEOUT_SECONDS * 1000,
  memoryMb: config.PARSE_MEMORY_MB,
  maxPages: config.PARSE_MAX_PAGES,
  maxUnpackedBytes: config.PARSE_MAX_UNPACKED_MB * 1024 * 1024,
});

/** Of one tenant; another one that has no file under way finds a further process, so that it never waits for these. */
const maxProcesses = 2;
/** A process is replaced after so many files, or when it keeps this share of what one file may take. */
const filesPerProcess = 100;
const keptShare = 0.5;
/** What Node and the libraries need themselves. */
const baseMb = 160;
/** Starting takes a fraction of a second, on a busy machine a few. */
const startMs = 30_000;
/** Read within milliseconds, without which claims would wait: they are served by this process. */
const cheapBytes = 256 * 1024;
const cheapFormats: ReadonlySet<string> = new Set(['txt', 'md', 'vtt', 'srt']);

interface Job {
  input: ParseInput;
  tenant: string;
  resolve(parsed: Parsed): void;
  reject(reason: Error): void;
}

interface Host {
  child: ChildProcess;
  /** Until then nothing that goes wrong is a file's fault. */
  ready: boolean;
  job?: Job | undefined;
  files: number;
  timer?: NodeJS.Timeout | undefined;
}

/** Small plain text is read here, everything else in a process of its own with bounds on time and memory. */
export function createParser(settings: ParserSettings): Parser {
  const { timeoutMs, memoryMb, maxPages, maxUnpackedBytes, idleMs = 60_000 } = settings;
  const limits = { maxPages, maxUnpackedBytes };
  const hosts = new Set<Host>();
  const waiting: Job[] = [];
  let closed = false;

  function start(): Host {
    const child = fork(fileURLToPath(new URL('./bounded-host.ts', import.meta.url)), [String(memoryMb + baseMb)], {
      serialization: 'advanced',
      // Should a file ever take over the process: it may read and compute, but not write files or start programs.
      execArgv: ['--permission', '--allow-fs-read=*', '--allow-worker', `--max-old-space-size=${memoryMb}`],
      // Nothing of our environment is its business, secrets least of all.
      env: { NODE_NO_WARNINGS: '1', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const host: Host = { child, ready: false, files: 0 };
    hosts.add(host);
    child.on('message', (message) => onReply(host, message as HostReply));
    child.on('error', (error) => onGone(host, null, null, error));
    child.on('exit', (code, signal) => onGone(host, code, signal));
    return host;
  }

  function advance(): void {
    while (waiting.length > 0) {
      const busy = [...hosts].flatMap(({ job }) => job ?? []);
      const next = nextFile(waiting, busy, maxProcesses);
      if (next === undefined) return;
      waiting.splice(waiting.indexOf(next), 1);
      give([...hosts].find((host) => host.job === undefined) ?? start(), next);
    }
  }

  function give(host: Host, job: Job): void {
    clearTimeout(host.timer);
    host.job = job;
    host.files++;
    host.child.ref();
    host.child.channel?.ref();
    const { bytes, filename, mediaType, as } = job.input;
    const request: HostRequest = {
      bytes,
      limits,
      ...(filename === undefined ? {} : { filename }),
      ...(mediaType === undefined ? {} : { mediaType }),
      ...(as === undefined ? {} : { as }),
    };
    host.child.send(request, (error) => {
      if (error !== null) onGone(host, null, null, error);
    });
    setTimer(host);
  }

  /** The file's time begins when its process is ready. */
  function setTimer(host: Host): void {
    clearTimeout(host.timer);
    const late = host.ready
      ? refusal('timeout', `The file took longer than ${timeoutMs / 1000} s to be read.`, { details: { timeout_ms: timeoutMs } })
      : unavailable('its process did not start in time');
    host.timer = setTimeout(
      () => {
        void end(host, late);
        advance();
      },
      host.ready ? timeoutMs : startMs,
    );
  }

  function onReply(host: Host, reply: HostReply): void {
    const { job } = host;
    if (job === undefined) return;
    if (reply.type === 'ready') {
      host.ready = true;
      setTimer(host);
      return;
    }
    host.job = undefined;
    if (reply.type === 'parsed') job.resolve(reply.parsed);
    else if (reply.type === 'refused') job.reject(new AppError(reply.code, reply.message, { ...reply.extra }));
    else job.reject(new Error(reply.message));
    clearTimeout(host.timer);
    if (host.files >= filesPerProcess || reply.rssMb > baseMb + memoryMb * keptShare) void end(host);
    else {
      // An idle process must not keep this one alive.
      host.child.unref();
      host.child.channel?.unref();
      host.timer = setTimeout(() => void end(host), idleMs).unref();
    }
    advance();
  }

  /** The process ended by itself. */
  function onGone(host: Host, code: number | null, signal: NodeJS.Signals | null, error?: Error): void {
    if (!hosts.delete(host)) return;
    clearTimeout(host.timer);
    if (error !== undefined) host.child.kill('SIGKILL');
    host.job?.reject(
      host.ready ? whyGone(code, signal, memoryMb, error) : unavailable(`its process did not start (${error?.message ?? signal ?? code})`),
    );
    host.job = undefined;
    advance();
  }

  /** Ends a process at once: it holds nothing worth a goodbye. */
  function end(host: Host, reason?: AppError): Promise<void> {
    hosts.delete(host);
    clearTimeout(host.timer);
    if (reason !== undefined) host.job?.reject(reason);
    host.job = undefined;
    const { child } = host;
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      child.ref();
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  }

  return {
    parse(input) {
      if (closed) return Promise.reject(unavailable('the parser was closed'));
      const cheap = input.as === undefined && input.bytes.length <= cheapBytes && cheapFormats.has(formatOf(input) ?? '');
      if (cheap) return parse(input, limits);
      return new Promise<Parsed>((resolve, reject) => {
        waiting.push({ input, tenant: currentTenant(), resolve, reject });
        advance();
      });
    },
    async close() {
      closed = true;
      for (const job of waiting.splice(0)) job.reject(unavailable('the parser was closed'));
      await Promise.all([...hosts].map((host) => end(host, unavailable('the parser was closed'))));
    },
  };
}

const unavailable = (why: string, cause?: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', `The file could not be read now: ${why}.`, {
    hint: 'Try again in a moment.',
    ...(cause === undefined ? {} : { cause }),
  });

/** Whose fault it was: the file's when the process ran out of memory or crashed, nobody's when it was killed from outside. */
function whyGone(code: number | null, signal: NodeJS.Signals | null, memoryMb: number, error?: Error): AppError {
  if (error !== undefined) return unavailable(`its process could not be used (${error.message})`, error);
  // SIGUSR2 is the process's own watch over its memory, SIGABRT and 134 are V8's; kills come as SIGKILL or SIGTERM.
  if (signal === 'SIGUSR2' || signal === 'SIGABRT' || signal === 'SIGTRAP' || code === 134 || code === 133) {
    return refusal('out_of_memory', `The file needs more than ${memoryMb} MB of memory to be read.`, { details: { memory_mb: memoryMb } });
  }
  if (signal === 'SIGSEGV' || signal === 'SIGBUS' || signal === 'SIGILL' || (code !== null && code !== 0)) {
    return refusal('damaged', `Reading the file ended its process (${signal ?? `exit code ${code}`}).`);
  }
  return unavailable(`its process was ended (${signal ?? code})`);
}
