import type { EvidenceInput, Layout } from './types.ts';
import { datesIn, dayOf, isoDay, monthOf, orderOf } from './when-dates.ts';

/** When a document was said. */

export interface Said {
  /** ISO instant; of a day without time its noon in UTC, so that no time zone moves it to another day. */
  saidAt: string;
  saidBy: Layout['saidBy'];
}

const givenKeys = [
  'date',
  'said_at',
  'occurred_at',
  'sent_at',
  'sent',
  'meeting_date',
  'call_date',
  'recorded_at',
  'started_at',
  'start_time',
  'timestamp',
  'created_at',
];

/**
 * The date of a document: given at submission, a header, the lines above the text, the file's name, the last row, or
 * the arrival.
 * @param head lines above the text, in order
 * @param days ISO days of rows or messages
 */
export function whenSaid(input: EvidenceInput, head: readonly string[], days: readonly string[]): Said {
  const latest = input.arrivedAt;
  for (const key of givenKeys) {
    const at = instantOf(input.given[key], latest);
    if (at !== null) return { saidAt: at, saidBy: 'submission' };
  }
  const sent = instantOf(input.found.date, latest) ?? instantOf(input.found.published, latest);
  if (sent !== null) return { saidAt: sent, saidBy: 'header' };
  const lines = [...notesOf(input), input.title, ...head];
  const told = textDay(lines, latest);
  if (told !== null && told.exact) return { saidAt: noon(told.day), saidBy: 'text' };
  // Rows have dates of their own, which say more than a file's name.
  const last = days.toSorted().at(-1);
  if (last !== undefined) return { saidAt: noon(last), saidBy: 'rows' };
  const named = nameDay(input.origin, latest) ?? nameDay(input.title, latest);
  if (named !== null && (named.exact || told === null)) return { saidAt: noon(named.day), saidBy: 'name' };
  if (told !== null) return { saidAt: noon(told.day), saidBy: 'text' };
  for (const key of ['modified', 'created', 'creation_date', 'mod_date']) {
    const at = instantOf(input.found[key], latest);
    if (at !== null) return { saidAt: at, saidBy: 'header' };
  }
  return { saidAt: latest, saidBy: 'arrival' };
}

/** Remarks of a subtitle file. */
export const notesOf = ({ found }: Pick<EvidenceInput, 'found'>): string[] =>
  Array.isArray(found.notes) ? found.notes.filter((note) => typeof note === 'string') : [];

const noon = (day: string): string => `${day}T12:00:00.000Z`;

function instantOf(value: unknown, latest: string): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return noon(value);
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) {
    const at = new Date(value);
    if (!Number.isNaN(at.getTime())) return at.toISOString();
  }
  const found = textDay([value], latest);
  return found === null ? null : noon(found.day);
}

interface FoundDay {
  day: string;
  /** The day is written, not only the month. */
  exact: boolean;
}

/** The first exact date in lines, else the first month. */
function textDay(lines: readonly string[], latest: string): FoundDay | null {
  const texts = lines.map((line) => line.replace(/\s+/g, ' ').slice(0, 400));
  const dates = texts.flatMap(datesIn);
  const order = orderOf(dates, texts, latest);
  const date = dates.find(({ day, year }) => day !== null && year !== null) ?? dates.find(({ day }) => day !== null);
  if (date !== undefined) return { day: dayOf(date, order, latest), exact: true };
  const month = texts.flatMap((text) => datesIn(text).map((found) => ({ found, text })))[0];
  return month === undefined ? null : { day: withinMonth(month.text, dayOf(month.found, order, latest)), exact: false };
}

/** "Mid-October" is the 15th, "end of October" its last day; a bare month its first. */
function withinMonth(text: string, first: string): string {
  const [y, m] = first.split('-').map(Number) as [number, number];
  if (/\b(?:mid|middle|mitte|mediados|mi|metà|meados|half|medio)\b/iu.test(text)) return isoDay(y, m, 15);
  if (/\b(?:late|end|ende|finales|fin|fine|fim|eind|slutet)\b/iu.test(text)) return isoDay(y, m + 1, 0);
  return first;
}

/** "call-2026-07-07-acme.vtt", "acme call 16 july", "visit-18-09", "note-0728", "july_catchup". */
export function nameDay(name: string, latest: string): FoundDay | null {
  const file = name
    .split(/[/\\]/)
    .at(-1)!
    .replace(/\.\p{L}[\p{L}\d]{0,5}$/u, '');
  const spaced = file
    .replace(/[_\-–.,()]+/g, ' ')
    .replace(/(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L}{3})/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const exact =
    datesIn(file.replaceAll('_', '-')).find(({ day, year }) => day !== null && year !== null) ??
    datesIn(spaced).find(({ day }) => day !== null);
  if (exact !== undefined) return { day: dayOf(exact, orderOf([exact], [file], latest), latest), exact: true };
  const pair = /(?:^| )(\d{1,2}) (\d{1,2})(?: (\d{2}))?(?= |$)/.exec(spaced) ?? /(?:^| )(\d\d)(\d\d)(?= |$)/.exec(spaced);
  if (pair !== null) {
    const read = datesIn(`${pair[1]!}/${pair[2]!}/${pair[3] ?? '24'}`)[0];
    if (read !== undefined) {
      const date = { ...read, year: pair[3] === undefined ? null : read.year };
      // Four digits are month and day as in ISO dates, if both readings exist.
      return { day: dayOf(date, date.swapped !== null && pair[0].trim().length === 4 ? 'mdy' : 'dmy', latest), exact: true };
    }
  }
  const words = spaced.split(' ');
  const at = words.findIndex((word) => word.length >= 3 && /^\p{L}+$/u.test(word) && monthOf(word) !== undefined);
  if (at < 0) return null;
  const year = words.find((word) => /^20\d\d$/.test(word));
  const date = {
    start: 0,
    end: 0,
    year: year === undefined ? null : Number(year),
    month: monthOf(words[at]!)!,
    day: null,
    swapped: null,
    weekday: null,
  };
  return { day: withinMonth(spaced, dayOf(date, 'dmy', latest)), exact: false };
}
