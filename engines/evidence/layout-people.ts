import { nameKey } from '../text/names.ts';
import type { Participant, Side } from './types.ts';
import { isCalendarWord } from './when-dates.ts';

/** Lists of people as notes, heads of transcripts and mail headers write them. */

const particles = new Set('van von der den de del della da dos das di du la le el al bin ter ten zu af y e'.split(' '));
const particle = `(?:${[...particles].join('|')})`;
const word = String.raw`(?:\p{Lu}[\p{L}\p{M}'’-]*\.?|\p{Lo}{2,})`;
const title = String.raw`(?:(?:Dr|Prof|Mr|Mrs|Ms|Mx|Miss|Sir|Dame|Hr|Herr|Frau|Fr|Sr|Sra|Srta|Don|Doña|Mme|Mlle|M|Sig|Dott|Ing|Dipl|Mag)\.?\s+){0,2}`;
const personPattern = new RegExp(`^${title}${word}(?:\\s+(?:${particle}\\s+){0,2}${word}){0,3}$`, 'u');
const us = new Set([
  'us',
  'our side',
  'ours',
  'we',
  'vendor',
  'internal',
  'our team',
  'wir',
  'unsererseits',
  'intern',
  'nosotros',
  'nuestro lado',
  'nous',
  'noi',
  'agent',
  'support',
  'host',
]);
const them = new Set([
  'customer',
  'client',
  'customer side',
  'client side',
  'them',
  'their side',
  'guest',
  'external',
  'kunde',
  'kundenseite',
  'cliente',
  'klant',
  'extern',
  'gäste',
  'guests',
]);
const andWord = /\s+(?:and|und|y|et|e|och|og|en|i|ja|plus|sowie|with|mit|con|avec)\s+/u;

/** Whether a text may be a person's name: one to four capitalised words, with title and particles. */
export const isPersonName = (text: string): boolean =>
  text.length <= 60 && personPattern.test(text) && !text.split(/[\s.]+/).every(isCalendarWord);

export const bareName = (text: string): string =>
  text
    .replace(/^(?:and|und|y|et|e|also|me|myself|ich|yo|moi)[,:]?\s+(?=\p{Lu})/iu, '')
    // "her son Tom", "ihr Kollege Jan Winter"
    .replace(
      /^(?:(?:ihre?|seine?|her|his|their|my|our|mein|meine|unsere?|su|mi|nuestr[oa]|son|sa|mon|ma|leur|the|der|die|el|la|le)\s+)(?:\p{Ll}[\p{L}-]*\s+){0,3}(?:(?:Sohn|Tochter|Mann|Frau|Bruder|Schwester|Mutter|Vater|Kolleg(?:e|in)|Chef(?:in)?|Assistent(?:in)?)\s+)?(?=\p{Lu})/u,
      '',
    )
    .replace(new RegExp(`^(?:me|myself|ich|yo|moi)\\s*[,:]\\s*`, 'iu'), '')
    .replace(/^[\s*_"'“”„]+|[\s*_"'“”„.:]+$/gu, '')
    .trim();

/**
 * People in a list: "A B (Acme), C D; E F (Initech)", "Acme: A B, C D", "A B. For Initech: C D (late)", "A B <a@b.example>".
 * An organisation behind the last name of a group applies to the group.
 */
export function peopleIn(list: string): Participant[] {
  const people: Participant[] = [];
  let side: Side = 'unknown';
  for (const group of groupsOf(list)) {
    const { organisation, text, told } = groupLabel(group);
    if (told !== null) side = told;
    const found: Participant[] = [];
    for (const entry of entriesOf(text)) found.push(...personOf(entry, organisation, told ?? (organisation === null ? side : 'unknown')));
    // "A, B (Acme)": the last organisation is that of all, if the others have none.
    const last = found.at(-1)?.organisation ?? null;
    if (last !== null && groupsOf(list).length > 1) for (const person of found) person.organisation ??= last;
    people.push(...found);
  }
  return people;
}

/** Groups end at ";", a line or "|", or before ". For Acme:". */
function groupsOf(list: string): string[] {
  return list
    .split(/[;\n|]+|(?<=[\p{Ll})]{2})\.\s+(?=\p{Lu})/u)
    .map((group) => group.trim())
    .filter((group) => group !== '');
}

function groupLabel(group: string): { organisation: string | null; text: string; told: Side | null } {
  const match = /^(?:for|from|at|of|für|von|bei|de|por|pour|chez|per|voor|från|fra)?\s*([^:,()]{1,60}):\s+/iu.exec(group);
  if (match === null) return { organisation: null, text: group, told: null };
  const key = nameKey(match[1]!);
  const told: Side | null = us.has(key) ? 'vendor' : them.has(key) ? 'customer' : null;
  return {
    organisation: told === null && /^\p{Lu}|\p{Lu}\p{Ll}/u.test(match[1]!) ? match[1]!.trim() : null,
    text: group.slice(match[0].length),
    told,
  };
}

/** Splits at commas outside parentheses, and at "and". */
function entriesOf(text: string): string[] {
  const entries: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i += 1) {
    const char = text[i];
    if (char === '(' || char === '[' || char === '<') depth += 1;
    else if (char === ')' || char === ']' || char === '>') depth = Math.max(0, depth - 1);
    if (i < text.length && !(depth === 0 && (char === ',' || char === '/' || char === '&' || char === '+'))) continue;
    entries.push(...splitAnd(text.slice(start, i)));
    start = i + 1;
  }
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

function splitAnd(entry: string): string[] {
  const outside = entry.split(/[([<]/)[0]!;
  const match = andWord.exec(outside);
  return match === null ? [entry] : [entry.slice(0, match.index), ...splitAnd(entry.slice(match.index + match[0].length))];
}

function personOf(entry: string, organisation: string | null, side: Side): Participant[] {
  const email = /[^\s<>()[\],;:"]{1,64}@[^\s<>()[\],;:"]{1,200}\.\w{2,}/.exec(entry)?.[0] ?? null;
  const inside = /[([]([^)\]]{1,80})[)\]]/.exec(entry)?.[1]?.trim() ?? null;
  const before = entry.split(/[([<]|\s[-–—@]\s?|\s(?:from|of|for|von|bei|de|at)\s(?=\p{Lu})/u)[0]!;
  const behind = /\s(?:[-–—@]|from|of|at|von|bei)\s?([^([<]{2,60})/u.exec(entry)?.[1]?.trim() ?? null;
  const name = nameIn(bareName(before));
  if (name === null) return [];
  const told = inside ?? behind;
  const beside = told === null ? null : standingOf(told);
  return [
    {
      name,
      email,
      organisation: beside?.organisation ?? organisation,
      side: beside === null || beside.side === 'unknown' ? side : beside.side,
    },
  ];
}

/** What stands beside a name: "Acme", "Acme support", "us", "late". */
export function standingOf(told: string): Pick<Participant, 'organisation' | 'side'> {
  const key = nameKey(told);
  const organisation = told.replace(desk, '');
  return {
    organisation: looksLikeOrganisation(organisation) ? organisation : null,
    side: us.has(key) ? 'vendor' : them.has(key) ? 'customer' : 'unknown',
  };
}

/** A part of an organisation behind its name. "Oak Services" and "Hill Care" are names. */
const desk =
  /(?<=\p{L}) (?:(?:[Cc]ustomer|[Tt]echnical|product) )?(?:[Ss]upport|success|team|staff|help ?desk|sales|kundendienst|Kundendienst|Kundenservice|soporte|equipo|assistance|équipe)(?: (?:[Tt]eam|desk))?$/u;

/** The name at the beginning of an entry: "Dr Ann Lee for the last ten minutes". */
function nameIn(entry: string): string | null {
  if (isPersonName(entry)) return entry;
  const words = entry.split(/\s+/);
  const remark = words.findIndex((word, i) => i > 0 && /^[\p{Ll}\d(]/u.test(word) && !particles.has(word));
  const name = remark < 0 ? '' : words.slice(0, remark).join(' ');
  return isPersonName(name) && words.length <= 12 ? name : null;
}

/** A remark in parentheses starts in lower case ("late", "first half only"); an organisation is a name. */
function looksLikeOrganisation(text: string): boolean {
  const key = nameKey(text);
  return (
    /^[\p{Lu}\p{Lo}\p{N}]/u.test(text) &&
    !us.has(key) &&
    !them.has(key) &&
    !text.includes('@') &&
    !/,\s+\p{Ll}|\d{3}/u.test(text) &&
    text.split(/\s+/).length <= 6
  );
}

/** `Name <address>`, `address`, `"Name" <address>`. */
export function mailbox(text: string): { name: string; email: string | null } {
  const email = /[^\s<>()[\],;:"]{1,64}@[^\s<>()[\],;:"]{1,200}/.exec(text)?.[0] ?? null;
  const name = text
    .replace(/[<[(]?[^\s<>()[\],;:"]{1,64}@[^\s<>()[\],;:"]{1,200}[>\])]?/, '')
    .replace(/["']/g, '')
    .trim();
  // "Doe, Jane" is the order of address books.
  const turned = /^([\p{L}'’-]{2,40}), ([\p{L}'’. -]{2,40})$/u.exec(name);
  return { name: turned === null ? name : `${turned[2]!} ${turned[1]!}`, email };
}
