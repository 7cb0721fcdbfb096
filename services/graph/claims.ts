import { terms } from '../../engines/retrieval/terms.ts';
import { keyWords, nameKey } from '../../engines/text/names.ts';

/** Pure: the parts of a claim that can be checked. */

/** A number in a claim with the counted thing: "47 customers". */
export interface Counted {
  said: number;
  /** As written: "47 customers". */
  text: string;
  /** Type of entity, or `signal`. */
  what: string;
}

/** Longest name to look for in a claim, in words. */
const longestName = 8;
const longestClaim = 400;

/** Words for countable things. */
const kinds: Record<string, string> = {
  customer: 'customer',
  account: 'customer',
  client: 'customer',
  compan: 'customer',
  feature: 'feature',
  issue: 'issue',
  bug: 'issue',
  problem: 'issue',
  theme: 'theme',
  stakeholder: 'stakeholder',
  signal: 'signal',
  document: 'signal',
  conversation: 'signal',
  transcript: 'signal',
  ticket: 'signal',
};
const spelt = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Words that relate things in claims: the evidence need not contain them. */
const relating = new Set(
  terms(
    'affected affects impacted impacts hit hits reported reports mentioned mentions related relates complained complains asked asks requested requests ' +
      'experience experienced see seen say said says told claim issue problem bug customer customers feature theme stakeholder signal signals many several lot ' +
      'most all some due cause caused because need needs want wants',
  ),
);

/** Every sequence of words in the claim as the key of a name, longest first, with its position in words. */
export function nameSpans(claim: string): { key: string; from: number; to: number }[] {
  const words = claim.split(/\s+/).filter(Boolean).slice(0, longestClaim);
  const spans: { key: string; from: number; to: number }[] = [];
  for (let length = Math.min(longestName, words.length); length > 0; length -= 1) {
    for (let from = 0; from + length <= words.length; from += 1) {
      const key = nameKey(words.slice(from, from + length).join(' '));
      if (key !== '' && !/^\d+$/.test(key)) spans.push({ key, from, to: from + length });
    }
  }
  return spans;
}

/**
 * The longest names that occur, without nested ones.
 * @param known keys of existing names
 */
export function namesIn(claim: string, known: ReadonlySet<string>): string[] {
  const taken = new Set<number>();
  const found = new Set<string>();
  for (const { key, from, to } of nameSpans(claim)) {
    if (!known.has(key)) continue;
    const places = Array.from({ length: to - from }, (_, i) => from + i);
    if (places.some((place) => taken.has(place))) continue;
    for (const place of places) taken.add(place);
    found.add(key);
  }
  return [...found];
}

const stems = Object.keys(kinds);
const counting = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,-])(\d{1,3}(?:,\d{3})+|\d{1,9}|${spelt.join('|')})\s+(?:[\p{L}-]+\s+){0,2}?(${stems.join('|')})(?:s|y|ies)?(?!\p{L})`,
  'giu',
);

/** Numbers of things that can be counted: "47 customers", "three open issues". */
export function countsIn(claim: string): Counted[] {
  return [...claim.matchAll(counting)].map(([text, number = '', noun = '']) => ({
    said: /^\d/.test(number) ? Number(number.replaceAll(',', '')) : spelt.indexOf(number.toLowerCase()),
    text,
    what: kinds[noun.toLowerCase()]!,
  }));
}

/** The claim without its names: words that evidence should contain, too. */
export function restOf(claim: string, names: readonly string[]): Set<string> {
  const named = new Set(names.flatMap((key) => terms(keyWords(key).join(' '))));
  return new Set(terms(claim).filter((term) => !named.has(term) && !relating.has(term) && !/^\d+$/.test(term) && !spelt.includes(term)));
}

/** Share of the wanted words in a text, 0 to 1; 1 if there are none. */
export function coverage(wanted: ReadonlySet<string>, text: string): number {
  if (wanted.size === 0) return 1;
  const has = new Set(terms(text));
  return [...wanted].filter((term) => has.has(term)).length / wanted.size;
}
