import { terms } from '../retrieval/terms.ts';

/**
 * Whether one memory may take the place of another. Two texts are compared by what they must share, not by how close
 * they are: vectors hardly tell "use X" from "do not use X". A longer text takes the place of a shorter one only if it
 * has all of its words in the same order, the same numbers, names and negations; so nothing that was remembered is lost.
 */
export interface Said {
  /** Stems of its words of content and names, in order. */
  words: string[];
  /** What must be equal in both: numbers and dates, in order; names, identifiers and quoted texts; words that turn the meaning. */
  numbers: string[];
  names: string[];
  turns: string[];
  /** All words as they are written, in lower case. */
  written: ReadonlySet<string>;
  asks: boolean;
}

export const apartReasons = [
  'numbers differ',
  'names differ',
  'one of them denies or restricts',
  'words differ',
  'one says much more',
  'only one is a question',
  'meanings differ',
] as const;
export type ApartReason = (typeof apartReasons)[number];

/** Share of the longer text's words that the shorter one has, at least. */
const enough = 0.6;
/** Without vectors, words alone must tell that both say the same. */
const enoughByWords = 0.75;
/** Cosine of two texts that say the same, at least (bge-small); alike.test.ts has the texts on which it was chosen. */
export const near = 0.88;

const denying =
  'not no never none nobody nothing neither nor without cannot avoid avoids stop stops stopped except unless instead rather forbid forbids forbidden deny denies denied refuse refuses refused disallow disallowed wrong false isnt arent wasnt werent dont doesnt didnt wont wouldnt shouldnt couldnt cant mustnt hasnt havent hadnt';
/** Words that terms leave out or that decide what is meant. */
const turning = new Set(
  `${denying} before after above below over under up down off out more less most least few fewer some any all sometimes usually often rarely may might could would if when while until since during only first last next previous`.split(
    ' ',
  ),
);
/** Verbs and adverbs that add nothing: "we use tabs", "always use tabs", "tabs are used". */
const filling = new Set(
  terms(
    'use used using make made do done always please must should will shall need needs have has get got happen happens really just simply',
  ).concat(['us']),
);

const numberWords = new Set(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half quarter once twice second third fourth fifth monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays january february march april june july august september october november december noon midnight today tomorrow yesterday daily weekly monthly yearly hourly'.split(
    ' ',
  ),
);

const wordShape = /[\p{L}\p{N}_][\p{L}\p{N}\p{M}_'’.\-/:@#+]*/gu;

/** A text as it is compared. */
export function readSaid(text: string): Said {
  const normal = text.normalize('NFKC').replaceAll('’', "'");
  const numbers: string[] = [];
  const names: string[] = [];
  const turns: string[] = [];
  const written = new Set<string>();
  const content: string[] = [];
  for (const quoted of normal.matchAll(/`([^`]+)`|"([^"]+)"|“([^”]+)”/g))
    names.push((quoted[1] ?? quoted[2] ?? quoted[3])!.toLowerCase().trim());
  for (const match of normal.matchAll(wordShape)) {
    const word = match[0].replace(/[.\-/:'+]+$/u, (end) => (/^\++$/.test(end) ? end : ''));
    const lower = word.toLowerCase().replace(/'s$/, '');
    const plain = lower.replaceAll("'", '');
    written.add(plain);
    if (/\d/.test(word) || numberWords.has(plain)) numbers.push(plain.replace(/(?<=day)s$/, ''));
    else if (turning.has(plain)) turns.push(plain.endsWith('nt') && plain !== 'different' ? 'not' : plain === 'cannot' ? 'not' : plain);
    else {
      if (isName(word, normal, match.index)) names.push(plain);
      content.push(...terms(plain).filter((stem) => !filling.has(stem)));
    }
  }
  return { words: content, numbers, names, turns, written, asks: /\?\s*$/.test(normal.trim()) };
}

/** Written in capitals where a sentence does not begin, or an identifier, path, address or version. */
function isName(word: string, text: string, at: number): boolean {
  if (/[\p{Ll}\d]\p{Lu}|_|[/@#:+]|\p{L}\.\p{L}/u.test(word) || (word.length > 1 && /^\p{Lu}+s?$/u.test(word))) return true;
  return /^\p{Lu}/u.test(word) && word !== 'I' && !/(^|[.!?:;\n•*-]\s*)$/u.test(text.slice(Math.max(0, at - 4), at)) && at > 0;
}

const same = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((each, i) => each === b[i]);

/** Each name of one is written in the other, be it in lower case. */
const hasNamesOf = (one: Said, other: Said): boolean => other.names.every((name) => one.written.has(name) || one.names.includes(name));

function isInOrder(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const word of whole) if (word === part[at]) at += 1;
  return at === part.length;
}

/**
 * Whether `longer` may stand for both.
 * @param cosine of their vectors; undefined: there are none
 * @returns null, or why they stay apart
 */
export function apart(longer: Said, shorter: Said, cosine: number | undefined): ApartReason | null {
  if (longer.asks !== shorter.asks) return 'only one is a question';
  if (!same(longer.numbers, shorter.numbers)) return 'numbers differ';
  if (!same(longer.turns.toSorted(), shorter.turns.toSorted()) || !isInOrder(shorter.turns, longer.turns))
    return 'one of them denies or restricts';
  if (!hasNamesOf(longer, shorter) || !hasNamesOf(shorter, longer)) return 'names differ';
  if (!isInOrder(shorter.words, longer.words)) return 'words differ';
  const shared = longer.words.length === 0 ? 1 : shorter.words.length / longer.words.length;
  if (shared < (cosine === undefined ? enoughByWords : enough)) return 'one says much more';
  return cosine !== undefined && cosine < near ? 'meanings differ' : null;
}
