import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import { entityTypes } from '../../contracts/graph/graph.ts';
import { vectorText } from '../knowledge/index.ts';

type Query = Database['query'];

const namesAtOnce = 64;
const embedWithin = 30_000;

/**
 * Names worth a vector: of the types that people ask for, and those mentioned in several documents; $2 is the current
 * model.
 */
const wanting = `tenant_id = $1 and status = 'active' and model is distinct from $2 and (type = any($3) or signal_count > 1)`;

/** Whether names or facts lack a vector of the current model. */
export async function lacksVectors({ query }: { query: Query }, embedder: Embedder | null, tenant: string): Promise<boolean> {
  if (!embedder) return false;
  const rows = await query(
    `select 1 where exists (select from entities where ${wanting}) or exists (select from graph_facts where tenant_id = $1 and model is distinct from $2)`,
    [tenant, embedder.id, entityTypes],
  );
  return rows.length > 0;
}

/**
 * Creates missing vectors of entities' names, outside the graph's lock, in batches. Until then an entity is found
 * only by its spelling.
 * @returns how many were created
 */
export async function embedNames(
  { db, embedder }: { db: Database; embedder: Embedder | null },
  tenant: string,
  { beat, signal }: { beat(): void; signal: AbortSignal },
): Promise<number> {
  if (!embedder) return 0;
  let made = 0;
  for (;;) {
    beat();
    signal.throwIfAborted();
    const entities = await db.query<{ id: string; name: string }>(
      `select id, name from entities where ${wanting} order by signal_count desc, id limit ${namesAtOnce}`,
      [tenant, embedder.id, entityTypes],
    );
    if (entities.length === 0) return made;
    let vectors: Float32Array[];
    try {
      vectors = await embedder.embed(
        entities.map((entity) => entity.name),
        { priority: 'batch', signal: AbortSignal.timeout(embedWithin) },
      );
    } catch (error) {
      // The model is unavailable: entities without vector are found by spelling, and embedded later.
      if (error instanceof AppError || (error instanceof Error && error.name === 'TimeoutError')) return made;
      throw error;
    }
    const rows = entities.map(({ id, name }, i) => ({ id, name, embedding: vectorText(vectors[i]!) }));
    const written = await db.query(
      `update entities e set model = $2, embedding = r.embedding::halfvec from jsonb_to_recordset($3::jsonb) as r(id text, name text, embedding text)
       where e.tenant_id = $1 and e.id = r.id and e.name = r.name returning 1`,
      [tenant, embedder.id, JSON.stringify(rows)],
    );
    made += written.length;
    // Renamed meanwhile: handled by the next call.
    if (written.length < entities.length) return made;
  }
}
