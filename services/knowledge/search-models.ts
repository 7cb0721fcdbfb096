import { LRUCache } from 'lru-cache';
import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Near } from '../../adapters/vectors/types.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Like } from './search-graph.ts';

/** Searches while a tenant's passages move from one embedding model to another: each has a vector of one of them. */

type Query = Database['query'];

interface ModelDeps {
  db: Pick<Database, 'query'>;
  formerEmbedders?: readonly Embedder[] | undefined;
}

/** How long a query waits for the vector of a former model, in ms. */
const embedWithin = 5_000;
/** Hits of both models that are enough to compare their scores. */
const comparable = 10;

/** Other models of which passages have vectors: a few index lookups. */
async function otherModels(query: Query, tenant: string, model: string): Promise<string[]> {
  const rows = await query<{ model: string }>(
    `with recursive models as (
       (select min(model) as model from chunks where tenant_id = $1)
       union all
       select (select min(c.model) from chunks c where c.tenant_id = $1 and c.model > m.model) from models m where m.model is not null)
     select model from models where model is not null and model <> $2`,
    [tenant, model],
  );
  return rows.map((row) => row.model);
}

/** Versions that are remembered. */
const remembered = 10_000;

/**
 * Remembers which documents have vectors of the current model only. A version stands for the documents themselves:
 * whatever a process writes or embeds anew, this or another one, has another version.
 */
export class OneModel {
  private readonly versions = new LRUCache<string, true>({ max: remembered });

  /**
   * Other models of which passages have vectors. Asks only if documents changed since there were none.
   * @param version of the searched documents in the query's snapshot; null: unknown
   */
  async others(query: Query, tenant: string, model: string, version: string | null): Promise<string[]> {
    const key = `${tenant} ${model} ${version}`;
    if (version !== null && this.versions.get(key)) return [];
    const others = await otherModels(query, tenant, model);
    if (others.length === 0 && version !== null) this.versions.set(key, true);
    return others;
  }
}

/**
 * The query's vectors by former models whose vectors still stand, as far as these models are at hand.
 * @param others models of these vectors, at least one
 * @param warnings gets how far the change of the model is
 */
export async function formerLikes(
  deps: ModelDeps,
  tenant: string,
  text: string,
  others: readonly string[],
  warnings: string[],
): Promise<Like[]> {
  const likes: Like[] = [];
  for (const former of deps.formerEmbedders ?? []) {
    const id = idOf(former);
    if (id === null || !others.includes(id)) continue;
    try {
      const [vector] = await former.embed([text], { priority: 'query', as: 'query', signal: AbortSignal.timeout(embedWithin) });
      if (vector) likes.push({ vector, model: id });
    } catch {
      // Its passages are found by their words, as those of a model that is not at hand.
    }
  }
  const rest = likes.length === others.length ? 'are found by the former one' : 'are found by their words';
  warnings.push(`The embedding model has changed: ${await progressOf(deps.db.query, tenant)}. Passages without a new vector ${rest}.`);
  return likes;
}

async function progressOf(query: Query, tenant: string): Promise<string> {
  const [job] = await query<{ id: string; progress: { done?: number; total?: number } }>(
    `select id, progress from jobs where tenant_id = $1 and workflow_id = $2 and status in ('queued', 'running')`,
    [tenant, workflowIds.pipeline(tenant, 'unprocessed')],
  );
  if (!job) return 'new vectors are made soon, or at once by ingest.pipeline.run';
  const { done = 0, total = 0 } = job.progress;
  return `${done} of ${total} documents have new vectors (${job.id})`;
}

/**
 * One list of hits of two models. Their cosines have different scales, so the former's are moved to the range of the current
 * ones, where there are enough of both.
 */
export function mergedNear(current: readonly Near[], former: readonly Near[], limit: number): Near[] {
  const [to, from] = [rangeOf(current), rangeOf(former)];
  const few = Math.min(current.length, former.length) < comparable || from.wide === 0;
  const moved = former.map(({ id, score }) => ({ id, score: few ? score : to.low + ((score - from.low) / from.wide) * to.wide }));
  return [...current, ...moved].sort((a, b) => b.score - a.score || Number(a.id) - Number(b.id)).slice(0, limit);
}

/** @param hits best first */
function rangeOf(hits: readonly Near[]): { low: number; wide: number } {
  const low = hits.at(-1)?.score ?? 0;
  return { low, wide: (hits[0]?.score ?? 0) - low };
}

/** Null: no model, or one whose files cannot be read. */
function idOf(embedder: Embedder | null): string | null {
  try {
    return embedder?.id ?? null;
  } catch {
    return null;
  }
}
