import { useId, useMemo } from 'react';
import { visible } from '../../ui/Outside.tsx';
import { nextIn, pointsOf, shapeOf, sizeOf, type Edge, type Pictured } from './graph.ts';
import { useLayout } from './useLayout.ts';
import { counted, worded } from '../../ui/words.ts';

const room = 60;
/** A few entities are not drawn larger than the text around them. */
const least = { width: 640, height: 420 };

/** The picture itself. It has one stop for the keyboard; arrow keys choose, and the chosen entity is announced. */
export function Drawing({
  picture,
  edges,
  chosen,
  onChoose,
}: {
  picture: Pictured;
  edges: Edge[];
  chosen: string;
  onChoose: (id: string) => void;
}) {
  const own = useId();
  const spots = useLayout(picture);
  const box = useMemo(() => {
    const all = [...(spots?.values() ?? [])];
    if (all.length === 0) return '-100 -100 200 200';
    const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
    const [width, height] = [
      Math.max(least.width, Math.max(...xs) - Math.min(...xs) + 2 * room),
      Math.max(least.height, Math.max(...ys) - Math.min(...ys) + 2 * room),
    ];
    const [left, top] = [(Math.min(...xs) + Math.max(...xs) - width) / 2, (Math.min(...ys) + Math.max(...ys) - height) / 2];
    return `${left} ${top} ${width} ${height}`;
  }, [spots]);
  const drawn = picture.nodes.filter(({ entity_id }) => spots?.has(entity_id));
  const near = new Set(edges.flatMap(({ source, target }) => (source === chosen ? [target] : target === chosen ? [source] : [])));
  const joined = new Set(edges.flatMap(({ source, target }) => [source, target]));
  // Names of all would cover each other.
  const named = (id: string, i: number): boolean => id === chosen || drawn.length <= 24 || i < 12 || (near.has(id) && near.size <= 16);
  return (
    <svg
      viewBox={box}
      role="listbox"
      aria-label="Entities of the neighbourhood; arrow keys move"
      aria-activedescendant={spots ? `${own}${chosen}` : undefined}
      aria-busy={spots ? undefined : true}
      tabIndex={0}
      className="block h-[min(70vh,40rem)] max-sm:h-96 w-full rounded-card border border-line bg-panel"
      onKeyDown={(event) => {
        const next = spots && nextIn(spots, chosen, event.key);
        if (!event.key.startsWith('Arrow')) return;
        event.preventDefault();
        if (next) onChoose(next);
      }}
    >
      <g aria-hidden="true">
        {edges.map(({ source, target, kind, passages, held }) => {
          const [from, to] = [spots?.get(source), spots?.get(target)];
          if (!from || !to) return null;
          const here = source === chosen || target === chosen;
          return (
            <g key={`${source} ${target} ${kind}`}>
              <line
                x1={from.x}
                y1={from.y}
                x2={to.x}
                y2={to.y}
                strokeWidth={Math.min(3, 1 + Math.log2(passages) / 5)}
                strokeDasharray={held === null ? undefined : '6 3'}
                className={here ? 'stroke-route' : 'stroke-line'}
              />
              {here && near.size <= 20 && (
                <text x={(from.x + to.x) / 2} y={(from.y + to.y) / 2 - 4} textAnchor="middle" fontSize="10" className="fill-soft">
                  {held === null ? passages : `${worded(kind)} (${passages})`}
                </text>
              )}
            </g>
          );
        })}
      </g>
      {drawn.map(({ entity_id: id, name, type, mention_count, depth }) => {
        const spot = spots!.get(id)!;
        const r = sizeOf({ mention_count });
        const shape = shapeOf(type);
        const look = `${id === chosen ? 'fill-route stroke-ink' : near.has(id) ? 'fill-panel stroke-route' : 'fill-sunk stroke-edge'} ${depth > 0 && !joined.has(id) ? 'opacity-40' : ''}`;
        return (
          <g
            key={id}
            id={`${own}${id}`}
            role="option"
            aria-selected={id === chosen}
            aria-label={`${visible(name, 80)}, ${type}, ${counted(mention_count, 'mention')}`}
            data-node={id}
            transform={`translate(${spot.x} ${spot.y})`}
            className="cursor-pointer"
            onClick={() => onChoose(id)}
          >
            {shape === 'circle' ? (
              <circle r={r} strokeWidth="2" className={look} />
            ) : (
              <polygon points={pointsOf(shape, r)} strokeWidth="2" className={look} />
            )}
          </g>
        );
      })}
      <g aria-hidden="true" className="pointer-events-none stroke-panel" strokeWidth="4" paintOrder="stroke" strokeLinejoin="round">
        {drawn.map(({ entity_id: id, name, mention_count }, i) => {
          const { x, y } = spots!.get(id)!;
          return (
            named(id, i) && (
              <text
                key={id}
                x={x}
                y={y + sizeOf({ mention_count }) + 13}
                textAnchor="middle"
                fontSize="12"
                className={id === chosen ? 'fill-ink font-semibold' : 'fill-soft'}
              >
                {visible(name, 28)}
              </text>
            )
          );
        })}
      </g>
    </svg>
  );
}
