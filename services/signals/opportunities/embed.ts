import type { Embedder } from '../../../adapters/models/embedder.ts';
import type { Database } from '../../../adapters/postgres/database.ts';
import { evidenceClasses } from '../../../contracts/signals/opportunities.ts';
import { vectorText } from '../../knowledge/index.ts';

const atOnce = 64;
const within = 60_000;

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
  for (let from = 0; from < rows.length; from += atOnce) {
    const some = rows.slice(from, from + atOnce);
    const vectors = await embedder.embed(
      some.map(({ statement }) => statement),
      { priority: 'batch', signal: AbortSignal.timeout(within) },
    );
    await db.query(
      `update signals s set model = $2, embedding = r.embedding::halfvec
       from jsonb_to_recordset($3::jsonb) r(id text, statement text, embedding text)
       where s.tenant_id = $1 and s.id = r.id and s.statement = r.statement`,
      [tenant, embedder.id, JSON.stringify(some.map(({ id, statement }, i) => ({ id, statement, embedding: vectorText(vectors[i]!) })))],
    );
  }
}
