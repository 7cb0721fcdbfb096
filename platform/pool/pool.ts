import { AppError } from '../../contracts/errors.ts';
import { type End, type Helper, keepsTooMuch, startHelper } from './helper.ts';
import type { Message } from './serve.ts';

export interface PoolOptions<Request> {
  /**
   * A crash of native code in a process does not reach this one, and the end of a process gives back all its memory. A thread
   * starts sooner and takes less memory.
   */
  kind: 'process' | 'thread';
  /** The file that each helper runs; it calls `serve` (serve.ts). */
  file: URL;
  /** How many helpers may run; a function computes the number for the current jobs. */
  size: number | ((waiting: readonly Request[], busy: readonly Request[]) => number);
  /**
   * Megabytes that a job may take. A process with a limit can neither write files nor start programs, and is replaced when it
   * keeps too much between jobs. Default: no limit and no such bounds, for jobs that run native code.
   */
  memoryMb?: number;
  /** Deadline of a job in milliseconds, from when a helper that is ready gets it; a function gives one for each stage, the first is ''. */
  jobMs: number | ((stage: string) => number);
  /** Milliseconds in which a helper must get ready. Default 30,000: it takes a fraction of a second, on a busy machine a few. */
  startMs?: number;
  /** Milliseconds without work after which a helper ends; a function gives them for each slot. Default 60,000. */
  idleMs?: number | ((slot: number) => number);
  /** A helper is replaced after so many jobs. Default: never. */
  jobsEach?: number;
  /** Chooses the next job; undefined: none can start now. Default: the first. */
  next?(waiting: readonly Request[], busy: readonly Request[]): Request | undefined;
  /** The part of a request that is sent to a helper. Default: all of it. */
  pack?(request: Request): unknown;
  /** The settings for `load` in serve.ts. Called when a helper starts; if it throws, all waiting jobs are rejected. */
  settings?(): unknown;
  /** Unix nice value of a process; the first one has slot 0. Default 5: claims, Postgres and Temporal come first. */
  niceness?(slot: number): number;
  /**
   * Rejects all waiting jobs when a helper does not get ready and no other helper is ready. For helpers that load what
   * every job needs: an immediate retry would fail again. Default: rejects the one job that the helper was started for.
   */
  failTogether?: boolean;
  /** Creates the error for a job without an answer. */
  refuse(trouble: Trouble): Error;
}

export interface Trouble {
  /** As in helper.ts, and: `late`, a deadline passed; `failed`, the handler threw; `closed`, the pool was closed. */
  why: End['why'] | 'late' | 'failed' | 'closed';
  /** Whether the helper had got the job: a failure before that is never the job's fault. */
  ready: boolean;
  /** The stage of the job. */
  stage: string;
  /** Signal, exit code, message, or the deadline that passed. */
  said: string;
  cause?: Error;
}

/** A request with its place in the call that it belongs to; the jobs of a call share `resolve` and `reject`. */
interface Job<Request> {
  request: Request;
  index: number;
  resolve(reply: unknown, index: number): void;
  reject(error: Error): void;
}

/** A helper and its state. */
interface Member<Request> {
  slot: number;
  helper: Helper;
  /** Set from the start of the helper, which is started for a job. */
  job: Job<Request> | undefined;
  ready: boolean;
  stage: string;
  jobs: number;
  timer: NodeJS.Timeout | undefined;
  /** It was killed; until it has ended, it counts towards the size. */
  ending: boolean;
  gone: PromiseWithResolvers<void>;
}

/** Time after a deadline in which an answer that has arrived is still read. */
const graceMs = 50;

/**
 * Runs jobs in helpers (processes or threads), one job at a time in each, so that a job cannot stop or crash this
 * process. A helper starts when a job finds none idle, and ends when it has been idle for some time. When a job is late
 * or takes too much memory, or its helper dies, only this job is rejected; the jobs that wait get another helper.
 */
export class BoundedPool<Request, Reply> {
  private readonly options: PoolOptions<Request>;
  private readonly members = new Map<number, Member<Request>>();
  private jobs: Job<Request>[] = [];
  private closed = false;

  constructor(options: PoolOptions<Request>) {
    this.options = options;
  }

  /** How many jobs wait for a helper. */
  get waiting(): number {
    return this.jobs.length;
  }

  /** @throws an AppError of the handler, the error that `refuse` makes, or the signal's reason */
  async run(request: Request, signal?: AbortSignal): Promise<Reply> {
    const [reply] = await this.runAll([request], signal);
    return reply as Reply;
  }

  /** Runs several jobs; the replies have the order of the requests. When one job fails, those that still wait are dropped. @throws as `run` */
  async runAll(requests: readonly Request[], signal?: AbortSignal): Promise<Reply[]> {
    if (this.closed) throw this.options.refuse(closing);
    signal?.throwIfAborted();
    if (requests.length === 0) return [];
    const call = Promise.withResolvers<Reply[]>();
    const replies: Reply[] = [];
    let left = requests.length;
    const reject = (error: Error): void => {
      this.jobs = this.jobs.filter((job) => job.reject !== reject);
      call.reject(error);
    };
    const resolve = (reply: unknown, index: number): void => {
      replies[index] = reply as Reply;
      if (--left === 0) call.resolve(replies);
    };
    const abort = (): void => reject(signal?.reason as Error);
    signal?.addEventListener('abort', abort, { once: true });
    this.jobs = this.jobs.concat(requests.map((request, index) => ({ request, index, resolve, reject })));
    this.advance();
    try {
      return await call.promise;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Ends the helpers and rejects all jobs. Idempotent. */
  async close(): Promise<void> {
    this.closed = true;
    this.refuseAll(this.options.refuse(closing));
    await Promise.all([...this.members.values()].map((member) => this.end(member, closing)));
  }

  private refuseAll(error: Error): void {
    for (const job of this.jobs.splice(0)) job.reject(error);
  }

  private advance(): void {
    const { size, next = ([first]) => first } = this.options;
    while (this.jobs.length > 0) {
      const members = [...this.members.values()];
      const idle = members.find(({ job, ending }) => job === undefined && !ending);
      const busy = members.flatMap(({ job }) => (job ? [job.request] : []));
      const waiting = this.jobs.map(({ request }) => request);
      if (!idle && members.length >= (typeof size === 'number' ? size : size(waiting, busy))) return;
      const chosen = next(waiting, busy);
      const at = chosen === undefined ? -1 : waiting.indexOf(chosen);
      if (at < 0) return;
      const [job] = this.jobs.splice(at, 1);
      if (idle) this.give(idle, job!);
      else this.start(job!);
    }
  }

  private start(job: Job<Request>): void {
    const { kind, file, memoryMb, startMs = 30_000, niceness = () => 5 } = this.options;
    let slot = 0;
    while (this.members.has(slot)) slot++;
    try {
      const helper = startHelper({
        kind,
        file,
        memoryMb,
        start: { settings: this.options.settings?.(), niceness: niceness(slot) },
        onMessage: (message) => this.receive(member, message),
        onGone: (end) => this.forget(member, end),
      });
      const gone = Promise.withResolvers<void>();
      const member: Member<Request> = { slot, helper, job, ready: false, stage: '', jobs: 0, timer: undefined, ending: false, gone };
      this.members.set(slot, member);
      this.limit(member, startMs);
    } catch (error) {
      job.reject(error as Error);
      this.refuseAll(error as Error);
    }
  }

  private give(member: Member<Request>, job: Job<Request>): void {
    const { pack = (request) => request } = this.options;
    member.job = job;
    member.helper.hold(true);
    this.enter(member, '');
    member.helper.send(pack(job.request));
  }

  private enter(member: Member<Request>, stage: string): void {
    const { jobMs } = this.options;
    member.stage = stage;
    this.limit(member, typeof jobMs === 'number' ? jobMs : jobMs(stage));
  }

  private limit(member: Member<Request>, ms: number): void {
    clearTimeout(member.timer);
    const late = (): void => void this.end(member, { why: 'late', said: `${ms / 1000} s` });
    // When this process itself was held up, the answer may have arrived already: it is read before the second timer fires.
    member.timer = setTimeout(() => (member.timer = setTimeout(late, graceMs)), ms);
  }

  private receive(member: Member<Request>, message: Message): void {
    const { job } = member;
    if (job === undefined) return;
    switch (message.type) {
      case 'ready':
        member.ready = true;
        return this.give(member, job);
      case 'stage':
        return this.enter(member, message.stage);
      case 'unusable':
        return void this.end(member, { why: 'unusable', said: message.message });
      case 'done':
        job.resolve(message.reply, job.index);
        break;
      case 'refused':
        job.reject(new AppError(message.code, message.message, message.extra));
        break;
      case 'failed': {
        const cause = Object.assign(new Error(message.message), { stack: message.stack });
        job.reject(this.options.refuse({ why: 'failed', ready: true, stage: member.stage, said: message.message, cause }));
      }
    }
    this.release(member, message.rssMb);
    this.advance();
  }

  /** After a job: ends the helper when it has done enough, else lets it idle. */
  private release(member: Member<Request>, rssMb: number): void {
    const { kind, memoryMb, jobsEach = Infinity, idleMs = 60_000 } = this.options;
    clearTimeout(member.timer);
    member.job = undefined;
    member.jobs++;
    if (member.jobs >= jobsEach || (kind === 'process' && memoryMb !== undefined && keepsTooMuch(rssMb, memoryMb))) {
      void this.end(member);
      return;
    }
    // An idle helper must not keep our process alive.
    member.helper.hold(false);
    const ms = typeof idleMs === 'number' ? idleMs : idleMs(member.slot);
    member.timer = setTimeout(() => void this.end(member), ms).unref();
  }

  /** Ends a helper at once: it holds no state. */
  private end(member: Member<Request>, trouble?: Pick<Trouble, 'why' | 'said'>): Promise<void> {
    if (!member.ending) {
      member.ending = true;
      clearTimeout(member.timer);
      if (trouble) this.fail(member, trouble);
      member.helper.hold(true);
      member.helper.kill();
    }
    return member.gone.promise;
  }

  private forget(member: Member<Request>, end: End): void {
    if (this.members.get(member.slot) !== member) return;
    clearTimeout(member.timer);
    this.members.delete(member.slot);
    this.fail(member, end);
    member.gone.resolve();
    this.advance();
  }

  private fail(member: Member<Request>, trouble: Pick<Trouble, 'why' | 'said' | 'cause'>): void {
    const { job, ready, stage } = member;
    if (job === undefined) return;
    member.job = undefined;
    const error = this.options.refuse({ ready, stage, ...trouble });
    job.reject(error);
    if (this.options.failTogether && !ready && ![...this.members.values()].some((other) => other.ready)) this.refuseAll(error);
  }
}

const closing: Trouble = { why: 'closed', ready: true, stage: '', said: 'it was closed' };
