import { nameKey } from '../text/names.ts';
import type { Gram } from './grams.ts';
import type { Span } from './spans.ts';
import type { Talk } from './talk.ts';
import type { Scanned } from './tokens.ts';
import type { ExtractionInput } from './types.ts';
import type { TitleName } from './title.ts';
import { roleWords, workRoles } from './words.ts';

/** A speaker at the start of a line. */
const label =
  /^[ \t]*(?:[[(][\d:.]{4,14}[\])][ \t]*)?([\p{Lu}\p{Lo}][\p{L}\p{M}\p{N}.'’_ &-]{0,48}?)(?:[ \t]*\([^()\n]{1,30}\))?[ \t]?:(?=\s)/gmu;
/** Labels that are not persons. */
const noSpeakers = new Set(
  `speaker agent customer client user assistant bot system action interviewer interviewee moderator unknown participant host guest operator caller narrator
  question answer q a note notes name email subject date time from to cc phone username order id order-id status priority summary description title url
  account company product version environment steps expected actual todo example warning source type category address total price amount male female man woman
  announcer voice all everyone audience both`.split(/\s+/),
);

/** Names given by the document: its customer, participants, speakers, and subject. */
interface Cast {
  /** Type by name key. */
  names: Map<string, { type: string; certain: boolean }>;
}

/** A participant in a list: "Ann Lee (Acme)", "Ann Lee <ann@acme.com>", "Ann Lee, CTO". */
export const personName = (entry: string): string =>
  entry
    .replace(/[<([].*$/s, '')
    .split(/,| - | – | \| /)[0]!
    .trim();

export function castOf(input: ExtractionInput, title: TitleName | null): Cast {
  const names: Cast['names'] = new Map();
  const add = (name: string, type: string, certain: boolean): void => {
    const key = nameKey(name);
    if (key !== '' && !names.has(key)) names.set(key, { type, certain });
  };
  if (input.customer) add(input.customer, 'customer', true);
  for (const entry of input.participants ?? []) add(personName(entry), 'stakeholder', true);
  for (const speaker of speakersOf(input)) add(speaker, 'stakeholder', !isRole(speaker));
  if (title && title.type !== 'issue') add(title.surface, title.type, title.certain);
  return { names };
}

/** Speakers from the parser; otherwise, in a possible transcript, the recurring labels. */
function speakersOf(input: ExtractionInput): string[] {
  const counts = new Map<string, number>();
  const transcript =
    /transcript|call|meeting|interview|conversation|chat|message|youtube/i.test(input.sourceType) ||
    input.passages.some((passage) => passage.speaker);
  const parsed = input.passages.some(({ turns }) => turns !== undefined && turns.length > 0);
  for (const { text, speaker, turns } of input.passages) {
    if (speaker) counts.set(speaker.trim(), (counts.get(speaker.trim()) ?? 0) + 2);
    if (parsed) for (const [, , name] of turns ?? []) if (name) counts.set(name.trim(), (counts.get(name.trim()) ?? 0) + 1);
    if (parsed || !transcript) continue;
    for (const match of text.slice(0, 20_000).matchAll(label)) counts.set(match[1]!.trim(), (counts.get(match[1]!.trim()) ?? 0) + 1);
  }
  return [...counts].filter(([speaker, count]) => count >= 2 && isPerson(speaker)).map(([speaker]) => speaker);
}

function isPerson(speaker: string): boolean {
  const words = speaker.toLowerCase().split(/[\s_]+/);
  return (
    words.length <= 5 &&
    !noSpeakers.has(words.join(' ')) &&
    !(words.length === 2 && noSpeakers.has(words[0]!) && /^[a-z]?\d*$/.test(words[1]!)) &&
    /\p{L}{2}/u.test(speaker) &&
    !/^(?:speaker|participant|unknown)\b/i.test(speaker)
  );
}

const isRole = (speaker: string): boolean =>
  speaker
    .toLowerCase()
    .split(/\s+/)
    .some((word) => roleWords.has(word)) || !/\s/.test(speaker);

/** Where they are named in a passage. */
export function castNames({ tokens, text }: Scanned, cast: Cast, grams: readonly Gram[]): Span[] {
  if (cast.names.size === 0) return [];
  return grams.flatMap(({ from, to, key, written }): Span[] => {
    const found = written ? cast.names.get(key) : undefined;
    const span = { start: tokens[from]!.start, end: tokens[to - 1]!.end };
    if (!found || nameKey(text.slice(span.start, span.end)) !== key) return [];
    return [{ ...span, ...found, confidence: 0.95, origin: 'rules' }];
  });
}

const roles = [...workRoles].join('|');
const roleBefore = new RegExp(`\\b(?:${roles})(?:\\s+of\\s+\\w{1,20})?,?[ \\t]+$`, 'i');
const roleAfter = new RegExp(
  `^[ \\t]*(?:,|\\(|[-–—]|is\\s|as\\s)[ \\t]*(?:our|the|their|an?|is|senior|lead|principal)?\\s*(?:[\\w&/-]{1,20}\\s+){0,3}?(?:${roles})\\b`,
  'i',
);
const customerBefore = /\b(?:customers?|clients?|accounts?|prospects?)(?:\s+(?:like|such as|named|called|is))?,?[ \t]+(?:the\s+)?$/i;
const customerAfter =
  /^,?\s+(?:(?:is|are|was)\s+)?(?:one of our|an?(?: \w{1,12}){0,2}?|our(?: \w{1,12}){0,2}?)\s(?:customers?|clients?)\b/i;
const dealAfter =
  /^(?:'s|’s)?\s+(?:has\s+|have\s+|had\s+|just\s+)?(?:renewed|churned|re-?signed|onboarded|upgraded to|cancell?ed (?:their|its|the))\b/i;
const callBefore = /\b(?:here|we|team|us|from|over)\s+at\s+$|\b(?:on behalf of|representing)\s+$/i;

const field =
  /(?<=^[ \t*-]{0,6}(?:Customer|Client|Account|Company)(?: name)?\*{0,2}:\*{0,2}[ \t]{1,4})\p{Lu}[^\n:;|(*]{1,60}(?=[*|(]|$)/gmu;

/** Form lines: "Customer: Acme". */
export function customerFields({ seen, tokens }: Scanned, talk: Talk): Span[] {
  if (!talk.work && !talk.product) return [];
  return [...seen.matchAll(field)].flatMap((match): Span[] => {
    const words = tokens.filter((token) => token.start >= match.index && token.end <= match.index + match[0].length);
    if (words.length === 0 || words.length > 6 || !words[0]!.cap) return [];
    return [{ start: words[0]!.start, end: words.at(-1)!.end, type: 'customer', certain: true, confidence: 0.9, origin: 'rules' }];
  });
}

/** Sets the type of names by adjacent roles, and of customers. */
export function typePeople(scanned: Scanned, spans: readonly Span[], talk: Talk): void {
  if (!talk.work && !talk.product) return;
  const { text } = scanned;
  for (const span of spans) {
    if (span.origin === 'known') continue;
    const before = text.slice(Math.max(0, span.start - 60), span.start);
    const after = text.slice(span.end, span.end + 90);
    const named = span.type === 'thing' || span.type === 'organization';
    const words = text.slice(span.start, span.end).split(/\s+/).length;
    if (named && (customerBefore.test(before) || customerAfter.test(after))) Object.assign(span, { type: 'customer', certain: true });
    else if (named && (dealAfter.test(after) || (talk.call && callBefore.test(before))))
      Object.assign(span, { type: 'customer', certain: false });
    else if (
      (span.type === 'person' || (span.type === 'thing' && words >= 2 && words <= 3)) &&
      (roleBefore.test(before) || roleAfter.test(after))
    )
      Object.assign(span, { type: 'stakeholder', certain: span.type === 'person' });
  }
}
