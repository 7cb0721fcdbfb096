/**
 * Whether one memory may take the place of another. Vectors hardly tell "use X" from "do not use X", and one added word
 * may turn a rule into its exception. So each sentence of the shorter text must stand in the longer one: the same words
 * in the same order, but for case, punctuation, articles, and words that add nothing. What the longer one says beyond that must not restrict it.
 */
export interface Sentence {
  /** Its words in order, as they are compared. */
  words: string[];
  /** Numbers, dates and versions, in order. */
  numbers: string[];
  /** Words that deny, restrict or set in time, in order. */
  turns: string[];
  asks: boolean;
}

export interface Said {
  sentences: Sentence[];
  /** Number of words. */
  length: number;
}

export type ApartReason = 'numbers differ' | 'one of them denies or restricts' | 'words differ' | 'one says much more' | 'meanings differ';

/** Share of the longer text's words that the shorter one has, at least: more would hide it in something else. */
const enough = 0.4;
/**
 * Cosine of two texts that say the same, at least (bge-small). It only confirms what words have decided; memory-merges.test.ts
 * has the texts on which it was chosen.
 */
export const near = 0.8;

/** Words that add nothing: "we always use tabs", "the API must never …", "on Mondays only, and never …". */
const filling = new Set('a an the and please always must really just simply'.split(' '));
const turning = new Set(
  `not no never none nobody nothing neither nor without cannot avoid avoids stop stops stopped except unless instead rather forbid forbids forbidden deny denies
   denied refuse refuses refused disallow disallowed wrong false isnt arent wasnt werent dont doesnt didnt wont wouldnt shouldnt couldnt cant mustnt hasnt havent
   hadnt before after above below over under up down off out more less most least few fewer some any all sometimes usually often rarely hardly barely may might
   can could should would will if when while until since during only first last next previous but however although though yet still longer former formerly was
   were old outdated obsolete deprecated reverted superseded temporary temporarily draft undecided false except`.split(/\s+/),
);
const numberWords = new Set(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty
   sixty seventy eighty ninety hundred thousand million billion half quarter once twice second third fourth fifth monday tuesday wednesday thursday friday
   saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays january february march april june july august september october november
   december noon midnight today tomorrow yesterday daily weekly monthly yearly hourly`.split(/\s+/),
);

const wordShape = /[\p{L}\p{N}_$€£%][\p{L}\p{N}\p{M}_'.\-/:@#+$€£%]*/gu;

/** A text as it is compared. */
export function readSaid(text: string): Said {
  const normal = text.normalize('NFKC').replaceAll('’', "'");
  const sentences = [...normal.matchAll(/[^\n.!?;]+(?:[.!?;](?=\S)[^\n.!?;]*)*[.!?;]*/g)]
    .map(([sentence]) => readSentence(sentence))
    .filter(({ words }) => words.length > 0);
  return { sentences, length: sentences.reduce((sum, { words }) => sum + words.length, 0) };
}

function readSentence(sentence: string): Sentence {
  const [words, numbers, turns]: string[][] = [[], [], []];
  for (const [match] of sentence.matchAll(wordShape)) {
    const lower = match
      .replace(/[.\-/:']+$/u, '')
      .toLowerCase()
      .replace(/'s$/, '')
      .replaceAll("'", '');
    if (filling.has(lower)) continue;
    if (/\d/.test(lower) || numberWords.has(lower)) numbers!.push(lower.replace(/(?<=day)s$/, ''));
    if (turning.has(lower)) turns!.push(lower);
    // Not by stems: http and https, approves and approved are different words.
    words!.push(lower.replace(/(?<=day)s$/, ''));
  }
  return { words: words!, numbers: numbers!, turns: turns!, asks: /\?["')\s]*$/.test(sentence) };
}

const same = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((each, i) => each === b[i]);
const equal = (a: Sentence, b: Sentence): boolean => a.asks === b.asks && same(a.words, b.words);

/**
 * Whether `longer` may stand for both.
 * @param cosine of their vectors; undefined: there are none
 * @returns null, or why they stay apart
 */
export function apart(longer: Said, shorter: Said, cosine: number | undefined): ApartReason | null {
  let at = 0;
  for (const sentence of longer.sentences) if (at < shorter.sentences.length && equal(sentence, shorter.sentences[at]!)) at += 1;
  const all = ({ sentences }: Said, of: 'numbers' | 'turns'): string[] => sentences.flatMap((sentence) => sentence[of]);
  if (at < shorter.sentences.length || shorter.sentences.length === 0) {
    if (!same(all(longer, 'numbers'), all(shorter, 'numbers'))) return 'numbers differ';
    return same(all(longer, 'turns'), all(shorter, 'turns')) ? 'words differ' : 'one of them denies or restricts';
  }
  const added = longer.sentences.filter((sentence) => !shorter.sentences.some((other) => equal(sentence, other)));
  if (added.some(({ turns, asks }) => turns.length > 0 || asks)) return 'one of them denies or restricts';
  if (added.length > 0 && shorter.length / longer.length < enough) return 'one says much more';
  return cosine !== undefined && cosine < near ? 'meanings differ' : null;
}
