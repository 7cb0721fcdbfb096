import { leavingCues } from './judge-cues.ts';
import type { Span } from './statements-sentences.ts';
import { contentOf, contrasts, isFiller, isQuestion, lowerOf, negated, opensPoint, refers, wishes, wordsIn } from './statements-words.ts';
import { isStill, reliefIn, takesBack } from './state.ts';
import type { Topics } from './types.ts';

/** A sentence with what joining and judging need. */
export interface Sentence extends Span {
  text: string;
  lower: string;
  /** Number of words. */
  words: number;
  content: readonly string[];
  /** Named in the sentence itself. */
  topics: Topics;
  filler: boolean;
  question: boolean;
  /** Tells that a trouble is over. */
  relief: boolean;
  /** Tells that one remains. */
  still: boolean;
  /** Begins a line with what it is about: "Maps: two were blurred." */
  labelled: boolean;
}

export function sentenceOf(text: string, { start, end }: Span, topics: Topics): Sentence {
  const said = text.slice(start, end);
  const lower = lowerOf(said);
  return {
    start,
    end,
    text: said,
    lower,
    words: wordsIn(lower).length,
    content: contentOf(lower),
    topics,
    filler: isFiller(said),
    question: isQuestion(said),
    relief: reliefIn(said) !== null,
    still: isStill(said),
    labelled: /\n[ \t]*$/.test(text.slice(Math.max(0, start - 8), start)) && lineLabel.test(said),
  };
}

const lineLabel = /^(?:the |der |die |das |el |la |los |las |le |les )?\p{L}[\p{L}\p{N}'’-]*(?: [\p{L}\p{N}'’-]+)?: \S/iu;

const longestContext = 300;

/** What stands before a statement, as the classifier sees it. */
export const shortened = (context: string): string => context.replaceAll(/\s+/g, ' ').trim().slice(-longestContext);

export const contextIn = (sentences: readonly Sentence[]): string => shortened(sentences.map(({ text }) => text).join(' '));

/** A statement is what a reader would quote as one: at most three sentences. */
const mostSentences = 3;
const longest = 300;

/**
 * Joins the sentences of one unit into statements: the next sentence joins while it continues the same matter, and
 * opens a statement when it turns against it, asks for something else, or names another feature. Sentences without
 * content are left out at both ends.
 */
export function joined(sentences: readonly Sentence[]): Sentence[][] {
  const groups: Sentence[][] = [];
  let open: Sentence[] = [];
  for (const sentence of sentences) {
    if (open.length > 0 && !fits(open, sentence)) {
      groups.push(open);
      open = [];
    }
    open.push(sentence);
  }
  groups.push(open);
  return groups.map(bare).filter((group) => group.length > 0);
}

/** Without sentences of no content at both ends. */
export function bare(group: readonly Sentence[]): Sentence[] {
  const from = group.findIndex(({ filler }) => !filler);
  return from < 0 ? [] : group.slice(from, group.findLastIndex(({ filler }) => !filler) + 1);
}

function fits(open: readonly Sentence[], next: Sentence): boolean {
  const solid = open.filter(({ filler }) => !filler);
  const first = solid[0];
  if (!first || next.filler) return true;
  const last = solid.at(-1)!;
  if (solid.length >= mostSentences || next.end - first.start > longest) return false;
  // A label or a single word belongs to what follows: "Fuel.", "Please.", "Gone."
  if (solid.every(({ words }) => words <= 2)) return true;
  if (next.labelled || contrasts(next.lower) || opensPoint(next.lower)) return false;
  // A retraction, and what is over beside what is not, are statements of their own.
  if (takesBack(next.lower) ? !points(next.lower) : takesBack(last.lower) && !refers(next.lower) && !isQuoting(last.text)) return false;
  // Nor does an ultimatum belong to praise or to another matter.
  if (!refers(next.lower) && leavingCues(next.text, next.topics.competitors.length > 0).strength === 2) return false;
  if (last.relief !== next.relief && (last.still || next.still)) return false;
  if (names(next) && solid.some(names) && !shares(next, solid)) return false;
  // A question with its own subject is another matter; "can it be done this week?" is not.
  if (next.question !== last.question && next.question) return next.words <= 7 && refersInside(next.lower);
  // "The second one is still there." says nothing alone.
  if (solid.every(({ content, relief }) => content.length <= 1 && !relief) && !names(first)) return true;
  // A wish after a report, or a report of success and trouble side by side.
  if (wishes(next.lower) && !wishes(first.lower) && next.words > 6 && names(next)) return false;
  return refers(next.lower) || next.words <= 12 || negated(next.lower) === negated(last.lower);
}

const names = ({ topics }: Sentence): boolean => topics.features.length + topics.competitors.length > 0;

function shares(next: Sentence, solid: readonly Sentence[]): boolean {
  const known = new Set(solid.flatMap(({ topics }) => [...topics.features, ...topics.competitors]));
  return [...next.topics.features, ...next.topics.competitors].some((name) => known.has(name));
}

/** A quotation begins in the sentence and does not end in it. */
const isQuoting = (text: string): boolean =>
  (text.match(/"/g)?.length ?? 0) % 2 === 1 || (text.match(/[“„«]/g)?.length ?? 0) > (text.match(/[”»]/g)?.length ?? 0);

/** Takes back what the sentence before says: "she took it back", not "you can tell them that …". */
const points = (lower: string): boolean => /(?<![\p{L}'])(?:it|this|them|es|das|lo|la|eso|ça|cela|le)(?![\p{L}'])/u.test(lower);

/** A pronoun anywhere that points back. */
const refersInside = (lower: string): boolean =>
  /(?<![\p{L}'])(?:it|that|this|them|those|so|es|das|dies|sie|ihn|lo|los|la|las|eso|esto|\p{L}+(?:lo|la|los|las|se)|ça|cela|le|les)(?![\p{L}'])/u.test(
    lower,
  );
