/** Dates as feeds write them: RFC 822 and its misspellings, ISO 8601 in all its forms, C's asctime, Unix time. */

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Hours from UTC. Ambiguous names are the North American zones, as in RFC 822. */
const zones: Readonly<Record<string, number>> = {
  ut: 0, utc: 0, gmt: 0, z: 0, wet: 0, west: 1, bst: 1, cet: 1, met: 1, mez: 1, cest: 2, mest: 2, mesz: 2, eet: 2, eest: 3, msk: 3, msd: 4,
  ist: 5.5, sgt: 8, hkt: 8, awst: 8, jst: 9, kst: 9, acst: 9.5, acdt: 10.5, aest: 10, aedt: 11, nzst: 12, nzdt: 13,
  nst: -3.5, ndt: -2.5, brt: -3, art: -3, ast: -4, adt: -3, est: -5, edt: -4, et: -5, cst: -6, cdt: -5, ct: -6, mst: -7, mdt: -6, mt: -7,
  pst: -8, pdt: -7, pt: -8, akst: -9, akdt: -8, hst: -10,
}; // prettier-ignore

/** Minutes from UTC; undefined for an unknown zone. `+02`, `+0200`, `+02:00`, `GMT+1`, `EST`, military letters. */
function offsetOf(zone: string): number | undefined {
  const text = zone.trim().toLowerCase();
  if (text === '') return 0;
  const numeric = /^(?:gmt|utc|ut)?\s*([+-])(\d{1,2}):?(\d{2})?$/.exec(text);
  if (numeric) {
    const minutes = Number(numeric[2]) * 60 + Number(numeric[3] ?? 0);
    return minutes > 14 * 60 ? undefined : numeric[1] === '-' ? -minutes : minutes;
  }
  const hours = zones[text];
  if (hours !== undefined) return hours * 60;
  // RFC 2822: their signs were confused so often that they are meaningless.
  return /^[a-ik-z]$/.test(text) ? 0 : undefined;
}

function at(year: number, month: number, day: number, hour = 0, minute = 0, second = 0, zone = ''): string | null {
  const offset = offsetOf(zone) ?? 0;
  if (month < 1 || month > 12 || day < 1 || hour > 24 || minute > 59 || second > 60 || year < 1 || year > 9999) return null;
  if (hour === 24 && (minute > 0 || second > 0)) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A 31st in a shorter month.
  if (date.getUTCMonth() !== month - 1) return null;
  date.setUTCHours(hour, minute - offset, Math.min(second, 59));
  return iso8601(date);
}

/** Null for years without four digits, and the year 0. */
const iso8601 = (date: Date): string | null => (date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999 ? null : date.toISOString());

/** Two digits, and the three of programs that count from 1900. */
const fullYear = (text: string): number => {
  const year = Number(text);
  return text.length > 3 ? year : text.length === 3 ? 1900 + year : year < 70 ? 2000 + year : 1900 + year;
};

const clock = String.raw`(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:[.,]\d{1,9})?)?)?`;
const zone = String.raw`\s*([A-Za-z]{1,5}(?:\s?[+-]\d{1,2}(?::?\d{2})?)?|[+-]\d{1,2}(?::?\d{2})?)?`;
/** `Thu, 01 Jan 2004 19:48:21 GMT` */
const rfc822 = new RegExp(
  String.raw`^(?:[\p{L}.]{2,12}\s*,?\s+)?(\d{1,2})[\s-]+([A-Za-z]{3,9})\.?,?[\s-]+(\d{2,4})(?:,?\s+(?:at\s+)?${clock}\s*([ap]m)?${zone})?`,
  'iu',
);
/** `Thu Jan  1 19:48:21 GMT 2004`, `Jan 1, 2004 7:48 PM` */
const named = new RegExp(
  String.raw`^(?:[A-Za-z]{3,9}\s*,?\s+)?([A-Za-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(?:(\d{4})(?:,?\s+${clock}\s*([ap]m)?${zone})?|${clock}\s+(?:([A-Za-z]{1,5}|[+-]\d{4})\s+)?(\d{4}))`,
  'i',
);
const iso = new RegExp(
  String.raw`^(\d{4})(?:[-./]?(\d{2})(?:[-./]?(\d{2}))?)?(?:[T\s_]\s*(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?${zone})?$`,
  'i',
);
const ordinal = /^(\d{4})-?(\d{3})(?:[T\s](\d{2}):?(\d{2})(?::?(\d{2}))?\s*(z|[+-]\d{2}:?\d{2})?)?$/i;

const number = (text: string | undefined): number => Number(text ?? 0);
const month = (name: string): number => months.indexOf(name.slice(0, 3).toLowerCase()) + 1;
const hours = (text: string | undefined, half: string | undefined): number =>
  half === undefined ? number(text) : (number(text) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);

/** @returns ISO 8601 in UTC with milliseconds; null if it is not a date. Times without a zone count as UTC. */
export function readDate(given: string): string | null {
  const text = given.trim().slice(0, 100).replace(/\s+/g, ' ');
  if (/^\d{9,10}$/.test(text)) return new Date(Number(text) * 1000).toISOString();
  if (/^\d{13}$/.test(text)) return new Date(Number(text)).toISOString();
  let m = iso.exec(text);
  if (m) return at(number(m[1]), Number(m[2] ?? 1), Number(m[3] ?? 1), number(m[4]), number(m[5]), number(m[6]), m[7]);
  m = ordinal.exec(text);
  if (m) {
    const first = at(number(m[1]), 1, 1, number(m[3]), number(m[4]), number(m[5]), m[6]);
    const days = number(m[2]) - 1;
    return first === null || days < 0 || days > 365 ? null : iso8601(new Date(Date.parse(first) + days * 86_400_000));
  }
  m = rfc822.exec(text);
  if (m) return at(fullYear(m[3]!), month(m[2]!), number(m[1]), hours(m[4], m[7]), number(m[5]), number(m[6]), m[8]);
  m = named.exec(text);
  if (m?.[3] !== undefined) return at(number(m[3]), month(m[1]!), number(m[2]), hours(m[4], m[7]), number(m[5]), number(m[6]), m[8]);
  if (m) return at(number(m[13]), month(m[1]!), number(m[2]), number(m[9]), number(m[10]), number(m[11]), m[12]);
  return null;
}
