import { SignalboxError } from './errors.ts';
import { sleep, type Http } from './http.ts';
import type { Task, Tools } from './tools.ts';

type Out<Name extends keyof Tools> = Tools[Name]['output'];
type Held = 'held' | 'ending' | 'ended' | 'lost';

/** How long leaving a lease tries to give the task back, in ms. If that fails, the lease lapses by itself. */
const releaseForMs = 5_000;
const longestProgress = 4000;

/**
 * A claimed task. Heartbeats are sent until it is completed, failed, released or lost; each one carries the last progress.
 * Leaving it by `await using` gives an unfinished task back.
 */
export class Lease implements AsyncDisposable {
  readonly task: Task;
  readonly fencingToken: number;
  /** The worker held this task before the claim, e.g. before its program was restarted. */
  readonly resumed: boolean;
  readonly #http: Http;
  readonly #lost = new AbortController();
  /** Ends the heartbeats. */
  readonly #over = new AbortController();
  readonly #left: () => void;
  #state: Held = 'held';
  #progress: string | undefined;
  /** Why there are no more heartbeats, while the call that ends the lease has no answer. */
  #unanswered: unknown;
  /** When the lease ends unless a heartbeat succeeds, on the clock of `performance`. Counted from before the request was sent. */
  #until = 0;

  /**
   * @param since when the claim was sent, on the clock of `performance`
   * @param left called once, when the lease is over
   * @throws SignalboxError, `LEASE_LOST` when the claim was answered so late that the lease has ended
   */
  static async open(http: Http, claimed: { task: Task; resumed: boolean }, since: number, left: () => void): Promise<Lease> {
    const lease = new Lease(http, claimed, left);
    // After retries, or when the task was held before, nobody knows when the lease began.
    const late = performance.now() - since > lease.#leaseMs / 3;
    lease.#until = (late ? performance.now() : since) + lease.#leaseMs;
    if (late || claimed.resumed) {
      await lease.#extend().catch((error: unknown) => {
        lease.#lose(error);
        throw lease.signal.reason;
      });
    }
    void lease.#beat();
    return lease;
  }

  private constructor(http: Http, { task, resumed }: { task: Task; resumed: boolean }, left: () => void) {
    if (task.fencing_token === null) throw new SignalboxError('INTERNAL', 'The claim answered without a fencing token.');
    this.task = task;
    this.fencingToken = task.fencing_token;
    this.resumed = resumed;
    this.#http = http;
    this.#left = left;
  }

  /** Aborted when the lease is lost, with a SignalboxError `LEASE_LOST` as its reason. Give it to everything that works for the task. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  get held(): boolean {
    return this.#state === 'held' || this.#state === 'ending';
  }

  /** Says how far the work is; whoever takes over reads it. Sent with the next heartbeat. At most 4000 characters. */
  progress(text: string): void {
    if (text.length > longestProgress)
      throw new SignalboxError('VALIDATION_ERROR', `Progress has at most ${longestProgress} characters.`, {
        hint: 'Put long output into an artifact.',
      });
    this.#progress = text;
  }

  /** @throws SignalboxError, `LEASE_LOST` when the task is no longer this worker's */
  async complete(result?: string): Promise<Out<'work.task.complete'>> {
    return (await this.#end('work.task.complete', result === undefined ? {} : { result })) as Out<'work.task.complete'>;
  }

  /** @param retry another attempt may succeed @throws SignalboxError, `LEASE_LOST` when the task is no longer this worker's */
  async fail(reason: string, { retry = false }: { retry?: boolean } = {}): Promise<Out<'work.task.fail'>> {
    return (await this.#end('work.task.fail', { reason, retry })) as Out<'work.task.fail'>;
  }

  /** Gives the task back unfinished. @throws SignalboxError, `LEASE_LOST` when the task is no longer this worker's */
  async release(): Promise<Out<'work.task.release'>> {
    return (await this.#end('work.task.release', {})) as Out<'work.task.release'>;
  }

  /** Gives an unfinished task back. Never throws: if that fails, the lease lapses. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#state === 'held') await this.#end('work.task.release', {}, releaseForMs).catch(() => {});
    this.#leave('ended');
  }

  get #leaseMs(): number {
    return this.task.lease_seconds * 1000;
  }

  get #shown(): { task_id: string; fencing_token: number } {
    return { task_id: this.task.id, fencing_token: this.fencingToken };
  }

  async #end(tool: string, more: object, retryForMs?: number): Promise<unknown> {
    if (this.#state === 'lost') throw this.signal.reason;
    if (this.#state !== 'held') throw new SignalboxError('CONFLICT', 'This lease has ended.', { hint: 'Claim the next task.' });
    // Heartbeats go on: the answer may take several attempts.
    this.#state = 'ending';
    try {
      const idempotencyKey = crypto.randomUUID();
      const { data } = await this.#http.call(tool, { ...this.#shown, ...more }, { idempotencyKey, retryForMs });
      this.#leave('ended');
      return data;
    } catch (error) {
      if (this.#state === 'ending') this.#state = 'held';
      if (refuses(error)) this.#lose(error);
      else if (this.#unanswered !== undefined) this.#lose(this.#unanswered);
      if (this.signal.aborted) throw this.signal.reason;
      throw error;
    }
  }

  /** Heartbeats at a third of the lease, so that two may fail. */
  async #beat(): Promise<void> {
    const over = this.#over.signal;
    try {
      for (;;) {
        await sleep(this.#leaseMs / 3, over);
        await this.#extend();
      }
    } catch (error) {
      if (over.aborted) return;
      // The call that ends the lease may have come first.
      if (this.#state === 'ending') this.#unanswered = error;
      else this.#lose(error);
    }
  }

  /** @throws when the lease was refused, or nobody answered before its end */
  async #extend(): Promise<void> {
    const end = AbortSignal.any([this.#over.signal, AbortSignal.timeout(Math.max(1, Math.ceil(this.#until - performance.now())))]);
    for (;;) {
      const began = performance.now();
      const signal = AbortSignal.any([end, AbortSignal.timeout(Math.ceil(this.#leaseMs / 3))]);
      const progress = this.#progress === undefined ? {} : { progress: this.#progress };
      try {
        // A repeated heartbeat does nothing more than the first. Each attempt is counted from its own start.
        await this.#http.call('work.task.heartbeat', { ...this.#shown, ...progress }, { idempotencyKey: null, signal, retryForMs: 0 });
        this.#until = began + this.#leaseMs;
        return;
      } catch (error) {
        end.throwIfAborted();
        if (refuses(error)) throw error;
        const wanted = error instanceof SignalboxError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
        await sleep(Math.max(wanted, Math.min(1000, this.#leaseMs / 10)), end);
      }
    }
  }

  #lose(cause: unknown): void {
    if (!this.held) return;
    this.#leave('lost');
    const why = cause instanceof SignalboxError ? cause.message : 'No heartbeat was answered before the lease ended.';
    const hint = 'Stop working on this task: another worker may have it. Claim the next one.';
    this.#lost.abort(new SignalboxError('LEASE_LOST', `The lease of ${this.task.id} is lost: ${why}`, { hint, cause }));
  }

  #leave(state: 'ended' | 'lost'): void {
    if (!this.held) return;
    this.#state = state;
    this.#over.abort();
    this.#left();
  }
}

/** The server says that the task is not this worker's. Its other errors leave the lease as it is. */
const refuses = (error: unknown): boolean =>
  error instanceof SignalboxError &&
  error.retryAfterSeconds === undefined &&
  ['CONFLICT', 'NOT_FOUND', 'GONE', 'UNAUTHORIZED'].includes(error.code);
