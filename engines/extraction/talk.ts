import type { Scanned } from './tokens.ts';
import type { ExtractionInput } from './types.ts';

/** The kind of text: a feature in a review is a plain word in an encyclopedia. */
export interface Talk {
  /** About a product, by users or makers: features, issues and themes are extracted. */
  product: boolean;
  /** By users, for whom "sync my notes" is a feature. */
  feedback: boolean;
  /** Between people who work together or sell: people with roles are stakeholders. */
  work: boolean;
  /** With a customer. */
  call: boolean;
}

/** Types of sources in which users write. */
export const feedbackTypes =
  /review|feedback|survey|nps|support|ticket|bug|issue|request|complaint|app_?store|play_?store|intercom|zendesk|helpdesk|chat/i;
const workTypes = /call|meeting|transcript|interview|conversation|stand_?up|sprint|slack|teams|email|mail|crm|jira|episode/i;
const callTypes = /customer|client|sales|account|discovery|interview/i;

const productWords = new Set(
  `app apps application update updates updated upgrade upgraded crash crashes crashed crashing bug bugs buggy glitch glitches login feature features
  notification notifications ui ux dashboard sync syncing syncs install installed uninstall uninstalled reinstall download downloaded screen button
  version account accounts settings integration integrations export import api user users customer customers support ticket tickets subscription
  slow freezes freezing loading interface menu widget password software tool tools website browser phone tablet android iphone ios kindle workflow
  pricing onboarding release beta timeout error errors endpoint plugin backend frontend deploy deployed outage latency renewal`.split(
    /\s+/,
  ),
);
const persons = new Set("i i'm i've i'd i'll my me we we're we've our us you your it's don't can't doesn't won't please".split(' '));

export function talkOf(input: Pick<ExtractionInput, 'sourceType' | 'customer'>, passages: readonly Scanned[]): Talk {
  let tokens = 0;
  let product = 0;
  let personal = 0;
  const distinct = new Set<string>();
  for (const scanned of passages) {
    for (const { lower } of scanned.tokens) {
      tokens += 1;
      if (persons.has(lower)) personal += 1;
      if (!productWords.has(lower)) continue;
      product += 1;
      distinct.add(lower);
    }
  }
  const feedback = feedbackTypes.test(input.sourceType);
  const dense = distinct.size >= 2 && product * 50 >= tokens && (personal * 60 >= tokens || product * 25 >= tokens);
  const work = feedback || dense || workTypes.test(input.sourceType) || input.customer !== undefined;
  return {
    product: feedback || dense || (work && distinct.size >= 3 && product * 120 >= tokens),
    feedback: feedback || (dense && personal * 20 >= tokens),
    work,
    call: workTypes.test(input.sourceType) && (callTypes.test(input.sourceType) || input.customer !== undefined),
  };
}
