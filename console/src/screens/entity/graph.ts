/** Pure: the picture of a neighbourhood, how it grows and shrinks, and who is next in which direction. */
import type { Neighbourhood } from '../../../../contracts/graph/graph.ts';

export type Node = Neighbourhood['entities'][number];
export type Edge = Neighbourhood['edges'][number];

export interface Pictured {
  root: string;
  nodes: Node[];
  edges: Edge[];
  /** What each expansion added, in order. */
  expanded: { id: string; added: string[] }[];
}

export const mostNodes = 300;

export const pictured = ({ root, entities, edges }: Neighbourhood): Pictured => ({
  root,
  nodes: entities,
  edges: unique(edges),
  expanded: [],
});

const keyOf = ({ source, target, kind }: Edge): string => `${source} ${target} ${kind}`;
const unique = (edges: readonly Edge[]): Edge[] => [...new Map(edges.map((edge) => [keyOf(edge), edge])).values()];

/** With what is around one of its nodes. */
export function expandedBy(picture: Pictured, id: string, found: Neighbourhood): Pictured {
  const known = new Set(picture.nodes.map(({ entity_id }) => entity_id));
  const depth = (picture.nodes.find(({ entity_id }) => entity_id === id)?.depth ?? 0) + 1;
  const added = found.entities.filter(({ entity_id }) => !known.has(entity_id)).map((node) => ({ ...node, depth }));
  if (added.length === 0) return picture;
  return {
    ...picture,
    nodes: [...picture.nodes, ...added],
    edges: unique([...picture.edges, ...found.edges]),
    expanded: [...picture.expanded, { id, added: added.map(({ entity_id }) => entity_id) }],
  };
}

/** Without what expansions of this node added, and what expansions of those added. */
export function collapsed(picture: Pictured, id: string): Pictured {
  const gone = new Set<string>();
  const origins = new Set([id]);
  const expanded = picture.expanded.filter((step) => {
    if (!origins.has(step.id)) return true;
    for (const added of step.added) {
      gone.add(added);
      origins.add(added);
    }
    return false;
  });
  if (gone.size === 0) return picture;
  return {
    ...picture,
    nodes: picture.nodes.filter(({ entity_id }) => !gone.has(entity_id)),
    edges: picture.edges.filter(({ source, target }) => !gone.has(source) && !gone.has(target)),
    expanded,
  };
}

export const isExpanded = (picture: Pictured, id: string): boolean => picture.expanded.some((step) => step.id === id);

/** Whether the connection is told for that day; empty: today. What is only mentioned together has no date. */
export function holds({ held }: Edge, day: string): boolean {
  if (held === null) return true;
  const at = day === '' ? new Date().toISOString() : `${day}T23:59:59.999Z`;
  return held.some(({ from, to }) => (from === null || from <= at) && (to === null || to > at));
}

/** The earliest day that the slider needs. */
export function firstDay(edges: readonly Edge[]): string | null {
  const days = edges.flatMap(({ held }) => (held ?? []).flatMap(({ from, to }) => [from, to])).filter((at) => at !== null);
  return days.length === 0 ? null : days.toSorted()[0]!.slice(0, 10);
}

export interface Spot {
  x: number;
  y: number;
}

const ways: Record<string, [x: number, y: number]> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** The nearest node in the direction of an arrow key, what lies straight ahead first; null: none. */
export function nextIn(spots: ReadonlyMap<string, Spot>, from: string, key: string): string | null {
  const way = ways[key];
  const start = spots.get(from);
  if (!way || !start) return null;
  let best: { id: string; far: number } | null = null;
  for (const [id, { x, y }] of spots) {
    const [dx, dy] = [x - start.x, y - start.y];
    const ahead = dx * way[0] + dy * way[1];
    const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    if (id === from || ahead <= 0 || aside > ahead * 2) continue;
    const far = ahead + 2 * aside;
    if (!best || far < best.far) best = { id, far };
  }
  return best?.id ?? null;
}

/** Radius by mentions. */
export const sizeOf = ({ mention_count }: Pick<Node, 'mention_count'>): number => Math.min(22, 6 + 2 * Math.log2(1 + mention_count));

/** Shape by type, so that colour is not the only sign. */
export const shapeOf = (type: string): 'circle' | 'square' | 'triangle' | 'diamond' | 'hexagon' =>
  (({ customer: 'circle', feature: 'square', issue: 'triangle', theme: 'diamond' }) as const)[type] ?? 'hexagon';

/** Points of a shape around 0, 0. */
export function pointsOf(shape: ReturnType<typeof shapeOf>, r: number): string {
  const corners = { circle: 0, square: 4, triangle: 3, diamond: 4, hexagon: 6 }[shape];
  const turn = shape === 'square' ? Math.PI / 4 : -Math.PI / 2;
  return Array.from({ length: corners }, (_, i) => turn + (i * 2 * Math.PI) / corners)
    .map((angle) => `${(r * 1.15 * Math.cos(angle)).toFixed(1)},${(r * 1.15 * Math.sin(angle)).toFixed(1)}`)
    .join(' ');
}
