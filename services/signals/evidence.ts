import { feelingOf } from '../../engines/classifier/feeling.ts';
import { wordsOf } from '../../engines/classifier/words.ts';

/** feedback: users write; talk: people talk to each other; prose: somebody writes about them. */
export type Style = 'feedback' | 'talk' | 'prose';

const courtesies =
  /^(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|greetings)(?: (?:all|everyone|everybody|there|team|folks|sir|madam|\p{Lu}[\p{L}'-]+)){0,3}|(?:many |thank you|thanks)[\p{L}' ]{0,40}|(?:(?:best|kind|warm)(?: regards| wishes)?|regards|sincerely|yours)(?:[,\s]+\p{Lu}[\p{L}'-]+){0,3}|cheers|bye(?: bye)?|goodbye|see you[\p{L} ]{0,20}|have a (?:nice|good|great) \p{L}+|you(?:'re| are) welcome|no problem|okay|ok|yes|no|yeah|yep|nope|sure|right|great|alright|all right|perfect|got it|i see|mm-?hmm?|uh-?huh)(?:[,.!\s]+(?:please|thanks|thank you|then|bye|okay|ok))*$/iu;
const boilerplate =
  /(?:^sent from my\b|\bunsubscribe\b.*\b(?:click|here|link|list)\b|\ball rights reserved\b|^copyright\b|©|\bthis (?:e-?mail|message) (?:and any|is (?:intended|confidential))|\bconfidential(?:ity)? notice\b|^(?:from|to|cc|bcc|subject|date|sent|reply-to|re|fwd|tags?|categor(?:y|ies)|author|status|assignee|priority|labels?|created|updated|reporter)\s*:|^on .{4,80} wrote:?$|^begin forwarded message|^-{2,}|^page \d+( of \d+)?$|\bcookie (?:policy|settings)\b|^(?:privacy policy|terms of (?:service|use)|table of contents|read more|click here|sign up|log in|subscribe)\W*$)/i;
const link = /(?:https?:\/\/|www\.)\S+/gi;
/** In prose: an experience, wish or complaint, in first or third person. */
const voice =
  /\b(?:i|i'm|i've|i'd|we|we're|we've|my|our|me|us|customers?|users?|clients?|accounts?|prospects?|subscribers?|reviewers?|respondents?|people|teams?|admins?|(?:he|she|they) (?:said|says|asked|asks|want|wants|wanted|need|needs|complain\w*|report\w*|mention\w*)|asked|asks|request(?:ed|s)?|complain\w*|complaints?|feedback|churn\w*|renewal|frustrat\w*|please|wish(?:es)?|love[sd]?|hate[sd]?|crash\w*|fails?|failed|broken|bugs?|errors?|slow|missing)\b/i;

/** Whether to keep a sentence as a customer statement. */
export function evidence(sentence: string, style: Style): boolean {
  const text = sentence.replaceAll(link, ' ').trim();
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const solid = text.replaceAll(/\s/g, '').length;
  if (letters < 4 || letters < solid * 0.6) return false;
  const bare = text.replace(/[\s.!?,;:)(-]+$/u, '');
  if (courtesies.test(bare) || boilerplate.test(text)) return false;
  const words = wordsOf(text);
  if (words.length < 2) return false;
  if (style === 'prose') return words.length >= 4 && (/[.!?…]["')\]]*$/.test(text) || words.length >= 8) && voice.test(text);
  if (words.length >= (style === 'talk' ? 4 : 3)) return true;
  // "Love it", "so slow": short, but a statement.
  const { good, bad } = feelingOf(words);
  return style === 'feedback' && good + bad > 0;
}
