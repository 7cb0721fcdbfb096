/** Sends what an agent does to the server, in batches, and never more than the server and the key can take. */
import type { AgentEvent, RunEvent, RunUsage } from '../../contracts/work/runs.ts';
import type { Api } from './api.ts';
import { isOver } from './api.ts';
import type { Pace } from './settings.ts';

/** Events of one call. */
const batch = 200;
/** Waiting events; of more, the middle is left out. */
const most = 1_000;
const longestText = 4_000;
/** After so many events, they are sent less often: nobody reads them all. */
const lively = 5_000;

interface Waiting extends AgentEvent {
  at: string;
  /** Output up to here has become events. */
  end: number;
}

export interface Sent {
  seq: number;
  offset: number;
}

export class Feed {
  private waiting: Waiting[] = [];
  private skipped = 0;
  private seq: number;
  private last = 0;
  private refused = false;
  private running: Promise<void> | undefined;
  private toldUsage = '';
  private readonly api: Api;
  private readonly pace: Pace;
  private readonly to: { run: string; token: number; worker: string };
  private readonly secrets: readonly string[];

  constructor(api: Api, pace: Pace, to: { run: string; token: number; worker: string }, seq: number, secrets: readonly string[]) {
    this.api = api;
    this.pace = pace;
    this.to = to;
    this.seq = seq;
    this.secrets = secrets.filter((secret) => secret.length >= 8);
  }

  add(events: readonly AgentEvent[], end: number): void {
    const at = new Date().toISOString();
    for (const event of events) {
      if (this.waiting.length >= most) {
        this.waiting.splice(batch, 1);
        this.skipped += 1;
      }
      this.waiting.push({ ...event, text: this.masked(event.text).slice(0, longestText), at, end });
    }
  }

  /** Without the run's key and the like. */
  masked(text: string): string {
    return this.secrets.reduce((masked, secret) => masked.replaceAll(secret, '[secret]'), text);
  }

  /** Sends a batch if one is due. A server that is away keeps the events waiting. */
  async send(usage: RunUsage, sessionId: string | null): Promise<Sent | null> {
    const pause = this.seq < lively ? this.pace.append : this.pace.append * 20;
    if (this.running || performance.now() - this.last < pause) return null;
    return await this.flush(usage, sessionId, 1);
  }

  /** Sends all that waits, in up to so many calls. */
  async flush(usage: RunUsage, sessionId: string | null, calls: number): Promise<Sent | null> {
    let sent: Sent | null = null;
    for (let call = 0; call < calls && !this.refused; call += 1) {
      // Its own caller deals with its failure.
      await this.running?.catch(() => {});
      const chunk = this.waiting.slice(0, batch);
      const told = JSON.stringify([usage, sessionId]);
      if (chunk.length === 0 && told === this.toldUsage) return sent;
      const events = chunk.map(({ end: _, ...event }, at): RunEvent => ({ ...event, seq: this.seq + at + 1 }));
      this.running = this.append(events, usage, sessionId);
      try {
        await this.running;
      } catch (error) {
        if (isOver(error)) this.refused = true;
        return sent;
      } finally {
        this.running = undefined;
        this.last = performance.now();
      }
      this.toldUsage = told;
      this.seq += chunk.length;
      this.waiting.splice(0, chunk.length);
      if (chunk.length > 0) sent = { seq: this.seq, offset: chunk.at(-1)!.end };
      this.tellSkipped();
    }
    return sent;
  }

  private tellSkipped(): void {
    if (this.skipped === 0) return;
    const [next] = this.waiting;
    if (!next) return;
    this.waiting.unshift({
      kind: 'notice',
      text: `${this.skipped} events are left out: the agent prints more than is kept.`,
      at: next.at,
      end: next.end,
    });
    this.skipped = 0;
  }

  private async append(events: RunEvent[], usage: RunUsage, sessionId: string | null): Promise<void> {
    const { run, token, worker } = this.to;
    await this.api.call(
      'work.run.append',
      { run_id: run, fencing_token: token, events, usage, ...(sessionId === null ? {} : { session_id: sessionId }) },
      { agentId: worker },
    );
  }
}
