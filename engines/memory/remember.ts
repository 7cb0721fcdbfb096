import { addressesMachine } from '../evidence/addressed.ts';

/**
 * What of a conversation is worth remembering, by rules: decisions, preferences, facts that people tell of themselves,
 * commitments and conventions. A sentence counts only as somebody says it of himself or of "us": what is asked, denied,
 * supposed or addressed to a reader or a machine is left out. English.
 */
export interface Turn {
  speaker: string | null;
  /** user, assistant, system, tool, …; null: unknown, as in a meeting. */
  role: string | null;
  text: string;
}

export const rememberedKinds = ['decision', 'preference', 'fact', 'commitment', 'convention'] as const;
export type RememberedKind = (typeof rememberedKinds)[number];

export interface Remembered {
  /** Position of the turn, from 0. */
  turn: number;
  /** Letter by letter from the turn. */
  quote: string;
  kind: RememberedKind;
}

/** Instructions, outputs of tools, and what an assistant says are no words of people. */
const notPeople: ReadonlySet<string> = new Set([
  'assistant',
  'ai',
  'ai assistant',
  'bot',
  'chatbot',
  'model',
  'system',
  'developer',
  'tool',
  'function',
]);
export const isPersons = ({ role, speaker }: Turn): boolean => !notPeople.has((role ?? speaker ?? '').trim().toLowerCase());

const most = 400;
const least = 12;

/** Sentences with their marks; a line end also ends one. */
export function sentencesOf(text: string): string[] {
  return [...text.matchAll(/[^\n.!?]+(?:[.!?](?![\s"'”’)]|$)[^\n.!?]*)*[.!?]*["'”’)]*/g)]
    .map(([sentence]) => sentence.trim())
    .filter(Boolean);
}

const we = String.raw`(?:we|the team|our team|everyone|everybody|they both|both teams)`;
const adverb = String.raw`(?:(?:really|also|now|just|finally|all|both|have|had|has|jointly|actually|already|strongly|generally|definitely|much|still|usually|always|personally)\s+){0,3}`;
const supposed =
  /\b(?:if|unless|whether|suppose|supposing|imagine|hypothetically|let'?s say|what if|in case|assuming|would have|could have|might|maybe|perhaps|possibly|probably not|should we|could we|would we|considering|thinking (?:about|of)|not sure|wonder(?:ing)?|in theory|one option|another option|an option|propose[sd]?|suggest(?:s|ed|ing)?|it depends|for example|e\.g\.|as an example|joking|kidding|pretend|used to|had (?:decided|agreed|chosen|settled)|what (?:we|i) (?:decided|agreed)|reverted|overturned|no longer (?:holds?|applies|valid))\b/i;
const wished =
  /\b(?:i(?:'d| would) (?:like|love|prefer) (?:you|to (?:know|see|hear|ask|understand))|would you|could you|can you|please|thanks|thank you|haha|lol|welcome)\b/i;
/** The cue itself is denied: nothing was decided, preferred or promised. */
const denied = new RegExp(
  String.raw`\b(?:not|never|n't|no longer|haven't|hasn't|hadn't|didn't|don't|doesn't|won't|nobody|no one|none of us)\s+(?:\w+\s+){0,2}(?:decided?|agreed?|chosen?|settled?|resolved?|opted|promised?|committed?|commit|a decision|prefer(?:red)?|decision|convention|rule|policy|standard)\b|\b(?:no|without (?:a|any)) (?:decision|agreement|convention|rule|policy|preference)\b|\b(?:yet to|still (?:have|need) to|need to|have to|must|should|want to|going to|about to|will|to) (?:decide|agree|choose|settle)\b|\b(?:undecided|disagreed|rejected the idea)\b|\b(?:doubt|deny|denied|never said|did not say|didn't say|not true|isn't true|untrue|not the case|(?:don't|do not) (?:think|believe|know|remember|recall)|hardly|almost|nearly)\b`,
  'i',
);
const reported =
  /\b(?:he|she|they|you|someone|somebody|the (?:docs?|documentation|manual|article|book|blog|customer|vendor|mail|email|prompt|page|website)) (?:say|said|says|state[sd]?|wrote|claims?|claimed|told|thinks?|asked)\b/i;
const dated =
  /\b(?:by|until|before|on|till|this|next|tomorrow|today|tonight|end of|within|in (?:a|an|one|two|three|\d+) (?:minutes?|hours?|days?|weeks?|months?))\b/i;

interface Rule {
  kind: RememberedKind;
  is: RegExp;
  also?: RegExp;
  not?: RegExp;
}

/** The first that fits. */
const rules: readonly Rule[] = [
  {
    kind: 'decision',
    is: new RegExp(
      String.raw`\b(?:${we}|i)(?:(?:'ve)?\s+${adverb}(?:decided|agreed|chosen?|settled on|resolved|opted|voted|picked|are going with|went with|will go with|concluded)|'re going with|'ll go with)\b`,
      'i',
    ),
  },
  {
    kind: 'decision',
    is: /^\W*(?:so,? |ok,? |okay,? )?(?:the |final )*(?:decision|decided|agreed|it'?s settled|resolution|conclusion)\s*(?:is|:|—|-)\s*\S/i,
  },
  {
    kind: 'decision',
    is: /\b(?:it (?:is|was|has been) (?:decided|agreed)|the decision (?:is|was) (?:made )?(?:to|that)|our decision (?:is|was))\b/i,
  },
  {
    kind: 'decision',
    is: new RegExp(
      String.raw`\b${we}(?:'re| are| will|'ll)\s+(?:switching|switch|moving|move|migrating|migrate|adopting|adopt|dropping|drop|replacing|replace|keeping|keep|standardi[sz]ing|standardi[sz]e)\s+\S`,
      'i',
    ),
  },
  {
    kind: 'convention',
    is: new RegExp(
      String.raw`\b(?:our|the team's|this (?:project|repo|repository|team|codebase)'s|the (?:project|repo|team|house)'?s?) (?:\w+ ){0,2}(?:convention|rule|policy|standard|practice|habit|style)(?: here)? (?:is|says|requires|:)`,
      'i',
    ),
  },
  { kind: 'convention', is: /^\W*(?:convention|house rule|team rule|rule of the team|by convention)\s*[:,—-]\s*\S/i },
  { kind: 'convention', is: /\bby convention,?\s+\S/i },
  { kind: 'convention', is: /\bthe (?:convention|rule|policy|practice) (?:here|in (?:this|our) \w+) is\b/i },
  {
    kind: 'convention',
    is: /\bin (?:this|our) (?:project|repo|repository|codebase|team),? (?:everything|(?:all|every|each) \w+(?: \w+)?) (?:starts?|begins?|has|have|is|are|gets?|ends?|uses?|needs?|goes?) \S/i,
  },
  {
    kind: 'convention',
    is: new RegExp(
      String.raw`\b(?:${we}|in (?:this|our) (?:project|repo|repository|codebase|team),? (?:we|everything|(?:all|every) \w+))\s+(?:always|never|only|must(?: always| never| not)?|use only|do not|don't)\s+\S`,
      'i',
    ),
    not: /\b(?:ever|been|seen|had|understood|know|knew|remember|find|found|get|got|hear|care|mind|think|want|like)\b/i,
  },
  {
    kind: 'preference',
    is: new RegExp(
      String.raw`\bi(?:'d rather| would rather|\s+${adverb}(?:prefer|like|love|hate|dislike|enjoy|can't stand|cannot stand|don't like|do not like|don't enjoy|favou?r))\b`,
      'i',
    ),
    not: /\b(?:i (?:really |just )?(?:like|love|hate) (?:this|these|those|how|what|where|it|them)\b|like (?:you|this|that)(?: said)?,|i like (?:that|your|the) (?:idea|question|point|one|plan)|feel like|look(?:s|ed)? like|sounds? like|love it|i love (?:that|this|it)|hate to|like to (?:ask|know|thank)|i'd like|would like)\b/i,
  },
  { kind: 'preference', is: /\bmy (?:favou?rite|preferred|preference)\b.*\b(?:is|are|:)/i },
  {
    kind: 'commitment',
    is: /\b(?:i|we)(?:'ll| will| shall|'m going to| am going to|'re going to| are going to)\s+(?!not\b|see\b|think\b|try\b|be honest|have to see|never know)\S/i,
    also: dated,
    not: /\b(?:will see|we'll see|i'll be honest|won't|will not|i'll bet)\b/i,
  },
  { kind: 'commitment', is: /\b(?:i|we) (?:hereby )?(?:promise|commit|committed|pledge|guarantee) (?:to|that|you)\b/i },
  {
    kind: 'fact',
    is: /\bmy (?:name|role|job|title|manager|boss|team|time ?zone|email|e-mail|birthday|company|employer|editor|laptop|machine|native language|mother tongue|pronouns|phone|office|github|handle|username|stack|setup|(?:wife|husband|partner|son|daughter|dog|cat)(?:'s name)?) (?:is|are|uses|runs)\b/i,
  },
  {
    kind: 'fact',
    is: /\bi(?:'m| am) (?:a|an|the|from|based in|located in|allergic|vegetarian|vegan|colou?r[- ]?blind|left[- ]handed|responsible for|in charge of|called|new to|fluent in|married)\b/i,
    not: /\bi(?:'m| am) (?:a (?:bit|little|fan|lot)|the (?:one|only|same))\b/i,
  },
  {
    kind: 'fact',
    is: /\bi (?:work (?:as|at|for|from|in|on|with)|live in|speak|lead|manage|own|maintain|report to|run|use|study|teach|moved to|grew up in|was born in|work)\s+\S/i,
    not: /\bi (?:own up|run into|use (?:it|this|that) (?:now|as an)|work it out)\b/i,
  },
];

/** A name as who says it; `I` is the speaker. */
const saidBy = /\b(?!I\b)\p{Lu}[\p{L}'-]+ (?:thinks?|says?|said|claims?|claimed|believes?|told|states?|stated|wrote|feels)\b/u;
/** Said to a machine that a transcript has no turn of. */
const called = /^\W*(?:hey |hi |dear )?(?:ai|assistant|bot|chat ?bot|chat ?gpt|claude|gemini|copilot|llm|model|system|agent)s?\s*[:,]/i;

/** Orders to keep something, which are for the caller to follow or not. */
const memoryOrder =
  /\b(?:save|store|add|commit|write|put|keep|record|note|log|remember|memori[sz]e)\b[^.!?\n]{0,40}\b(?:(?:to|in|into) (?:your |the |its |long-term )?(?:memory|memories)|(?:for|in) (?:all )?(?:the )?(?:future|later|next|other) (?:chats?|conversations?|sessions?|runs?|answers?))\b/i;

/** Whether a text tells a machine what to do: then nothing of its turn is kept. */
export const ordersMachine = (text: string): boolean => addressesMachine(text) || memoryOrder.test(text);

/** Whether a sentence may be kept at all, whoever found it: no question, no supposition, no denial, no order to a machine. */
export function maySay(sentence: string): boolean {
  const text = sentence.replaceAll('’', "'");
  if (text.length < least || text.length > most || /\?["'”’)]*$/.test(text)) return false;
  if (/^\s*(?:>|```|\|)/.test(text) || called.test(text)) return false;
  return (
    !supposed.test(text) && !denied.test(text) && !wished.test(text) && !reported.test(text) && !saidBy.test(text) && !ordersMachine(text)
  );
}

export function kindOf(sentence: string): RememberedKind | null {
  if (!maySay(sentence)) return null;
  const text = sentence.replaceAll('’', "'");
  return rules.find(({ is, also, not }) => is.test(text) && (also?.test(text) ?? true) && !(not?.test(text) ?? false))?.kind ?? null;
}

/** In the order of the conversation. A turn with an order to a machine says nothing that is remembered. */
export function rememberedIn(turns: readonly Turn[]): Remembered[] {
  return turns.flatMap((turn, i) => {
    if (!isPersons(turn) || ordersMachine(turn.text)) return [];
    return sentencesOf(turn.text).flatMap((quote) => {
      const kind = kindOf(quote);
      return kind === null ? [] : [{ turn: i, quote, kind }];
    });
  });
}
