import { nameKey } from '../text/names.ts';
import { dayIn } from './clues-days.ts';
import { around } from './clues-renames.ts';
import { calendarWords, foreignWords, plainWords, roleWords, stopWords } from '../extraction/words.ts';
import { namePattern, trimmedName } from './clues-text.ts';
import { isPersonName } from './layout-people.ts';
import type { Clue, EvidenceInput, Layout, Participant } from './types.ts';

/** Clues about people and organisations. */

const titles =
  /^(?:(?:dr|prof|mr|mrs|ms|miss|mx|sir|herr|frau|hr|fr|ing|dipl|mag|sr|sra|srta|don|doña|señor|señora|m|mme|mlle|monsieur|madame|sig|signora|dott|dhr|mevr|doctor|doctora|doktor)\.?(?:[- ]?ing\.?)?\s+)+/iu;
/** Marks of nobody: forms, unknown senders, empty cells. */
const nobody =
  /^(?:\W*|n\/?a|none|null|unknown|anonym\p{L}*|unbekannt\p{L}*|desconocid\p{L}*|inconnue?|sconosciut\p{L}*|onbekend|web ?forms?|(?:unknown|unbekannter|remitente|expéditeur)\b.*|test\p{L}*|internal|other|others|sonstige|otros?|autres?|various|no company|-+|\(.*\))$/iu;

/** A person's name without titles. */
export const withoutTitles = (name: string): string => name.trim().replace(titles, '').replace(/\s+/g, ' ');

/** An organisation's name as written in a cell or beside a name; null: none. */
export function organisationOf(written: string | null | undefined): string | null {
  const name = (written ?? '').trim().replace(/\s+/g, ' ');
  return name === '' || name.length > 80 || nobody.test(name) || !/\p{L}{2}/u.test(name) ? null : name;
}

/** Providers of mail for everybody: their domain tells no organisation. */
const freeMail =
  /^(?:gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|icloud|me|mac|aol|gmx|web|t-online|freenet|posteo|mailbox|proton|protonmail|orange|wanadoo|free|laposte|sfr|libero|virgilio|tiscali|telefonica|terra|btinternet|sky|ntlworld|bluewin|hispeed|ziggo|kpnmail|planet|xs4all|telia|comhem|mail|fastmail|zoho)\.\p{L}{2,3}(?:\.\p{L}{2})?$/iu;

export function domainOf(email: string | null): string | null {
  const domain = email?.split('@')[1]?.toLowerCase() ?? '';
  return domain === '' || freeMail.test(domain) ? null : domain;
}

/** @param isPart whether a name is that of a part of the product */
export function peopleClues(input: EvidenceInput, layout: Layout, isPart: (name: string) => boolean): Clue[] {
  const clues: Clue[] = [];
  const day = layout.saidBy === 'arrival' ? null : layout.saidAt.slice(0, 10);
  const add = (kind: Clue['kind'], subject: string, object: string | null, weight: number, at: string | null = null): void => {
    clues.push({ kind, subject, object, day: at, weight });
  };
  const about = layout.kind === 'overview' || layout.kind === 'rivals';
  const customers = new Set<string>();
  const given = organisationOf(typeof input.given.customer === 'string' ? input.given.customer : null);
  if (given) add('customer', given, null, 1);
  for (const { row, omitted } of layout.units) {
    if (row === null) continue;
    const customer = organisationOf(row.customer);
    if (customer && omitted !== 'automatic' && omitted !== 'header' && omitted !== 'vendor') customers.add(customer);
    // The author of a test is no customer's person.
    const author = row.author !== null && omitted !== 'automatic' ? withoutTitles(row.author) : '';
    const domain = domainOf(row.email?.includes('@') ? row.email : row.email && `@${row.email}`);
    if (domain && customer) add('domain', customer, domain, 0.6);
    if (author === '' || nobody.test(author)) continue;
    if (customer) add('person', author, customer, 0.5, day);
    if (domain) add('person', author, domain, 0.8, day);
  }
  for (const customer of customers) add('customer', customer, null, 0.9);

  const present = layout.participants.filter(({ name }) => isPerson(name) && !isPart(name));
  const named = namedIn(layout, present);
  const beside = new Set([...named, ...(given ? [given] : [])]);
  if (!about) for (const name of beside) add('customer', name, null, 0.3);
  if (layout.kind === 'overview') for (const name of named) add('vendor', name, null, 0.6);
  // Parts of file and channel names tell an organisation only if one is called so.
  const places = about ? new Set<string>() : new Set([...beside, ...labelsOf(input)]);
  for (const { name, email } of layout.participants) {
    const domain = domainOf(email);
    if (domain === null || isPerson(name)) continue;
    const [local] = email!.split('@');
    // Customers write to a team; others are called as their address says.
    if (desk.test(local!)) add('vendor', capital(domain.split('.').slice(-2)[0]!), null, 0.3);
    else if (/^\p{L}{3,12}$/u.test(local!)) add('person', capital(local!), domain, 0.8, day);
  }
  for (const participant of present) presence(participant, present, places, day, add);
  if (layout.author && isPerson(layout.author) && layout.kind !== 'mail') {
    add('staff', withoutTitles(layout.author), null, about ? 0.8 : layout.kind === 'notes' ? 0.6 : 0.1);
  }
  return [
    ...clues,
    ...memories(input, layout),
    ...moves(
      input,
      layout,
      present.map(({ name }) => withoutTitles(name)),
      given ?? [...beside].find((name) => input.title.includes(name)) ?? (beside.size === 1 ? [...beside][0]! : null),
    ),
  ];
}

const desk =
  /^(?:support|help(?:desk)?|service|care|success|hello|hallo|hola|bonjour|info|team|kontakt|contact|office|sales|soporte|ayuda|aide|assistance|hilfe|kundenservice)$/iu;
const capital = (word: string): string => word.replace(/(?:^|-)(\p{L})/gu, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();

const isPerson = (name: string): boolean => isPersonName(name) && !nobody.test(name) && !isPlain(withoutTitles(name));

/** Only words of the calendar, plain words and function words: "Thursday", "Notes", but not "April Winter". */
function isPlain(name: string): boolean {
  const words = nameKey(name).split(' ');
  const plain = (word: string): boolean => plainWords.has(word) || stopWords.has(word) || foreignWords.has(word) || /^\d+$/.test(word);
  return (
    words.every((word) => calendarWords.has(word) && words.length === 1) ||
    words.every((word) => plain(word) || (calendarWords.has(word) && words.some(plain)))
  );
}

/** Names of title and head that may be organisations: no people, roles, days or plain words. */
function namedIn({ organisations }: Layout, present: readonly Participant[]): Set<string> {
  const people = new Set(present.flatMap(({ name }) => nameKey(withoutTitles(name)).split(' ')));
  const isName = (name: string): boolean => {
    const words = nameKey(name).split(' ');
    return (
      organisationOf(name) !== null &&
      !words.every((word) => people.has(word)) &&
      !words.every((word) => calendarWords.has(word) || /^\d+$/.test(word)) &&
      !roleWords.has(words.at(-1)!) &&
      !words.every((word) => plainWords.has(word) || stopWords.has(word) || foreignWords.has(word) || roleWords.has(word)) &&
      name.split(/\s+/).every((word) => /^[\p{Lu}\p{N}&]|^\p{Ll}{1,3}\p{Lu}|^\p{Ll}{1,3}$/u.test(word)) &&
      /^\p{Lu}|^\p{Ll}{1,3}\p{Lu}/u.test(name) &&
      !/\s(?:and|und|y|et|of|de|the)$/u.test(name)
    );
  };
  const names = organisations.flatMap((written) => {
    // "A and B" heads a meeting of two; "A & B" may be one.
    const parts = written.split(/[.:;]\s+|\s+(?:and|und|y|et|e|with|mit|con|avec|x|[-–—/|])\s+/u);
    return [...parts, ...(parts.length === 1 ? written.split(/\s+&\s+/u) : [])].map((each) =>
      /^\p{Lu}{2,6}$/u.test(each.trim()) ? each.trim() : trimmedName(each),
    );
  });
  return new Set(names.filter(isName));
}

/** Words of file and channel names: "#ext-acme", "call_acme_2026.txt". */
function labelsOf({ origin, title, passages }: EvidenceInput): string[] {
  const file = origin
    .split(/[/\\]/)
    .at(-1)!
    .replace(/\.\p{L}[\p{L}\d]{0,5}$/u, '');
  const channel = /^\s*#([\p{L}\p{N}_-]{3,80})\s*$/mu.exec(passages[0]?.text.slice(0, 400) ?? '')?.[1] ?? '';
  const labels = `${file} ${channel} ${title.startsWith('#') ? title : ''}`.toLowerCase().split(/[^\p{L}\p{M}]+/u);
  return [...new Set(labels)]
    .filter((word) => word.length >= 3 && !plainWords.has(word) && !calendarWords.has(word) && !stopWords.has(word))
    .slice(0, 8);
}

type Add = (kind: Clue['kind'], subject: string, object: string | null, weight: number, at?: string | null) => void;

/** Where a participant belongs: strongly what stands beside the name, weakly every organisation of the document. */
function presence(person: Participant, all: readonly Participant[], around: ReadonlySet<string>, day: string | null, add: Add): void {
  const name = withoutTitles(person.name);
  const domain = domainOf(person.email);
  const beside = organisationOf(person.organisation);
  const organisation = beside !== null && isPlain(beside) ? null : beside;
  add('person', name, organisation, organisation ? 0.9 : 0.5, day);
  if (domain) add('person', name, domain, 0.8, day);
  if (domain && organisation) add('domain', organisation, domain, 0.9);
  if (person.side === 'vendor') add('staff', name, null, 0.9);
  const others = new Set(around);
  for (const other of all) {
    const there = organisationOf(other.organisation) ?? domainOf(other.email);
    if (there) others.add(there);
  }
  for (const other of others) {
    if (other !== organisation && other !== domain) add('person', name, other, 0.3, day);
  }
}

/** Of a clue from a memory, which says nothing alone. */
export const memoryWeight = 0.2;
const who = String.raw`(?<who>${namePattern})`;
const org = String.raw`(?<org>${namePattern})`;
/** "(head of sales there since", ", head of sales since" */
const role = String.raw`(?:, | \()(?:(?:the|our|new) )?(?:(?!that\b|has\b|is\b)[\p{L}&/-]{2,20} ){1,5}?`;
/** Subject comes to an organisation; "there" and "us" mean that of the document. */
const arrivals = [
  String.raw`${who}(?: has| is| will)? (?:joined|joins|moved to|moves to|moving to|switched to|starts at|started at|went to|is now at|is now with|now at|now with|now works at|now works for) (?:${org}|us\b)`,
  String.raw`${who}${role}(?:there |here )?(?:since|seit|desde|depuis) (?:the )?[\p{L}\d][\p{L}\d .]{1,20}`,
  String.raw`[Nn]ew (?:face|colleague|contact|starter|team member|here)(?: since [^:,\n]{2,20})?[:,] ${who}`,
  String.raw`${who} (?:ist|arbeitet) (?:jetzt|nun|seit [^.,\n]{2,25}|inzwischen) bei ${org}`,
  String.raw`${who} (?:wechselt|wechselte|geht) (?:[^.,\n]{2,25} )?zu(?:r|m)? ${org}`,
  String.raw`${who} (?:trabaja|está)(?: ahora| ya)? (?:ahora )?en ${org}`,
  String.raw`${who} (?:est|travaille) (?:maintenant|désormais|à présent) chez ${org}`,
  String.raw`${who} (?:a rejoint|rejoint) ${org}`,
].map((source) => new RegExp(source, 'gu'));
/** The speaker does: "on 4 May I start at Oak Books". Who moves or changes to a company may buy its product. */
const ownArrivals = [
  String.raw`(?<![\p{L}'’])(?:I|i)(?:['’]m| am|['’]ll| will| shall)?(?: be)?(?: now)? (?:(?:start|starting|begin|beginning) (?:at|with)|join|joining) ${org}`,
  String.raw`(?<!\p{L})(?:fange|beginne|starte) ich (?:[^.,\n]{2,25} )?bei ${org}`,
  String.raw`(?<!\p{L})(?:empiezo|comienzo) (?:[^.,\n]{2,25} )?en ${org}`,
  String.raw`(?<!\p{L})je (?:commence|rejoins) (?:[^.,\n]{2,25} )?(?:chez )?${org}`,
].map((source) => new RegExp(source, 'gu'));
/** Subject leaves one; without a name the speaker or the person named before. */
const departures = [
  String.raw`${who}(?: has| is)? (?:left|leaves|leaving|quits?|retired from|verlässt|verließ|deja|dejó|quitte|a quitté|lascia|nos deja|nous quitte) (?:${org}|us\b|uns\b|(?=(?:at|on|by|in|am|zum|Ende|a) ))`,
  String.raw`${who}(?: is|['’]s) (?:off (?:to \p{Lu}|at the|at|by|in|on)|leaving|moving on|on (?:his|her|their) way out)`,
  String.raw`(?:[Oo]ur|[Uu]nser|[Nn]uestr[oa]|[Nn]otre)[*_]{0,2} (?:(?:old|former|dear|own|alter|alte|antiguo|ancien) )?${who} (?:from|of|von|de|aus) ${org}`,
  String.raw`${who}(?:,| \()[^()\n]{0,60}?\b(?:formerly|previously|ex|late|until recently|used to be|früher|vorher|zuvor|antes|auparavant|prima)(?: at| with| of| from|-| bei| en| chez| a)? ${org}`,
  String.raw`[Mm](?:y last day|ein letzter (?:Arbeits)?[Tt]ag|i último día|on dernier jour|io ultimo giorno|ijn laatste dag)(?: at| with| bei| en| chez| a| in| bij)? ${org}`,
  String.raw`(?:before that|previously|formerly|until then|until recently|zuvor|vorher|davor|antes|auparavant|prima)(?: was)? (?:at|with|from|bei|en|chez|a|da|bij) ${org}`,
  String.raw`(?:know|knows|remember|kennt|kennen|conoce|conocéis|connaissez) (?:him|her|them|ihn|sie|\p{L}{2,20})(?: already)? (?:from|von|de) ${org}`,
].map((source) => new RegExp(source, 'gu'));

/** Not where somebody is going. */
const remembered =
  /(?<!\p{L})(?<!\b(?:start|starting|begin|beginning|ich|fange|beginne|starte|empiezo|comienzo|commence) )(?:at|bei|en|chez)\s+(\p{Lu}[\p{L}\p{M}'’-]{3,30})/gu;

/** "At Acme it worked": somebody who speaks of an organisation may come from there. */
function memories({ passages }: EvidenceInput, { units }: Layout): Clue[] {
  const found = new Map<string, Clue>();
  for (const { kind, speaker, omitted, passage, start, end } of units) {
    if (kind !== 'turn' || speaker === null || omitted !== null) continue;
    for (const [, place] of passages[passage]!.text.slice(start, end).matchAll(remembered)) {
      // A label, not a name: only its beginning is said.
      const clue: Clue = { kind: 'left', subject: withoutTitles(speaker), object: place!.toLowerCase(), day: null, weight: memoryWeight };
      found.set(`${clue.subject}\n${clue.object}`, clue);
    }
  }
  return [...found.values()].slice(0, 10);
}

function moves({ passages }: EvidenceInput, layout: Layout, people: readonly string[], here: string | null): Clue[] {
  const text = passages.map((passage) => passage.text).join(between);
  const speakerAt = (offset: number): string | null => speakerIn(layout, passages, offset) ?? labelBefore(text, offset, people);
  const clues: Clue[] = [];
  const before = (offset: number): string | null => {
    let best: { name: string; at: number } | null = null;
    for (const name of people) {
      for (const form of [name, name.split(' ')[0]!]) {
        const at = text.slice(Math.max(0, offset - 200), offset).lastIndexOf(form);
        if (form.length > 2 && at >= 0 && (best === null || at > best.at)) best = { name, at };
      }
    }
    return best?.name ?? null;
  };
  for (const pattern of [...arrivals, ...ownArrivals]) {
    for (const match of text.matchAll(pattern)) {
      const { who: named } = match.groups!;
      const person = named === undefined ? (speakerAt(match.index) ?? '') : lastName(named);
      const place = match.groups!.org ? trimmedName(match.groups!.org) : here;
      if (person === '' || plainWords.has(person.toLowerCase())) continue;
      clues.push({
        kind: 'moved',
        subject: person,
        object: place || null,
        day: dayIn(around(text, match.index, match[0].length), layout.saidAt),
        weight: 0.7,
      });
    }
  }
  for (const pattern of departures) {
    for (const match of text.matchAll(pattern)) {
      const named = match.groups!.who ? lastName(match.groups!.who) : /^[Mm]/.test(match[0]) ? speakerAt(match.index) : before(match.index);
      const place = match.groups!.org ? trimmedName(match.groups!.org) : null;
      if (!named) continue;
      const sentence = around(text, match.index, match[0].length);
      clues.push({
        kind: 'left',
        subject: named,
        object: place || null,
        day: /^\p{Ll}/u.test(match[0]) && !match[0].startsWith('m') ? null : dayIn(sentence, layout.saidAt),
        weight: 0.7,
      });
    }
  }
  return clues;
}

/** A person's name in a sentence, without the function word that may begin it. */
function lastName(written: string): string {
  const words = withoutTitles(written).split(/\s+/);
  while (words.length > 0 && (stopWords.has(words[0]!.toLowerCase()) || foreignWords.has(words[0]!.toLowerCase()))) words.shift();
  return words.length === 1 && calendarWords.has(words[0]!.toLowerCase()) ? '' : words.join(' ');
}

const between = '\n\n';

/** Whose turn is at an offset of the passages, joined by `between`. */
function speakerIn({ units }: Layout, passages: EvidenceInput['passages'], offset: number): string | null {
  let at = offset;
  let passage = 0;
  while (passage < passages.length - 1 && at >= passages[passage]!.text.length + between.length) {
    at -= passages[passage]!.text.length + between.length;
    passage += 1;
  }
  const turn = units.find((unit) => unit.kind === 'turn' && unit.passage === passage && unit.start <= at && at < unit.end);
  return turn?.speaker ? withoutTitles(turn.speaker) : null;
}

/** Who says it: the label at the start of a line above, of turns as they are printed in passages. */
function labelBefore(text: string, offset: number, people: readonly string[]): string | null {
  const from = text.slice(Math.max(0, offset - 3_000), offset);
  let best: { name: string; at: number } | null = null;
  for (const name of people) {
    const at = from.lastIndexOf(`${name}: `);
    if (at >= 0 && (best === null || at > best.at)) best = { name, at };
  }
  return best?.name ?? (people.length === 1 ? people[0]! : null);
}
