import { watchedParts, type HealthHistory, type WatchedPart } from '../../../contracts/health.ts';
import { Service } from '../service.ts';
import type { HealthService } from './index.ts';
import { gapMs, seen, whole, type Span } from './spans.ts';

/** Pause between two looks, in ms. */
const pauseMs = 15_000;
/** How long a killed api keeps the duty, in seconds. */
const heldForSeconds = 30;
const keptDays = 8;

/**
 * Keeps how the parts of the platform were. Every api looks; one of them writes. While Postgres is away each one remembers
 * what it sees, and the first that holds the duty afterwards writes it. What only a killed api saw is lost: a gap.
 */
export class HealthWatch extends Service<'duties' | 'log', { health: Pick<HealthService, 'parts'> }> {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private closed = false;
  /** Not written yet. */
  private spans = new Map<WatchedPart, Span[]>();

  start(): void {
    if (!this.closed && !this.timer) this.turn();
  }

  /** One look. @returns whether it was written: false while another api has the duty */
  async round(at = new Date()): Promise<boolean> {
    for (const [part, status] of await this.look()) {
      const spans = this.spans.get(part) ?? [];
      seen(spans, status, at);
      this.spans.set(part, spans);
    }
    const { duties } = this.deps;
    const mine = await duties.take('health', heldForSeconds);
    if (mine) {
      await this.write(this.spans);
      await duties.done('health');
    }
    this.spans = new Map();
    return mine;
  }

  /** @param hours 1 to 168, back from now */
  async history(hours: number): Promise<HealthHistory> {
    const until = new Date();
    const since = new Date(until.getTime() - hours * 3_600_000);
    const rows = await this.db.query<Span & { part: WatchedPart } & Record<string, unknown>>(
      'select part, status, since, until from health_spans where until >= $1 and since <= $2 order by since',
      [since, until],
    );
    const byPart = Map.groupBy(rows, ({ part }) => part);
    return {
      since: since.toISOString(),
      until: until.toISOString(),
      parts: watchedParts.flatMap((part) => {
        const spans = byPart.get(part);
        return spans ? [{ part, spans: whole(spans, since, until) }] : [];
      }),
    };
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    await this.running;
    await this.deps.duties.release('health');
  }

  /** A process that is busy, most of all while it starts, may be late itself: only what is missed twice is down. */
  private async look(): Promise<Map<WatchedPart, string>> {
    const { health } = this.deps;
    const first = await health.parts();
    return [...first.values()].includes('down') ? await health.parts() : first;
  }

  private turn(): void {
    this.running = this.round().then(
      () => {},
      // Most likely Postgres is away: what was seen is kept.
      (error: unknown) => this.deps.log.debug({ err: error }, 'how the parts are is noted later'),
    );
    void this.running.then(() => {
      if (!this.closed) this.timer = setTimeout(() => this.turn(), pauseMs);
    });
  }

  /** Joins the first span of a part to the last that is kept, if it follows it at once. Repeating it changes nothing. */
  private async write(spans: ReadonlyMap<WatchedPart, Span[]>): Promise<void> {
    await this.db.transaction(async (query) => {
      for (const [part, ofPart] of spans) {
        for (const { status, since, until } of ofPart) {
          const [last] = await query<Span & Record<string, unknown>>(
            'select status, since, until from health_spans where part = $1 order by since desc limit 1',
            [part],
          );
          const near = last && since.getTime() - last.until.getTime() <= gapMs;
          if (near) {
            await query('update health_spans set until = greatest(until, $3) where part = $1 and since = $2', [
              part,
              last.since,
              last.status === status ? until : since,
            ]);
          }
          if (near && last.status === status) continue;
          await query('insert into health_spans (part, status, since, until) values ($1, $2, $3, $4) on conflict do nothing', [
            part,
            status,
            since,
            until,
          ]);
          await query(`delete from health_spans where part = $1 and until < now() - make_interval(days => $2)`, [part, keptDays]);
        }
      }
    });
  }
}
