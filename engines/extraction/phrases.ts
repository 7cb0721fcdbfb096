import type { Sentence, Token } from './tokens.ts';
import { openers, stopWords } from './words.ts';

const determiners = new Set(
  'a an the my your our their his her its this that these those all any some every each other another more new no'.split(' '),
);
const describing = new Set(
  `new old great good nice best better bad awesome cool whole same different various multiple several many much more other full own only first last next easy quick
  latest recent current many real actual entire really very simple useful useless amazing terrible horrible stupid annoying favorite certain particular separate
  specific additional extra big huge small little long short main lots such`.split(/\s+/),
);
const noObject = new Set(
  `it them him her me you us this that these those something anything everything nothing one ones time times lot lots way ways thing things stuff people person
  day days year years hour hours minute minutes week weeks month months money care advantage part place sense use app apps application version star stars
  reason problem problems issue issues error errors bug bugs crash crashes glitch glitches failure failures timeout timeouts outage outages keeps kept fails failed failing crashed crashing freezes freezing lags stopped kindle phone tablet computer device well again now today back sure`.split(
    /\s+/,
  ),
);

/** The end of a noun phrase that begins here: determiners, adjectives and up to three nouns. Null: there is none. */
export function phrase(tokens: readonly Token[], sentence: Sentence, from: number): number | null {
  let i = from;
  while (tight(tokens, sentence, i) && (determiners.has(tokens[i]!.lower) || describing.has(tokens[i]!.lower) || tokens[i]!.lower === 'of'))
    i += 1;
  const start = i;
  while (i - start < 3 && tight(tokens, sentence, i) && isNoun(tokens[i]!)) i += 1;
  return i > start ? i : null;
}

export const tight = (tokens: readonly Token[], sentence: Sentence, at: number): boolean => at < sentence.to && tokens[at]!.tight;

export const isNoun = ({ lower, digit }: Token): boolean =>
  !digit &&
  !stopWords.has(lower) &&
  !openers.has(lower) &&
  !noObject.has(lower) &&
  !describing.has(lower) &&
  lower.length > 1 &&
  !/(?:ly)$/.test(lower);

/** The start of the nouns directly before a word. */
export function nounsBefore(tokens: readonly Token[], sentence: Sentence, at: number, most: number): number {
  let from = at;
  while (
    from > sentence.from &&
    at - from < most &&
    tokens[from]!.tight &&
    isNoun(tokens[from - 1]!) &&
    !verbs.test(tokens[from - 1]!.lower)
  )
    from -= 1;
  return from;
}
const verbs =
  /^(?:love|loves|loved|like|likes|hate|hates|need|needs|want|wants|add|added|adding|use|uses|used|using|see|open|opens|check|read|get|fix|click|clicked|press|tap|hit|select|enable|disable|change|changed|changing|find|show|shows|showing|view|viewing|delete|create|make|made|post|share|have|has|miss|enjoy|load|loads|help|think|wish|works|work|worked|keeps|crashes|crash|include|added|remove|removed|write|take|keep|sync|update|updated|save|saved|store)$/;
