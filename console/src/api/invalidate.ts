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
];

/** Bursts are applied once in this time, in ms. */
const gatherMs = 250;

let waiting = new Set<RegExp>();
let timer: number | undefined;

export function markStale(types: EventType[]): void {
  for (const [event, tools] of stale) if (types.some((type) => event.test(type))) waiting.add(tools);
  if (waiting.size > 0) timer ??= window.setTimeout(apply, gatherMs);
}

function apply(): void {
  const now = waiting;
  waiting = new Set();
  timer = undefined;
  void queries.invalidateQueries({ predicate: ({ queryKey }) => [...now].some((tools) => tools.test(String(queryKey[1]))) });
}
