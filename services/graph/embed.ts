import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import { vectorText } from '../knowledge/index.ts';
import { embedNames } from './embed-names.ts';

interface Deps {
  db: Database;
  embedder: Embedder | null;
}

interface Embedding {
  beat(): void;
  signal: AbortSignal;
}

const factsAtOnce = 64;
const embedWithin = 30_000;

/**
 * Creates missing vectors of names and facts.
 * @returns how many were created
 */
export async function embedGraph(deps: Deps, tenant: string, options: Embedding): Promise<number> {
  return (await embedNames(deps, tenant, options)) + (await embedFacts(deps, tenant, options));
}

/**
 * Creates missing vectors of facts for the current model, outside the graph's lock, in batches. Until then facts are
 * found by their words.
 * @returns how many were created
 */
async function embedFacts({ db, embedder }: Deps, tenant: string, { beat, signal }: Embedding): Promise<number> {
  if (!embedder) return 0;
  let made = 0;
  for (;;) {
    beat();
    signal.throwIfAborted();
    const facts = await db.query<{ id: string; statement: string }>(
      `select id, statement from graph_facts where tenant_id = $1 and model is distinct from $2 order by updated_at desc, id limit ${factsAtOnce}`,
      [tenant, embedder.id],
    );
    if (facts.length === 0) return made;
    let vectors: Float32Array[];
    try {
      vectors = await embedder.embed(
        facts.map((fact) => fact.statement),
        { priority: 'batch', signal: AbortSignal.timeout(embedWithin) },
      );
    } catch (error) {
      if (error instanceof AppError || (error instanceof Error && error.name === 'TimeoutError')) return made;
      throw error;
    }
    const rows = facts.map(({ id, statement }, i) => ({ id, statement, embedding: vectorText(vectors[i]!) }));
    const written = await db.query(
      // A fact that was folded again meanwhile has other content: handled by the next call.
      `update graph_facts f set model = $2, embedding = r.embedding::halfvec
       from jsonb_to_recordset($3::jsonb) as r(id text, statement text, embedding text)
       where f.tenant_id = $1 and f.id = r.id and f.statement = r.statement returning 1`,
      [tenant, embedder.id, JSON.stringify(rows)],
    );
    made += written.length;
    if (written.length < facts.length) return made;
  }
}
