import type { Sentence } from './statements-join.ts';
import { contentOf, contrasts, isQuestion, lowerOf, opensPoint, parts, wordsIn } from './statements-words.ts';
import type { Topics, Voiced } from './types.ts';

/** A unit with its sentences. */
export interface Told {
  unit: Voiced;
  text: string;
  lower: string;
  sentences: Sentence[];
  /** Of all its sentences. */
  topics: Topics;
}

/** Where a turn stands in its conversation. */
export interface Place {
  /** The turn before; null at the beginning. */
  before: Told | null;
  /** What was last talked about; empty after a change of subject to something without a name. */
  thread: Topics;
  /** Before anybody came to the matter, or after the first farewell. */
  edge: boolean;
  /** Answers a question of the other side. */
  answers: boolean;
  /** Adds nothing to the turn before but its own words. */
  echo: boolean;
  /** Asks a colleague, or comments on one. */
  aside: boolean;
  /** Breaks off, and the same person never goes on. */
  lost: boolean;
  /** Index of the turn that goes on with this one. */
  continuedBy: number | null;
  /** Index of the turn that this one goes on with. */
  continues: number | null;
}

const none: Topics = { features: [], competitors: [] };
const named = ({ features, competitors }: Topics): boolean => features.length + competitors.length > 0;

const breaksOff = /(?:--|[–—]|\.\.\.|…)["'”]?\s*$/;
const goesOn = /^["'“]?\s*(?:--|[–—]|\.\.\.|…)/;
/** A change of subject by whoever leads the conversation: "And the invoices?", "Anything on …". */
const shift =
  /^["'\s]*(?:and|now|so|ok(?:ay)?|right|fine|next|then|what about|how about|anything|let's|und|nun|gut|dann|wie steht|y|bueno|vale|entonces|et|bon|alors)(?![\p{L}'])/u;
const pronoun = /(?<![\p{L}'])(?:it|that|this|they|them|es|das|sie|eso|esto|lo|ça|cela|y)(?![\p{L}'])/u;
/** Turns before the matter: greetings and small talk. */
const longestOpening = 8;
/** Turns over which a topic is remembered. */
const memory = 8;

export function sceneOf(turns: readonly Told[]): Place[] {
  // A short talk comes to the matter soon.
  const opening = Math.min(longestOpening, Math.floor(turns.length / 6));
  const begun = turns.findIndex(
    ({ topics, unit, lower, sentences }, i) =>
      named(topics) ||
      i >= opening ||
      (unit.side === 'customer' && (wordsIn(lower).length > 25 || sentences.some((each) => each.relief || each.still))),
  );
  const parted = turns.findIndex(({ lower }, i) => i >= turns.length - 6 && i > begun && parts(lower));
  let thread: Topics = none;
  let since = 0;
  return turns.map((turn, i) => {
    const before = turns[i - 1] ?? null;
    if (named(turn.topics)) [thread, since] = [turn.topics, i];
    else if (i - since > memory || changes(turn)) thread = none;
    else if (turn.unit.side === 'customer' && i - since > 0) since += 0.5;
    const other = before !== null && before.unit.side !== turn.unit.side;
    return {
      before,
      thread,
      edge: i < begun || (parted >= 0 && i >= parted),
      answers: other && before.sentences.some(({ question }) => question),
      echo: before !== null && echoes(turn, before),
      aside: before !== null && !other && before.unit.person !== turn.unit.person && isQuestion(turn.text) && !named(turn.topics),
      lost: breaksOff.test(turn.text) && nextOf(turns, i) === null,
      continuedBy: nextOf(turns, i),
      continues: previousOf(turns, i),
    };
  });
}

function changes({ unit, lower, sentences }: Told): boolean {
  if (unit.side === 'customer') return sentences.some(({ lower: each }) => opensPoint(each) && !contrasts(each));
  return (shift.test(lower) || opensPoint(lower)) && isQuestion(lower) && !pronoun.test(lower) && contentOf(lower).length > 0;
}

const words = (text: string): string[] => contentOf(lowerOf(text));

function echoes(turn: Told, before: Told): boolean {
  const said = words(turn.text);
  if (said.length === 0 || said.length > 6) return false;
  const heard = new Set(words(before.text));
  return said.every((word) => heard.has(word));
}

/** Who breaks off often goes on one or two turns later. */
function nextOf(turns: readonly Told[], i: number): number | null {
  const { text, unit } = turns[i]!;
  if (!breaksOff.test(text)) return null;
  for (let j = i + 2; j <= i + 3 && j < turns.length; j += 1) {
    const next = turns[j]!;
    if (next.unit.speaker === unit.speaker && (goesOn.test(next.text) || /^["'“]?\p{Ll}/u.test(next.text))) return j;
  }
  return null;
}

function previousOf(turns: readonly Told[], i: number): number | null {
  for (let j = Math.max(0, i - 3); j < i - 1; j += 1) if (nextOf(turns, j) === i) return j;
  return null;
}
