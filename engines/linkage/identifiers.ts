import { dateOf, kindOf, type Kind } from './kinds.ts';
import type { Column, Table } from './table.ts';

/**
 * Model and part numbers in texts: "PS-LX350H", "PS LX350H" and "PSLX350H" are one. Tables whose texts have them get a
 * further column with the set of each row.
 */

/** Name of the further column. */
const columnName = 'identifiers in the text';
/** Minimum share of rows with an identifier, on both sides. */
const enough = 0.2;
/** One that more texts have does not identify: at most this many, or this share of the texts. */
const mostTexts = 5;
const mostShare = 0.005;
/** Maximum identifiers of a row. */
const mostPerRow = 12;
const [shortest, longest] = [4, 24];
/** Pieces that are joined at most when another row writes them as one. */
const mostPieces = 3;

const texts = new Set<Kind>(['text', 'prose', 'word']);

/** Numbers with a unit, ordinals, decades, sizes and versions: properties, not identifiers. */
const property =
  /^\d+(?:st|nd|rd|th|s|x|k|m|g|w|v|p|i|a|mb|gb|tb|kb|hz|khz|mhz|ghz|mm|cm|km|in|inch|inches|ft|feet|mp|mah|kw|rpm|oz|lb|lbs|kg|ml|ltr|pc|pcs|ct|pk|pack|bit|bits|port|ports|way|day|days|year|years|yr|min|hour|hours|am|pm|ppm|dpi|btu|cu|qt|gal|ch|channel|disc|user|users|degree|watt|watts|volt|volts)$|^\d+x\d+(?:x\d+)?$/;

interface Piece {
  text: string;
  /** Attached to the piece before it by a hyphen. */
  attached: boolean;
}

const piece = /[\p{L}\p{N}]+/gu;

/** @param text any cell; only its letters and digits count */
function piecesOf(text: string): Piece[] {
  const plain = text.normalize('NFKC').toLowerCase();
  let end = -1;
  return Array.from(plain.matchAll(piece), ({ 0: found, index }) => {
    const attached = index === end + 1 && /[-_‐‑–]/.test(plain.charAt(end));
    end = index + found.length;
    return { text: found, attached };
  });
}

const hasDigit = (text: string): boolean => /\p{N}/u.test(text);
const hasLetter = (text: string): boolean => /\p{L}/u.test(text);

/** Letters with digits, or many digits. */
function identifies(text: string): boolean {
  if (text.length < shortest || text.length > longest || !hasDigit(text) || property.test(text)) return false;
  // One number after a word ("windows98") is a word; one or two digits say little.
  if (hasLetter(text)) return !/^\p{L}{5,}\p{N}{1,4}$/u.test(text) && (text.match(/\p{N}/gu)!.length >= 2 || text.length >= 6);
  return text.length >= 5;
}

/** Those written as one word, or with hyphens. */
function solid(pieces: readonly Piece[]): string[] {
  const found: string[] = [];
  for (let from = 0; from < pieces.length;) {
    let to = from + 1;
    while (to < pieces.length && pieces[to]!.attached) to++;
    const group = pieces.slice(from, to).map(({ text }) => text);
    const joined = group.join('');
    // In "12-cup-maker" and "kodak-z712" each piece stands for itself.
    const whole = group.length > 1 && group.every((text) => hasDigit(text) || text.length <= 4) && dateOf(group.join('-')) === null;
    if (whole && identifies(joined) && !property.test(`${group[0]!}${group[1]!}`)) found.push(joined);
    else if (dateOf(group.join('-')) === null) found.push(...group.filter((text) => identifies(text) && dateOf(text) === null));
    from = to;
  }
  return found;
}

/** Those of neighbouring pieces that somebody else writes as one. */
function joined(pieces: readonly Piece[], known: ReadonlyMap<string, number>): string[] {
  const found: string[] = [];
  for (let from = 0; from < pieces.length; from++) {
    let text = pieces[from]!.text;
    for (let to = from + 1; to < Math.min(pieces.length, from + mostPieces); to++) {
      text += pieces[to]!.text;
      if (text.length > longest) break;
      if (text.length > shortest && known.has(text)) found.push(text);
    }
  }
  return found;
}

/** Both tables with a column of their identifiers; the same ones when they have none, or few. */
export function withIdentifiers(left: Table, right: Table | null): { left: Table; right: Table | null } {
  const tables = right === null ? [left] : [left, right];
  const sources = tables.map(sourcesOf);
  if (sources.some((columns) => columns.length === 0) || !sources.flat().some(({ kind }) => kind !== 'code')) return { left, right };
  const pieces = sources.map((columns) => columns.map(({ column }) => column.values.map(piecesOf)));
  // Texts, not rows: lists of pairs repeat their records.
  const known = new Map<string, number>();
  let all = 0;
  for (const values of pieces.flat()) {
    all += values.length;
    for (const value of values) for (const text of new Set(solid(value))) known.set(text, (known.get(text) ?? 0) + 1);
  }
  const most = Math.max(mostTexts * tables.length, mostShare * all);
  for (const [text, count] of known) if (count > most) known.delete(text);
  // Numbers alone may be postcodes, years or anything else.
  if ([...known.keys()].filter(hasLetter).length <= known.size / 2) return { left, right };
  const results = tables.map((table, t) => {
    const perValue = pieces[t]!.map((values) =>
      values.map((value) => [...solid(value), ...joined(value, known)].filter((text) => known.has(text))),
    );
    return columnOf(table, sources[t]!, perValue);
  });
  if (results.some(({ share }) => share < enough)) return { left, right };
  const [a, b] = results.map(({ column }, t) => ({ ...tables[t]!, columns: [...tables[t]!.columns, column] }));
  return { left: a!, right: right === null ? null : b! };
}

interface Source {
  column: Column;
  kind: Kind;
}

/** Texts, and codes that have letters. */
function sourcesOf(table: Table): Source[] {
  return table.columns.flatMap((column) => {
    const kind = kindOf(column);
    if (texts.has(kind)) return [{ column, kind }];
    if (kind !== 'code') return [];
    const mixed = column.values.filter((value) => hasDigit(value) && hasLetter(value)).length;
    return mixed > column.values.length / 2 ? [{ column, kind }] : [];
  });
}

function columnOf(table: Table, sources: readonly Source[], perValue: readonly string[][][]): { column: Column; share: number } {
  const values = [''];
  const ids = new Uint32Array(table.rows);
  const known = new Map([['', 0]]);
  let filled = 0;
  for (let row = 0; row < table.rows; row++) {
    const own = new Set<string>();
    for (const [s, { column }] of sources.entries()) for (const text of perValue[s]![column.ids[row]!]!) own.add(text);
    const value = [...own].slice(0, mostPerRow).sort().join(' ');
    let id = known.get(value);
    if (id === undefined) {
      id = values.push(value) - 1;
      known.set(value, id);
    }
    ids[row] = id;
    if (id !== 0) filled++;
  }
  return { column: { name: columnName, identifiers: true, values, ids }, share: filled / Math.max(1, table.rows) };
}

/** Whether one is the other with a few letters before or after it, as for a colour or a country. */
export function extendsOther(a: string, b: string): boolean {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  if (shorter.length < 5 || longer.length - shorter.length > 4 || !hasLetter(longer)) return false;
  const digit = (text: string | undefined): boolean => text !== undefined && /\p{N}/u.test(text);
  // "kdl40" is not "kdl400".
  if (longer.startsWith(shorter)) return !(digit(shorter.at(-1)) && digit(longer[shorter.length]));
  return longer.endsWith(shorter) && !(digit(shorter[0]) && digit(longer[longer.length - shorter.length - 1]));
}
