/** The contract of graph stores: runs with the same assertions against each of them. */
import { describe, expect, it } from 'vitest';
import type { GraphStore, Related, Relation } from '../../adapters/graph/types.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { randomGraph, relation, type TestGraph } from './graphs.ts';

/** A store under test, and a function that writes a graph into it. */
export interface Subject {
  put(tenant: string, graph: TestGraph): Promise<void>;
  store: GraphStore;
}

let tenants = 0;
/** A tenant that no other test uses. */
export const newTenant = (): string => `graph-${process.pid}-${(tenants += 1)}`;

const all = { maxHops: 4, limit: 1_000 };
const entities = (...ids: string[]) => ids.map((id) => ({ id }));
const brief = (found: Related[]) => found.map(({ id, hops }) => `${id}:${hops}`);

export function describeStore(name: string, subject: () => Subject): void {
  async function given(graph: TestGraph): Promise<{ tenant: string; store: GraphStore }> {
    const tenant = newTenant();
    await subject().put(tenant, graph);
    return { tenant, store: asTheTenant(subject().store) };
  }

  describe(`${name}, as every store`, () => {
    it('goes hop by hop, and tells the strongest of the shortest paths', async () => {
      const { tenant, store } = await given({
        entities: entities('a', 'b', 'c', 'd', 'e'),
        // The path to d is stronger through c than through b; e has a short weak path and a long strong one.
        relations: [relation('a', 'b', 2), relation('a', 'c', 6), relation('b', 'd', 2), relation('c', 'd', 2), relation('d', 'e', 98), relation('a', 'e', 1)], // prettier-ignore
      });
      const found = await store.related(tenant, 'a', all);
      expect(brief(found)).toEqual(['c:1', 'b:1', 'e:1', 'd:2']);
      expect(found.map(({ strength }) => strength)).toEqual([0.75, 0.5, 1 / 3, 0.375]);
      expect(found[3]!.path).toEqual([
        { from: 'a', to: 'c', kind: 'mentioned_with', strength: 0.75 },
        { from: 'c', to: 'd', kind: 'mentioned_with', strength: 0.5 },
      ]);
      expect(await store.shortestPath(tenant, 'a', 'd', 4)).toEqual(found[3]!.path);
    });

    it('goes against the direction, too, and counts the strongest of several relations between two', async () => {
      const { tenant, store } = await given({
        entities: entities('a', 'b', 'c', 'd'),
        relations: [
          relation('b', 'a', 1, 'reported'),
          relation('a', 'b', 4, 'uses'),
          relation('b', 'a', 4, 'owns'),
          relation('c', 'b', 2, 'owns'),
          relation('c', 'd', 1, 'uses'),
        ],
      });
      const found = await store.related(tenant, 'a', { maxHops: 2, limit: 10 });
      expect(found).toEqual([
        { id: 'b', hops: 1, strength: 4 / 6, path: [{ from: 'a', to: 'b', kind: 'owns', strength: 4 / 6 }] },
        {
          id: 'c',
          hops: 2,
          strength: (4 / 6) * 0.5,
          path: [
            { from: 'a', to: 'b', kind: 'owns', strength: 4 / 6 },
            { from: 'b', to: 'c', kind: 'owns', strength: 0.5 },
          ],
        },
      ]);
    });

    it('puts equals in the order of their ids, and prefers the path over the lesser id', async () => {
      const { tenant, store } = await given({
        entities: entities('root', 'm2', 'm1', 'z', 'y', 'B', 'é'),
        relations: ['m2', 'm1', 'B', 'é'].map((id) => relation('root', id)).concat(relation('m2', 'z'), relation('m1', 'z'), relation('m2', 'y')), // prettier-ignore
      });
      const found = await store.related(tenant, 'root', all);
      expect(brief(found)).toEqual(['B:1', 'm1:1', 'm2:1', 'é:1', 'y:2', 'z:2']);
      expect(found.at(-1)!.path.map(({ to }) => to)).toEqual(['m1', 'z']);
    });

    it('keeps to hops and limit', async () => {
      const chain = ['a', 'b', 'c', 'd', 'e', 'f'];
      const { tenant, store } = await given({
        entities: entities(...chain),
        relations: chain.slice(1).map((id, i) => relation(chain[i]!, id, 3)),
      });
      for (const maxHops of [1, 2, 3, 4]) {
        expect(brief(await store.related(tenant, 'a', { maxHops, limit: 10 }))).toEqual(['b:1', 'c:2', 'd:3', 'e:4'].slice(0, maxHops));
      }
      expect(brief(await store.related(tenant, 'a', { maxHops: 4, limit: 2 }))).toEqual(['b:1', 'c:2']);
      expect(await store.related(tenant, 'a', { maxHops: 4, limit: 0 })).toEqual([]);
      expect(await store.shortestPath(tenant, 'a', 'e', 4)).toHaveLength(4);
      expect(await store.shortestPath(tenant, 'a', 'f', 4)).toBeNull();
      expect(await store.shortestPath(tenant, 'a', 'a', 4)).toEqual([]);
    });

    it('tells only of wanted types, over entities of any', async () => {
      const { tenant, store } = await given({
        entities: [{ id: 'f', type: 'feature' }, { id: 'i', type: 'issue' }, { id: 'c', type: 'customer' }, { id: 'c2', type: 'customer' }], // prettier-ignore
        relations: [relation('f', 'i', 2), relation('c', 'i', 2), relation('c', 'c2', 2)],
      });
      expect(brief(await store.related(tenant, 'f', { ...all, types: ['customer'] }))).toEqual(['c:2', 'c2:3']);
      expect(brief(await store.related(tenant, 'f', { ...all, types: ['customer'], limit: 1 }))).toEqual(['c:2']);
      expect(brief(await store.related(tenant, 'f', { ...all, types: ['issue', 'theme'] }))).toEqual(['i:1']);
      expect(await store.related(tenant, 'f', { ...all, types: [] })).toEqual([]);
    });

    it('is not caught in cycles, and does not come back to the root', async () => {
      const ring = ['a', 'b', 'c', 'd', 'e'];
      const { tenant, store } = await given({
        entities: entities(...ring),
        relations: [...ring.map((id, i) => relation(id, ring[(i + 1) % ring.length]!)), relation('a', 'a', 9, 'depends_on')],
      });
      expect(brief(await store.related(tenant, 'a', all))).toEqual(['b:1', 'e:1', 'c:2', 'd:2']);
    });

    it('does not see tombstones, merged entities, or what hangs on them alone', async () => {
      const { tenant, store } = await given({
        entities: [...entities('a', 'b', 'c', 'd', 'e'), { id: 'm', status: 'merged' }],
        relations: [relation('a', 'b', 0), relation('b', 'c'), relation('a', 'm', 5), relation('m', 'd', 5), relation('a', 'e')],
      });
      expect(brief(await store.related(tenant, 'a', all))).toEqual(['e:1']);
      expect(await store.around(tenant, ['m', 'a', 'b'], { depth: 3, limit: 10 })).toEqual({
        nodes: [{ id: 'a', depth: 0 }, { id: 'b', depth: 0 }, { id: 'e', depth: 1 }, { id: 'c', depth: 1 }].sort((one, other) => one.depth - other.depth || (one.id < other.id ? -1 : 1)), // prettier-ignore
        edges: [relation('a', 'e'), relation('b', 'c')],
        more: false,
      });
      expect(await store.related(tenant, 'm', all)).toEqual([]);
    });

    it('has nothing to tell of what is not there', async () => {
      const { tenant, store } = await given({ entities: entities('a', 'alone'), relations: [] });
      expect(await store.related(tenant, 'absent', all)).toEqual([]);
      expect(await store.related(tenant, 'alone', all)).toEqual([]);
      expect(await store.around(tenant, ['absent'], { depth: 2, limit: 5 })).toEqual({ nodes: [], edges: [], more: false });
      expect(await store.around(tenant, [], { depth: 2, limit: 5 })).toEqual({ nodes: [], edges: [], more: false });
      expect(await store.shortestPath(tenant, 'absent', 'a', 3)).toBeNull();
      expect(await store.shortestPath(tenant, 'absent', 'absent', 3)).toBeNull();
      expect(await store.shortestPath(tenant, 'a', 'absent', 3)).toBeNull();
    });

    it('shows what surrounds some entities', async () => {
      const { tenant, store } = await given({
        entities: entities('a', 'b', 'c', 'd', 'e'),
        relations: [relation('a', 'b', 5), relation('b', 'a', 2, 'uses'), relation('a', 'c', 7), relation('b', 'c', 1), relation('c', 'd', 3), relation('d', 'e', 3)], // prettier-ignore
      });
      expect(await store.around(tenant, ['a'], { depth: 0, limit: 10 })).toEqual({ nodes: [{ id: 'a', depth: 0 }], edges: [], more: false }); // prettier-ignore
      const two = await store.around(tenant, ['a'], { depth: 2, limit: 10 });
      expect(two.nodes).toEqual([{ id: 'a', depth: 0 }, { id: 'c', depth: 1 }, { id: 'b', depth: 1 }, { id: 'd', depth: 2 }]); // prettier-ignore
      expect(two.edges).toEqual([relation('a', 'c', 7), relation('a', 'b', 5), relation('c', 'd', 3), relation('b', 'a', 2, 'uses'), relation('b', 'c', 1)]); // prettier-ignore
      expect(two.more).toBe(false);
      const few = await store.around(tenant, ['a'], { depth: 2, limit: 2 });
      expect(few).toEqual({ nodes: [{ id: 'a', depth: 0 }, { id: 'c', depth: 1 }], edges: [relation('a', 'c', 7)], more: true }); // prettier-ignore
      // Two roots that are related, given twice.
      const pair = await store.around(tenant, ['d', 'c', 'd'], { depth: 0, limit: 10 });
      expect(pair).toEqual({ nodes: [{ id: 'd', depth: 0 }, { id: 'c', depth: 0 }], edges: [relation('c', 'd', 3)], more: false }); // prettier-ignore
    });

    it('keeps hubs bounded: a node is left by its strongest relations, a hop by its strongest nodes', async () => {
      const spokes = Array.from({ length: 700 }, (_, i) => `s${String(i).padStart(4, '0')}`);
      const leaves = spokes.map((id) => `leaf-${id}`);
      const { tenant, store } = await given({
        entities: entities('hub', ...spokes, ...leaves),
        // Higher numbers are stronger; each has its own leaf.
        relations: spokes.flatMap((id, i) => [relation('hub', id, i + 1), relation(id, leaves[i]!, 1)]),
      });
      const found = await store.related(tenant, 'hub', { maxHops: 2, limit: 10_000 });
      const strongest = [...spokes].reverse();
      expect(found.filter(({ hops }) => hops === 1).map(({ id }) => id)).toEqual(strongest.slice(0, 200));
      expect(found.filter(({ hops }) => hops === 2).map(({ id }) => id)).toEqual(strongest.slice(0, 50).map((id) => `leaf-${id}`));
      // From outside, the hub is an ordinary step, and fewer relations leave it.
      const outside = await store.related(tenant, 'leaf-s0000', { maxHops: 3, limit: 10_000 });
      expect(brief(outside)).toEqual(['s0000:1', 'hub:2', ...strongest.slice(0, 50).map((id) => `${id}:3`)]);
    });

    it('keeps tenants apart, though they have the same entities', async () => {
      const everybody = await Promise.all(
        Array.from({ length: 6 }, (_, i) =>
          given({ entities: entities('a', 'b', `own${i}`), relations: [relation('a', 'b', i + 1), relation('b', `own${i}`, 1)] }),
        ),
      );
      await Promise.all(
        everybody.map(async ({ tenant, store }, i) => {
          const found = await store.related(tenant, 'a', all);
          expect(brief(found)).toEqual(['b:1', `own${i}:2`]);
          expect(found[0]!.strength).toBe((i + 1) / (i + 3));
          expect(await store.related(tenant, `own${(i + 1) % 6}`, all)).toEqual([]);
          expect((await store.around(tenant, ['a', `own${(i + 1) % 6}`], { depth: 3, limit: 10 })).edges).toEqual(
            [relation('a', 'b', i + 1), relation('b', `own${i}`, 1)].sort((one, other) => other.passages - one.passages),
          );
          expect(await store.related(newTenant(), 'a', all)).toEqual([]);
        }),
      );
    });

    it('has what was written last', async () => {
      const { tenant, store } = await given({
        entities: entities('a', 'b', 'c'),
        relations: [relation('a', 'b', 1), relation('b', 'c', 1)],
      });
      await subject().put(tenant, { entities: [{ id: 'c', status: 'merged' }], relations: [relation('a', 'b', 8), relation('b', 'c', 0)] });
      expect(await store.related(tenant, 'a', all)).toMatchObject([{ id: 'b', strength: 0.8 }]);
      await subject().put(tenant, { entities: [{ id: 'c' }], relations: [relation('a', 'b', 0), relation('b', 'c', 2)] });
      expect(await store.related(tenant, 'a', all)).toEqual([]);
      expect(brief(await store.related(tenant, 'c', all))).toEqual(['b:1']);
    });

    it('answers as a plain search through all ways does', async () => {
      for (const seed of [1, 2, 3, 4]) {
        const graph = randomGraph(seed, 60, 110);
        const { tenant, store } = await given(graph);
        for (const { id: root } of graph.entities.slice(0, 12)) {
          const found = await store.related(tenant, root, all);
          expect(new Map(found.map(({ id, hops, strength }) => [id, [hops, strength.toFixed(12)]]))).toEqual(plainly(graph, root, 4));
          const order = [...found].sort((one, other) => one.hops - other.hops || other.strength - one.strength || (one.id < other.id ? -1 : 1)); // prettier-ignore
          expect(found).toEqual(order);
          for (const { id, path, strength } of found) {
            expect(path.at(-1)!.to).toBe(id);
            expect(path.reduce((product, step) => product * step.strength, 1)).toBeCloseTo(strength, 12);
          }
        }
      }
    });
  });
}

/** Hops and strength of everything reachable: follows all paths, without limits. */
function plainly({ entities: nodes, relations }: TestGraph, root: string, maxHops: number): Map<string, [number, string]> {
  const active = new Set(nodes.filter(({ status }) => status !== 'merged').map(({ id }) => id));
  const best = new Map<string, { hops: number; strength: number }>();
  const ways = relations.filter(({ source, target, passages }: Relation) => passages > 0 && active.has(source) && active.has(target));
  const go = (at: string, hops: number, strength: number): void => {
    const known = best.get(at);
    if (known && (known.hops < hops || (known.hops === hops && known.strength >= strength))) return;
    best.set(at, { hops, strength });
    if (hops === maxHops) return;
    for (const { source, target, passages } of ways) {
      if (source === at || target === at) go(source === at ? target : source, hops + 1, strength * (passages / (passages + 2)));
    }
  };
  if (active.has(root)) go(root, 0, 1);
  best.delete(root);
  return new Map([...best].map(([id, { hops, strength }]) => [id, [hops, strength.toFixed(12)]]));
}

/** Runs calls as the tenant, like a request. */
function asTheTenant(store: GraphStore): GraphStore {
  return {
    name: store.name,
    related: (tenant, ...rest) => asTenant(tenant, () => store.related(tenant, ...rest)),
    around: (tenant, ...rest) => asTenant(tenant, () => store.around(tenant, ...rest)),
    shortestPath: (tenant, ...rest) => asTenant(tenant, () => store.shortestPath(tenant, ...rest)),
  };
}
