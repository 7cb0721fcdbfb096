import { AggregatorRegistry, Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { isExternalName } from './external.ts';

interface PerTool {
  calls: number;
  totalMs: number;
}

export interface SweepSeen {
  at: Date;
  lost: number;
  skipped: number;
}

/** Labels that reveal what is used here; only shown to callers with the right to see them. */
const names = new Set(['tool', 'operation']);

/** One source for Prometheus `/metrics` and for the JSON of `/mcp/metrics`. */
export class Metrics {
  readonly registry = new Registry();
  private readonly process = new Registry();
  private readonly calls = new Counter({
    name: 'signalbox_tool_calls_total',
    help: 'Tool calls by name, front end and outcome',
    labelNames: ['tool', 'front', 'outcome'],
    registers: [this.registry],
  });
  private readonly duration = new Histogram({
    name: 'signalbox_tool_call_seconds',
    help: 'Duration of tool calls',
    labelNames: ['tool'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });
  private readonly retiring = new Counter({
    name: 'signalbox_deprecated_requests_total',
    help: 'Requests to deprecated HTTP operations, by what became of them',
    labelNames: ['operation', 'stage'],
    registers: [this.registry],
  });
  private readonly perTool = new Map<string, PerTool>();
  private total = 0;
  private errors = 0;
  private totalMs = 0;
  /** Calls in each of the last 60 seconds, by second. */
  private readonly recent = new Map<number, number>();

  constructor() {
    collectDefaultMetrics({ register: this.process });
  }

  /** @param name tools of other servers are counted as one, because their names are tenants' data and unlimited in number */
  called(name: string, front: string, durationMs: number, errorCode: string | undefined): void {
    const tool = isExternalName(name) ? 'external' : name;
    this.calls.inc({ tool, front, outcome: errorCode ?? 'success' });
    this.duration.observe({ tool }, durationMs / 1000);
    this.total += 1;
    this.totalMs += durationMs;
    if (errorCode) this.errors += 1;
    const entry = this.perTool.get(tool) ?? { calls: 0, totalMs: 0 };
    entry.calls += 1;
    entry.totalMs += durationMs;
    this.perTool.set(tool, entry);
    const second = Math.floor(Date.now() / 1000);
    this.recent.set(second, (this.recent.get(second) ?? 0) + 1);
    for (const old of this.recent.keys()) if (old < second - 60) this.recent.delete(old);
  }

  /** @param stage deprecated: the call was answered; sunset: it was refused */
  deprecated(operation: string, stage: string): void {
    this.retiring.inc({ operation, stage });
  }

  /** Exports the last sweep of any worker. @param last null: none has run, or it cannot be read now */
  showSweep(last: () => Promise<SweepSeen | null>): void {
    const gauge = (name: string, help: string, of: (seen: SweepSeen) => number): Gauge =>
      new Gauge({
        name,
        help,
        registers: [this.registry],
        async collect() {
          const seen = await last().catch(() => null);
          if (seen) this.set(of(seen));
          else this.reset();
        },
      });
    gauge('signalbox_sweep_skipped', 'Rows and steps of tenants that the last sweep passed over', ({ skipped }) => skipped);
    gauge('signalbox_sweep_lost', 'Processes that the last sweep found gone', ({ lost }) => lost);
    gauge('signalbox_sweep_timestamp_seconds', 'When the last sweep ended', ({ at }) => at.getTime() / 1000);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Prometheus text. @param names false: sums over all tools and all operations */
  async text({ names: named }: { names: boolean }): Promise<string> {
    const own = named ? this.registry : await withoutNames(this.registry);
    return `${await own.metrics()}\n${await this.process.metrics()}`;
  }

  /** devflow's shape: milliseconds, rates rounded to three decimals. @param names false: without values per tool */
  json({ names: named }: { names: boolean }): Record<string, unknown> {
    const since = Math.floor(Date.now() / 1000) - 60;
    let perMinute = 0;
    for (const [second, count] of this.recent) if (second > since) perMinute += count;
    return {
      requests_total: this.total,
      requests_per_minute: perMinute,
      errors_total: this.errors,
      error_rate: this.total === 0 ? 0 : Math.round((this.errors / this.total) * 1000) / 1000,
      avg_response_time_ms: average(this.totalMs, this.total),
      tools: Object.fromEntries(
        [...(named ? this.perTool : [])].map(([name, { calls, totalMs }]) => [name, { calls, avg_time_ms: average(totalMs, calls) }]),
      ),
    };
  }
}

const average = (sum: number, count: number): number => (count === 0 ? 0 : Math.round((sum / count) * 10) / 10);

/** The same counters and histograms without those labels; the values are summed. */
async function withoutNames(registry: Registry): Promise<Registry> {
  const metrics = await registry.getMetricsAsJSON();
  const unnamed = metrics.map((metric) => ({
    ...metric,
    values: metric.values.map((value) => ({
      ...value,
      labels: Object.fromEntries(Object.entries(value.labels).filter(([label]) => !names.has(label))),
    })),
  }));
  return AggregatorRegistry.aggregate([unnamed]);
}
