import { doubleMetaphone } from 'double-metaphone';
import type { Field, Fields } from './fields.ts';
import { initialsOf } from '../text/companies.ts';

/** Chooses the pairs to compare: those that share something rare. No step compares all pairs. */

export interface Candidates {
  /** Row numbers of both sides; within one table left > right. */
  left: Int32Array;
  right: Int32Array;
  count: number;
}

export interface BlockingLimits {
  /** Lookups per row on average; limits how common a key may be. */
  lookups: number;
  /** Pairs kept per row: those that share most. */
  perRow: number;
  /** Minimum shared weight of a pair, in logs: 1 is one thing that only these two have. */
  least: number;
}

/** Small tables can be compared more thoroughly than large ones. */
export const limitsFor = (rows: number): BlockingLimits => ({
  lookups: rows <= 5_000 ? 3_000 : 400,
  perRow: rows <= 5_000 ? 100 : rows <= 50_000 ? 40 : 20,
  least: rows <= 5_000 ? 0 : 0.75,
});

/** Common keys of a row that are combined in pairs, to find rows that share two common things. */
const combined = 6;

export function findCandidates(fields: Fields, limits: BlockingLimits = limitsFor(Math.max(...fields.sizes))): Candidates {
  const bits = Math.min(26, Math.max(12, Math.ceil(Math.log2((fields.sizes[0] + fields.sizes[1]) * 16))));
  const { single } = fields;
  const makers = new Keys(fields, bits);
  const keysOf = (side: 0 | 1): RowKeys => collect(fields.sizes[side], (row) => makers.of(side, row));
  const leftKeys = keysOf(0);
  const keys = { left: leftKeys, right: single ? leftKeys : keysOf(1) };
  const counts = countBoth(keys, 2 ** bits);
  const most = cap(counts.left, counts.right, fields.sizes[0], limits.lookups);

  // Combinations of common keys may be rare.
  const common = ({ starts, keys: all }: RowKeys): RowKeys =>
    collect(starts.length - 1, (row) => combine(all.subarray(starts[row], starts[row + 1]), counts, most, 2 ** bits - 1));
  const leftPairs = common(keys.left);
  const pairs = { left: leftPairs, right: single ? leftPairs : common(keys.right) };
  const pairCounts = countBoth(pairs, 2 ** bits);

  const looks = [
    { keys: keys.left, index: indexRows(keys.right, counts.right, counts.left, most, single) },
    { keys: pairs.left, index: indexRows(pairs.right, pairCounts.right, pairCounts.left, most, single) },
  ];
  const total = Math.log(Math.max(2, fields.sizes[1]));
  const scores = new Float32Array(fields.sizes[1]);
  const touched = new Int32Array(fields.sizes[1]);
  let left = new Int32Array(fields.sizes[0] * 4 + 16);
  let right = new Int32Array(fields.sizes[0] * 4 + 16);
  let count = 0;
  for (let row = 0; row < fields.sizes[0]; row++) {
    let found = 0;
    for (const { keys: own, index } of looks) {
      for (let k = own.starts[row]!; k < own.starts[row + 1]!; k++) {
        const key = own.keys[k]!;
        const [from, to] = [index.starts[key]!, index.starts[key + 1]!];
        const weight = total - Math.log(to - from) + 0.1;
        for (let at = from; at < to; at++) {
          const other = index.rows[at]!;
          // Rows of one table are ordered: earlier rows are already paired with this one.
          if (single && other >= row) break;
          if (scores[other] === 0) touched[found++] = other;
          scores[other]! += weight;
        }
      }
    }
    const kept = best(touched.subarray(0, found), scores, limits.least * total, limits.perRow);
    if (count + kept.length > left.length) [left, right] = [grown(left), grown(right)];
    for (const other of kept) {
      left[count] = row;
      right[count++] = other;
    }
    for (let i = 0; i < found; i++) scores[touched[i]!] = 0;
  }
  return { left: left.subarray(0, count), right: right.subarray(0, count), count };
}

/** Keys of rows: those of row i are from `starts[i]` up to `starts[i + 1]`. */
interface RowKeys {
  starts: Uint32Array;
  keys: Int32Array;
}

function collect(rows: number, keysOf: (row: number) => Iterable<number>): RowKeys {
  const starts = new Uint32Array(rows + 1);
  let keys = new Int32Array(rows * 8 + 64);
  let count = 0;
  for (let row = 0; row < rows; row++) {
    for (const key of keysOf(row)) {
      if (count === keys.length) keys = grown(keys);
      keys[count++] = key;
    }
    starts[row + 1] = count;
  }
  return { starts, keys: keys.subarray(0, count) };
}

interface Counts {
  left: Uint32Array;
  right: Uint32Array;
}

/** Number of rows of either side per key. */
function countBoth({ left, right }: { left: RowKeys; right: RowKeys }, size: number): Counts {
  const count = ({ keys }: RowKeys): Uint32Array => {
    const counts = new Uint32Array(size);
    for (const key of keys) counts[key]!++;
    return counts;
  };
  const counted = count(left);
  return { left: counted, right: left === right ? counted : count(right) };
}

/** Pairs of a row's rarest common keys. */
function combine(keys: Int32Array, { left, right }: Counts, most: number, mask: number): number[] {
  const common = keys.filter((key) => left[key]! * right[key]! > most * most);
  if (common.length < 2) return [];
  const rarest = common.sort((a, b) => left[a]! + right[a]! - left[b]! - right[b]! || a - b).subarray(0, combined);
  const pairs = new Set<number>();
  for (let i = 0; i < rarest.length; i++) {
    for (let j = i + 1; j < rarest.length; j++) pairs.add(mix(Math.min(rarest[i]!, rarest[j]!), Math.max(rarest[i]!, rarest[j]!)) & mask);
  }
  return [...pairs];
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

/** The highest scores; ties do not depend on the order. */
function best(rows: Int32Array, scores: Float32Array, least: number, most: number): ArrayLike<number> & Iterable<number> {
  const enough = rows.filter((row) => scores[row]! >= least);
  if (enough.length <= most) return enough.sort();
  return [...enough].sort((a, b) => scores[b]! - scores[a]! || a - b).slice(0, most);
}

/** Maximum frequency of a key, so that the total of lookups stays within the limit. */
function cap(left: Uint32Array, right: Uint32Array, rows: number, lookups: number): number {
  const costs = new Float64Array(64);
  for (let key = 0; key < left.length; key++) {
    const cost = left[key]! * right[key]!;
    if (cost > 0) costs[Math.ceil(Math.log2(cost))]! += cost;
  }
  let sum = 0;
  for (let i = 0; i < costs.length; i++) {
    sum += costs[i]!;
    if (sum > rows * lookups) return Math.max(10, Math.sqrt(2 ** (i - 1)));
  }
  return Infinity;
}

interface RowIndex {
  starts: Uint32Array;
  rows: Int32Array;
}

/** Rows by key, for keys that are rare enough and occur on both sides. */
function indexRows({ starts: own, keys }: RowKeys, counts: Uint32Array, others: Uint32Array, most: number, single: boolean): RowIndex {
  const starts = new Uint32Array(counts.length + 1);
  let sum = 0;
  const useful = (key: number): boolean => counts[key]! * others[key]! <= most * most && others[key]! > (single ? 1 : 0);
  for (let key = 0; key < counts.length; key++) {
    starts[key] = sum;
    if (useful(key)) sum += counts[key]!;
  }
  starts[counts.length] = sum;
  const rows = new Int32Array(sum);
  const next = starts.slice();
  for (let row = 0; row + 1 < own.length; row++) {
    for (let k = own[row]!; k < own[row + 1]!; k++) {
      const key = keys[k]!;
      if (useful(key)) rows[next[key]!++] = row;
    }
  }
  return { starts, rows };
}

/** Keys of values, computed once per value; keys of rows combine them. */
class Keys {
  private readonly fields: Fields;
  private readonly byValue: Int32Array[][];
  private readonly byWord: (Int32Array | undefined)[] = [];
  private readonly mask: number;

  constructor(fields: Fields, bits: number) {
    this.fields = fields;
    this.mask = 2 ** bits - 1;
    this.byValue = fields.list.map((field) => field.values.map((value, id) => (id === 0 ? none : this.ofValue(field, value, id))));
  }

  of(side: 0 | 1, row: number): Set<number> {
    const keys = new Set<number>();
    const { list } = this.fields;
    for (let f = 0; f < list.length; f++) for (const key of this.byValue[f]![list[f]!.ids[side][row]!]!) keys.add(key);
    return keys;
  }

  private ofValue(field: Field, value: string, id: number): Int32Array {
    const keys = [this.hash(`=${field.words ? value.replaceAll(' ', '') : `${field.kind} ${value}`}`)];
    if (field.parts) {
      return Int32Array.from(new Set(value.split(' ').map((part) => this.hash(`#${part}`))));
    }
    if (field.words) {
      for (const word of field.words[id]!) keys.push(...this.ofWord(word));
      const initials = field.kind === 'company' ? initialsOf(value) : null;
      if (initials) keys.push(this.hash(`w${initials}`));
    } else if (field.kind === 'code' || field.kind === 'phone' || field.kind === 'email' || field.kind === 'url') {
      // A typo leaves one half of the value unchanged.
      if (value.length >= 6)
        keys.push(this.hash(`<${value.slice(0, value.length >> 1)}`), this.hash(`>${value.slice(-(value.length >> 1))}`));
    }
    return Int32Array.from(new Set(keys));
  }

  private ofWord(word: number): Int32Array {
    const known = this.byWord[word];
    if (known) return known;
    const text = this.fields.vocabulary.words[word]!;
    const keys = [this.hash(`w${text}`)];
    if (/^\p{L}{4,40}$/u.test(text)) {
      const sound = doubleMetaphone(text)[0];
      if (sound.length > 1) keys.push(this.hash(`s${sound}`));
    }
    if (text.length >= 6) keys.push(this.hash(`<${text.slice(0, 4)}`), this.hash(`>${text.slice(-4)}`));
    return (this.byWord[word] = Int32Array.from(keys));
  }

  private hash(text: string): number {
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    return mix(hash, text.length) & this.mask;
  }
}
const none = new Int32Array(0);

function mix(a: number, b: number): number {
  let x = Math.imul(a ^ (b + 0x9e3779b9), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35) ^ Math.imul(b, 0x27d4eb2f);
  return (x ^ (x >>> 16)) >>> 0;
}
