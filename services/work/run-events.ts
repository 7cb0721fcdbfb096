/** What agents say during a run: stored once by number, without secrets, and no more than a bound. */

import type { Database } from '../../adapters/postgres/database.ts';
import { cleanOfSecrets, withoutSecretsIn } from '../../contracts/secrets.ts';
import { storable } from '../../contracts/json.ts';
import type { RunEvent } from '../../contracts/work/runs.ts';
import type { Columns } from '../../prisma/rows.ts';

type Query = Database['query'];

/** Bytes of text and data of one run, kept of its beginning, and of its end. */
const headMost = 2_500_000;
const tailMost = 2_500_000;
/** Of the data of one event; more is left out. */
const dataMost = 8_000;

export interface Stored {
  next_seq: number;
  head_bytes: number;
  head_to: number;
  tail_bytes: number;
  tail_from: number;
  /** Bytes that were not kept. */
  dropped: number;
}

/**
 * The events that continue what is stored, in order. Those that are stored already are left out, and so are those behind
 * a gap: the answer tells the caller where to go on.
 */
export function continuing(events: readonly RunEvent[], nextSeq: number): RunEvent[] {
  const sorted = events.toSorted((a, b) => a.seq - b.seq);
  let next = nextSeq;
  return sorted.filter(({ seq }) => seq === next && (next += 1));
}

interface Kept {
  seq: number;
  at: string;
  kind: string;
  text: string;
  data: string | null;
  bytes: number;
}

export function kept({ seq, at, kind, text, data }: RunEvent): Kept {
  const clean = storable(withoutSecretsIn(text));
  const json = data === undefined ? null : JSON.stringify(storable(cleanOfSecrets(data)));
  const small = json !== null && Buffer.byteLength(json) > dataMost ? null : json;
  return {
    seq,
    at: timeOf(at).toISOString(),
    kind,
    text: clean,
    data: small,
    bytes: Buffer.byteLength(clean) + Buffer.byteLength(small ?? ''),
  };
}

/** What an agent calls the time; nonsense counts as now. */
function timeOf(at: string): Date {
  const time = new Date(at);
  const year = time.getUTCFullYear();
  return year > 1970 && year < 3000 ? time : new Date();
}

/**
 * Stores events of a run whose row is locked. Beyond the bound, the latest ones replace the oldest of the second half.
 * @returns what the run's row holds afterwards
 */
export async function storeEvents(query: Query, tenant: string, run: string, row: Stored, events: readonly RunEvent[]): Promise<Stored> {
  const fresh = continuing(events, row.next_seq).map(kept);
  if (fresh.length === 0) return row;
  await query(
    `insert into work_run_events (tenant_id, run_id, seq, at, kind, text, data, bytes)
     select $1, $2, e.seq, e.at, e.kind, e.text, e.data::jsonb, e.bytes
     from jsonb_to_recordset($3::jsonb) as e (seq int, at timestamptz, kind text, text text, data text, bytes int)
     on conflict do nothing`,
    [tenant, run, JSON.stringify(fresh)],
  );
  const now = { ...row };
  for (const { seq, bytes } of fresh) {
    now.next_seq = seq + 1;
    if (now.head_to === seq - 1 && now.head_bytes + bytes <= headMost) {
      now.head_bytes += bytes;
      now.head_to = seq;
      now.tail_from = seq + 1;
    } else now.tail_bytes += bytes;
  }
  return await trim(query, tenant, run, now);
}

/** Removes the oldest events after the first half until the second half fits. */
async function trim(query: Query, tenant: string, run: string, row: Stored): Promise<Stored> {
  const now = { ...row };
  while (now.tail_bytes > tailMost) {
    const oldest = await query<{ seq: number; bytes: number }>(
      'select seq, bytes from work_run_events where tenant_id = $1 and run_id = $2 and seq >= $3 order by seq limit 500',
      [tenant, run, now.tail_from],
    );
    if (oldest.length === 0) break;
    for (const { seq, bytes } of oldest) {
      if (now.tail_bytes <= tailMost) break;
      now.tail_bytes -= bytes;
      now.dropped += bytes;
      now.tail_from = seq + 1;
    }
  }
  if (now.tail_from > row.tail_from) {
    await query('delete from work_run_events where tenant_id = $1 and run_id = $2 and seq >= $3 and seq < $4', [
      tenant,
      run,
      row.tail_from,
      now.tail_from,
    ]);
  }
  return now;
}

/** Events after a number; a notice, under the number of the last one, stands in for those that were not kept. */
export async function eventsAfter(
  query: Query,
  tenant: string,
  run: string,
  { head_to: headTo, tail_from: tailFrom, dropped }: Pick<Stored, 'head_to' | 'tail_from' | 'dropped'>,
  after: number,
  limit: number,
): Promise<RunEvent[]> {
  const rows = await query<Columns<'work_run_events', 'seq' | 'at' | 'kind' | 'text'> & { data: Record<string, unknown> | null }>(
    'select seq, at, kind, text, data from work_run_events where tenant_id = $1 and run_id = $2 and seq > $3 order by seq limit $4',
    [tenant, run, after, limit],
  );
  const events = rows.map<RunEvent>(({ seq, at, kind, text, data }) => ({
    seq,
    at: at.toISOString(),
    kind: kind as RunEvent['kind'],
    text,
    ...(data === null ? {} : { data }),
  }));
  const missing = tailFrom - headTo - 1;
  const place = events.findIndex(({ seq }) => seq >= tailFrom);
  if (missing <= 0 || place < 0 || after >= tailFrom - 1) return events;
  const notice: RunEvent = {
    seq: tailFrom - 1,
    at: events[place]!.at,
    kind: 'notice',
    text: `${missing} events (${Math.ceil(dropped / 1_000)} kB) were not kept: a run keeps its beginning and its end.`,
    data: { missing, bytes: dropped },
  };
  return events.toSpliced(place, 0, notice).slice(0, limit);
}
