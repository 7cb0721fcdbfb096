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
const names = new Set(['tool', 'operation', 'tenant']);

/** A finished call. */
export interface Called {
  name: string;
  front: string;
  durationMs: number;
  errorCode?: string | undefined;
  /** The tool's class of latency (L1 to L5): what its duration is compared with. */
  latency?: string | undefined;
  tenant?: string | undefined;
}

/** One source for Prometheus `/metrics` and for the JSON of `/mcp/metrics`. */
export class Metrics {
  readonly registry = new Registry();
  /** About the installation; shown only together with names. */
  readonly inside = new Registry();
  private readonly process = new Registry();
  private readonly calls = new Counter({
    name: 'signalbox_tool_calls_total',
    help: 'Tool calls by name, class, front end and outcome',
    labelNames: ['tool', 'class', 'front', 'outcome'],
    registers: [this.registry],
  });
  private readonly duration = new Histogram({
    name: 'signalbox_tool_call_seconds',
    help: 'Duration of tool calls',
    labelNames: ['tool'],
    buckets,
    registers: [this.registry],
  });
  /** Without tools, so that front ends can be told apart at a bounded number of series. */
  private readonly classDuration = new Histogram({
    name: 'signalbox_call_seconds',
    help: 'Duration of calls by class of tool (L1 to L5; none: unknown tool) and front end',
    labelNames: ['class', 'front'],
    buckets,
    registers: [this.registry],
  });
  private readonly limits = new Counter({
    name: 'signalbox_limits_reached_total',
    help: 'Calls refused because a limit was reached; by tenant only with METRICS_TENANTS',
    labelNames: ['front', 'tenant'],
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

  private readonly tenants = new Set<string>();
  private readonly maxTenants: number;

  /** @param maxTenants so many tenants are named where limits are reached; the others are summed up */
  constructor({ maxTenants = 0 }: { maxTenants?: number } = {}) {
    this.maxTenants = maxTenants;
    collectDefaultMetrics({ register: this.process });
  }

  /** Tools of other servers are counted as one, because their names are tenants' data and unlimited in number. */
  called({ name, front, durationMs, errorCode, latency, tenant }: Called): void {
    const tool = isExternalName(name) ? 'external' : name;
    const kind = latency ?? 'none';
    this.calls.inc({ tool, class: kind, front, outcome: errorCode ?? 'success' });
    this.duration.observe({ tool }, durationMs / 1000);
    this.classDuration.observe({ class: kind, front }, durationMs / 1000);
    if (errorCode === 'RATE_LIMIT_EXCEEDED') this.limits.inc({ front, tenant: this.labelOf(tenant) });
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

  /** Empty: not named, as Prometheus has it. */
  private labelOf(tenant: string | undefined): string {
    if (tenant === undefined || this.maxTenants === 0) return '';
    if (this.tenants.size < this.maxTenants) this.tenants.add(tenant);
    return this.tenants.has(tenant) ? tenant : 'other';
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

  /** Prometheus text. @param names false: sums over all tools and all operations, and nothing about the installation */
  async text({ names: named }: { names: boolean }): Promise<string> {
    const own = named ? [this.registry, this.inside] : [await withoutNames(this.registry)];
    return (await Promise.all([...own, this.process].map((registry) => registry.metrics()))).join('\n');
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

/** From a millisecond to a minute: in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

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
