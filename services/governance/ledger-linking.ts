import { Service } from '../kernel/service.ts';
import type { LedgerChain } from './ledger-keeping.ts';

/** Pause between two rounds, in ms. Short, because rows that are not linked yet can be deleted undetected. */
const pauseMs = 10_000;
/** How long a killed worker keeps the duty, in seconds. */
const heldForSeconds = 30;
/** A long round is followed by a pause of this many times its length. */
const restAfter = 4;

/** Links the ledgers of all tenants, in one worker at a time: several would read the same rows and wait for each other. */
export class LedgerLinking extends Service<'duties' | 'log', { chain: LedgerChain }> {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private closed = false;

  start(): void {
    if (this.closed || this.timer) return;
    this.timer = setTimeout(() => void this.turn(), pauseMs);
  }

  /** @returns tenants that had new rows; null: another worker links */
  async round(): Promise<number | null> {
    const { duties, chain } = this.deps;
    if (!(await duties.take('ledger', heldForSeconds))) return null;
    let takenAt = Date.now();
    let held = true;
    const tenants = await chain.sealAll(async () => {
      if (this.closed || !held) return false;
      if (Date.now() - takenAt < pauseMs) return true;
      held = await duties.take('ledger', heldForSeconds);
      takenAt = Date.now();
      return held;
    });
    if (!this.closed && held) await duties.done('ledger', { tenants });
    return tenants;
  }

  /** Ends after the tenant being linked; another worker takes over at once. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    await this.running;
    await this.deps.duties.release('ledger');
  }

  private async turn(): Promise<void> {
    const started = performance.now();
    this.running = this.round().then(
      () => {},
      (error: unknown) => this.deps.log.warn({ err: error }, 'the ledger is linked later'),
    );
    await this.running;
    if (this.closed) return;
    this.timer = setTimeout(() => void this.turn(), Math.max(pauseMs, (performance.now() - started) * restAfter));
  }
}
