/** Pure: sentences of articles and their usefulness. Sentences are never rewritten. */
import { terms } from '../../../engines/retrieval/terms.ts';
import type { BriefArticle, Story } from './types.ts';

export interface Sentence {
  text: string;
  article: BriefArticle;
  /** Index in its article. */
  at: number;
  terms: string[];
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const shortest = 30;
const longest = 360;
/** Maximum per article: news is rarely later. */
const mostSentences = 40;
const longestText = 20_000;

/** A full stop that does not end a sentence. */
const abbreviation =
  /(?:^|[\s(])(?:\p{Lu}|(?:\p{L}\.)+\p{L}|Inc|Corp|Ltd|Co|Mr|Mrs|Ms|Dr|Prof|Sen|Rep|Gov|Gen|St|No|vs|approx|e\.g|i\.e|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.\s*$/u;
const furniture =
  /^(?:read|continue|subscribe|sign up|log in|click|tap|share|follow|advertisement|cookie|photo|image|credit|copyright|©|related|also read|listen|watch|the post )|all rights reserved|appeared first on|https?:|\bwww\.|newsletter|[{}<>|]/i;

/** Printable sentences of an article: complete, without questions and page navigation. */
export function sentencesOf(article: BriefArticle): Sentence[] {
  const seen = new Set<string>();
  const found: Sentence[] = [];
  for (const text of [article.summary, article.content].flatMap((part) => split(part))) {
    const key = text.toLowerCase();
    if (text.length < shortest || text.length > longest || seen.has(key)) continue;
    if (!/[.!][”"’')\]]*$/.test(text) || /…[”"’')\]]*$|\.\.\.[”"’')\]]*$/.test(text) || furniture.test(text)) continue;
    if (text.split(' ').length < 5) continue;
    seen.add(key);
    found.push({ text, article, at: found.length, terms: terms(text) });
    if (found.length >= mostSentences) break;
  }
  return found;
}

/** All sentences of a story, those of the first article first. */
export const sentencesOfStory = ({ articles }: Story): Sentence[] => articles.slice(0, 6).flatMap(sentencesOf);

function split(text: string): string[] {
  const pieces: string[] = [];
  let open = '';
  // A heading or caption does not continue in the next paragraph.
  for (const line of text.slice(0, longestText).split(/\n+/)) {
    for (const { segment } of segmenter.segment(line)) {
      open += segment;
      if (abbreviation.test(open)) continue;
      pieces.push(open);
      open = '';
    }
    if (open !== '') pieces.push(open);
    open = '';
  }
  return pieces.map((piece) => piece.replaceAll(/\s+/gu, ' ').trim());
}

const figure = /\d+(?:[.,]\d+)*\s?(?:%|percent|million|billion|trillion|times|points)|[$€£¥]\s?\d/iu;
const number = /(?<!\p{L})\d[\d.,]*/u;
const weighty =
  /\b(?:first|largest|biggest|record|fastest|highest|lowest|major|breakthrough|landmark|unprecedented|historic|critical|widest|more than|nearly|doubl\w+|tripl\w+)\b/i;
const deeds =
  /\b(?:announc|launch|unveil|releas|acquir|rais|cut|bann?|approv|fin(?:ed|es)|su(?:ed|es|ing)|breach|outage|recall|merg|laid off|lay off|agree|introduc|warn|block|sign|open|clos|rul(?:ed|es|ing)|vot|discover|patch|exploit|hire|resign|invest|halt|delay|raise)\w*/i;
const follows =
  /\b(?:as a result|means? that|which means|meaning|therefore|consequently|in response|leading to|leads? to|led to|forc(?:es|ed|ing)|threaten\w*|puts? pressure|pressure on|opens? the (?:door|way)|paves? the way|leaves?|likely to|expect(?:s|ed)? to|set to|poised to|requir(?:es|ed|ing)|must|have to|need to|allow(?:s|ing)?|enabl(?:es|ing)|risks?|impact|affect(?:s|ed|ing)?|implications?|competition|disrupt\w*|intensif\w*|accelerat\w*|undermin\w*|jeopardi[sz]e\w*|consequences?)\b/i;
const modal = /\b(?:will|would|could|may|might|should)\b/i;
const affected =
  /\b(?:customers?|users?|companies|firms?|businesses|developers?|rivals?|competitors?|regulators?|investors?|workers|employees|patients|consumers|suppliers?|vendors?|operators?|industry|market|prices?|costs?|demand|supply|government|teams|enterprises|banks?|hospitals?|carriers?|airlines?|manufacturers?)\b/i;
const dangling = /^(?:it|this|that|these|those|they|he|she|his|her|their|its|but|and|so|however|meanwhile|also|such|there)\b/i;
const personal = /\b(?:you|your|we|our|us|i|my)\b/i;
const spoken = /^["“]/;

const overlap = (of: readonly string[], among: ReadonlySet<string>): number => {
  const distinct = new Set(of);
  if (distinct.size === 0) return 0;
  let shared = 0;
  for (const term of distinct) if (among.has(term)) shared += 1;
  return shared / distinct.size;
};

/** Penalty for sentences that depend on context, or are quotes. */
const manners = ({ text }: Sentence, alone: number): number =>
  (dangling.test(text) ? -alone : 0) + (personal.test(text) ? -1 : 0) + (spoken.test(text) ? -0.5 : 0);

/** How well a sentence reports the event. */
export function tells(sentence: Sentence): number {
  const title = terms(sentence.article.title);
  return (
    3 * overlap(title, new Set(sentence.terms)) +
    (sentence.at === 0 ? 1 : sentence.at === 1 ? 0.5 : 0) +
    (deeds.test(sentence.text) ? 0.75 : 0) +
    (figure.test(sentence.text) ? 0.5 : 0) +
    manners(sentence, 1.5)
  );
}

/** How well it explains the significance: figures, firsts, affected people. */
export function weighs(sentence: Sentence): number {
  const { text } = sentence;
  const title = new Set(terms(sentence.article.title));
  const own = sentence.terms.filter((term) => !title.has(term)).length;
  return (
    (figure.test(text) ? 1.5 : number.test(text) ? 0.5 : 0) +
    (weighty.test(text) ? 1.5 : 0) +
    (deeds.test(text) ? 0.75 : 0) +
    (affected.test(text) ? 0.75 : 0) +
    1.5 * overlap([...title], new Set(sentence.terms)) +
    // A sentence that only repeats the title has no value.
    (own < 3 ? -3 : 0) +
    (sentence.at === 0 ? 0.5 : 0) +
    // The title above it explains pronouns.
    manners(sentence, 0.5)
  );
}

/** How well it states implications, and for whom. */
export function leadsOn(sentence: Sentence): number {
  const { text } = sentence;
  return (
    (follows.test(text) ? 2 : 0) +
    (modal.test(text) ? 1.25 : 0) +
    (affected.test(text) ? 1 : 0) +
    (figure.test(text) ? 0.25 : 0) +
    // It must be about the story.
    overlap(terms(sentence.article.title), new Set(sentence.terms)) +
    manners(sentence, 0.5)
  );
}

/** Minimum scores for significance and implications. */
export const leastWeight = 1.5;
export const leastConsequence = 2.25;

/** The best sentence by a measure, the earlier on a tie; null when none reaches `least`. */
export function best(sentences: readonly Sentence[], measure: (sentence: Sentence) => number, least: number): Sentence | null {
  let found: Sentence | null = null;
  let most = least;
  for (const sentence of sentences) {
    const value = measure(sentence);
    if (value < most || (found !== null && value === most)) continue;
    [found, most] = [sentence, value];
  }
  return found;
}

/** Nearly the same words. */
export function sameWords(a: Sentence, b: Sentence): boolean {
  const [left, right] = [new Set(a.terms), new Set(b.terms)];
  const shared = [...left].filter((term) => right.has(term)).length;
  return shared / Math.max(1, Math.min(left.size, right.size)) > 0.7;
}
