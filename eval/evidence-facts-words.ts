/** What a sentence says, as far as words tell: names, numbers, days, content words, and how things stand. */
import { stemmer } from 'stemmer';
import { fold, tokens, type Gold } from './evidence-gold.ts';

/** A name in a text. */
export interface Named {
  type: string;
  /** In the gold. */
  name: string;
  /** As written. */
  surface: string;
}

export interface Meaning {
  names: Named[];
  /** Digits without separators, times as 23:10, versions as 9.2.1. */
  numbers: Set<string>;
  /** MM-DD */
  days: Set<string>;
  /** MM, of months without a day. */
  months: Set<string>;
  /** Stems without names, numbers, days, common words and words of standing; near-synonyms as one (`leave`, `late`, …). */
  content: Set<string>;
  /** Said to be open. */
  open: boolean;
  /** Something is denied. */
  negated: boolean;
  /** A trouble is over, a threat taken back. */
  settled: boolean;
  /** Possible, not decided. */
  possible: boolean;
  /** Said of all. */
  general: boolean;
}

/** Near-synonyms of reports, each in place of its words' stems. */
const concepts: [string, RegExp][] = [
  [
    'leave',
    /\b(?:leav(?:e|es|ing)|left(?! (?:it|him|her|them|on|out|over|open|behind)\b)|quits?|quitting|switch(?:es|ing)?|(?:go|goes|going|moves?|moving) (?:over )?to|chang(?:e|es|ing) vendors?|gives? notice|gave notice|terminat\w+|cancel(?:s|led|ling)?|gives? up|look(?:s|ing)? (?:at|around)|churn\w*)\b/g,
  ],
  ['stay', /\b(?:stay(?:s|ed|ing)?|not going anywhere|renew(?:s|ed)?|signed)\b/g],
  ['want', /\b(?:ask(?:s|ed|ing)?(?: for)?|wants?|wish(?:es)?|requests?|requested|would like|needs?)\b/g],
  ['good', /\b(?:satisf\w+|prais\w+|positive|works? well|happy|pleased|delighted)\b/g],
  ['euro', /\b(?:eur|euros?)\b|€/g],
  ['late', /\b(?:late|delay\w*|too slow|verspätet|zu spät|tarde|en retard)\b/g],
  ['rename', /\b(?:renam\w+|new name|formerly|is now|now called|used to be called)\b/g],
  ['problem', /\b(?:problems?|troubles?|issues?|bugs?|complaints?)\b/g],
];
/** Words of how things stand: no content. */
const standing =
  /\b(?:solved|resolved|fixed|repaired|settled|delivered|restored|open|still|not yet|yet|again|remain\w*|unsettled|unresolved|unsolved|pending|withdr[ae]wn?|withdrew|took back|taken back)\b/g;
const settledWords =
  /(?<!\b(?:not|never|nicht|no|nor|isn't|aren't|wasn't|if|until|unless|be|get|gets|to be) (?:yet |been |it |really )?)\b(?:solved|resolved|fixed|repaired|settled|delivered|restored|closed|withdr[ae]wn|withdrew|took (?:\w+ )?back|taken back|no longer|(?:works?|counts?|open) again|back since|stays?|signed|gone since|stopped since|taken care of|said no|told \w+ no|never sent|forget what|(?:is|are) (?:done|history|over))\b|\b(?:no|not|never|\w+n't)\b[^.;]{0,60}\bsince\b/;
const openWords = /\b(?:open|still|not yet|remain\w*|missing|unsettled|unresolved|unsolved|pending|may|threatens?)\b/;
const negations = /\b(?:not|no|never|none|nobody|nothing|nor|without|cannot|\w+n't|kein\w*|nicht|nie|sin|nunca|pas|aucun\w*|jamais)\b/;
const possibilities =
  /\b(?:may|might|could|would|if|unless|threat\w*|threaten\w*|risks?|at risk|signs? of|consider\w*|look(?:s|ing)? (?:at|around)|hypothetical)\b/;
const generalities = /\b(?:all|every|everywhere|everybody|everyone|always)\b/;
/** Of the one who writes: they tell nothing about the matter. */
const common = new Set(
  (
    'a an the and or but of to in on at by for from with as is are was were be been being it its this that these those he she they them their his her ' +
    'has have had do does did will shall can may might would could should than then so such there here also only about into over out up down off ' +
    'since until after before while when where which who what how all any some every each other own same one two more most very not no never none ' +
    'customer said say says saying speak speaks spoke speaking report reports reported call calls called state statement statements work works because although just too own now'
  ).split(' '),
);

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ordinals =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  );

/** Month numbers by their names and abbreviations in languages that quotations are written in. */
const months = new Map(
  ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt'].flatMap((locale) =>
    (['long', 'short'] as const).flatMap((month) =>
      Array.from({ length: 12 }, (_, i): [string, number] => [
        new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC' })
          .format(Date.UTC(2026, i, 15))
          .toLowerCase()
          .replace(/\.$/, ''),
        i + 1,
      ]),
    ),
  ),
);
months.set('sept', 9);
const monthNames = [...months.keys()].sort((a, b) => b.length - a.length).join('|');
const dayNumber = String.raw`(\d{1,2})(?:st|nd|rd|th|\.)?`;
const days: RegExp[] = [
  new RegExp(String.raw`\b${dayNumber}\s+(?:of |de |di )?(${monthNames})\b`, 'giu'),
  new RegExp(String.raw`\b(${monthNames})\.?\s+${dayNumber}\b`, 'giu'),
];
const mayAsMonth = /\b(?:in|since|until|by|from|of|early|late) May\b/;
/** Abbreviations and "may" have other meanings. */
const lonelyMonth = new RegExp(
  String.raw`\b(?:${monthNames
    .split('|')
    .filter((name) => name.length > 3)
    .join('|')})\b`,
  'gu',
);
const isoDay = /\b\d{4}-(\d{2})-(\d{2})\b/g;

export function meaningOf(text: string, gold: Gold): Meaning {
  const plain = inDigits(text.toLowerCase().replaceAll('’', "'"));
  const found: Meaning = {
    names: namesIn(text, gold),
    numbers: new Set(),
    days: new Set(),
    months: new Set(),
    content: new Set(),
    open: false,
    negated: false,
    settled: false,
    possible: false,
    general: generalities.test(plain),
  };
  // "May" is a verb, unless a preposition of time is before it.
  if (mayAsMonth.test(text)) found.months.add('05');
  let rest = plain.replaceAll(isoDay, (_, month: string, day: string) => (found.days.add(`${month}-${day}`), ' '));
  for (const [i, pattern] of days.entries()) {
    rest = rest.replaceAll(pattern, (whole: string, a: string, b: string) => {
      const [day, month] = i === 0 ? [a, b] : [b, a];
      if (Number(day) < 1 || Number(day) > 31) return whole;
      found.days.add(`${String(months.get(month)!).padStart(2, '0')}-${day.padStart(2, '0')}`);
      return ' ';
    });
  }
  rest = rest.replaceAll(/\b(?:19|20)\d\d\b/g, ' ');
  rest = rest.replaceAll(/\d+(?:[.,:]\d+)*/g, (number) => {
    // Separators of thousands, and pence that are none.
    found.numbers.add(number.replaceAll(/[.,](?=\d{3}\b)/g, '').replace(/[.,]00$/, ''));
    return ' ';
  });
  if (found.months.has('05')) rest = rest.replaceAll(/\b(in|since|until|by|from|of|early|late) may\b/g, '$1');
  // Not before the days are gone.
  found.open = openWords.test(rest);
  found.negated = negations.test(rest);
  found.settled = settledWords.test(rest);
  found.possible = possibilities.test(rest);
  rest = rest.replaceAll(lonelyMonth, (month) => (found.months.add(String(months.get(month)!).padStart(2, '0')), ' '));
  for (const { surface } of found.names) rest = rest.replaceAll(surface.toLowerCase(), ' ');
  for (const [concept, pattern] of concepts) {
    rest = rest.replaceAll(pattern, () => (found.content.add(concept), ' '));
  }
  rest = rest.replaceAll(standing, ' ');
  for (const token of tokens(rest)) if (!common.has(token) && token.length > 1) found.content.add(stemmer(token));
  return found;
}

/** Names and aliases in the text, longest first, none inside another. */
function namesIn(text: string, gold: Gold): Named[] {
  let rest = ` ${fold(text)} `;
  const vendors = [...new Set(gold.entities.flatMap(({ type, org }) => (type === 'feature' && org ? [org] : [])))];
  const all = [
    ...gold.entities.flatMap(({ type, name, aliases }) => [name, ...aliases].map((surface) => ({ type, name, surface }))),
    ...vendors.map((name) => ({ type: 'vendor', name, surface: name })),
  ].sort((a, b) => b.surface.length - a.surface.length);
  return all.filter(({ surface }) => {
    const key = ` ${fold(surface)} `;
    if (!rest.includes(key)) return false;
    rest = rest.replaceAll(key, ' | ');
    return true;
  });
}

/** English numbers and days in words, written in digits. One and two are too common to tell anything. */
function inDigits(text: string): string {
  const ones = small.slice(1, 10).join('|');
  return text
    .replaceAll(/\b(?:one|two|a)(?= (?:hundred|thousand)\b)/g, (word) => (word === 'two' ? '2' : '1'))
    .replaceAll(new RegExp(String.raw`\b(${tens.join('|')})(?:[ -](${ones}))?\b`, 'g'), (_, ten: string, one?: string) =>
      String(10 * (tens.indexOf(ten) + 2) + (one === undefined ? 0 : small.indexOf(one))),
    )
    .replaceAll(new RegExp(String.raw`\b(?:${small.slice(3).join('|')})\b`, 'g'), (word) => String(small.indexOf(word)))
    .replaceAll(new RegExp(String.raw`\b(?:${ordinals.slice(1).join('|')})(?= of)`, 'g'), (word) => String(ordinals.indexOf(word)))
    .replaceAll(/\bthirtieth(?= of)/g, '30')
    .replaceAll(/\bthirty-first(?= of)/g, '31')
    .replaceAll(/\b20-(\w+)(?= of)/g, (whole, word: string) => (ordinals.includes(word) ? String(20 + ordinals.indexOf(word)) : whole))
    .replaceAll(/(\d+) hundred and (\d+)/g, (_, a: string, b: string) => String(Number(a) * 100 + Number(b)))
    .replaceAll(/(\d+) hundred\b/g, (_, a: string) => String(Number(a) * 100));
}
