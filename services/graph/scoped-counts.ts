import type { Database } from '../../adapters/postgres/database.ts';
import { currentScope } from '../../adapters/postgres/tenancy.ts';
import type { EntityRef } from '../../contracts/graph/graph.ts';

interface Counts {
  signal_count: number;
  mention_count?: number;
}

/**
 * Stored counts are those of the whole tenant. For a stakeholder team they are counted from the mentions and documents
 * that it sees; for everybody else the rows stay as they are.
 * @param idOf the entity of a row
 */
export async function countedInScope<T extends Counts>(
  query: Database['query'],
  tenant: string,
  rows: T[],
  idOf: (row: T) => string,
): Promise<T[]> {
  if (currentScope() === null || rows.length === 0) return rows;
  const found = await query<{ id: string; documents: number; mentions: number }>(
    `select m.entity_id as id, count(distinct m.document_id)::int as documents, count(*)::int as mentions
     from entity_mentions m join documents d on d.tenant_id = m.tenant_id and d.id = m.document_id
     where m.tenant_id = $1 and m.entity_id = any($2) and d.graph = 'resolved' group by 1`,
    [tenant, rows.map(idOf)],
  );
  const counts = new Map(found.map((row) => [row.id, row]));
  return rows.map((row) => {
    const { documents = 0, mentions = 0 } = counts.get(idOf(row)) ?? {};
    return { ...row, signal_count: documents, ...(row.mention_count === undefined ? {} : { mention_count: mentions }) };
  });
}

/** Facts with the counts of their ends as `countedInScope` counts them. */
export async function factsCountedInScope<F extends { subject: EntityRef; object: EntityRef | null }>(
  query: Database['query'],
  tenant: string,
  facts: F[],
): Promise<F[]> {
  const ends = facts.flatMap(({ subject, object }) => (object ? [subject, object] : [subject]));
  const counted = await countedInScope(query, tenant, ends, ({ entity_id }) => entity_id);
  const byId = new Map(counted.map((end) => [end.entity_id, end]));
  return facts.map((fact) => ({
    ...fact,
    subject: byId.get(fact.subject.entity_id)!,
    object: fact.object && byId.get(fact.object.entity_id)!,
  }));
}
