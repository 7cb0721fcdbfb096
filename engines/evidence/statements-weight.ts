import type { Sentence } from './statements-join.ts';
import type { Place, Told } from './statements-scene.ts';
import {
  aboutSomebody,
  addresses,
  counts,
  isTownTalk,
  negated,
  parts,
  refers,
  tellsCourse,
  tellsOurs,
  tellsSelf,
  wishes,
} from './statements-words.ts';
import type { DocumentKind, Topics } from './types.ts';

/**
 * Evidence from structure that a group of sentences is a customer statement, as log odds. The classifier's share of
 * "none" is added to it later. Feedback and tickets are statements unless something speaks against it; in talk, about
 * one turn in four is chatter.
 */
export function weightOf(group: readonly Sentence[], own: Topics, { unit }: Told, place: Place | null, kind: DocumentKind): number {
  const solid = group.filter(({ filler }) => !filler);
  const lower = solid.map((each) => each.lower).join(' ');
  const content = solid.reduce((sum, each) => sum + each.content.length, 0);
  const any = (test: (text: string) => boolean): boolean => solid.some((each) => test(each.lower));
  const topic = own.features.length + own.competitors.length > 0;
  let weight = priors[kind];
  if (topic) weight += 1.5;
  if (any(wishes)) weight += 0.8;
  if (any(counts)) weight += 0.5;
  if (any(tellsCourse)) weight += 0.6;
  if (any(tellsOurs)) weight += 0.5;
  if (any(negated)) weight += 0.3;
  if (solid.some(({ relief }) => relief)) weight += 0.8;
  if (content >= 7) weight += 0.5;
  if (content <= 2) weight -= 0.7;
  if (content === 0) weight -= 1;
  if (!topic && !any(tellsOurs) && !any(wishes) && aboutSomebody(lower)) weight -= 1;
  if (any(parts)) weight -= 2;
  if (!topic && !(any(wishes) && any(tellsOurs)) && unit.kind !== 'cell' && any(isTownTalk)) weight -= 2.5;
  if (place) {
    const thread = place.thread.features.length + place.thread.competitors.length > 0;
    if (!topic && thread) weight += any(refers) || place.answers ? 0.9 : 0.5;
    if (place.edge) weight -= topic ? 0.5 : 3;
    if (place.echo) weight -= 2;
    if (!topic && content <= 2 && !any(wishes) && !any(negated) && !any(tellsCourse)) weight -= 0.5;
    if (place.aside) weight -= 1.5;
    if (place.lost) weight -= 1.5;
    // A short reply to a remark of the other side is banter more often than news.
    if (!topic && !place.answers && place.before?.unit.side === 'vendor' && content <= 5 && !any(negated) && !any(tellsCourse))
      weight -= 0.7;
  }
  if (unit.kind !== 'cell' && !topic && !any(tellsOurs) && !any(tellsSelf) && !any(addresses) && !any(wishes) && !any(negated))
    weight -= 0.4;
  return weight;
}

/** What a document of unknown kind tells about itself. */
export interface Stray {
  /** Its source holds what users write. */
  feedback: boolean;
  /** It is from work with customers, or about a product. */
  work: boolean;
}

/**
 * More evidence, for text of unknown kind: an encyclopedia, a manual or a page of which nothing shows that a customer
 * speaks is nobody's statement, and a review or a survey's answer is.
 */
export function strayWeight(group: readonly Sentence[], own: Topics, { unit }: Told, { feedback, work }: Stray): number {
  if (feedback) return 1.5;
  if (unit.customer !== null || unit.side === 'customer' || own.features.length + own.competitors.length > 0) return 0;
  const voiced = group.some(({ lower }) => tellsOurs(lower) || tellsSelf(lower) || wishes(lower));
  return (work ? 0 : -2.5) + (voiced ? 0 : -2);
}

/** Log odds of a group of which nothing is known. */
const priors: Record<DocumentKind, number> = {
  call: 0,
  chat: 0,
  notes: 0.8,
  mail: 0.8,
  tickets: 2.5,
  survey: 2,
  reviews: 2,
  overview: -3,
  rivals: -3,
  other: 0,
};
