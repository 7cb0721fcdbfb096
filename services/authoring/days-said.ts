/** Pure: the days that a statement names relative to the day on which it was said. */
import { dateOf } from './names.ts';

const day = 24 * 60 * 60 * 1000;
const languages = ['en', 'de', 'es', 'fr'];
/** Names of the days of the week, with their number (Sunday is 0). */
const weekdays = new Map(
  languages.flatMap((language) =>
    Array.from({ length: 7 }, (_, i): [string, number] => [
      new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 7, 2 + i)).toLowerCase(),
      i,
    ]),
  ),
);
const yesterday = /(?<!\p{L})(?:yesterday|last night|gestern|ayer|anoche|hier(?= |$)(?=.*\b(?:le|la|les|nous|vous|je)\b))(?!\p{L})/iu;
const today = /(?<!\p{L})(?:this morning|today|heute|heute morgen|esta mañana|hoy|ce matin|aujourd['’]hui)(?!\p{L})/iu;
/** A weekday that has passed: "since Tuesday", "am vergangenen Sonntag". */
const passed = new RegExp(
  `(?<!\\p{L})(?:since|last|past|on|seit|letzten?|vergangenen|am vergangenen|desde el|el pasado|depuis|dernier) (${[...weekdays.keys()].join('|')})(?!\\p{L}|s(?!\\p{L}))`,
  'iu',
);

/** E.g. "yesterday: 9 Sept 2026"; empty without such words. @param at ISO 8601 */
export function daysSaid(statement: string, at: string): string[] {
  const said = Date.parse(`${at.slice(0, 10)}T00:00:00Z`);
  const found: string[] = [];
  const add = (pattern: RegExp, back: number): void => {
    const word = pattern.exec(statement)?.[0];
    if (word) found.push(`${word.toLowerCase()}: ${dateOf(new Date(said - back * day).toISOString())}`);
  };
  add(yesterday, 1);
  if (found.length === 0) add(today, 0);
  const weekday = passed.exec(statement)?.[1];
  if (weekday) {
    const back = (new Date(said).getUTCDay() - weekdays.get(weekday.toLowerCase())! + 7) % 7 || 7;
    found.push(`${weekday}: ${dateOf(new Date(said - back * day).toISOString())}`);
  }
  return found;
}
