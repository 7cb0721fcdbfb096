/** Pure: what a statement says by polarity and state, not by class alone. */
import type { Cited } from './types.ts';

export const isTrouble = ({ class: kind, tone }: Cited): boolean =>
  ((kind === 'bug' || kind === 'complaint') && tone !== 'positive') || (kind === 'information' && tone === 'negative');

export const isPraise = ({ class: kind, tone, state, sentiment, competitors }: Cited): boolean =>
  state !== 'hypothetical' &&
  state !== 'withdrawn' &&
  ((kind === 'praise' && tone !== 'negative' && tone !== 'mixed') ||
    // Praise of another product does not count.
    (kind === 'information' && competitors.length === 0 && (tone === 'positive' || (tone === null && sentiment > 0.3))));

/** Words of an end: the text of a closed ticket tells the trouble and has none. */
const endWords =
  /(?<!\p{L})(?:again|since|now|no longer|no more|not (?:one|a single|any)|never|fixed|solved|resolved|sorted|repaired|done|gone|back|works?|working|delivered|arrived|stopped|cured|history|correct|agrees?|matche?s?|quick|fast|wieder|behoben|gelöst|erledigt|seit|funktioniert|läuft|keine?|ya|resuelto|solucionado|funciona|vuelve|desde|plus de|réglé|résolu|marche|depuis)(?!\p{L})/iu;
/** Words of a wish that is not met yet. */
const wishWords =
  /\?|(?<!\p{L})(?:please|pls|could|can (?:you|we|i)|would|wish|want|need|like to|let (?:me|us)|why|how|bitte|könn\p{L}*|wünsch\p{L}*|möchte\p{L}*|hätte\p{L}*|por favor|quisiera|necesit\p{L}*|pod\p{L}* |s'il vous plaît|pouv\p{L}*|voudr\p{L}*)(?!\p{L})/iu;

/** Somebody says that something is solved or delivered. */
export function isEnd({ state, class: kind, tone, earlier, statement }: Cited): boolean {
  if (state !== 'resolved') return false;
  if (earlier === 'resolves' || kind === 'praise' || tone === 'positive') return true;
  if (kind === 'question' || tone === 'negative') return false;
  return kind === 'request' ? !wishWords.test(statement) : endWords.test(statement);
}

/** The text tells a trouble or a wish, and the record of it was closed. */
export const isClosedTicket = (cited: Cited): boolean =>
  cited.state === 'resolved' &&
  !isEnd(cited) &&
  (isTrouble(cited) || ['bug', 'complaint', 'request', 'question', 'information'].includes(cited.class));

/** A ticket is open until the day of the export that shows it as closed. */
export const standingOn = (cited: Cited, asOf: string): Cited =>
  isClosedTicket(cited) && cited.documentAt.slice(0, 10) > asOf.slice(0, 10) ? { ...cited, state: 'open' } : cited;
