import type { Database, Row } from '../../../adapters/postgres/database.ts';
import { nameOf, type Event, type EventName, type EventType, type WantedType } from '../../../contracts/outbound/events.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { wantedBy } from '../../kernel/outbox.ts';
import { refsOf } from './refs.ts';
import { writePlace } from './places.ts';

type Query = Database['query'];

/** A filter of events. */
export interface Filter {
  /** Types and names; empty: all. */
  types: readonly WantedType[];
  /** Null: any subject. */
  subject: string | null;
}

export const everything: Filter = { types: [], subject: null };

/** `wantedBy` (kernel/outbox.ts) is the same filter in SQL. */
export const wants = ({ types, subject }: Filter, { type, name, subject: about }: Event): boolean =>
  (types.length === 0 || types.includes(type) || (name !== undefined && types.includes(name))) && (subject === null || about === subject);

/** An event and its number within the tenant. */
export interface Numbered {
  seq: number;
  event: Event;
}

interface EventRow extends Row, Columns<'outbox', 'subject' | 'created_at'> {
  seq: string;
  mark: string;
  type: EventType;
  data: Record<string, unknown>;
}

/** Events after a position, in order. Events without a number are not visible yet. */
export async function numberedAfter(query: Query, tenant: string, after: number, filter: Filter, limit: number): Promise<Numbered[]> {
  const rows = await query<EventRow>(
    `select o.seq::text, event_mark(o.tenant_id, o.id, o.created_at) as mark, o.type, o.subject, o.data, o.created_at from outbox o
     where o.tenant_id = $1 and o.seq > $2 and ${wantedBy('$3::text[]', '$4::text')}
     order by o.seq limit $5`,
    [tenant, after, filter.types, filter.subject, limit],
  );
  return rows.map(({ seq, mark, type, subject, data, created_at }) => ({
    seq: Number(seq),
    event: {
      id: writePlace({ seq: Number(seq), mark }),
      type,
      ...naming(type, data),
      occurred_at: created_at.toISOString(),
      tenant_id: tenant,
      subject,
      data,
      refs: refsOf(tenant, type, subject, data),
    },
  }));
}

function naming(type: EventType, data: Record<string, unknown>): { name?: EventName } {
  const name = nameOf(type, data);
  return name === undefined ? {} : { name };
}
