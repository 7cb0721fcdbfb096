/** Pure: where the nodes of a graph stand. The same data give the same picture: the forces start from fixed places and have a fixed seed. */
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationNodeDatum } from 'd3-force';

export interface Laid {
  ids: string[];
  links: { source: string; target: string }[];
}

type Placed = SimulationNodeDatum & { id: string };

/** A generator of its own, so that the picture does not depend on other code. */
function seeded(): () => number {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @param ids the first stands in the middle */
export function layOut(ids: readonly string[], links: Laid['links']): Record<string, { x: number; y: number }> {
  const nodes: Placed[] = ids.map((id, i) => (i === 0 ? { id, x: 0, y: 0, fx: 0, fy: 0 } : { id }));
  const simulation = forceSimulation(nodes)
    .randomSource(seeded())
    .force(
      'links',
      forceLink<Placed, { source: string | Placed; target: string | Placed }>(links.map((link) => ({ ...link })))
        .id(({ id }) => id)
        .distance(90)
        .strength(0.4),
    )
    .force('apart', forceManyBody().strength(-260).distanceMax(600))
    .force('room', forceCollide(26))
    .force('x', forceX(0).strength(0.04))
    .force('y', forceY(0).strength(0.06))
    .stop();
  simulation.tick(ids.length > 150 ? 120 : 220);
  const round = (value: number | undefined): number => Math.round((value ?? 0) * 10) / 10;
  return Object.fromEntries(nodes.map(({ id, x, y }) => [id, { x: round(x), y: round(y) }]));
}
