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
const yesterday = /(?<!\p{L})(?:yesterday|last night|gestern|ayer|anoche)(?!\p{L})/iu;
/** A weekday that has passed: "since Tuesday", "am vergangenen Sonntag". */
const passed = new RegExp(
  `(?<!\\p{L})(?:since|last|past|on|seit|letzten?|vergangenen|am vergangenen|desde el|el pasado|depuis|dernier) (${[...weekdays.keys()].join('|')})(?!\\p{L}|s(?!\\p{L}))`,
  'iu',
);

/** E.g. "yesterday: 9 Sept 2026"; empty without such words. @param at ISO 8601 */
export function daysSaid(statement: string, at: string): string[] {
  const said = Date.parse(`${at.slice(0, 10)}T00:00:00Z`);
  const found: string[] = [];
  const before = (word: string, days: number): void => {
    found.push(`${word}: ${dateOf(new Date(said - days * day).toISOString())}`);
  };
  const word = yesterday.exec(statement)?.[0];
  if (word) before(word.toLowerCase(), 1);
  const weekday = passed.exec(statement)?.[1];
  if (weekday) {
    const back = (new Date(said).getUTCDay() - weekdays.get(weekday.toLowerCase())! + 7) % 7 || 7;
    before(weekday, back);
  }
  return found;
}
