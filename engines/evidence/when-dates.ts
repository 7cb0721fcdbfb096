/** Calendar dates in text, in the languages of most European offices. Pure and linear. */

export type Order = 'dmy' | 'mdy';

export interface FoundDate {
  /** UTF-16 offsets, `end` exclusive. */
  start: number;
  end: number;
  year: number | null;
  month: number;
  /** Null: only the month is told. */
  day: number | null;
  /** The reading if day and month of a numeric date change places; null when there is only one reading. */
  swapped: { month: number; day: number } | null;
  /** 0 (Sunday) to 6, if a weekday is written before it. */
  weekday: number | null;
}

/** Locales whose month names never contradict each other; names and short names come from the runtime. */
const locales = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'sv', 'da', 'nb', 'fi', 'pl', 'ca', 'gl'];

/** Lower case without accents and full stops. */
const fold = (word: string): string =>
  word
    .normalize('NFD')
    .replace(/\p{M}|\./gu, '')
    .toLowerCase();

const months = new Map<string, number>();
const weekdays = new Map<string, number>();
for (const locale of locales) {
  for (const width of ['long', 'short'] as const) {
    // With a day, languages with cases use another form of the month's name.
    for (const options of [{ month: width }, { month: width, day: 'numeric' }] as const) {
      const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
      for (let month = 0; month < 12; month += 1) {
        const name = format.formatToParts(Date.UTC(2026, month, 1)).find((part) => part.type === 'month')!.value;
        if (/\p{L}{3}/u.test(name)) learn(months, fold(name), month + 1);
      }
    }
    const format = new Intl.DateTimeFormat(locale, { weekday: width, timeZone: 'UTC' });
    // 4 January 2026 is a Sunday.
    for (let day = 0; day < 7; day += 1) learn(weekdays, fold(format.format(Date.UTC(2026, 0, 4 + day))), day);
  }
}
for (const [name, month] of Array.from(months)) if (name.length > 4) learn(months, name.slice(0, 3), month);
months.set('sept', 9);
// Words of English, which are short forms of months elsewhere: "3 out of 5", "a set of".
for (const word of ['out', 'set']) months.delete(word);

/** The first language wins: short forms of different languages may be equal. */
function learn(names: Map<string, number>, name: string, value: number): void {
  if (!names.has(name)) names.set(name, value);
}

const edge = '(?<![\\p{L}\\p{N}])';
const end = '(?![\\p{L}\\p{N}])';
const yearFirst = /(?<!\d)((?:19|20)\d\d)([-./])(\d{1,2})\2(\d{1,2})(?!\d)/g;
const compact = /(?<!\d)(20\d\d)(\d\d)(\d\d)(?!\d)/g;
const numeric = /(?<![\d.,])(\d{1,2})([./-])(\d{1,2})\2((?:19|20)\d\d|\d\d)(?!\d)/g;
const year = `(?:(?:,? (?:de |del |of )?|[-/])((?:19|20)\\d\\d)(?!\\d))?`;
const dayFirst = new RegExp(`${edge}(\\d{1,2})(?:st|nd|rd|th|er|[.ºª°])?[ -]?(?:de |d'|of |di )?(\\p{L}{3,12})\\.?${end}${year}`, 'gu');
/** "12-Mar-26", "12/Mar/26" */
const shortYear = new RegExp(`${edge}(\\d{1,2})([-/])(\\p{L}{3,9})\\2(\\d\\d)(?!\\d)`, 'gu');
/** "14.5.", as German writes it without a year */
const dotted = /(?<=^|(?:^|[\s(])(?:am|vom|zum|bis|den|dem|(?:mo|di|mi|do|fr|sa|so)\p{L}{0,8}\.?,?) )(\d{1,2})\. ?(\d{1,2})\.(?!\d)/giu;
const monthFirst = new RegExp(`${edge}(\\p{L}{3,12})\\.? (\\d{1,2})(?:st|nd|rd|th)?${end}${year}`, 'gu');
const monthOnly = new RegExp(`${edge}(\\p{L}{3,12})\\.? (?:de |del )?((?:19|20)\\d\\d)${end}`, 'gu');
const weekdayBefore = /(\p{L}{2,12})\.?,? (?:the |den |dem |le |el )?$/u;

/** The dates in a text, in its order. White space must be single spaces. */
export function datesIn(text: string): FoundDate[] {
  const found: FoundDate[] = [];
  const add = (match: RegExpMatchArray, date: Pick<FoundDate, 'year' | 'month' | 'day'>, swapped: FoundDate['swapped'] = null): void => {
    const start = match.index!;
    if (found.some((other) => start < other.end && start + match[0].length > other.start)) return;
    if (!isDay(date.year ?? 2024, date.month, date.day ?? 1)) return;
    const weekday = weekdays.get(fold(weekdayBefore.exec(text.slice(Math.max(0, start - 20), start))?.[1] ?? '')) ?? null;
    found.push({ start, end: start + match[0].length, ...date, swapped, weekday });
  };
  for (const match of text.matchAll(yearFirst)) add(match, { year: Number(match[1]), month: Number(match[3]), day: Number(match[4]) });
  for (const match of text.matchAll(compact)) add(match, { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) });
  for (const match of text.matchAll(numeric)) {
    const [first, second] = [Number(match[1]), Number(match[3])];
    const full = fullYear(match[4]!);
    if (first > 12 || match[2] === '.') add(match, { year: full, month: second, day: first });
    else if (second > 12) add(match, { year: full, month: first, day: second });
    else add(match, { year: full, month: second, day: first }, first === second ? null : { month: first, day: second });
  }
  for (const match of text.matchAll(shortYear)) named(match, match[3]!, Number(match[1]), String(fullYear(match[4]!)));
  for (const match of text.matchAll(dotted)) add(match, { year: null, month: Number(match[2]), day: Number(match[1]) });
  for (const match of text.matchAll(dayFirst)) named(match, match[2]!, Number(match[1]), match[3]);
  for (const match of text.matchAll(monthFirst)) named(match, match[1]!, Number(match[2]), match[3]);
  for (const match of text.matchAll(monthOnly)) named(match, match[1]!, null, match[2]);
  return found.sort((a, b) => a.start - b.start);

  function named(match: RegExpMatchArray, name: string, day: number | null, digits: string | undefined): void {
    const month = months.get(fold(name));
    if (month !== undefined) add(match, { year: digits === undefined ? null : Number(digits), month, day });
  }
}

const fullYear = (digits: string): number => (digits.length === 4 ? Number(digits) : 2000 + Number(digits));

/** The month of a name, or undefined. */
export const monthOf = (name: string): number | undefined => months.get(fold(name));

function isDay(y: number, m: number, d: number): boolean {
  if (m < 1 || m > 12 || d < 1) return false;
  return new Date(Date.UTC(y, m - 1, d)).getUTCMonth() === m - 1;
}

/** 0 (Sunday) to 6 of a weekday's name, or undefined. */
export const weekdayOf = (name: string): number | undefined => weekdays.get(fold(name));

/** A weekday, or a month's name in full: short forms are also names ("Jan", "Mai"). */
export const isCalendarWord = (word: string): boolean =>
  weekdays.has(fold(word)) ? word.length > 3 : word.length > 4 && months.has(fold(word));

/** ISO day. */
export const isoDay = (y: number, m: number, d: number): string => new Date(Date.UTC(y, m - 1, d)).toISOString().slice(0, 10);

/**
 * The order of day and month in numeric dates that have two readings: as in the dates with one reading, else as the
 * written weekdays say, else the reading that is not after `latest`; the day is first if nothing decides.
 * @param latest ISO: no date is expected after it
 */
export function orderOf(dates: readonly FoundDate[], texts: readonly string[], latest: string): Order;
/** @param otherwise null: nothing decides */
export function orderOf(dates: readonly FoundDate[], texts: readonly string[], latest: string, otherwise: null): Order | null;
export function orderOf(
  dates: readonly FoundDate[],
  texts: readonly string[],
  latest: string,
  otherwise: Order | null = 'dmy',
): Order | null {
  let votes = 0;
  for (const text of texts) {
    for (const [, first, , second] of text.matchAll(numeric)) {
      if (Number(first) > 12 && Number(second) <= 12) votes += 1;
      if (Number(second) > 12 && Number(first) <= 12) votes -= 1;
    }
  }
  if (votes !== 0) return votes > 0 ? 'dmy' : 'mdy';
  const limit = latest.slice(0, 10);
  for (const date of dates) {
    if (date.swapped === null || date.year === null || date.day === null) continue;
    const [asDmy, asMdy] = [isoDay(date.year, date.month, date.day), isoDay(date.year, date.swapped.month, date.swapped.day)];
    if (date.weekday !== null) votes += Number(dayOfWeek(asDmy) === date.weekday) - Number(dayOfWeek(asMdy) === date.weekday);
    votes += Number(asDmy <= limit) - Number(asMdy <= limit);
  }
  return votes === 0 ? otherwise : votes < 0 ? 'mdy' : 'dmy';
}

const dayOfWeek = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();

/**
 * The ISO day of a date. A missing year is the last one in which the date is not after `latest`; a missing day is the
 * first of the month.
 */
export function dayOf(date: FoundDate, order: Order, latest: string): string {
  const { month, day } = order === 'mdy' && date.swapped !== null ? date.swapped : { month: date.month, day: date.day ?? 1 };
  if (date.year !== null) return isoDay(date.year, month, day);
  const limit = new Date(latest);
  const recent = Number.isNaN(limit.getTime()) ? new Date() : limit;
  // A file may arrive a day before its date in another time zone.
  recent.setUTCDate(recent.getUTCDate() + 1);
  const y = recent.getUTCFullYear();
  return Date.UTC(y, month - 1, day) <= recent.getTime() ? isoDay(y, month, day) : isoDay(y - 1, month, day);
}
