/** Pure: the queue of questions, what was decided here, and the parts of a probability. */
import type { ReviewCase, ReviewItem } from '../../../../contracts/graph/graph.ts';
import { counted } from '../../ui/words.ts';

export type Answer = 'same' | 'different';

export interface Decision {
  feedback_id: string;
  /** Of both, for the list. */
  names: [string, string];
  answer: Answer;
  /** The matcher's, when it was asked. */
  probability: number | null;
  state: 'sending' | 'done' | 'failed' | 'undone';
  error?: string;
}

/** Open questions that were not answered here: those put off come last, in the order in which they were. */
export function queueOf(items: readonly ReviewItem[], decisions: readonly Decision[], later: readonly string[]): ReviewItem[] {
  const answered = new Set(decisions.filter(({ state }) => state === 'sending' || state === 'done').map(({ feedback_id }) => feedback_id));
  const open = items.filter(({ feedback_id }) => !answered.has(feedback_id));
  const off = new Map(later.map((id, i) => [id, i]));
  return [
    ...open.filter(({ feedback_id }) => !off.has(feedback_id)),
    ...open.filter(({ feedback_id }) => off.has(feedback_id)).toSorted((a, b) => off.get(a.feedback_id)! - off.get(b.feedback_id)!),
  ];
}

/** How often the matcher would have said the same. */
export function agreement(decisions: readonly Decision[]): { agreed: number; of: number } {
  const counted = decisions.filter(({ state, probability }) => state !== 'undone' && state !== 'failed' && probability !== null);
  return { agreed: counted.filter(({ answer, probability }) => probability! >= 0.5 === (answer === 'same')).length, of: counted.length };
}

/** The last decision that can be undone. */
export const lastOf = (decisions: readonly Decision[]): Decision | undefined =>
  decisions.findLast(({ state }) => state === 'sending' || state === 'done');

export interface Bar {
  name: string;
  label: string;
  weight: number;
  /** Where the bar begins and ends, in bits. */
  from: number;
  to: number;
}

const signed = (weight: number): string => `${weight > 0 ? '+' : weight < 0 ? '−' : ''}${Math.abs(weight).toFixed(1)}`;

/** From the prior, feature by feature, to the whole: the strongest first. */
export function waterfall(match: NonNullable<ReviewCase['match']>): { bars: Bar[]; from: number; to: number } {
  let at = match.prior.weight;
  const bars: Bar[] = [{ name: 'before comparing', label: 'share of such pairs that match', weight: at, from: 0, to: at }];
  for (const { name, label, weight } of match.features.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))) {
    bars.push({ name, label, weight, from: at, to: at + weight });
    at += weight;
  }
  bars.push({ name: 'total', label: `${percent(match.probability)} the same`, weight: match.weight, from: 0, to: match.weight });
  const ends = bars.flatMap(({ from, to }) => [from, to]);
  return { bars, from: Math.min(0, ...ends), to: Math.max(0, ...ends) };
}

export const percent = (share: number): string => `${(share * 100).toFixed(share > 0.99 || share < 0.01 ? 1 : 0)} %`;
export { signed };

/** What a yes does, in a sentence. The names are shown beside it as text from outside. */
export function consequenceOf({ does, names, mentions, facts, links }: ReviewCase['consequence']): string {
  const moved = [
    mentions > 0 && counted(mentions, 'mention'),
    facts > 0 && counted(facts, 'fact'),
    links > 0 && counted(links, 'link'),
  ].filter((part) => part !== false);
  const rest = moved.length > 0 ? `; ${moved.join(', ')} ${moved.length === 1 && / 1 /.test(` ${moved[0]} `) ? 'moves' : 'move'}` : '';
  if (does === 'merge') return `becomes a part of${names.length > 1 ? `, with ${counted(names.length, 'name')}` : ''}${rest}`;
  return does === 'split' ? `leaves${rest}` : `becomes a name of${rest}`;
}

/** The question in words. */
export const question = {
  merge: 'Are these the same?',
  split: 'Does the name on the right belong to something else?',
  alias: 'Is the right one a name of the left?',
};
