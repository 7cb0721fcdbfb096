import { knownScale } from '../../kernel/model-scale.ts';
import { dot, meanOf, wordsModel } from './vectors.ts';

/** Pure: how close statements and clusters are, and which belong together. */

/** One statement, or several: their mean vector and their entities. */
export interface Item {
  vector: Float32Array;
  /** Number of statements per entity id. */
  entities: ReadonlyMap<string, number>;
  /** How many statements. */
  size: number;
}

/** Weight of sharing an entity, by its id; 0 for unknown ones. */
export type EntityWeights = ReadonlyMap<string, number>;

/**
 * Threshold for one cluster: the mean cosine of the statements plus the weight of shared entities. Measured on
 * paraphrases (test/signals/opportunities-clusters.test.ts): with the model, other subjects of one product have
 * .51 and the same subject .72; with words .01 and .14. For another model it is moved to its scale.
 */
const joins = { model: 0.65, words: 0.15 };
export const threshold = (model: string): number => (model === wordsModel ? joins.words : knownScale(model).own(joins.model));
/** A member this far below the threshold belongs to another cluster. */
export const tolerance = 0.1;

/** An issue says most about the subject; a feature or theme only where it is. */
const typeWeights: Record<string, number> = { issue: 0.15, feature: 0.06, theme: 0.04 };
export const sharedTypes = Object.keys(typeWeights);
const mostShared = 0.15;
/** An entity with more signals is too common to matter. */
const common = 20;

/** @param signalCount documents that mention the entity */
export const entityWeight = (type: string, signalCount: number): number =>
  (typeWeights[type] ?? 0) * Math.min(1, Math.sqrt(common / Math.max(1, signalCount)));

export function affinity(a: Item, b: Item, weights: EntityWeights): number {
  return dot(a.vector, b.vector) + shared(a, b, weights);
}

function shared(a: Item, b: Item, weights: EntityWeights): number {
  const [few, many] = a.entities.size <= b.entities.size ? [a, b] : [b, a];
  let sum = 0;
  for (const [id, count] of few.entities) {
    const other = many.entities.get(id);
    if (other !== undefined) sum += (weights.get(id) ?? 0) * (count / few.size) * (other / many.size);
  }
  return Math.min(mostShared, sum);
}

export function joined(items: readonly Item[]): Item {
  const entities = new Map<string, number>();
  for (const item of items) for (const [id, count] of item.entities) entities.set(id, (entities.get(id) ?? 0) + count);
  const sizes = items.map(({ size }) => size);
  return {
    vector: meanOf(
      items.map(({ vector }) => vector),
      sizes,
    ),
    entities,
    size: sizes.reduce((sum, size) => sum + size, 0),
  };
}

/**
 * Average-linkage clustering: the two nearest are joined until none are closer than `from`. Ties are broken by order,
 * so the result is deterministic.
 * @returns indexes in `items`, each cluster in order
 */
export function agglomerate(items: readonly Item[], weights: EntityWeights, from: number): number[][] {
  const n = items.length;
  const near = Array.from({ length: n }, () => new Float32Array(n));
  for (let i = 0; i < n; i += 1) for (let j = 0; j < i; j += 1) near[i]![j] = near[j]![i] = affinity(items[i]!, items[j]!, weights);
  const sizes = items.map(({ size }) => size);
  const clusters: (number[] | null)[] = items.map((_, i) => [i]);
  const best = new Int32Array(n).fill(-1);
  const find = (i: number): void => {
    best[i] = -1;
    for (let j = 0; j < n; j += 1) {
      if (j !== i && clusters[j] && (best[i] < 0 || near[i]![j]! > near[i]![best[i]]!)) best[i] = j;
    }
  };
  for (let i = 0; i < n; i += 1) find(i);
  for (;;) {
    let a = -1;
    for (let i = 0; i < n; i += 1) {
      if (!clusters[i] || best[i]! < 0) continue;
      if (a < 0 || near[i]![best[i]!]! > near[a]![best[a]!]!) a = i;
    }
    if (a < 0 || near[a]![best[a]!]! < from) break;
    const b = best[a]!;
    const [keep, gone] = a < b ? [a, b] : [b, a];
    const [x, y] = [sizes[keep]!, sizes[gone]!];
    for (let k = 0; k < n; k += 1) {
      if (clusters[k] && k !== keep && k !== gone) near[keep]![k] = near[k]![keep] = (x * near[keep]![k]! + y * near[gone]![k]!) / (x + y);
    }
    sizes[keep] = x + y;
    clusters[keep] = [...clusters[keep]!, ...clusters[gone]!].sort((p, q) => p - q);
    clusters[gone] = null;
    for (let k = 0; k < n; k += 1) {
      if (!clusters[k]) continue;
      if (k === keep || best[k] === keep || best[k] === gone) find(k);
      else if (near[k]![keep]! > near[k]![best[k]!]!) best[k] = keep;
    }
  }
  return clusters.filter((cluster) => cluster !== null);
}
