import { terms } from '../../../engines/retrieval/terms.ts';

/** Steps of one query that are searched on their own. */
const mostSteps = 8;
/** A text without requests that is longer than this is searched by its sentences as well. */
const longText = 240;

/** Verbs with which people begin a request. */
const beginnings = new Set(
  (
    'accept add alert analyse analyze answer apply approve archive ask assign attach book build call cancel change check claim clean clear close collect ' +
    'compare complete compute configure confirm connect copy correct count crawl create cut decide define delegate delete describe disable disconnect ' +
    'discover download draft drop dump email end enter erase explain export extend extract fail fetch file fill find finish fix flag follow forget ' +
    'forward gather generate get give grab group hand have hold import index inform ingest inspect invite keep label link list load log look mail make ' +
    'mark match measure merge message monitor mount move name note notify open pause pick ping plan post prepare promote propose prove publish pull ' +
    'push put rank read rebuild record register reject release remember remind remove rename reopen repeat replace report request rerun reserve reset ' +
    'resolve restart restore resume retry return revert review revoke roll rotate run save say schedule search see select send set share show sign ' +
    'snapshot split start stop store submit subscribe summarise summarize switch tag take tell test throw trace track translate trigger try turn undo ' +
    'unsubscribe update upload use validate verify wait watch withdraw work write'
  ).split(' '),
);
const questions = new Set('what who whom whose which where when why how is are was were did does do has can'.split(' '));
/** Words that may stand before the verb. */
const polite =
  /^(?:(?:and|but|then|also|please|first|next|now|finally|afterwards|later|if possible|let me|let us|let's|i want to|i would like to|i'd like to|we want to|we need to|i need to|can you|could you)[\s,]+)+/i;
const sentenceEnd = /(?<=[.!?;]) | ?\n ?/;
const joint = /(, ?| (?=and |(?<!and )then ))/;

const opening = (part: string): string => /^[\p{L}']+(?!-)\b/u.exec(part.replace(polite, ''))?.[0].toLowerCase() ?? '';
const asks = (part: string): boolean => questions.has(opening(part));
const begins = (part: string): boolean =>
  part.replace(polite, '').includes(' ') && terms(part).length > 0 && (beginnings.has(opening(part)) || asks(part));

/**
 * The steps of a text that asks for several things, in order; empty for one that asks for a single thing. A long text
 * that tells more than it asks is cut into sentences: what is wanted often stands in one of them.
 */
export function stepsOf(text: string): string[] {
  const spaced = text.trim().replaceAll(/[^\S\n]+/g, ' ');
  const sentences = spaced.split(sentenceEnd).filter((sentence) => terms(sentence).length > 0);
  const parts = sentences.flatMap(clausesOf);
  // What is told before a request belongs to it; what is told after the last one is searched with the whole text.
  const requests: string[] = [];
  let before = '';
  for (const part of parts) {
    if (begins(part)) {
      requests.push(`${before}${part}`);
      before = '';
    } else before += `${part} `;
  }
  if (requests.length >= 2) return requests.slice(0, mostSteps).map((request) => request.replace(/[\s,.;]+$/, ''));
  if (text.length <= longText || sentences.length < 2) return [];
  return sentences.length <= mostSteps ? sentences : [...sentences.slice(0, 2), ...sentences.slice(2 - mostSteps)];
}

/**
 * Cuts a sentence before each word that begins a request, where a comma or "and" stands before it. A question word does
 * so in a question only: in "list all names and what they stand for" it belongs to the verb.
 */
function clausesOf(sentence: string): string[] {
  const pieces = sentence.split(joint);
  const clauses: string[] = [];
  const question = asks(sentence);
  for (let i = 0; i < pieces.length; i += 2) {
    const piece = pieces[i]!;
    if (clauses.length === 0 || (begins(piece) && (question || !asks(piece)))) clauses.push(piece);
    else clauses[clauses.length - 1] += `${pieces[i - 1]!}${piece}`;
  }
  return clauses.map((clause) => clause.replace(/^(?:(?:and|then|but) )+/i, '')).filter((clause) => terms(clause).length > 0);
}
