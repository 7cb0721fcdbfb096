import type { Around, AroundOptions, GraphStore, Related, RelatedOptions, Relation, Step } from './types.ts';

/** Nodes from which the next hop continues. */
const frontierCap = 50;
/** Maximum relations of a root, and of any other node. */
const fanOut = [200, 50] as const;
const mostEdges = 2_000;
/** Nodes looked up at once, first and at most. */
const lookedUp = [250, 5_000] as const;

/** A relation of a frontier node, seen from there. */
export interface Neighbour {
  from: string;
  to: string;
  kind: string;
  passages: number;
}

/** The functions of a store; the traversal is the same for all stores. */
export interface Edges {
  /** The active entities of the tenant among these, unordered. */
  active(tenant: string, ids: readonly string[]): Promise<{ id: string; type: string }[]>;
  /**
   * For each of these that is active, its `limit` relations with most passages; ties by the other's id and kind;
   * unordered.
   */
  neighbours(tenant: string, ids: readonly string[], limit: number): Promise<Neighbour[]>;
  /** Relations among these nodes: most passages first; ties by source, target and kind. */
  among(tenant: string, ids: readonly string[], limit: number): Promise<Relation[]>;
}

interface Reached {
  id: string;
  hops: number;
  strength: number;
  by: Step | null;
}

/** The port on top of a store's functions. */
export function graphStore(name: GraphStore['name'], edges: Edges): GraphStore {
  return {
    name,

    async related(tenant, rootId, { maxHops, types, limit }: RelatedOptions): Promise<Related[]> {
      const found: Reached[] = [];
      const reached = await walk(edges, tenant, [rootId], limit > 0 && types?.length !== 0 ? maxHops : 0, async (layer) => {
        await choose(edges, tenant, layer, types, limit, found);
        return found.length >= limit;
      });
      return found.map(({ id, hops, strength }) => ({ id, hops, strength, path: pathTo(reached, id) }));
    },

    async around(tenant, rootIds, { depth, limit }: AroundOptions): Promise<Around> {
      const present = new Set((await edges.active(tenant, rootIds)).map(({ id }) => id));
      const roots = [...new Set(rootIds)].filter((id) => present.has(id));
      const found: Reached[] = [];
      await walk(edges, tenant, roots, roots.length > limit ? 0 : depth, async (layer) => {
        await choose(edges, tenant, layer, undefined, limit + 1 - roots.length, found);
        return roots.length + found.length > limit;
      });
      const all = [...roots.map((id) => ({ id, depth: 0 })), ...found.map(({ id, hops }) => ({ id, depth: hops }))];
      const nodes = all.slice(0, limit);
      const ids = nodes.map(({ id }) => id);
      return { nodes, edges: ids.length > 0 ? await edges.among(tenant, ids, mostEdges) : [], more: all.length > nodes.length };
    },

    async shortestPath(tenant, from, to, maxHops): Promise<Step[] | null> {
      const reached = await walk(edges, tenant, [from], from === to ? 0 : maxHops, async (layer) => layer.some(({ id }) => id === to));
      return reached.has(to) && (await edges.active(tenant, [to])).length > 0 ? pathTo(reached, to) : null;
    },
  };
}

/**
 * Traverses hop by hop. `enough` is called with each layer, strongest first. A store may briefly still have relations
 * of merged entities, so entities in a layer are checked, and inactive ones are not followed.
 * @returns every node reached
 */
async function walk(
  edges: Edges,
  tenant: string,
  roots: readonly string[],
  hops: number,
  enough: (layer: Reached[]) => Promise<boolean>,
): Promise<Map<string, Reached>> {
  const reached = new Map<string, Reached>(roots.map((id) => [id, { id, hops: 0, strength: 1, by: null }]));
  let layer = [...reached.values()];
  for (let hop = 1; hop <= hops && layer.length > 0; hop += 1) {
    const from = layer.slice(0, frontierCap).map(({ id }) => id);
    layer = nextLayer(reached, await edges.neighbours(tenant, from, fanOut[hop === 1 ? 0 : 1]), hop);
    for (const node of layer) reached.set(node.id, node);
    if (await enough(layer)) break;
  }
  return reached;
}

/** Looks up the strongest of a layer until `limit` are found, because most are never needed. */
async function choose(
  edges: Edges,
  tenant: string,
  layer: Reached[],
  types: readonly string[] | undefined,
  limit: number,
  found: Reached[],
): Promise<void> {
  const [atFirst, atMost] = lookedUp;
  let size = Math.min(Math.max(atFirst, limit - found.length), atMost);
  for (let from = 0; from < layer.length && found.length < limit; from += size, size = Math.min(size * 8, atMost)) {
    const part = layer.slice(from, from + size);
    const typeOf = new Map((await edges.active(tenant, part.map(({ id }) => id))).map(({ id, type }) => [id, type])); // prettier-ignore
    const wanted = part.filter(({ id }) => typeOf.has(id) && (types?.includes(typeOf.get(id)!) ?? true));
    found.push(...wanted.slice(0, limit - found.length));
  }
}

/** The newly reached nodes, each by its strongest relation, strongest first. */
function nextLayer(reached: Map<string, Reached>, neighbours: Neighbour[], hop: number): Reached[] {
  const next = new Map<string, Reached>();
  for (const { from, to, kind, passages } of neighbours) {
    if (reached.has(to)) continue;
    const step = passages / (passages + 2);
    const strength = reached.get(from)!.strength * step;
    const known = next.get(to);
    if (known && !stronger(strength, from, kind, known)) continue;
    next.set(to, { id: to, hops: hop, strength, by: { from, to, kind, strength: step } });
  }
  return [...next.values()].sort((one, other) => other.strength - one.strength || (one.id < other.id ? -1 : 1));
}

/** Ties are broken by the smaller id, and then the smaller kind. */
function stronger(strength: number, from: string, kind: string, known: Reached): boolean {
  const by = known.by!;
  if (strength !== known.strength) return strength > known.strength;
  return from === by.from ? kind < by.kind : from < by.from;
}

function pathTo(reached: Map<string, Reached>, id: string): Step[] {
  const path: Step[] = [];
  for (let step = reached.get(id)?.by; step; step = reached.get(step.from)?.by) path.unshift(step);
  return path;
}
