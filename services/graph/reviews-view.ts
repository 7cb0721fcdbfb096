import type { Database } from '../../adapters/postgres/database.ts';
import type { Entity, EntityRef, ReviewItem } from '../../contracts/graph/graph.ts';
import type { ReviewRow } from '../kernel/reviews/reviews-records.ts';

/** Entities by the requested ids; a merged one is shown as its survivor. */
export async function entitiesById(query: Database['query'], tenant: string, ids: readonly string[]): Promise<Map<string, Entity>> {
  const rows = await query<{
    asked: string;
    entity_id: string;
    name: string;
    type: string;
    signal_count: number;
    metadata: Record<string, unknown>;
    aliases: string[] | null;
  }>(
    `select a.id as asked, e.id as entity_id, e.name, e.type, e.signal_count, e.metadata,
       (select array_agg(n.alias order by n.alias) from entity_aliases n where n.tenant_id = $1 and n.entity_id = e.id and n.alias <> e.name) as aliases
     from entities a join entities e on e.tenant_id = $1 and e.id = coalesce(a.merged_into, a.id)
     where a.tenant_id = $1 and a.id = any($2)`,
    [tenant, ids],
  );
  return new Map(rows.map(({ asked, aliases, ...entity }) => [asked, { ...entity, aliases: aliases ?? [] }]));
}

/** A question in lists; null when its subject is gone. */
export function itemOf(row: ReviewRow, entities: ReadonlyMap<string, Entity>): ReviewItem | null {
  const { a, b, name, alias } = row.subject;
  const first = entities.get(a ?? '');
  if (!first) return null;
  const named = { entity_id: '', name: name ?? alias ?? '', type: row.type, signal_count: 0 };
  const open = row.status === 'pending' || row.status === 'deciding';
  return {
    feedback_id: row.id,
    action: row.action,
    entity_a: refOf(first),
    entity_b: refOf(b === undefined ? named : (entities.get(b) ?? named)),
    type: row.type,
    confidence: Math.round(row.confidence * 1000) / 1000,
    evidence: row.evidence,
    created_at: row.created_at.toISOString(),
    ...(open ? {} : { status: row.status as 'confirmed' | 'rejected' | 'withdrawn' }),
    ...(row.decided_by === null ? {} : { decided_by: row.decided_by }),
    ...(row.decided_at === null ? {} : { decided_at: row.decided_at.toISOString() }),
  };
}

const refOf = ({ entity_id, name, type, signal_count }: EntityRef): EntityRef => ({ entity_id, name, type, signal_count });
