import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database, Row } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import type { EntityRef } from '../../contracts/graph/graph.ts';
import type { EntityLookup } from './lookup.ts';
import { nearestNames, survivors } from './lookup-sql.ts';
import { coreWords, keyWords, nameKey } from '../../engines/text/names.ts';
import { scaleOf } from '../kernel/model-scale.ts';
import { Service } from '../kernel/service.ts';

export interface NodeQuery {
  query: string;
  limit: number;
  types?: readonly string[] | undefined;
  /** An entity: entities close to it come first. */
  center?: string | undefined;
}

export interface FoundNode extends EntityRef {
  /** 0 to 1, comparable within one answer. */
  score: number;
}

/** How long a query waits for its vector, in ms. */
const embedWithin = 2_000;
/** Names read per word of the query. */
const perWord = 300;
const byMeaning = 30;
/** Minimum cosine of a name by meaning, and the maximum score for it. */
const leastCosine = 0.6;
const meaningShare = 0.8;
/** Maximum words of a query that is treated as one (possibly misspelt) name. */
const nameWords = 6;
const aroundCenter = 5;

/** Finds entities by their names, by words and meaning. */
export class NodeSearch extends Service<'embedder', { lookup: EntityLookup }> {
  /** Best first. */
  async search(tenant: string, { query: text, limit, types, center }: NodeQuery): Promise<{ nodes: FoundNode[]; warnings: string[] }> {
    const { query } = this.db;
    const warnings: string[] = [];
    const key = nameKey(text);
    const scores = new Map<string, number>();
    const count = (id: string, score: number): void => void scores.set(id, Math.max(score, scores.get(id) ?? 0));
    for (const { entity_id, key: name } of await namesWith(query, tenant, key)) count(entity_id, overlap(key, name));
    if (key !== '' && keyWords(key).length <= nameWords) {
      for (const { entity_id, confidence } of await this.deps.lookup.similar(tenant, key)) count(entity_id, confidence);
    }
    const vector = await queryVector(this.deps.embedder, text, warnings);
    if (vector) {
      const near = await nearestNames(query, tenant, { ...vector, types: types?.length ? types : undefined, limit: byMeaning });
      const scale = await scaleOf(this.deps.embedder!);
      for (const { id, cosine } of near.map((each) => ({ id: each.id, cosine: scale.shipped(each.cosine) })))
        if (cosine >= leastCosine) count(id, cosine * meaningShare);
    }
    const entities = await survivors(query, tenant, [...scores.keys()]);
    const best = new Map<string, FoundNode>();
    for (const [id, score] of scores) {
      const entity = entities.get(id);
      if (!entity || (types?.length && !types.includes(entity.type)) || (best.get(entity.id)?.score ?? -1) >= score) continue;
      const { name, type, signal_count } = entity;
      best.set(entity.id, { entity_id: entity.id, name, type, signal_count, score: Math.round(score * 1000) / 1000 });
    }
    let nodes = [...best.values()].sort(
      (a, b) => b.score - a.score || b.signal_count - a.signal_count || (a.entity_id < b.entity_id ? -1 : 1),
    );
    if (center !== undefined) {
      nodes = nodes.slice(0, limit * aroundCenter);
      const away = await distancesFrom(
        query,
        tenant,
        center,
        nodes.map((node) => node.entity_id),
      );
      nodes.sort((a, b) => away.get(a.entity_id)! - away.get(b.entity_id)! || b.score - a.score);
    }
    return { nodes: nodes.slice(0, limit), warnings };
  }
}

/** The query's vector; null when no model is available. */
export async function queryVector(
  embedder: Embedder | null,
  text: string,
  warnings: string[],
): Promise<{ model: string; vector: Float32Array } | null> {
  if (!embedder) return null;
  try {
    const [vector] = await embedder.embed([text], { priority: 'query', as: 'query', signal: AbortSignal.timeout(embedWithin) });
    return vector ? { model: embedder.id, vector } : null;
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof Error && error.name === 'TimeoutError')) throw error;
    warnings.push('The embedding model did not answer: found by words only.');
    return null;
  }
}

/**
 * Distances from an entity in relations: 0 itself, 1 and 2, and 3 for everything further away.
 * @throws AppError NOT_FOUND when the entity does not exist
 */
export async function distancesFrom(query: Query, tenant: string, center: string, ids: readonly string[]): Promise<Map<string, number>> {
  const entity = (await survivors(query, tenant, [center])).get(center);
  if (!entity) {
    throw new AppError('NOT_FOUND', `No entity with id "${center.slice(0, 64)}".`, {
      hint: 'graph.node.search without a centre shows ids.',
    });
  }
  const rows = await query<{ id: string; steps: number } & Row>(
    `with wanted as (select distinct unnest($3::text[]) as id),
       one as (select target_id as id from entity_relations where tenant_id = $1 and source_id = $2 and passages > 0
         union select source_id from entity_relations where tenant_id = $1 and target_id = $2 and passages > 0)
     select w.id, case when w.id = $2 then 0 when exists (select from one where one.id = w.id) then 1
       when exists (select from entity_relations r join one on one.id = r.target_id where r.tenant_id = $1 and r.source_id = w.id and r.passages > 0)
         or exists (select from entity_relations r join one on one.id = r.source_id where r.tenant_id = $1 and r.target_id = w.id and r.passages > 0)
       then 2 else 3 end as steps from wanted w`,
    [tenant, entity.id, ids],
  );
  return new Map(rows.map(({ id, steps }) => [id, steps]));
}

type Query = Database['query'];

/** Names that share a word with the query. */
async function namesWith(query: Query, tenant: string, key: string): Promise<{ entity_id: string; key: string }[]> {
  const words = [...new Set(keyWords(key))].slice(0, 32).map((word) => `w:${word.slice(0, 40)}`);
  if (words.length === 0) return [];
  return await query<{ entity_id: string; key: string }>(
    `select distinct a.entity_id, a.key from unnest($2::text[]) w(block) cross join lateral (
       select type, key from entity_blocks where tenant_id = $1 and block = w.block order by length(key), key limit ${perWord}) b
     join entity_aliases a on a.tenant_id = $1 and a.type = b.type and a.key = b.key`,
    [tenant, words],
  );
}

/** Share of the name in the query, and of the query in the name. */
function overlap(key: string, name: string): number {
  const asked = new Set(keyWords(key));
  const own = coreWords(name);
  const shared = own.filter((word) => asked.has(word)).length;
  return 0.7 * (shared / own.length) + 0.3 * (shared / asked.size);
}
