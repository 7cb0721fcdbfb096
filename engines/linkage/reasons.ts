import type { Comparer } from './compare.ts';
import type { Fields } from './fields.ts';
import type { Link } from './link.ts';
import type { TableModel } from './model.ts';
import type { Ordered } from './order.ts';

/** Evidence of one column for a link. */
export interface Reason {
  column: string;
  left: string;
  right: string;
  says: 'equal' | 'nearly equal' | 'similar' | 'different';
  /** Natural log of the ratio of frequencies among matches and others; below 0 it is evidence against. */
  weight: number;
}

const maxShown = 200;

/** Strongest first; columns with a missing value are left out. */
export function reasonsOf(link: Link, fields: Fields, comparer: Comparer, model: TableModel, { left, right, swapped }: Ordered): Reason[] {
  const reasons: Reason[] = [];
  for (const [f, field] of fields.list.entries()) {
    const level = comparer.level(field, link.left, link.right);
    if (level < 0) continue;
    const [a, b] = [left.columns[field.columns[0]]!, (right ?? left).columns[field.columns[1]]!];
    reasons.push({
      column: (swapped ? b : a).name,
      left: a.values[a.ids[link.left]!]!.slice(0, maxShown),
      right: b.values[b.ids[link.right]!]!.slice(0, maxShown),
      says: level >= field.equal ? 'equal' : level === field.equal - 1 ? 'nearly equal' : level > 0 ? 'similar' : 'different',
      weight: Math.round(model.weights[f]![level]! * 100) / 100,
    });
  }
  return reasons.sort((x, y) => Math.abs(y.weight) - Math.abs(x.weight));
}
