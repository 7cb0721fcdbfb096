import type { Link } from './link.ts';
import type { Table } from './table.ts';

export interface Ordered {
  left: Table;
  right: Table | null;
  /** The tables are in the opposite order of the input. */
  swapped: boolean;
  /** Maps a link back to the input's rows. */
  back(link: Link): Link;
}

/** Sorts rows, and the two tables, by content: random samples, cuts and ties then do not depend on the input's order. */
export function inOwnOrder(left: Table, right: Table | null): Ordered {
  const a = sorted(left);
  if (right === null) {
    return {
      left: a.table,
      right: null,
      swapped: false,
      back: (link) => {
        const [i, j] = [a.places[link.left]!, a.places[link.right]!];
        if (i < j) return { ...link, left: i, right: j };
        return { ...turned(link), left: j, right: i };
      },
    };
  }
  const b = sorted(right);
  const swap = a.hash > b.hash;
  return {
    left: swap ? b.table : a.table,
    right: swap ? a.table : b.table,
    swapped: swap,
    back: (link) =>
      swap
        ? { ...turned(link), left: a.places[link.right]!, right: b.places[link.left]! }
        : { ...link, left: a.places[link.left]!, right: b.places[link.right]! },
  };
}

const turned = (link: Link): Link =>
  link.reasons ? { ...link, reasons: link.reasons.map((reason) => ({ ...reason, left: reason.right, right: reason.left })) } : link;

function sorted(table: Table): { table: Table; places: Int32Array; hash: number } {
  const hashes = new Float64Array(table.rows);
  for (const column of table.columns) {
    const ofValues = Float64Array.from(column.values, hashOf);
    for (let row = 0; row < table.rows; row++) hashes[row] = (hashes[row]! * 31 + ofValues[column.ids[row]!]!) % 9007199254740881;
  }
  const places = Int32Array.from(hashes.keys()).sort((x, y) => hashes[x]! - hashes[y]! || x - y);
  const columns = table.columns.map((column) => ({ ...column, ids: Uint32Array.from(places, (place) => column.ids[place]!) }));
  let hash = table.rows;
  for (const place of places) hash = (hash * 31 + hashes[place]!) % 9007199254740881;
  return { table: { ...table, columns }, places, hash };
}

function hashOf(text: string): number {
  let high = 0x811c9dc5;
  let low = 0x1000193;
  for (let i = 0; i < text.length; i++) {
    high = Math.imul(high ^ text.charCodeAt(i), 0x01000193);
    low = Math.imul(low ^ text.charCodeAt(i), 0x85ebca6b) ^ (low >>> 13);
  }
  return ((high >>> 0) % 0x100000) * 0x100000000 + (low >>> 0);
}
