/** The helper's side of a pool (pool.ts): what a forked process or a thread runs. */
import { setPriority } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { AppError, type ErrorCode } from '../../contracts/errors.ts';

/** What a helper is started with: a process gets it as JSON in its one argument, a thread as its data. */
export interface Start {
  settings: unknown;
  niceness: number;
  /** Megabytes that the whole process may hold; null: no limit. */
  maxMb: number | null;
}

/** What a helper sends to its pool. After `ready` each request gets one answer: `done`, `refused` or `failed`. */
export type Message =
  | { type: 'ready' }
  | { type: 'unusable'; message: string }
  | { type: 'stage'; stage: string }
  | { type: 'done'; reply: unknown; rssMb: number }
  | { type: 'refused'; code: ErrorCode; message: string; extra: object; rssMb: number }
  | { type: 'failed'; message: string; stack: string | undefined; rssMb: number };

/** `enter` names the stage of the job that begins now; the deadline of that stage replaces the one before. */
type Handler<Request, Reply> = (request: Request, enter: (stage: string) => void) => Reply | Promise<Reply>;

const send = (message: Message): void => {
  if (parentPort) parentPort.postMessage(message);
  // An error is ignored when the pool is gone: `disconnect` ends this process.
  else process.send?.(message, () => {});
};
const rssMb = (): number => process.memoryUsage.rss() / (1024 * 1024);

/**
 * Loads once and then answers the requests of the pool that started this file. An AppError that the handler throws
 * reaches the caller of the pool unchanged.
 */
export async function serve<Settings, Request, Reply>(
  load: (settings: Settings) => Handler<Request, Reply> | Promise<Handler<Request, Reply>>,
): Promise<void> {
  const start = (isMainThread ? JSON.parse(process.argv[2] ?? '{}') : workerData) as Start;
  if (isMainThread) beChild(start);
  let handler: Handler<Request, Reply>;
  try {
    handler = await load(start.settings as Settings);
  } catch (error) {
    send({ type: 'unusable', message: messageOf(error) });
    return;
  }
  const answer = async (request: Request): Promise<void> => {
    try {
      const reply = await handler(request, (stage) => send({ type: 'stage', stage }));
      send({ type: 'done', reply, rssMb: rssMb() });
    } catch (error) {
      const message = messageOf(error);
      if (!(error instanceof AppError))
        return send({ type: 'failed', message, stack: error instanceof Error ? error.stack : undefined, rssMb: rssMb() });
      const { code, hint, alternatives, details } = error;
      send({ type: 'refused', code, message, extra: { hint, alternatives, details }, rssMb: rssMb() });
    }
  };
  (parentPort ?? process).on('message', (request: Request) => void answer(request));
  send({ type: 'ready' });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * V8's own limit covers objects only, not buffers, which hold unpacked archives. And the main thread handles no event while
 * it computes a job. So a second thread checks the memory, and whether the parent is still there.
 */
const watch = `
  const { workerData } = require('node:worker_threads');
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    if (process.memoryUsage.rss() > workerData) process.kill(process.pid, 'SIGUSR2');
  }, 25);
`;

function beChild({ niceness, maxMb }: Start): void {
  if (maxMb !== null)
    new Worker(watch, { eval: true, workerData: maxMb * 1024 * 1024, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole process group; the parent decides when this process ends.
  process.on('SIGINT', () => {});
  try {
    setPriority(0, niceness);
  } catch {
    // The priority is a courtesy; some systems do not permit it.
  }
}
