import type { Database } from '../../../adapters/postgres/database.ts';
import { AppError } from '../../../contracts/errors.ts';

type Query = Database['query'];

/** A position among a tenant's events. `mark` distinguishes it from the same number in another installation or after a restore. */
export interface Place {
  seq: number;
  mark: string;
}

const digits = 11;

/** The public form: the id of an event, and the position after it. Sorts in the order of the events. */
export const writePlace = ({ seq, mark }: Place): string => `evt_${seq.toString(36).padStart(digits, '0')}${mark}`;

/** @throws AppError VALIDATION_ERROR */
export function readPlace(text: string): Place {
  const parts = /^evt_([0-9a-z]{11})([0-9a-f]{12})$/.exec(text);
  const seq = Number.parseInt(parts?.[1] ?? '', 36);
  if (parts && Number.isSafeInteger(seq)) return { seq, mark: parts[2]! };
  throw new AppError('VALIDATION_ERROR', 'This is not the id of an event.', {
    hint: 'Give the id of an event as it came, or leave it out to hear what happens from now on.',
  });
}

interface Standing {
  head: Place;
  /** The oldest event that is kept; null: there is none. */
  first: number | null;
}

/** Numbers the committed events. @returns the last event and the oldest one that is kept */
export async function standing(query: Query, tenant: string): Promise<Standing> {
  await query('select number_events($1)', [tenant]);
  const [row] = await query<{ seq: string; mark: string; first: string | null }>(
    `select coalesce(h.seq, 0)::text as seq, coalesce(h.mark, left(md5($1), 12)) as mark,
       (select min(o.seq)::text from outbox o where o.tenant_id = $1 and o.seq is not null) as first
     from (select) x left join event_heads h on h.tenant_id = $1`,
    [tenant],
  );
  return { head: { seq: Number(row!.seq), mark: row!.mark }, first: row!.first === null ? null : Number(row!.first) };
}

/**
 * The position from which a reader continues that has read everything up to `after`.
 * @param after undefined: only new events; `oldest`: all that are kept
 * @returns the position, and the current head
 * @throws AppError VALIDATION_ERROR; GONE when later events were pruned, or the position is not one of this tenant: the
 * reader has missed events and must know it
 */
export async function placeAfter(query: Query, tenant: string, after: string | undefined): Promise<{ from: number; head: Place }> {
  const { head, first } = await standing(query, tenant);
  if (after === undefined) return { from: head.seq, head };
  if (after === 'oldest') return { from: first === null ? head.seq : first - 1, head };
  const place = readPlace(after);
  if (place.seq === head.seq && place.mark === head.mark) return { from: place.seq, head };
  const [row] = await query<{ mark: string }>(
    place.seq === 0
      ? `select left(md5($1), 12) as mark where $2::bigint = 0`
      : `select event_mark(tenant_id, id, created_at) as mark from outbox where tenant_id = $1 and seq = $2`,
    [tenant, place.seq],
  );
  const gone = (reason: 'unknown' | 'expired', message: string): AppError =>
    new AppError('GONE', message, {
      hint: 'Read the current state again, then continue without an id (from now on) or with "oldest" (all that is kept).',
      details: { reason, latest: writePlace(head) },
    });
  if (place.seq > head.seq || (row && row.mark !== place.mark)) {
    throw gone('unknown', 'This event is not one of these: the id is from another tenant or another database.');
  }
  if (!row || first === null || first > place.seq + 1) throw gone('expired', 'Some of what happened after this event is no longer kept.');
  return { from: place.seq, head };
}
