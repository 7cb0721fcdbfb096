import type { Database, Row } from '../../../adapters/postgres/database.ts';
import { severities, type SignalClass } from '../../../contracts/signals/signals.ts';
import { excerptAt } from '../../graph/index.ts';
import { isCountedLive, saidUntil } from './counted.ts';
import type { Day } from './days.ts';

type Query = Database['query'];

/** A statement shown as evidence for a conclusion. */
export interface SignalView {
  signal_id: string;
  /** Citation of its passage: `{document_id}#{ordinal}`. */
  ref: string;
  title: string;
  snippet: string;
  source: string;
  class: SignalClass;
  /** -1 to 1 */
  sentiment: number;
  severity: string;
  occurred_at: string;
}

export interface SignalWish {
  /** A trusted condition on signals `s`; $1 is the tenant, $2 and on are `values`. */
  where: string;
  values?: unknown[];
  /** Trusted SQL. Default: newest first. */
  order?: string;
  limit: number;
}

export async function signalsWhere(query: Query, tenant: string, { where, values = [], order, limit }: SignalWish): Promise<SignalView[]> {
  const rows = await query<
    Row &
      Omit<SignalView, 'ref' | 'snippet' | 'severity' | 'occurred_at'> & {
        document_id: string;
        ordinal: number;
        statement: string;
        severity: number;
        at: Date;
      }
  >(
    `with shown as (
       select s.* from signals s where s.tenant_id = $1 and ${where} order by ${order ?? 's.occurred_at desc, s.id'} limit ${limit})
     select s.id as signal_id, s.document_id, c.ordinal, coalesce(d.title, '') as title, s.statement, s.source, s.class,
       round(s.sentiment::numeric, 2)::float8 as sentiment, s.severity, s.occurred_at as at
     from shown s join chunks c on c.tenant_id = $1 and c.id = s.chunk_id
     left join documents d on d.tenant_id = $1 and d.id = s.document_id
     order by ${order ?? 's.occurred_at desc, s.id'}`,
    [tenant, ...values],
  );
  return rows.map(({ document_id, ordinal, statement, severity, at, ...row }) => ({
    ...row,
    ref: `${document_id}#${ordinal}`,
    snippet: excerptAt(statement, 0, 0),
    severity: severities[severity]!,
    occurred_at: at.toISOString(),
  }));
}

/** Newest signals about an entity, said until a day; null: today. */
export async function signalsAbout(
  query: Query,
  tenant: string,
  entityId: string,
  limit: number,
  asOf: Day | null = null,
): Promise<SignalView[]> {
  return await signalsWhere(query, tenant, {
    // The entity's own index returns the newest directly; a team may not see all of them.
    where: isCountedLive(asOf)
      ? `s.id in (select a.signal_id from signal_entities a where a.tenant_id = $1 and a.entity_id = $2) and ${saidUntil(asOf)}`
      : `s.id = any(array(select a.signal_id from signal_entities a where a.tenant_id = $1 and a.entity_id = $2
          order by a.occurred_at desc, a.signal_id limit ${limit}))`,
    values: [entityId],
    limit,
  });
}
