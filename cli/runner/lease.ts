/** Keeps the lease of one claim, and knows at any moment whether it stands. */
import type { Api } from './api.ts';
import { isAway } from './api.ts';
import type { Pace } from './settings.ts';

export interface Held {
  task: string;
  token: number;
  worker: string;
  seconds: number;
}

export class Lease {
  /** Fires once, when the lease is lost. The reason is its `reason`. */
  readonly lost: AbortSignal;
  /** Sent with the next heartbeat. */
  progress: string | null = null;
  private readonly loss = new AbortController();
  private readonly api: Api;
  private readonly held: Held;
  private readonly pace: Pace;
  /** The clock that a sleeping machine does not stop decides, too. */
  private until: { wall: number; steady: number };
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<boolean> | undefined;
  private ended = false;

  /** @param sinceMs how long ago the lease was known to stand */
  constructor(api: Api, held: Held, pace: Pace, sinceMs = 0) {
    this.api = api;
    this.held = held;
    this.pace = pace;
    this.lost = this.loss.signal;
    this.until = this.from(Date.now() - sinceMs, performance.now() - sinceMs);
  }

  start(): void {
    this.plan(this.interval);
  }

  /** No heartbeat follows. */
  stop(): void {
    this.ended = true;
    clearTimeout(this.timer);
  }

  /** How long the lease stands still, in ms. */
  get left(): number {
    return this.lost.aborted ? 0 : Math.max(0, Math.min(this.until.wall - Date.now(), this.until.steady - performance.now()));
  }

  get stands(): boolean {
    return this.left > this.pace.margin;
  }

  /** Sends a heartbeat now. @returns whether the lease stands, with margin */
  async renew(): Promise<boolean> {
    if (this.lost.aborted) return false;
    await (this.beating ??= this.beat().finally(() => (this.beating = undefined)));
    return this.stands;
  }

  lose(reason: string): void {
    this.stop();
    if (!this.lost.aborted) this.loss.abort(reason);
  }

  get reason(): string {
    return String(this.lost.reason ?? '');
  }

  private get interval(): number {
    return (this.held.seconds * 1_000) / 3;
  }

  private from(wall: number, steady: number): { wall: number; steady: number } {
    const ms = this.held.seconds * 1_000;
    return { wall: wall + ms, steady: steady + ms };
  }

  private plan(ms: number): void {
    if (this.ended || this.lost.aborted) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.renew().finally(() => this.plan(this.stands ? this.interval : this.pace.retry)), ms);
  }

  private async beat(): Promise<boolean> {
    const { task, token, worker } = this.held;
    const progress = this.progress?.slice(0, 1_000);
    // The server's lease begins after this moment.
    const [wall, steady] = [Date.now(), performance.now()];
    try {
      await this.api.call(
        'work.task.heartbeat',
        { task_id: task, fencing_token: token, ...(progress ? { progress } : {}) },
        // A server that hangs must not hide that the lease ends.
        {
          agentId: worker,
          until: () => this.stands && !this.ended,
          signal: AbortSignal.timeout(Math.ceil(Math.max(500, this.left - this.pace.margin))),
        },
      );
      this.until = this.from(wall, steady);
      return true;
    } catch (error) {
      if (!isAway(error)) this.lose((error as Error).message);
      else if (!this.stands) this.lose(`No answer from Signalbox until ${Math.round(this.pace.margin / 1_000)} s before the lease ended.`);
      return false;
    }
  }
}
