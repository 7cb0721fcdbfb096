import type { Event } from '../../../contracts/outbound/events.ts';
import { queries } from './queries.ts';

/**
 * Which reads an event makes stale, as beginnings of tool names. The overview counts nearly everything. Jobs of all kinds
 * share one type of event, so an event of a job is matched as `job.changed KIND`.
 */
const stale: [event: RegExp, tools: RegExp][] = [
  [/^(approval|agent|entity\.review|dlq|subscription|ingestion)/, /^system\.overview/],
  [/^approval/, /^approval\./],
  [/^agent/, /^agent\./],
  [
    /^(approval|agent\.output|entity\.(review|merged|split)|review|dlq|external\.tool|subscription|notification)/,
    /^system\.(inbox|call)\./,
  ],
  [/^(review|notification|external\.tool)/, /^system\.overview/],
  [/^(dlq|ingestion)/, /^ingest\.dlq/],
  [/^key/, /^(access\.key|system\.limit)\./],
  // One task's screen looks at the events of that task.
  [/^work\.(task|phase)/, /^work\.(board|lane|holder|phase|task\.list)/],
  [/^work\.run_(opened|ended|approved)/, /^work\.(run\.list|usage|budget)|^system\.inbox/],
  [/^work\.budget/, /^work\.budget/],
  [/^agent\.status/, /^work\.holder\./],
  [/^(opportunity|issue\.flagged)/, /^opportunity\./],
  [/^(report|draft)\.|^job\.changed draft/, /^authoring\.(draft|statement|schedule)\./],
  [/^brief\.|^job\.changed (daily_)?brief/, /^authoring\.brief\./],
  [/^(entity\.|review)/, /^(entity|graph)\./],
  [/^ingestion|^job\.changed (ingest|remov|pipeline)/, /^knowledge\.(source|base)\./],
  // Corrections by people, and drafts that cite a document.
  [/^(signal\.corrected|report|draft)/, /^knowledge\.(document|passage)\./],
  [/^job\.changed export/, /^system\.export\./],
  [/^work\.task/, /^agent\.(registry|activity)\./],
  [/^(job|dlq)/, /^system\.(job|overview)\./],
  // What the user may do depends on the policy.
  [/^policy/, /^(system\.policy|session$)/],
  [/^external/, /^(external\.|system\.overview)/],
  [/^subscription/, /^event\./],
];

/** The same for reads that count much, while events come by the hundred when documents are read. */
const staleSlowly: typeof stale = [
  [/^(signal|issue)/, /^(signal|insight|opportunity|knowledge\.(document|passage))\./],
  [/^work\.(task|phase)/, /^system\.overview/],
];

/** Bursts are applied once in this time, in ms. */
const gatherMs = 250;
const gatherSlowlyMs = 10_000;

type Happened = Pick<Event, 'type' | 'data'>;
const nameOf = ({ type, data }: Happened): string => (type === 'job.changed' ? `${type} ${String(data['job_kind'])}` : type);
const madeStale = (table: typeof stale, events: readonly Happened[]): RegExp[] => {
  const names = events.map(nameOf);
  return table.filter(([event]) => names.some((name) => event.test(name))).map(([, tools]) => tools);
};

/** Whether an event makes a tool's answers stale at once, or after a while. */
export const staleness = (event: Happened, tool: string): 'soon' | 'slowly' | 'not' =>
  (
    [
      ['soon', stale],
      ['slowly', staleSlowly],
    ] as const
  ).find(([, table]) => madeStale(table, [event]).some((tools) => tools.test(tool)))?.[0] ?? 'not';

const gatherer = (table: typeof stale, ms: number, first: number) => {
  let waiting = new Set<RegExp>();
  let timer: number | undefined;
  let last = -Infinity;
  const apply = (): void => {
    const now = waiting;
    waiting = new Set();
    timer = undefined;
    last = performance.now();
    refetch(now);
  };
  return (events: readonly Happened[]): void => {
    for (const tools of madeStale(table, events)) waiting.add(tools);
    // The first of a burst is shown soon.
    if (waiting.size > 0) timer ??= window.setTimeout(apply, performance.now() - last > ms ? first : ms);
  };
};
const gather = [gatherer(stale, gatherMs, gatherMs), gatherer(staleSlowly, gatherSlowlyMs, gatherMs)];

export function markStale(events: readonly Happened[]): void {
  for (const each of gather) each(events);
}

function refetch(now: Set<RegExp>): void {
  void queries.invalidateQueries({ predicate: ({ queryKey }) => [...now].some((tools) => tools.test(String(queryKey[1] ?? queryKey[0]))) });
}
