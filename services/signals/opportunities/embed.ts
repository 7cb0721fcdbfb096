import type { Embedder } from '../../../adapters/models/embedder.ts';
import type { Database } from '../../../adapters/postgres/database.ts';
import { evidenceClasses } from '../../../contracts/signals/opportunities.ts';
import { embedRows } from '../embed.ts';

const atOnce = 64;

export interface ClusterDeps {
  db: Database;
  /** Null: statements are compared by words. */
  embedder: Embedder | null;
}

/**
 * Adds missing vectors of the current model to these statements. Outside a transaction, because a model is slow.
 * @throws AppError SERVICE_UNAVAILABLE when the model cannot be used
 */
export async function embedStatements({ db, embedder }: ClusterDeps, tenant: string, ids: readonly string[]): Promise<void> {
  if (!embedder) return;
  const rows = await db.query<{ id: string; statement: string }>(
    `select id, statement from signals
     where tenant_id = $1 and id = any($2) and class = any($3) and (embedding is null or model is distinct from $4) order by id`,
    [tenant, ids, evidenceClasses, embedder.id],
  );
  for (let from = 0; from < rows.length; from += atOnce) await embedRows({ db, embedder }, tenant, rows.slice(from, from + atOnce));
}
