import type { Database } from '../../adapters/postgres/database.ts';
import { currentScope } from '../../adapters/postgres/tenancy.ts';

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
