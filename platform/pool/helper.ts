/** One interface for a forked process and for a thread; pool.ts uses it. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Message, Start } from './serve.ts';

/** Why a helper ended. */
export interface End {
  /**
   * `memory`: it took more than it may. `crashed`: it failed by itself. `killed`: something else ended it. `unusable`: it did
   * not start or load, or cannot be reached.
   */
  why: 'memory' | 'crashed' | 'killed' | 'unusable';
  /** Signal, exit code or message. */
  said: string;
  cause?: Error;
}

export interface Helper {
  send(request: unknown): void;
  /** Sets whether the helper keeps our process alive. */
  hold(held: boolean): void;
  /** Ends it at once; `onGone` follows. */
  kill(): void;
}

export interface HelperOptions {
  kind: 'process' | 'thread';
  file: URL;
  memoryMb: number | undefined;
  start: Omit<Start, 'maxMb'>;
  onMessage(message: Message): void;
  /** Called when the helper has ended, perhaps twice. */
  onGone(end: End): void;
}

/** Memory of Node and the libraries without a job. */
const baseMb = 160;
const keptShare = 0.5;

/** Whether an idle process uses so much memory that it should be replaced: more than half of a job's limit. */
export const keepsTooMuch = (rssMb: number, memoryMb: number): boolean => rssMb > baseMb + memoryMb * keptShare;

export const startHelper = (options: HelperOptions): Helper => (options.kind === 'process' ? startProcess(options) : startThread(options));

function startProcess({ file, memoryMb, start, onMessage, onGone }: HelperOptions): Helper {
  const bounded = memoryMb !== undefined;
  const whole: Start = { ...start, maxMb: bounded ? memoryMb + baseMb : null };
  const child = fork(fileURLToPath(file), [JSON.stringify(whole)], {
    serialization: 'advanced',
    // If a hostile job takes over the process, it can read and compute, but not write files or start programs.
    execArgv: bounded ? ['--permission', '--allow-fs-read=*', '--allow-worker', `--max-old-space-size=${memoryMb}`] : [],
    // Our environment holds secrets, and no helper needs it.
    env: { NODE_NO_WARNINGS: '1', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', bounded ? 'ignore' : 'inherit', 'ipc'],
  });
  const failed = (error: Error | null): void => {
    if (error === null) return;
    child.kill('SIGKILL');
    onGone({ why: 'unusable', said: error.message, cause: error });
  };
  child.on('message', (message) => onMessage(message as Message));
  child.on('error', failed);
  child.on('exit', (code, signal) => onGone(whyEnded(code, signal)));
  return {
    send: (request) => void child.send(request as object, failed),
    hold(held) {
      child[held ? 'ref' : 'unref']();
      child.channel?.[held ? 'ref' : 'unref']();
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/** When memory runs out, the watch in serve.ts sends SIGUSR2, and V8 ends with SIGABRT, SIGTRAP, 134 or 133. Kills come as SIGKILL or SIGTERM. */
function whyEnded(code: number | null, signal: NodeJS.Signals | null): End {
  const said = signal ?? `exit code ${code}`;
  if (['SIGUSR2', 'SIGABRT', 'SIGTRAP'].includes(said) || code === 134 || code === 133) return { why: 'memory', said };
  const itself = ['SIGSEGV', 'SIGBUS', 'SIGILL'].includes(said) || (code !== null && code !== 0);
  return { why: itself ? 'crashed' : 'killed', said };
}

function startThread({ file, memoryMb, start, onMessage, onGone }: HelperOptions): Helper {
  const thread = new Worker(file, {
    workerData: start,
    env: {},
    execArgv: [],
    resourceLimits: memoryMb === undefined ? {} : { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 },
    stdout: true,
    stderr: true,
  });
  thread.on('message', onMessage);
  thread.on('error', (error: NodeJS.ErrnoException) =>
    onGone({ why: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crashed', said: error.message, cause: error }),
  );
  thread.on('exit', (code) => onGone({ why: 'killed', said: `exit code ${code}` }));
  return {
    send: (request) => thread.postMessage(request),
    hold: (held) => void thread[held ? 'ref' : 'unref'](),
    kill: () => void thread.terminate(),
  };
}
