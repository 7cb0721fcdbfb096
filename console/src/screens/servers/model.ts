import type { ToolMark, ToolState } from '../../../../contracts/governance/external.ts';
import type { AspectName } from '../../ui/Aspect.tsx';

export const states: Record<ToolState, AspectName> = { approved: 'clear', waiting: 'caution', changed: 'stop', gone: 'out' };

/** A text of a definition, before and now. Null: it is not there. */
export interface Field {
  /** JSON pointer. */
  path: string;
  before: string | null;
  now: string | null;
  state: 'same' | 'changed' | 'new' | 'gone';
}

/** Each leaf of a definition, by its JSON pointer. */
export function leavesOf(value: unknown, path = '', found = new Map<string, string>()): Map<string, string> {
  if (value === null || typeof value !== 'object') {
    if (value !== undefined) found.set(path, typeof value === 'string' ? value : JSON.stringify(value));
    return found;
  }
  const entries = Object.entries(value);
  if (entries.length === 0 && path !== '') found.set(path, Array.isArray(value) ? '[]' : '{}');
  for (const [name, inner] of entries) leavesOf(inner, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, found);
  return found;
}

/** Field by field, in the order of the definition as it is now; what is gone stands at its former neighbour. */
export function fieldsOf(before: Record<string, unknown> | null, now: Record<string, unknown>): Field[] {
  const [was, is] = [before ? leavesOf(before) : new Map<string, string>(), leavesOf(now)];
  const order = [...is.keys()];
  let at = -1;
  for (const path of was.keys()) {
    const here = order.indexOf(path);
    if (here >= 0) at = here;
    else order.splice((at += 1), 0, path);
  }
  return order.map((path) => {
    const [old, current] = [was.get(path) ?? null, is.get(path) ?? null];
    const state = before === null ? 'same' : old === null ? 'new' : current === null ? 'gone' : old === current ? 'same' : 'changed';
    return { path, before: old, now: current, state };
  });
}

/** `/inputSchema/properties/to/description` as people read it. */
export const readable = (path: string): string =>
  path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join(' › ');

/** A piece of a text: what differs from the other version, and what a person should look at. */
export interface Piece {
  text: string;
  differs: boolean;
  marks: ToolMark[];
}

/** Where two texts differ, from their first difference to their last. */
export function differenceOf(one: string, other: string | null): [start: number, end: number] {
  if (other === null) return [0, one.length];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return [start, one.length - end];
}

/** @param differing the part that differs; null: nothing does */
export function piecesOf(text: string, differing: [number, number] | null, marks: readonly ToolMark[]): Piece[] {
  const cuts = new Set([0, text.length, ...(differing ?? []), ...marks.flatMap(({ start, end }) => [start, end])]);
  const at = [...cuts].filter((cut) => cut >= 0 && cut <= text.length).toSorted((a, b) => a - b);
  return at.slice(0, -1).flatMap((start, i) => {
    const end = at[i + 1]!;
    if (end <= start) return [];
    return [
      {
        text: text.slice(start, end),
        differs: differing !== null && start >= differing[0] && end <= differing[1] && differing[1] > differing[0],
        marks: marks.filter((mark) => mark.start <= start && mark.end >= end),
      },
    ];
  });
}
