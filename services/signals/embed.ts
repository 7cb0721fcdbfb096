import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { vectorText } from '../knowledge/index.ts';

const atOnce = 64;
const within = 60_000;

/**
 * Gives signals without a vector of the current model one, in batches, outside a transaction, because a model is slow.
 * @throws AppError SERVICE_UNAVAILABLE when the model cannot be used
 */
export async function embedSignals(
  { db, embedder }: { db: Database; embedder: Embedder | null },
  tenant: string,
  { beat, signal }: { beat(): void; signal: AbortSignal },
): Promise<void> {
  if (!embedder) return;
  for (let after = ''; ;) {
    beat();
    signal.throwIfAborted();
    const rows = await db.query<{ id: string; statement: string }>(
      'select id, statement from signals where tenant_id = $1 and id > $2 and model is distinct from $3 order by id limit $4',
      [tenant, after, embedder.id, atOnce],
    );
    if (rows.length === 0) return;
    await embedRows({ db, embedder }, tenant, rows);
    after = rows.at(-1)!.id;
  }
}

/** A signal whose statement changes meanwhile keeps what it has. */
export async function embedRows(
  { db, embedder }: { db: Database; embedder: Embedder },
  tenant: string,
  rows: readonly { id: string; statement: string }[],
): Promise<void> {
  const vectors = await embedder.embed(
    rows.map(({ statement }) => statement),
    { priority: 'batch', signal: AbortSignal.timeout(within) },
  );
  await db.query(
    `update signals s set model = $2, embedding = r.embedding::halfvec
     from jsonb_to_recordset($3::jsonb) r(id text, statement text, embedding text)
     where s.tenant_id = $1 and s.id = r.id and s.statement = r.statement`,
    [tenant, embedder.id, JSON.stringify(rows.map(({ id, statement }, i) => ({ id, statement, embedding: vectorText(vectors[i]!) })))],
  );
}
