import { coreWords } from '../text/names.ts';
import { companyName } from '../text/companies.ts';
import { dateOf, numberOf, type Kind } from './kinds.ts';
import { apostrophes, entities, latin } from '../text/scripts.ts';

/** Pure: normalizes values for comparison. Empty: nothing comparable. */

const short: Record<string, string> = {
  street: 'st',
  avenue: 'ave',
  av: 'ave',
  boulevard: 'blvd',
  blv: 'blvd',
  road: 'rd',
  drive: 'dr',
  lane: 'ln',
  court: 'ct',
  place: 'pl',
  square: 'sq',
  highway: 'hwy',
  parkway: 'pkwy',
  terrace: 'ter',
  crescent: 'cres',
  circuit: 'cct',
  close: 'cl',
  north: 'n',
  south: 's',
  east: 'e',
  west: 'w',
  northeast: 'ne',
  northwest: 'nw',
  southeast: 'se',
  southwest: 'sw',
  saint: 'st',
  suite: 'ste',
  apartment: 'apt',
  floor: 'fl',
  building: 'bldg',
  strasse: 'str',
  first: '1',
  second: '2',
  third: '3',
  fourth: '4',
  fifth: '5',
  sixth: '6',
  seventh: '7',
  eighth: '8',
  ninth: '9',
  tenth: '10',
};
const titles = new Set('mr mrs ms miss dr prof sir jr sr md phd'.split(' '));

/** Lower case, in Latin letters, without accents and punctuation, with single spaces. */
export function plain(value: string, keepHan = true): string {
  return latin(value, keepHan)
    .replace(entities, ' ')
    .replace(apostrophes, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const squashed = (value: string): string => plain(value).replaceAll(' ', '');

/** @param keepHan see `latin` */
export function normalise(kind: Kind, value: string, keepHan = true): string {
  switch (kind) {
    case 'phone': {
      const digits = value.replace(/\s*(?:x|ext\.?)\s*\d+$/i, '').replace(/\D/g, '');
      return digits.length > 10 ? digits.replace(/^(?:00|0?1(?=\d{10}$))/, '') : digits;
    }
    case 'postcode':
      // Spreadsheets turn it into "60302.0".
      return squashed(value.replace(/\.0$/, '')).replace(/^(\d{5})\d{4}$/, '$1');
    case 'code':
    case 'counter':
      return squashed(value.replace(/\.0$/, ''));
    case 'email':
      return value.normalize('NFKC').toLowerCase().trim();
    case 'url':
      return value
        .toLowerCase()
        .trim()
        .replace(/^[a-z]+:\/\//, '')
        .replace(/^www\./, '')
        .replace(/[/?#]+$/, '');
    case 'date': {
      const date = dateOf(value);
      return date === null ? plain(value) : String(date);
    }
    case 'number':
    case 'money': {
      const number = numberOf(value);
      return Number.isNaN(number) ? plain(value) : String(number);
    }
    case 'address':
      return plain(value)
        .split(' ')
        .map((word) => short[word] ?? word.replace(/^(\d+)(?:st|nd|rd|th)$/, '$1'))
        .join(' ');
    case 'person': {
      const words = plain(value).split(' ');
      const named = words.filter((word) => !titles.has(word));
      return (named.length > 0 ? named : words).join(' ');
    }
    case 'text':
      return withoutForm(plain(value, keepHan));
    case 'company':
      return companyName(value, keepHan);
    case 'identifiers':
      return value;
    default:
      return plain(value, keepHan);
  }
}

/** A legal form at the end does not identify a company. */
function withoutForm(value: string): string {
  const words = value.split(' ');
  while (words.length > 1 && isLegalForm(words.at(-1)!)) words.pop();
  return words.join(' ');
}

export const isLegalForm = (word: string): boolean => coreWords(`- ${word}`).length === 1;

const joining = new Set(['and', 'the', 'of', 'a']);

/** Words of a normalized value, without connecting words. */
export function wordsOf(value: string): string[] {
  const words = value.split(' ').filter(Boolean);
  const telling = words.filter((word) => !joining.has(word));
  return telling.length > 0 ? telling : words;
}
