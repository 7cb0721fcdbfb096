import type { Fused } from '../../engines/retrieval/fusion.ts';

/** Pure: passages with one title must not fill the head of an answer while a path leads elsewhere. */

/** Places at the head, and how many of them passages with one title may have. */
export const head = 5;
const alike = 3;
/** Passages behind the head that are considered. */
const considered = 20;

/** Passages that paths lead to, behind the head; empty: there is nothing to make room for. */
export const behind = (ranked: readonly Fused[]): Fused[] =>
  ranked
    .slice(head)
    .filter((hit) => hit.graph !== undefined)
    .slice(0, considered);

/**
 * The last passages of a title that has more than its places make room for the best that paths lead to, which get the score of
 * the first one they displace.
 * @param ranked best first
 * @param titles of the head and of what is `behind` it; passages without a title may be missing
 */
export function withRoom(ranked: readonly Fused[], titles: ReadonlyMap<string, string>): Fused[] {
  const places = new Map<string, number>();
  const place = ({ id }: Fused): boolean => {
    const title = titles.get(id);
    if (title === undefined) return true;
    const taken = places.get(title) ?? 0;
    if (taken >= alike) return false;
    places.set(title, taken + 1);
    return true;
  };
  const surplus = ranked.slice(0, head).filter((hit) => !place(hit));
  if (surplus.length === 0) return [...ranked];
  const led = behind(ranked).filter(place).slice(0, surplus.length);
  const displaced = new Set(surplus.slice(surplus.length - led.length));
  const first = ranked.find((hit) => displaced.has(hit));
  const moved = new Set(led);
  return [
    ...ranked.slice(0, head).filter((hit) => !displaced.has(hit)),
    ...led.map((hit) => ({ ...hit, score: Math.max(hit.score, first!.score) })),
    ...displaced,
    ...ranked.slice(head).filter((hit) => !moved.has(hit)),
  ];
}
