import { plainly, quoted, unquoted } from './router-reading.ts';

/** Pure: what is taken out of words. */

const kinds: Record<string, string> = {
  customer: 'customer',
  customers: 'customer',
  client: 'customer',
  clients: 'customer',
  account: 'customer',
  accounts: 'customer',
  company: 'customer',
  companies: 'customer',
  feature: 'feature',
  features: 'feature',
  issue: 'issue',
  issues: 'issue',
  bug: 'issue',
  bugs: 'issue',
  theme: 'theme',
  themes: 'theme',
  topic: 'theme',
  topics: 'theme',
  stakeholder: 'stakeholder',
  stakeholders: 'stakeholder',
  person: 'stakeholder',
  people: 'stakeholder',
};
const kindWords = Object.keys(kinds).join('|');

/** The type of entity that is spoken of outside of quotes. */
export function kindIn(text: string): string | undefined {
  const found = new RegExp(`\\b(${kindWords})\\b`, 'i').exec(unquoted(text));
  return found ? kinds[found[1]!.toLowerCase()] : undefined;
}

const limitPattern =
  /[,;(]?\s*\b(?:top|first|best|limit(?:ed)?(?: to| of)?|at most|up to|no more than|max(?:imum)?(?: of)?)\s+(\d{1,3})\b(?:\s+(?:results?|hits?|passages?|entries|items|ones|answers))?\)?|\b(\d{1,3})\s+(?:results?|hits?|passages?|entries|items|answers)\b/i;

/** How many are wanted, and the text without it. */
export function takeLimit(text: string): { text: string; limit?: number } {
  const found = limitPattern.exec(unquotedSameLength(text));
  const count = Number(found?.[1] ?? found?.[2]);
  if (!found || count < 1) return { text };
  const left = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`.replace(/\s+/g, ' ').trim();
  return { text: left, limit: Math.min(count, 100) };
}

/** Quoted words blanked out, so that positions stay. */
const unquotedSameLength = (text: string): string =>
  quoted(text).reduce((left, words) => left.replace(words, ' '.repeat(words.length)), text);

const datePattern = /\b(\d{4}-\d{2}-\d{2})(?:T[\d:.]+Z?)?\b/;
export const dateIn = (text: string): string | undefined => datePattern.exec(text)?.[1];

export const urlsIn = (text: string): string[] =>
  [...text.matchAll(/https?:\/\/[^\s<>"'“”]+/gi)].map((match) => match[0].replace(/[.,;:!?)\]]+$/, ''));

export const isEntityId = (text: string): boolean => /^(?:ent(?:ity)?_[\w-]+|[0-9a-f]{8}-[0-9a-f-]{27})$/i.test(text);

const trimmed = (text: string): string =>
  text
    .replace(/^[\s,:;–—-]+|[\s,:;.!?–—-]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const leading = new RegExp(
  `^(?:(?:the|our|an?|this|that|all|about|on|of|for|to|with|as|is|are|named|called|titled|known as|${kindWords}|entity|entities|product|area|account)\\b[\\s:]*)+`,
  'i',
);

const pointing = /^(?:it|this|that|them|these|those|one|something|someone|somebody|more|us|me|you|thing|things|entity|entities)$/i;

/** A name in what remains of an instruction: what is quoted, else what is written in capitals, else all of it. */
export function nameIn(text: string): string | undefined {
  const [first] = quoted(text);
  if (first !== undefined) return first;
  const rest = trimmed(trimmed(text).replace(leading, '')).replace(
    /\s+(?:please|for me|to us|in (?:our|the) (?:graph|records|system)|entity|customer|account)$/i,
    '',
  );
  if (rest === '') return undefined;
  const capitals = /(?:[\p{Lu}\d][\p{L}\p{N}&.'+#/-]*)(?:\s+(?:(?:of|and|the|for|de|&)\s+)?[\p{Lu}\d][\p{L}\p{N}&.'+#/-]*)*/u.exec(
    rest,
  )?.[0];
  if (capitals !== undefined && /\p{Lu}/u.test(capitals)) return trimmed(capitals);
  // Words that only point at something are no name.
  if (pointing.test(rest)) return undefined;
  return rest.split(' ').length <= 8 ? rest : undefined;
}

const trailing =
  /\s+(?:please|for me|to us|today|tomorrow|now|(?:next|last|this) (?:week|month|quarter|year|time)|in (?:our|the) (?:graph|records|system))$/i;

/** A name where nothing else can stand: what is quoted, else all of it, capitals or not. */
export function wholeName(text: string): string | undefined {
  const [first] = quoted(text);
  if (first !== undefined) return first;
  const rest = trimmed(trimmed(text).replace(leading, '')).replace(trailing, '');
  if (rest === '' || pointing.test(rest)) return undefined;
  return rest.split(' ').length <= 10 ? rest : nameIn(rest);
}

/** Names on both sides of one of the words. */
export function pairIn(text: string, between: RegExp): [string, string] | undefined {
  const inQuotes = quoted(text);
  if (inQuotes.length >= 2) return [inQuotes[0]!, inQuotes[1]!];
  const parts = text.split(between);
  const a = nameIn(parts[0] ?? '');
  const b = nameIn(parts[1] ?? '');
  return a !== undefined && b !== undefined && parts.length >= 2 ? [a, b] : undefined;
}

/** A reason given with an instruction, and what stands before it. */
export function takeReason(text: string): { text: string; reason?: string } {
  const found = /[\s,;–—-]+(?:because|since|as both|as they|given that|due to|so that|reason:)\s+/i.exec(unquotedSameLength(text));
  if (!found) return { text };
  const reason = trimmed(text.slice(found.index + found[0].length));
  return reason === '' ? { text } : { text: text.slice(0, found.index).trim(), reason };
}

/** What remains when the order itself is taken away. */
export const without = (text: string, order: RegExp): string => trimmed(plainly(text).replace(order, ''));

/** An entity as tools take it: by id or by name. */
export const named = (name: string | undefined): { entity_id?: string; entity_name?: string } =>
  name === undefined ? {} : isEntityId(name) ? { entity_id: name } : { entity_name: name };
