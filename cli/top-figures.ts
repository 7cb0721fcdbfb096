/** What `signalbox top` shows, from two scrapes of each api and the caller's overview. */
import type { Overview } from '../contracts/overview.ts';
import { grown, quantile, sumOf, valueOf, type Match, type Sample } from './prometheus.ts';

export interface Scrape {
  /** ms since the epoch. */
  at: number;
  /** Which api answered: behind a load balancer several do. */
  instance: string;
  samples: Sample[];
}

interface Speed {
  per_second: number;
  p50_ms: number | null;
  p95_ms: number | null;
  errors_per_second: number;
}

export interface Figures {
  at: string;
  /** The rates are of so many seconds. */
  seconds: number;
  version: string | null;
  /** Apis that answered; rates are their sum. */
  apis: number;
  calls: Speed & { claims_per_second: number };
  classes: (Speed & { class: string })[];
  errors: { code: string; per_second: number }[];
  slowest: (Speed & { tool: string })[];
  queues: { queue: string; backlog: number; oldest_seconds: number; added_per_second: number; pollers: number }[];
  process: {
    event_loop_p99_ms: number | null;
    memory_bytes: number | null;
    pool_in_use: number | null;
    pool_size: number | null;
    pool_waiting: number | null;
    streams: number | null;
  };
  /** Of the caller's tenant; null: the key may not read it. */
  tenant: {
    tasks: Overview['tasks'];
    agents: Overview['agents'];
    jobs: number;
    approvals: number;
    oldest_approval_at: string | null;
    reviews: number;
    dead_letters: number;
  } | null;
}

const claims = new Set(['work.task.claim', 'claim_task']);
const slowestShown = 8;
/** An api that has not answered for so long has ended, or the load balancer no longer asks it. */
const forgottenAfterMs = 60_000;

const round = (value: number, digits = 1): number => Math.round(value * 10 ** digits) / 10 ** digits;
const ms = (seconds: number | null): number | null => (seconds === null ? null : round(seconds * 1_000));

/** Keeps the last two scrapes of each api. */
export class Scrapes {
  private readonly kept = new Map<string, { before: Scrape | null; now: Scrape }>();

  add(scrape: Scrape): void {
    this.kept.set(scrape.instance, { before: this.kept.get(scrape.instance)?.now ?? null, now: scrape });
    for (const [instance, { now }] of this.kept) if (now.at < scrape.at - forgottenAfterMs) this.kept.delete(instance);
  }

  /** @returns null before an api has answered twice */
  figures(overview: Overview | null): Figures | null {
    const pairs = [...this.kept.values()].flatMap(({ before, now }) => (before ? [{ before, now }] : []));
    const latest = pairs.toSorted((a, b) => b.now.at - a.now.at)[0];
    if (!latest) return null;
    const seconds = Math.max(0.001, (latest.now.at - latest.before.at) / 1_000);
    // Counters as of one interval, so that apis that were asked less often count the same.
    const samples = pairs.flatMap(({ before, now }) => {
      const share = (seconds * 1_000) / Math.max(1, now.at - before.at);
      return grown(before.samples, now.samples).map((sample) => ({ ...sample, value: sample.value * share }));
    });
    return {
      at: new Date(latest.now.at).toISOString(),
      seconds: round(seconds),
      ...rates(samples, seconds),
      ...states(latest.now.samples),
      apis: pairs.length,
      tenant: tenantOf(overview),
    };
  }
}

function rates(samples: Sample[], seconds: number): Pick<Figures, 'calls' | 'classes' | 'errors' | 'slowest'> {
  const calls = 'signalbox_tool_calls_total';
  const per = (name: string, match?: Match): number => round(sumOf(samples, name, match) / seconds, 2);
  const failed =
    (more: Match): Match =>
    (labels) =>
      labels['outcome'] !== 'success' && more(labels);
  const speed = (histogram: string, match: Match): Speed => ({
    per_second: per(`${histogram}_count`, match),
    p50_ms: ms(quantile(0.5, samples, histogram, match)),
    p95_ms: ms(quantile(0.95, samples, histogram, match)),
    errors_per_second: per(calls, failed(match)),
  });
  const distinct = (name: string, label: string): string[] => [
    ...new Set(samples.filter((sample) => sample.name === name && sample.value > 0).map(({ labels }) => labels[label] ?? '')),
  ];
  const any: Match = () => true;
  return {
    calls: { ...speed('signalbox_call_seconds', any), claims_per_second: per(calls, ({ tool = '' }) => claims.has(tool)) },
    classes: distinct('signalbox_call_seconds_count', 'class')
      .sort()
      .map((name) => ({ class: name, ...speed('signalbox_call_seconds', (labels) => labels['class'] === name) })),
    errors: distinct(calls, 'outcome')
      .filter((code) => code !== 'success')
      .map((code) => ({ code, per_second: per(calls, ({ outcome }) => outcome === code) }))
      .sort((a, b) => b.per_second - a.per_second),
    slowest: distinct('signalbox_tool_call_seconds_count', 'tool')
      .filter(Boolean)
      .map((tool) => ({ tool, ...speed('signalbox_tool_call_seconds', (labels) => labels['tool'] === tool) }))
      .sort((a, b) => (b.p95_ms ?? 0) - (a.p95_ms ?? 0))
      .slice(0, slowestShown),
  };
}

function states(samples: Sample[]): Pick<Figures, 'version' | 'queues' | 'process'> {
  const queues = [...new Set(samples.filter(({ name }) => name === 'signalbox_queue_backlog').map(({ labels }) => labels['queue']!))];
  const of =
    (queue: string): Match =>
    (labels) =>
      labels['queue'] === queue;
  const most = (name: string, queue: string): number =>
    Math.max(0, ...samples.filter((sample) => sample.name === name && of(queue)(sample.labels)).map(({ value }) => value));
  return {
    version: samples.find(({ name }) => name === 'signalbox_info')?.labels['version'] ?? null,
    queues: queues.map((queue) => ({
      queue,
      backlog: sumOf(samples, 'signalbox_queue_backlog', of(queue)),
      oldest_seconds: round(most('signalbox_queue_backlog_age_seconds', queue)),
      added_per_second: round(sumOf(samples, 'signalbox_queue_added_per_second', of(queue))),
      pollers: sumOf(samples, 'signalbox_queue_pollers', of(queue)),
    })),
    process: {
      event_loop_p99_ms: ms(valueOf(samples, 'nodejs_eventloop_lag_p99_seconds')),
      memory_bytes: valueOf(samples, 'process_resident_memory_bytes'),
      pool_in_use: valueOf(samples, 'signalbox_pool_connections', ({ state }) => state === 'in_use'),
      pool_size: valueOf(samples, 'signalbox_pool_size'),
      pool_waiting: valueOf(samples, 'signalbox_pool_waiting'),
      streams: valueOf(samples, 'signalbox_event_streams_open'),
    },
  };
}

const tenantOf = (overview: Overview | null): Figures['tenant'] =>
  overview && {
    tasks: overview.tasks,
    agents: overview.agents,
    jobs: overview.jobs.count,
    approvals: overview.approvals.count,
    oldest_approval_at: overview.approvals.oldest_at,
    reviews: overview.reviews.count,
    dead_letters: overview.dead_letters.count,
  };
