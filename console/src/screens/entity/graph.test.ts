import { describe, expect, it } from 'vitest';
import type { Neighbourhood } from '../../../../contracts/graph/graph.ts';
import { collapsed, expandedBy, firstDay, holds, nextIn, pictured, pointsOf, shapeOf } from './graph.ts';
import { layOut } from './layout.ts';

const node = (entity_id: string, depth = 1) => ({
  entity_id,
  name: entity_id,
  type: 'theme',
  signal_count: 1,
  mention_count: 1,
  depth,
  neighbours: 3,
});
const edge = (source: string, target: string, kind = 'mentioned_with') => ({ source, target, kind, passages: 1, held: null });
const first: Neighbourhood = {
  root: 'a',
  entities: [node('a', 0), node('b'), node('c')],
  edges: [edge('a', 'b'), edge('a', 'c')],
  more: true,
};

describe('a neighbourhood', () => {
  it('grows by what is new, and shrinks to the same picture, also over several steps', () => {
    const start = pictured(first);
    const grown = expandedBy(start, 'b', {
      root: 'b',
      entities: [node('d'), node('c')],
      edges: [edge('b', 'd'), edge('a', 'b')],
      more: false,
    });
    expect(grown.nodes.map(({ entity_id, depth }) => [entity_id, depth])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 1],
      ['d', 2],
    ]);
    expect(grown.edges).toHaveLength(3);
    const twice = expandedBy(grown, 'd', { root: 'd', entities: [node('e')], edges: [edge('d', 'e')], more: false });
    expect(collapsed(twice, 'd')).toEqual(grown);
    expect(collapsed(twice, 'b')).toEqual(start);
    expect(collapsed(start, 'b')).toBe(start);
    expect(expandedBy(start, 'b', { ...first, entities: [node('c')] })).toBe(start);
  });

  it('knows what held on a day', () => {
    const owned = { ...edge('a', 'b', 'owns'), held: [{ from: '2024-01-01T00:00:00.000Z', to: '2025-01-01T00:00:00.000Z' }] };
    expect([holds(owned, '2024-06-01'), holds(owned, '2023-06-01'), holds(owned, ''), holds(edge('a', 'b'), '1990-01-01')]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(holds({ ...owned, held: [{ from: null, to: null }] }, '')).toBe(true);
    expect(firstDay([edge('a', 'b'), owned])).toBe('2024-01-01');
    expect(firstDay([edge('a', 'b')])).toBeNull();
  });

  it('moves to the nearest in the direction of the arrow', () => {
    const spots = new Map([
      ['a', { x: 0, y: 0 }],
      ['near', { x: 10, y: 2 }],
      ['far', { x: 100, y: 0 }],
      ['up', { x: 1, y: -20 }],
    ]);
    expect(['ArrowRight', 'ArrowUp', 'ArrowLeft', 'x'].map((key) => nextIn(spots, 'a', key))).toEqual(['near', 'up', null, null]);
    expect(shapeOf('customer')).toBe('circle');
    expect(pointsOf(shapeOf('issue'), 10).split(' ')).toHaveLength(3);
  });

  it('has the same layout for the same data, whatever was drawn before', () => {
    const ids = Array.from({ length: 60 }, (_, i) => `n${i}`);
    const links = ids.slice(1).map((id, i) => ({ source: ids[Math.floor(i / 3)]!, target: id }));
    const once = layOut(ids, links);
    expect(layOut(ids, links)).toEqual(once);
    expect(Object.keys(once)).toHaveLength(60);
    for (const { x, y } of Object.values(once)) expect(Number.isFinite(x) && Number.isFinite(y)).toBe(true);
  });
});
