import { doubleMetaphone } from 'double-metaphone';

/** Pure: similarity of two words. */

/** Per character, its positions in the shorter word as bits; cleared after use. */
const places = new Int32Array(0x10000);

/**
 * Edit distance (insert, delete, replace, swap of neighbours); more than `most` counts as `most` + 1. One step per
 * character for words of up to 32 (Hyyrö's bit vectors), else length × `most`.
 */
export function edits(a: string, b: string, most: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let start = 0;
  while (start < a.length && start < b.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  if (endA - start > endB - start) {
    [a, b] = [b, a];
    [endA, endB] = [endB, endA];
  }
  const rows = endA - start;
  const columns = endB - start;
  if (rows === 0) return Math.min(columns, most + 1);
  if (rows > 32) return Math.min(longEdits(a.slice(start, endA), b.slice(start, endB), most), most + 1);

  for (let i = 0; i < rows; i++) places[a.charCodeAt(start + i)]! |= 1 << i;
  const last = 1 << (rows - 1);
  let distance = rows;
  let rise = -1;
  let fall = 0;
  let diagonal = 0;
  let before = 0;
  for (let j = start; j < endB; j++) {
    const here = places[b.charCodeAt(j)]!;
    const swap = ((~diagonal & here) << 1) & before;
    diagonal = (((here & rise) + rise) ^ rise) | here | fall | swap;
    const up = fall | ~(diagonal | rise);
    const down = diagonal & rise;
    if (up & last) distance++;
    if (down & last) distance--;
    const shifted = (up << 1) | 1;
    rise = (down << 1) | ~(diagonal | shifted);
    fall = diagonal & shifted;
    before = here;
    if (distance - (endB - j - 1) > most) {
      distance = most + 1;
      break;
    }
  }
  for (let i = 0; i < rows; i++) places[a.charCodeAt(start + i)] = 0;
  return Math.min(distance, most + 1);
}

/** The same row by row, within a band. */
function longEdits(a: string, b: string, most: number): number {
  let before2: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      if (Math.abs(i - j) > most) {
        row.push(most + 1);
        continue;
      }
      let cost = Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before2[j - 2]! + 1);
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    before2 = before;
    before = row;
  }
  return before[b.length]!;
}

const marksA = new Uint8Array(64);
const marksB = new Uint8Array(64);

/** Jaro–Winkler, 0 to 1. */
export function jaroWinkler(a: string, b: string): number {
  if (a === b) return 1;
  if (a.length === 0 || b.length === 0) return 0;
  const window = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const takenA = a.length <= 64 ? marksA.fill(0, 0, a.length) : new Uint8Array(a.length);
  const takenB = b.length <= 64 ? marksB.fill(0, 0, b.length) : new Uint8Array(b.length);
  let common = 0;
  for (let i = 0; i < a.length; i++) {
    for (let j = Math.max(0, i - window); j <= Math.min(b.length - 1, i + window); j++) {
      if (takenB[j] || a.charCodeAt(i) !== b.charCodeAt(j)) continue;
      takenA[i] = 1;
      takenB[j] = 1;
      common++;
      break;
    }
  }
  if (common === 0) return 0;
  let swapped = 0;
  for (let i = 0, j = 0; i < a.length; i++) {
    if (!takenA[i]) continue;
    while (!takenB[j]) j++;
    if (a.charCodeAt(i) !== b.charCodeAt(j)) swapped++;
    j++;
  }
  const jaro = (common / a.length + common / b.length + (common - swapped / 2) / common) / 3;
  let prefix = 0;
  while (prefix < 4 && prefix < a.length && prefix < b.length && a.charCodeAt(prefix) === b.charCodeAt(prefix)) prefix++;
  return jaro + prefix * 0.1 * (1 - jaro);
}

/** Whether both sound alike, as far as English spelling shows. */
export function soundsLike(a: string, b: string): boolean {
  const left = doubleMetaphone(a).filter((sound) => sound.length > 1);
  const right = new Set(doubleMetaphone(b));
  return left.some((sound) => right.has(sound));
}

/**
 * How certainly two words are one, misspelt: 1 equal, 0 different. Short words allow fewer typos, words with digits
 * none.
 */
export function sameWord(a: string, b: string): number {
  if (a === b) return 1;
  const shorter = Math.min(a.length, b.length);
  const longer = Math.max(a.length, b.length);
  if (shorter < 4 || /\p{N}/u.test(a + b)) return 0;
  const distance = edits(a, b, 3);
  if (distance > 3) return 0;
  // "Gambia" and "Zambia", "internal" and "external" are not typos.
  if (a[0] !== b[0]) return distance === 1 && longer >= 9 ? 0.8 : 0;
  if (distance === 1) return longer >= 6 ? 0.95 : 0.7;
  if (longer < 5 || longer - shorter > 2) return 0;
  // Nor are "Slovakia" and "Slovenia".
  if (distance === 2) return longer >= 10 && longer - shorter < 2 ? 0.9 : soundsLike(a, b) || longer >= 9 ? 0.75 : 0;
  return longer >= 11 && soundsLike(a, b) ? 0.8 : 0;
}

/** `short` has the first letter and some of the others in order, e.g. "intl" or "msft". */
export function abbreviates(short: string, long: string): boolean {
  if (short.length < 2 || short.length >= long.length || short[0] !== long[0]) return false;
  let at = 0;
  for (const letter of short) {
    at = long.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
