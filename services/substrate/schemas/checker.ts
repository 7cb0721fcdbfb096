import { Worker } from 'node:worker_threads';
import { AppError } from '../../../contracts/errors.ts';
import type { SchemaError } from '../../../contracts/substrate/schemas.ts';
import type { CheckReply, CheckRequest } from './checker-thread.ts';

export interface Checked {
  valid: boolean;
  errors: SchemaError[];
}

export interface CheckerLimits {
  /** Timeout for compiling a schema. One of 256 KB takes a second or two, several times that on a busy machine. */
  compileMs: number;
  /** Timeout for validating one instance. */
  checkMs: number;
  memoryMb: number;
  /** Maximum waiting calls. */
  waiting: number;
}

const defaults: CheckerLimits = { compileMs: 10_000, checkMs: 2_000, memoryMb: 128, waiting: 200 };
/** More than one, so that a hostile schema does not block all others. */
const maxThreads = 2;
/** Milliseconds without work after which a thread ends. */
const idleMs = 30_000;
/** A thread starts in a fraction of a second, on a busy machine in a few seconds. */
const startMs = 30_000;

interface Job {
  request: CheckRequest;
  resolve(reply: CheckReply): void;
  reject(error: Error): void;
}

interface Thread {
  worker: Worker;
  ready: boolean;
  job: Job | null;
  timer: NodeJS.Timeout | undefined;
}

/** Validates instances in threads that are terminated when a schema takes too much time or memory. */
export class Checker {
  private readonly limits: CheckerLimits;
  private readonly threads = new Set<Thread>();
  private readonly queue: Job[] = [];

  constructor(limits: Partial<CheckerLimits> = {}) {
    this.limits = { ...defaults, ...limits };
  }

  /**
   * Compiles and tests a schema.
   * @throws AppError VALIDATION_ERROR with `details.reason`: invalid, endless, time or memory; SERVICE_UNAVAILABLE:
   * too many calls wait
   */
  async compile(schema: Record<string, unknown>): Promise<void> {
    await this.run({ key: null, schema });
  }

  /**
   * @param key identifies the schema permanently: an immutable version.
   * @throws as `compile`
   */
  async check(key: string, schema: Record<string, unknown>, instance: unknown): Promise<Checked> {
    return await this.run({ key, schema, instance });
  }

  /** Terminates the threads. Idempotent. */
  async close(): Promise<void> {
    const all = [...this.threads];
    await Promise.all(all.map((thread) => this.end(thread, closing())));
    for (const job of this.queue.splice(0)) job.reject(closing());
  }

  private async run(request: CheckRequest): Promise<Checked> {
    if (this.queue.length >= this.limits.waiting) {
      throw new AppError('SERVICE_UNAVAILABLE', 'Too many schemas are being checked.', {
        hint: 'Try again in a moment.',
        retryAfterSeconds: 2,
      });
    }
    const reply = await new Promise<CheckReply>((resolve, reject) => {
      this.queue.push({ request, resolve, reject });
      this.advance();
    });
    if (reply.type === 'checked') return { valid: reply.valid, errors: reply.errors };
    if (reply.type === 'refused') throw refused(reply.message, reply.reason);
    throw new Error(`a thread said "${reply.type}" instead of an answer`);
  }

  private advance(): void {
    while (this.queue.length > 0) {
      const idle = [...this.threads].find((thread) => thread.ready && thread.job === null);
      if (idle) this.give(idle, this.queue.shift()!);
      else if (this.threads.size >= maxThreads || [...this.threads].some((thread) => !thread.ready)) return;
      else this.start();
    }
  }

  private start(): void {
    const worker = new Worker(new URL('./checker-thread.ts', import.meta.url), {
      // The thread gets none of our environment.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.limits.memoryMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
      stdout: true,
      stderr: true,
    });
    const thread: Thread = { worker, ready: false, job: null, timer: undefined };
    this.threads.add(thread);
    worker.on('message', (reply: CheckReply) => this.onReply(thread, reply));
    worker.on('error', (error) => void this.end(thread, tooMuch(error)));
    worker.on('exit', () => void this.end(thread, new Error('the thread that checks schemas has ended')));
    thread.timer = setTimeout(() => void this.end(thread, new Error('the thread that checks schemas does not start')), startMs);
  }

  private give(thread: Thread, job: Job): void {
    thread.job = job;
    thread.worker.ref();
    thread.worker.postMessage(job.request);
    this.limit(thread, 'compile', this.limits.compileMs);
  }

  private limit(thread: Thread, what: string, ms: number): void {
    clearTimeout(thread.timer);
    const late = (): void => void this.end(thread, refused(`It takes longer than ${ms / 1000} s to ${what}.`, 'time'));
    // If this process was blocked, the answer may already be queued: it is read before the second timer.
    thread.timer = setTimeout(() => (thread.timer = setTimeout(late, 50)), ms);
  }

  private onReply(thread: Thread, reply: CheckReply): void {
    if (reply.type === 'compiled') {
      if (thread.job) this.limit(thread, 'follow', this.limits.checkMs);
      return;
    }
    clearTimeout(thread.timer);
    const { job } = thread;
    thread.job = null;
    thread.ready = true;
    thread.worker.unref();
    thread.timer = setTimeout(() => void this.end(thread, closing()), idleMs).unref();
    job?.resolve(reply);
    this.advance();
  }

  /**
   * Terminates a thread and rejects the calls that wait for it. A thread that never became ready fails all waiting
   * calls.
   */
  private async end(thread: Thread, why: Error): Promise<void> {
    if (!this.threads.delete(thread)) return;
    clearTimeout(thread.timer);
    thread.job?.reject(why);
    if (!thread.ready && this.threads.size === 0) for (const job of this.queue.splice(0)) job.reject(why);
    await thread.worker.terminate();
    this.advance();
  }
}

const refused = (message: string, reason: string): AppError =>
  new AppError('VALIDATION_ERROR', `The schema cannot be used: ${message}`, {
    hint: 'JSON Schema 2020-12; a smaller or simpler schema (or instance) needs less.',
    details: { reason },
  });

const closing = (): AppError => new AppError('SERVICE_UNAVAILABLE', 'This process is about to end.', { retryAfterSeconds: 1 });

const tooMuch = (error: Error): Error =>
  (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY' ? refused('It needs too much memory.', 'memory') : error;
