import { plainly, quoted, quoteMark, unquoted } from './router-reading.ts';

/** Pure: vocabulary that several rules share, and extraction of values from text. */

export type Args = Record<string, unknown>;

const kinds = {
  customer: 'customers?|clients?|accounts?|company|companies',
  feature: 'features?',
  issue: 'issues?|bugs?',
  theme: 'themes?|topics?',
  stakeholder: 'stakeholders?|persons?|people',
};
const kind = Object.values(kinds).join('|');

/** Groups of synonyms; a pattern refers to them in braces. */
const alike: Readonly<Record<string, string>> = {
  kind,
  thing: `${kind}|entity|entities`,
  one: 'customer|company|account|feature|theme|stakeholder|person|entity',
  severity: '(critical|severe|urgent|high|medium|low|major|minor|serious)([- ](severity|priority))?',
  defect: 'issue|bug|problem|defect|outage|incident|regression|blocker|alert',
  stored:
    'document|doc|notes?|transcript|recording|pages?|website|site|article|files?|pdf|deck|e-?mail|minutes|content|text|video|talk|link|url|folder|archive|summary of (the|our|my) (call|meeting)',
  merge: 'merge|merging|unify|deduplicate|consolidate|combine',
  split: 'split|separate|unmerge|divide',
  link: 'link|connect|attach|tie',
  really: '(really |actually |probably )?',
  same: 'the same|identical|duplicates?|one and the same',
  system: 'jira|linear|github|gitlab|zendesk|salesforce|hubspot|asana|intercom|azure|trello',
  ended: 'fixed|resolved|closed|shipped|released|done',
  write:
    'write|generate|create|prepare|draft|produce|compile|make|(give|send) (me|us)|put together|assemble|compose|get|have|want|i need|we need',
  paper: 'report|brief|briefing|write-?up|digest|memo|dossier|one-?pager|status paper',
  papers: '{paper}|summary|overview|update|recap',
  prd: 'PRDs?|product requirements?( documents?| docs?)?|requirements document',
  rfc: 'RFCs?|request for comments',
  jira: 'jira (issues?|tickets?|stories|epics?|tasks?)|user stories|(issues|tickets|stories) with acceptance criteria',
  about: 'on|about|for|of|regarding|covering|concerning',
  rising: 'rising|growing|gaining|increasing|picking up|going up',
  falling: 'declining|fading|decreasing|slowing down|going down',
  hurts: 'hit|hits|hurt|hurts|affect|affects|bother|bothers|impact|impacts',
  spoken: 'mentioned|frequent|common|discussed|talked about',
  speaks: 'about|mention(ed)?|discuss(ed)?|comes? up',
  latest: 'latest|last|newest|most recent|current',
  quote: quoteMark,
};

const expanded = (source: string): string => source.replace(/\{([a-z]+)\}/g, (_, name: string) => `(${expanded(alike[name]!)})`);

/** Builds a pattern: ignores case, expands synonyms in braces, and captures only named groups. */
export const pattern = (source: string): RegExp => new RegExp(expanded(source).replace(/(?<!\\)\((?!\?)/g, '(?:'), 'iu');
export const rx = ({ raw }: TemplateStringsArray): RegExp => pattern(raw[0]!);

/** The first key whose pattern matches the text. */
export const pick = <K extends string>(among: Readonly<Partial<Record<K, RegExp>>>, text: string): K | undefined =>
  (Object.keys(among) as K[]).find((each) => among[each]!.test(text));

/** Removes undefined arguments. */
export const given = (args: Args): Args =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined && value !== ''));

const kindPattern = new RegExp(
  `\\b(?:${Object.entries(kinds)
    .map(([name, words]) => `(?<${name}>${words})`)
    .join('|')})\\b`,
  'i',
);

/** The type of entity that occurs outside quotes. */
export const kindIn = (text: string): string | undefined =>
  Object.entries(kindPattern.exec(unquoted(text))?.groups ?? {}).find(([, found]) => found !== undefined)?.[0];

const hits = '(results?|hits?|passages?|entries|items|answers)';
const limitPattern = pattern(
  `[,;\\(]?\\s*\\b(top|first|best|limit(ed)?( to| of)?|at most|up to|no more than|max(imum)?( of)?)\\s+(?<most>\\d{1,3})\\b(\\s+(${hits}|ones)\\b)?\\)?|\\b(?<many>\\d{1,3})\\s+${hits}\\b`,
);

/** The requested number of results, and the text without it. */
export function takeLimit(text: string): { text: string; limit?: number } {
  const found = limitPattern.exec(unquotedSameLength(text));
  const count = Number(found?.groups!['most'] ?? found?.groups!['many']);
  if (!found || count < 1) return { text };
  const left = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`.replace(/\s+/g, ' ').trim();
  return { text: left, limit: Math.min(count, 100) };
}

/** Replaces quoted words by blanks, so that positions stay the same. */
const unquotedSameLength = (text: string): string =>
  quoted(text).reduce((left, words) => left.replace(words, ' '.repeat(words.length)), text);

export const dateIn = (text: string): string | undefined => /\b(\d{4}-\d{2}-\d{2})(?:T[\d:.]+Z?)?\b/.exec(text)?.[1];

/** The number of days of a time window in the text. */
export function daysIn(text: string): number | undefined {
  const { many, unit } =
    rx`\b(last|past|previous|over|for) (the )?(last |past |previous )?((?<many>\d{1,3})\s+)?(?<unit>day|week|month|quarter|year)s?\b`.exec(
      text,
    )?.groups ?? {};
  if (unit === undefined) return undefined;
  return Math.min(730, Math.max(1, Number(many ?? 1)) * { day: 1, week: 7, month: 30, quarter: 91, year: 365 }[unit.toLowerCase()]!);
}

export const urlsIn = (text: string): string[] =>
  [...text.matchAll(/https?:\/\/[^\s<>"'“”]+/gi)].map((match) => match[0].replace(/[.,;:!?)\]]+$/, ''));

export const isEntityId = (text: string): boolean => /^(?:ent(?:ity)?_[\w-]+|[0-9a-f]{8}-[0-9a-f-]{27})$/i.test(text);

/** The stored form of a status: "In progress." becomes in_progress. */
export const statusOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[.!"']+/g, '')
    .replaceAll(/[\s-]+/g, '_');

const trimmed = (text: string): string =>
  text
    .replace(/^[\s,:;–—-]+|[\s,:;.!?–—-]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const leading = rx`^((the|our|an?|this|that|all|about|on|of|for|to|with|as|is|are|named|called|titled|known as|{thing}|product|area)\b[\s:]*)+`;
const inOurs = '(please|for me|to us|in (our|the) (graph|records|system)';
const after = pattern(`\\s+${inOurs}|entity|customer|account)$`);
const later = pattern(`\\s+${inOurs}|today|tomorrow|now|(next|last|this) (week|month|quarter|year|time))$`);
const pointing = /^(?:it|this|that|them|these|those|one|something|someone|somebody|more|us|me|you|thing|things|entity|entities)$/i;

/** The name in the rest of an instruction: the quoted text, else the capitalized words, else all of it. */
export function nameIn(text: string): string | undefined {
  const [first] = quoted(text);
  if (first !== undefined) return first;
  const rest = trimmed(trimmed(text).replace(leading, '')).replace(after, '');
  const capitals = /(?:[\p{Lu}\d][\p{L}\p{N}&.'+#/-]*)(?:\s+(?:(?:of|and|the|for|de|&)\s+)?[\p{Lu}\d][\p{L}\p{N}&.'+#/-]*)*/u.exec(
    rest,
  )?.[0];
  if (capitals !== undefined && /\p{Lu}/u.test(capitals)) return trimmed(capitals);
  // Words such as "it" or "that" are not names.
  return rest === '' || pointing.test(rest) || rest.split(' ').length > 8 ? undefined : rest;
}

/** The name in a text that can only be a name: the quoted text, else all of it. */
export function wholeName(text: string): string | undefined {
  const [first] = quoted(text);
  if (first !== undefined) return first;
  const rest = trimmed(trimmed(text).replace(leading, '')).replace(later, '');
  if (rest === '' || pointing.test(rest)) return undefined;
  return rest.split(' ').length <= 10 ? rest : nameIn(rest);
}

/** The text after the words of an instruction; all of it without them. */
export function behind(text: string, order: RegExp): string {
  const found = order.exec(text);
  return found ? text.slice(found.index + found[0].length) : text;
}

/** The names before and after one of the words. */
export function pairIn(text: string, between: RegExp): [string, string] | undefined {
  const inQuotes = quoted(text);
  if (inQuotes.length >= 2) return [inQuotes[0]!, inQuotes[1]!];
  const [a, b] = text.split(between).map(nameIn);
  return a !== undefined && b !== undefined ? [a, b] : undefined;
}

/** The reason in an instruction, and the text before it. */
export function takeReason(text: string): { text: string; reason?: string } {
  const found = /[\s,;–—-]+(?:because|since|as both|as they|given that|due to|so that|reason:)\s+/i.exec(unquotedSameLength(text));
  const reason = found ? trimmed(text.slice(found.index + found[0].length)) : '';
  return reason === '' ? { text } : { text: text.slice(0, found!.index).trim(), reason };
}

/** The text without the words of the instruction. */
export const without = (text: string, order: RegExp): string => trimmed(plainly(text).replace(order, ''));

/** An entity as a tool's argument: by id or by name. */
export const named = (name: string | undefined): Args => (isEntityId(name ?? '') ? { entity_id: name } : given({ entity_name: name }));
