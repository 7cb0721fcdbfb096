import { parse } from 'chrono-node/en';

interface Interval {
  /** ISO, UTC; null: not stated. */
  from: string | null;
  to: string | null;
}

interface Period {
  start: number;
  /** Its last millisecond. */
  end: number;
}

/** Only sentences with one of these are parsed: parsing costs far more than the rest. */
const hint =
  /\b(?:1[0-9]|20)\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:yesterday|today|tomorrow|ago|last|next|this)\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\bq[1-4]\b/i;
const year = '((?:1[0-9]|20)\\d\\d)';
const fromTo = new RegExp(
  `\\b(?:from|between)\\s+${year}\\s*(?:to|until|till|through|and|[-–—])\\s*${year}\\b|\\(${year}\\s*[–—-]\\s*${year}\\)`,
  'i',
);
const single = new RegExp(
  `\\b(since|from|starting in|as of|until|till|through|in|during|by)\\s+(?:early\\s+|late\\s+|mid-?\\s?|q[1-4]\\s+)?${year}\\b(?![-/.]\\d)`,
  'gi',
);
const quarter = new RegExp(`\\b(since|from|until|till|through|in)\\s+q([1-4])\\s+${year}\\b`, 'i');

const starts =
  /\b(?:since|from|as of|effective|starting|beginning|after)\s+(?:the\s+)?(?:(?:early|late|mid|end of|start of|beginning of)\s+)?$/i;
const stops = /\b(?:until|till|til|through|up to|to|and|[-–—])\s*(?:the\s+)?(?:end\s+of\s+)?$/i;
const deadline = /\b(?:by|before|for|due|within)\s+(?:the\s+)?(?:end\s+of\s+)?$/i;

/**
 * The interval in a sentence: "since March 2024", "until Friday", "from 2010 to 2014"; for an event, its day or year
 * is the start. An end includes the whole period.
 * @param saidAt ISO; reference for "Friday" and "last month"
 */
export function intervalOf(sentence: string, saidAt: string): Interval {
  if (!hint.test(sentence)) return { from: null, to: null };
  const text = sentence.slice(0, 500);
  const range = fromTo.exec(text);
  if (range) return interval(years(range[1] ?? range[3]!), years(range[2] ?? range[4]!));
  let from: Period | null = null;
  let to: Period | null = null;
  const said = new Date(saidAt);
  const instant = Number.isNaN(said.getTime()) ? new Date(0) : said;
  const quarterly = quarter.exec(text);
  if (quarterly) {
    const begin = (Number(quarterly[2]) - 1) * 3;
    const period = { start: Date.UTC(Number(quarterly[3]), begin, 1), end: Date.UTC(Number(quarterly[3]), begin + 3, 1) - 1 };
    return /^(?:until|till|through)$/i.test(quarterly[1]!) ? interval(null, period) : interval(period, null);
  }
  for (const result of parse(text, { instant, timezone: 0 })) {
    const before = text.slice(Math.max(0, result.index - 30), result.index);
    if (deadline.test(before) || /^for\b/i.test(result.text)) continue;
    if (result.end) {
      from ??= periodOf(result.start, instant, -1);
      to ??= periodOf(result.end, instant, 1);
    } else if (stops.test(before) && !starts.test(before)) {
      if (/\b(?:to|and|[-–—])\s*(?:the\s+)?$/i.test(before) && from === null) continue;
      to ??= periodOf(result.start, instant, 1);
    } else {
      from ??= periodOf(result.start, instant, -1);
    }
  }
  for (const [, word, digits] of text.matchAll(single)) {
    if (/^(?:until|till|through)$/i.test(word!)) to ??= years(digits!);
    else if (!/^by$/i.test(word!)) from ??= years(digits!);
  }
  return interval(from, to);
}

/** The ISO date of a text such as "5 May 1970". Null: not a date. */
export function dayOf(text: string): string | null {
  const [result] = parse(text.slice(0, 60), { instant: new Date(0), timezone: 0 });
  if (!result || !result.start.isCertain('year') || !result.start.isCertain('month') || !result.start.isCertain('day')) return null;
  return new Date(Date.UTC(result.start.get('year')!, result.start.get('month')! - 1, result.start.get('day')!)).toISOString().slice(0, 10);
}

const years = (digits: string): Period => ({ start: Date.UTC(Number(digits), 0, 1), end: Date.UTC(Number(digits) + 1, 0, 1) - 1 });

type DateParts = ReturnType<typeof parse>[number]['start'];

/** @param towards -1: incomplete dates are in the past, 1: in the future */
function periodOf(part: DateParts, instant: Date, towards: -1 | 1): Period {
  const m = part.get('month')!;
  let [y, d] = [part.get('year')!, part.get('day')!];
  const byWeekday = part.isCertain('weekday') && !part.isCertain('day');
  if (!part.isCertain('year') && !byWeekday && part.isCertain('month')) {
    const at = Date.UTC(y, m - 1, d);
    if (towards < 0 && at > instant.getTime()) y -= 1;
    if (towards > 0 && Date.UTC(y, m, 1) <= instant.getTime()) y += 1;
  }
  if (part.isCertain('month') && !part.isCertain('day') && !byWeekday) return { start: Date.UTC(y, m - 1, 1), end: Date.UTC(y, m, 1) - 1 };
  if (byWeekday) {
    const at = Date.UTC(y, m - 1, d);
    const today = Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate());
    if (towards < 0 && at > today) d -= 7;
    if (towards > 0 && at < today) d += 7;
  }
  const start = Date.UTC(y, m - 1, d);
  return { start, end: start + 86_400_000 - 1 };
}

function interval(from: Period | null, to: Period | null): Interval {
  if (from && to && to.end < from.start) return { from: iso(from.start), to: null };
  return { from: from && iso(from.start), to: to && iso(to.end) };
}

const iso = (at: number): string | null => (Number.isFinite(at) ? new Date(at).toISOString() : null);
