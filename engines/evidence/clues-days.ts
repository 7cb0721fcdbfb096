import { datesIn, dayOf, orderOf } from './when-dates.ts';

/** The day that a sentence names, for renames and changes of employer. */

const ordinals =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first'.split(
    ' ',
  );
/** "the fourth of May" */
const written = new RegExp(String.raw`(?<!\p{L})(${ordinals.join('|')})(?= of \p{Lu})`, 'giu');
const bare =
  /\b(?:since|from|on|as of|until|seit|ab|desde|depuis|dal)\s+(?:the |dem |el |le )?(?:(\d{1,2})(?:st|nd|rd|th|\.)?(?![\d:.,]|\s*(?:%|per))|([a-z]{5,7}(?:-[a-z]{5,7})?))(?![\p{L}\p{N}])/giu;
const since = /\b(?:since|from|on|seit|ab|desde el|depuis|dal|sinds)\s+(\p{L}{5,13})/giu;
const until = /(?:until|till|bis|hasta|jusqu['’]au|fino al|tot)\s+(?:the |zum |el |le )?$/iu;
const monthEnd =
  /\b(?:end of|ende|final(?:es)? de|fin (?:de|du)|fine (?:di|del)|einde?) (?:the |des |del? |du )?(?:month|monats|mes|mois|mese|maand|(\p{L}{3,10})(?: (\d{4}))?)/iu;
const weekdayNames = [
  'sunday sonntag domingo dimanche domenica zondag',
  'monday montag lunes lundi lunedì maandag',
  'tuesday dienstag martes mardi martedì dinsdag',
  'wednesday mittwoch miércoles mercredi mercoledì woensdag',
  'thursday donnerstag jueves jeudi giovedì donderdag',
  'friday freitag viernes vendredi venerdì vrijdag',
  'saturday samstag sábado samedi sabato zaterdag',
].map((names) => new Set(names.split(' ')));

const oneDay = 86_400_000;

/**
 * The first day in a text; a day without a month is the last one before `saidAt`. Of "until 3 May" it is the day
 * after: a name that was valid until then is followed by another.
 * @param saidAt ISO
 * @returns ISO day
 */
export function dayIn(sentence: string, saidAt: string): string | null {
  const text = sentence.replace(/\s+/g, ' ').replace(written, (ordinal) => `${ordinals.indexOf(ordinal.toLowerCase()) + 1}`);
  const said = saidAt.slice(0, 10);
  // A day of the near future is no day of last year.
  const latest = dayFrom(Date.parse(said) + 120 * oneDay);
  const last = monthEnd.exec(text);
  if (last) {
    const month = last[1] === undefined ? undefined : datesIn(`1 ${last[1]} ${last[2] ?? ''}`.trim())[0];
    if (last[1] === undefined) return lastOfMonth(said);
    if (month) return lastOfMonth(dayOf(month, 'dmy', latest));
  }
  const [date] = datesIn(text).filter(({ day }) => day !== null);
  if (date) {
    const day = dayOf(date, orderOf([date], [text], latest), latest);
    return until.test(text.slice(Math.max(0, date.start - 20), date.start)) ? dayFrom(Date.parse(day) + oneDay) : day;
  }
  for (const match of text.matchAll(since)) {
    const weekday = weekdayNames.findIndex((names) => names.has(match[1]!.toLowerCase()));
    if (weekday >= 0) return dayFrom(Date.parse(said) - ((new Date(said).getUTCDay() - weekday + 7) % 7) * oneDay);
  }
  for (const match of text.matchAll(bare)) {
    const day = match[1] ? Number(match[1]) : ordinals.indexOf(match[2]!.toLowerCase()) + 1;
    if (day < 1 || day > 31) continue;
    const at = new Date(said);
    if (day > at.getUTCDate()) at.setUTCMonth(at.getUTCMonth() - 1, 1);
    at.setUTCDate(day);
    return at.toISOString().slice(0, 10);
  }
  return null;
}

const dayFrom = (at: number): string => new Date(at).toISOString().slice(0, 10);

function lastOfMonth(day: string): string {
  const at = new Date(day);
  return dayFrom(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0));
}
