import type { EventType } from '../../../contracts/outbound/events.ts';
import { queries } from './queries.ts';

/** Which reads an event makes stale, as beginnings of tool names. The overview counts nearly everything. */
const stale: [event: RegExp, tools: RegExp][] = [
  [/^(approval|agent|entity\.review|dlq|subscription|ingestion)/, /^system\.overview/],
  [/^approval/, /^approval\./],
  [/^agent/, /^agent\./],
  [
    /^(approval|agent\.output|entity\.(review|merged|split)|review|dlq|external\.tool|subscription|notification|ingestion)/,
    /^system\.(inbox|call)\./,
  ],
  [/^(review|notification|external\.tool)/, /^system\.overview/],
  [/^(dlq|ingestion)/, /^ingest\.dlq/],
  [/^key/, /^(access\.key|system\.limit)\./],
  // One task's screen looks at the events of that task.
  [/^work\./, /^work\.(board|phase|task\.list)/],
  [/^(opportunity|issue\.flagged)/, /^opportunity\./],
  [/^(job|report|draft|brief)/, /^(authoring\.|system\.job)/],
  [/^(entity\.|review)/, /^(entity|graph)\./],
  [/^(ingestion|job)/, /^knowledge\.(source|base)\./],
  [/^(signal|report)/, /^knowledge\.(document|passage)\./],
  [/^work\.task/, /^agent\.(registry|activity)\./],
  [/^(job|dlq)/, /^system\.(job|overview)\./],
  // What the user may do depends on the policy.
  [/^policy/, /^(system\.policy|session$)/],
  [/^external/, /^(external\.|system\.overview)/],
  [/^subscription/, /^event\./],
];

/** The same for reads that count much, while events come by the hundred when documents are read. */
const staleSlowly: typeof stale = [
  [/^(signal|issue)/, /^(signal|insight|opportunity)\./],
  [/^work\./, /^system\.overview/],
];

/** Bursts are applied once in this time, in ms. */
const gatherMs = 250;
const gatherSlowlyMs = 10_000;

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
  return (types: EventType[]): void => {
    for (const [event, tools] of table) if (types.some((type) => event.test(type))) waiting.add(tools);
    // The first of a burst is shown soon.
    if (waiting.size > 0) timer ??= window.setTimeout(apply, performance.now() - last > ms ? first : ms);
  };
};
const gather = [gatherer(stale, gatherMs, gatherMs), gatherer(staleSlowly, gatherSlowlyMs, gatherMs)];

export function markStale(types: EventType[]): void {
  for (const each of gather) each(types);
}

function refetch(now: Set<RegExp>): void {
  void queries.invalidateQueries({ predicate: ({ queryKey }) => [...now].some((tools) => tools.test(String(queryKey[1] ?? queryKey[0]))) });
}
