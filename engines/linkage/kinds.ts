import { hasLegalForm } from '../text/companies.ts';
import type { Column } from './table.ts';
import { isGivenName } from './words.ts';

/** The kind of a column, by its values; names of columns only decide in doubt. */
export const kinds = [
  'counter',
  'code',
  'phone',
  'postcode',
  'email',
  'url',
  'date',
  'number',
  'money',
  'person',
  'address',
  'company',
  'word',
  'text',
  'prose',
  'identifiers',
  'empty',
] as const;
export type Kind = (typeof kinds)[number];

/** Maximum sampled values, spread over the column. */
const sampled = 2_000;

const email = /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i;
const url = /^(?:https?:\/\/|www\.)\S+$|^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|edu|gov|io|co|info|biz|de|uk|fr|us)(?:\/\S*)?$/i;
const phone = /^\+?[\d()][\d\s().\-/]{5,22}(?:\s*(?:x|ext\.?)\s*\d{1,6})?$/i;
const money = /^[-+]?\s*(?:[$€£¥]|usd|eur|gbp)\s*\d[\d.,]*$|^\d[\d.,]*\s*(?:[$€£¥]|usd|eur|gbp)$/i;
const number = /^[-+]?(?:\d{1,3}(?:,\d{3})+|\d*)(?:\.\d+)?\s*(?:%|[a-z]{1,3}\.?)?$/i;
const duration = /^\d{1,3}:\d{2}(?::\d{2})?$/;
const streets =
  'st|street|ave?|avenue|blvd?|blv|boulevard|rd|road|dr|ln|lane|ct|court|pl|place|sq|square|hwy|highway|pkwy|parkway|way|terrace|crescent|circuit|close|rue|via|calle|strasse|straße|str';
/** Not the one of a computer or a car. */
const drive = String.raw`(?<!\b(?:hard|flash|disk|disc|dvd|cd|rom|rw|tape|floppy|thumb|usb|optical|pen|state|belt|test|internal|external|wheel)[\s-]+)drive`;
const street = new RegExp(String.raw`\b(?:${streets}|${drive})\b`, 'i');
/** With a house number before it ("12 Mill Lane", "1/9a St. Mary's Road"), or behind it ("Hauptstr. 5", "Via Roma 3"). */
const housed = new RegExp(
  String.raw`(?:^|[\s,;#/-])\d{1,6}[a-z]?\.?,?\s+(?!(?:[kmgt]b|x|rpm|inch|bit|port|pack|count|oz|mm|cm|ft)\b)(?:[\p{L}\d.'’&-]+\s+){0,3}?(?:${streets}|${drive})\b` +
    String.raw`|(?:\p{L}(?:strasse|straße|str\.?)|\b(?:strasse|straße|str\.?|rue|via|calle)\s+(?:[\p{L}\d.'’-]+\s+){0,3}\p{L}+),?\s+\d{1,5}\s?[a-z]?(?:$|[\s,;/-])`,
  'iu',
);

export function kindOf(column: Column): Kind {
  if (column.identifiers) return 'identifiers';
  const present = sample(column);
  if (present.length === 0) return 'empty';
  const share = (test: (value: string) => boolean): number => present.filter(test).length / present.length;
  const name = column.name.toLowerCase().replace(/[^a-z]+/g, ' ');
  const hint = (pattern: RegExp): boolean => pattern.test(name);

  if (isCounter(column)) return 'counter';
  if (share((value) => email.test(value)) > 0.7) return 'email';
  if (share((value) => url.test(value)) > 0.7) return 'url';
  if (share((value) => money.test(value)) > 0.7) return 'money';
  const phones = share((value) => phone.test(value) && digitsOf(value) >= 7 && digitsOf(value) <= 13);
  if (phones > 0.7 && (hint(/phone|tel|mobile|cell|fax/) || share((value) => /^\+|\d[\s().\-/]+\d/.test(value)) > 0.6)) {
    if (share(isDate) < 0.7) return 'phone';
  }
  if (share(isDate) > 0.7) return 'date';
  if (share((value) => duration.test(value)) > 0.7) return 'number';
  const oneToken = share((value) => !/\s/.test(value));
  const digits = share((value) => /\d/.test(value));
  if (hint(/\b(?:zip|post ?code|postal|plz)\b/) && digits > 0.7) return 'postcode';
  if (share((value) => number.test(value) && /\d/.test(value)) > 0.8) return numberOrCode(column, present, name);
  if (oneToken > 0.9 && digits > 0.6) return 'code';
  const tokens = present.reduce((sum, value) => sum + value.split(/\s+/).length, 0) / present.length;
  if (tokens > 15) return 'prose';
  if (share((value) => housed.test(value)) > 0.4 || (hint(/addr|street/) && share((value) => street.test(value)) > 0.4)) return 'address';
  if (share(hasLegalForm) > 0.2) return 'company';
  const given = share((value) => value.split(/[\s,]+/).some((token) => isGivenName(token.toLowerCase())));
  if (
    tokens < 3.5 &&
    (given > 0.25 || hint(/\b(?:first|last|given|family|sur|middle) ?name\b|surname|person|director|contact|employee|author/))
  ) {
    return 'person';
  }
  return oneToken > 0.9 ? 'word' : 'text';
}

/** Row counters and generated keys: they do not describe the thing. */
function isCounter(column: Column): boolean {
  const { values, ids } = column;
  const distinct = values.length - 1;
  if (distinct < 5 || distinct < ids.length) return false;
  const stems = new Set<string>();
  let low = Infinity;
  let high = -Infinity;
  for (let i = 1; i < values.length; i++) {
    const match = /^(.*?)0*(\d{1,15})(\D.*)?$/.exec(values[i]!);
    if (!match || /\s/.test(values[i]!)) return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(values[i]!);
    stems.add(`${match[1]!}\n${match[3] ?? ''}`);
    low = Math.min(low, Number(match[2]));
    high = Math.max(high, Number(match[2]));
  }
  return stems.size <= 3 && high - low < 3 * distinct;
}

/** A number that identifies, e.g. a house or a customer, is compared by digits; a quantity by size. */
function numberOrCode(column: Column, present: string[], name: string): Kind {
  if (present.some((value) => /[.%:]|\d,\d/.test(value))) return 'number';
  if (/\b(?:id|no|nr|number|num|ssn|code|key|isbn|ean|upc|sku|account)\b/.test(name)) return 'code';
  const lengths = new Set(present.map((value) => value.length));
  const distinct = column.values.length - 1;
  return (lengths.size <= 2 && present[0]!.length >= 5) || distinct > column.ids.length * 0.3 ? 'code' : 'number';
}

/** Values by their frequency. */
function sample({ values, ids }: Column): string[] {
  const step = Math.max(1, Math.floor(ids.length / sampled));
  const found: string[] = [];
  for (let i = 0; i < ids.length; i += step) if (ids[i] !== 0) found.push(values[ids[i]!]!);
  // In a nearly empty column the sample may have none.
  return found.length >= 20 ? found : values.filter((value) => value !== '').slice(0, sampled);
}

const digitsOf = (value: string): number => value.replace(/\D/g, '').length;

const isDate = (value: string): boolean => dateOf(value) !== null;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Year, month and day as yyyymmdd; 0 for missing parts. In 3/4/2020 the first is the month, if possible. */
export function dateOf(value: string): number | null {
  const text = value
    .toLowerCase()
    .replace(/[t ]\d{1,2}:\d{2}.*$/, '')
    .trim();
  let match = /^((?:1[6-9]|20)\d{2})[-/. ]?(\d{1,2})[-/. ]?(\d{1,2})$/.exec(text);
  if (match) return packed(Number(match[1]), Number(match[2]), Number(match[3]));
  match = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})$/.exec(text);
  if (match) {
    const [a, b, year] = [Number(match[1]), Number(match[2]), century(match[3]!)];
    return a > 12 ? packed(year, b, a) : packed(year, a, b);
  }
  const parts = text.split(/[\s,.\-/]+/).filter(Boolean);
  const month = parts.findIndex((part) => /^[a-z]+$/.test(part) && months.includes(part.slice(0, 3)));
  if (month === -1 || parts.length < 2 || parts.length > 4) return null;
  const numbers = parts.filter((_, i) => i !== month).map((part) => part.replace(/(?<=\d)(?:st|nd|rd|th)$/, ''));
  if (numbers.some((part) => !/^\d{1,4}$/.test(part))) return null;
  const year = numbers.find((part) => part.length === 4) ?? (numbers.length === 2 ? numbers[1]! : undefined);
  if (year === undefined) return null;
  const day = numbers.find((part) => part !== year && part.length <= 2);
  return packed(century(year), months.indexOf(parts[month]!.slice(0, 3)) + 1, day === undefined ? 0 : Number(day));
}

const century = (year: string): number => (year.length === 4 ? Number(year) : Number(year) + (Number(year) < 50 ? 2000 : 1900));

const packed = (year: number, month: number, day: number): number | null =>
  month < 1 || month > 12 || day > 31 ? null : year * 10_000 + month * 100 + day;

/** From "$ 1,200.50", "8.10 %" or "3:26"; NaN if it is not a number. */
export function numberOf(value: string): number {
  const clock = duration.exec(value.trim());
  if (clock) return value.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  const digits = /-?\d[\d,]*(?:\.\d+)?|-?\.\d+/.exec(value)?.[0];
  return digits === undefined ? Number.NaN : Number(digits.replaceAll(',', ''));
}
