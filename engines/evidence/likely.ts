import { dot } from './links-compare.ts';
import type { Linkable } from './types.ts';

/** The nearest statements of a feature that count: one alone may resemble by its words only. */
const nearest = 3;
/** Least mean cosine, on the scale of the shipped model, and how far the next feature must be behind. */
const bounds = { alike: 0.6, apart: 0.05 };
/** Statements before and after that are compared, so that the effort stays linear. */
const lookedAt = 100;

/**
 * The likely feature of a statement whose words and document name none: the one of which the same customer speaks in the
 * most similar statements ("Nobody got a text" beside "Reminders do not arrive").
 * @param statements in order of time; their vectors are of one model
 * @param shipped moves a cosine of that model to the scale of the shipped one
 * @returns for each statement; null: it names a feature or another product, has no vector, or nothing is near enough
 */
export function likelyFeatures(
  statements: readonly Pick<Linkable, 'customer' | 'features' | 'competitors' | 'vector'>[],
  shipped = (cosine: number): number => cosine,
): (string | null)[] {
  const named = new Map<string, number[]>();
  statements.forEach(({ customer, features, vector }, i) => {
    if (customer === null || vector === null || features.length !== 1) return;
    const own = named.get(customer);
    if (own) own.push(i);
    else named.set(customer, [i]);
  });
  return statements.map(({ customer, features, competitors, vector }, i) => {
    if (customer === null || vector === null || features.length + competitors.length > 0) return null;
    const cosines = new Map<string, number[]>();
    for (const other of around(named.get(customer) ?? [], i)) {
      const { features: its, vector: theirs } = statements[other]!;
      const cosine = shipped(dot(vector, theirs!));
      const best = cosines.get(its[0]!);
      if (best) keepBest(best, cosine);
      else cosines.set(its[0]!, [cosine]);
    }
    const means = [...cosines]
      .map(([name, each]) => ({ name, mean: each.reduce((sum, cosine) => sum + cosine, 0) / each.length }))
      .sort((a, b) => b.mean - a.mean || (a.name < b.name ? -1 : 1));
    const [best, second] = means;
    // Of a customer who speaks of one feature only, nothing tells whether another one is nearer.
    if (!best || !second) return null;
    return best.mean >= bounds.alike && best.mean - second.mean >= bounds.apart ? best.name : null;
  });
}

/** Puts a cosine among the best ones, the greatest first. */
function keepBest(best: number[], cosine: number): void {
  if (best.length === nearest && cosine <= best[nearest - 1]!) return;
  let at = best.length;
  while (at > 0 && best[at - 1]! < cosine) at -= 1;
  best.splice(at, 0, cosine);
  if (best.length > nearest) best.pop();
}

/** Those of these places, which rise, that are nearest to a place. */
function around(places: readonly number[], place: number): readonly number[] {
  if (places.length <= 2 * lookedAt) return places;
  const at = places.findIndex((each) => each > place);
  const from = Math.min(Math.max(0, (at === -1 ? places.length : at) - lookedAt), places.length - 2 * lookedAt);
  return places.slice(from, from + 2 * lookedAt);
}
