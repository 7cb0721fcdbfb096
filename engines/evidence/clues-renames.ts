import { namePattern, trimmedName } from './clues-text.ts';

/** Other and former names of a thing, from the grammar of several languages. Patterns are bounded: texts are hostile. */

export interface Renaming {
  from: string;
  to: string;
  /** Offset of the match, for the date in its sentence. */
  at: number;
}

export interface Nickname {
  alias: string;
  of: string;
  /** 0 to 1 */
  weight: number;
}

/** The latest name before an offset, for pronouns and ellipses. `near`: only in the same or the preceding text. */
export type Antecedent = (offset: number, near?: boolean) => string | null;

const name = (group: string): string => `(?<${group}>${namePattern})`;
const when = String.raw`(?:,? (?:since|as of|from|seit|ab|desde|depuis|dal|sinds) [^.,;:()\n]{2,30}?,?)?`;

/** Verb phrases between the former and the new name. */
const becomes = [
  String.raw`(?:(?: is| are| was| were| has been| have been|['’]s|['’]re) )(?:now |today |since )?(?:called|renamed(?: to| as| into)?|named|known as)(?: now)?`,
  String.raw` (?:is now|are now|became|becomes|has become|turned into)(?: called)?`,
  String.raw` (?:heißt|heisst|heißen)(?: jetzt| nun| neu| inzwischen| künftig| ab sofort)?`,
  String.raw`(?: ahora| ya)? (?:se llama|pasa a llamarse|pasó a llamarse|ha pasado a llamarse)(?: ahora)?`,
  String.raw` (?:s['’]appelle|devient|est devenue?|a été renommée?(?: en)?)(?: désormais| maintenant| à présent| dorénavant)?`,
  String.raw`(?: ora| adesso)? si chiama(?: ora| adesso)?`,
  String.raw` (?:agora )?(?:se chama|chama-se|passou a chamar-se)(?: agora)?`,
  String.raw` heet(?: nu| voortaan| tegenwoordig| inmiddels)?`,
].join('|');
const forward = new RegExp(`${name('from')}(?:${becomes})${when} (?:the |the new )?["“„«]?${name('to')}`, 'gu');
const renamedIn = new RegExp(
  String.raw`${name('from')} (?:wurde|wird|ist)(?: [^.,;\n]{0,30})? (?:in|zu) ["“„«]?${name('to')}["”“»]? (?:umbenannt|umgetauft)`,
  'gu',
);
/** "Since May Old is called …": with the verb first, as German and Spanish write it. */
const verbFirst = new RegExp(
  String.raw`(?:heißt|heisst|heißen|se llama|s['’]appelle) (?:die |der |das |la |el |le )?${name('from')} (?:jetzt|nun|neu|ja|also|nur noch|einfach|ahora|ya|désormais|maintenant) ["“„«]?${name('to')}`,
  'gu',
);
/** "New (formerly Old)", "New (until 3 May: Old)" */
const formerly = String.raw`(?:formerly|previously|once|ex[- ]|until [^:()\n]{3,40}:|was|früher|ehemals|vormals|bisher|bis [^:()\n]{3,40}:|antes|anteriormente|hasta [^:()\n]{3,40}:|anciennement|autrefois|avant|jusqu['’]au [^:()\n]{3,40}:|già|prima|voorheen)`;
const backward = new RegExp(
  String.raw`${name('to')}["”“»]?\*{0,2},? ?\(? ?${formerly} ?(?:called |known as |named |genannt |llamad[oa] |appelée? )?["“„«]?${name('from')}`,
  'gu',
);
/** "Old is its former name", said of the entry's name or of what was named before. */
const itsOldName = new RegExp(
  String.raw`${name('from')} (?:is|was|ist|war|es|era|est|était) (?:its|the|sein|ihr|der|su|el|son|le|l['’])\s?(?:old|former|previous|earlier|alte|alter|frühere|früherer|ehemalige|ehemaliger|antiguo|anterior|ancien|précédent)(?: nombre| nom| name|name)?`,
  'gu',
);
/** "called Old until 3 May", said of the entry's name */
const calledUntil = new RegExp(
  String.raw`(?:called|named|known as|hieß|hiess|genannt|se llamaba|llamad[oa]|s['’]appelait|appelée?) ["“„«]?${name('from')}["”“»]?,? (?:until|till|before|bis|hasta|jusqu|fino|tot)`,
  'gu',
);
/** "New (the former Old)" */
const theFormer = new RegExp(
  String.raw`${name('to')}[,(\s–—-]{1,4}(?:the (?:former|old|erstwhile)|d(?:er|ie|as) (?:frühere|alte|ehemalige)|el antiguo|la antigua|l['’]ancien(?:ne)?|l['’]ex-?|il vecchio|ex-) ?${name('from')}`,
  'gu',
);
/** "…; Old until 3 May 2026", in the description of an entry */
const bareUntil = new RegExp(
  String.raw`(?:^|[;,.(–—] ?)["“„«]?${name('from')}["”“»]? (?:until|till|before|up to|bis|hasta|jusqu|fino|tot) (?=[^.;\n]{0,12}(?:\d|\p{Lu}))`,
  'gu',
);
/** "(until 3 May 2026: Old)", in the description of an entry */
const untilThen = new RegExp(
  String.raw`(?:^|[(;,] ?)(?:until|till|before|bis(?: zum)?|hasta(?: el)?|jusqu['’](?:au|à)|fino al) [^:()\n]{3,40}: ?["“„«]?${name('from')}`,
  'gu',
);
/** "renamed! it's New now", said of what was named before */
const itIsNow = new RegExp(
  String.raw`(?:[Rr]enamed(?: to| as)?[!,.:;]?(?: (?:it['’]?s|it is|they['’]re))?|(?:[Ii]t['’]?s|[Ii]t is|[Tt]hat['’]?s|[Tt]hat is) (?:now(?: called)?|called)|now called|[Nn]ow it['’]?s(?: called)?|[Tt]he new name is|heißt (?:jetzt|nun)|(?:ahora|ya) se llama|s['’]appelle (?:maintenant|désormais)|ora si chiama|heet nu) (?:the )?["“„«]?${name('to')}`,
  'gu',
);
const marked =
  /\b(?:now|since|renamed|new name|as of|until|formerly|today|jetzt|nun|neu|seit|ab|bis|früher|umbenannt|ahora|desde|hasta|antes|désormais|maintenant|depuis|devient|ora|dal|agora|nu|sinds|voortaan)\b/iu;

/** @param owner name of the entry that the text describes */
export function renamings(text: string, antecedent: Antecedent, owner: string | null = null): Renaming[] {
  const found: Renaming[] = [];
  const add = (from: string | null, to: string | null, at: number): void => {
    const [old, now] = [trimmedName(from ?? ''), trimmedName(to ?? '')];
    if (old !== '' && now !== '' && old !== now) found.push({ from: old, to: now, at });
  };
  for (const match of text.matchAll(forward)) {
    if (marked.test(around(text, match.index, match[0].length))) add(match.groups!.from!, match.groups!.to!, match.index);
  }
  for (const match of text.matchAll(verbFirst)) add(match.groups!.from!, match.groups!.to!, match.index);
  for (const match of text.matchAll(renamedIn)) add(match.groups!.from!, match.groups!.to!, match.index);
  for (const match of text.matchAll(backward)) add(match.groups!.from!, match.groups!.to!, match.index);
  for (const match of text.matchAll(calledUntil)) add(match.groups!.from!, antecedent(match.index), match.index);
  for (const match of text.matchAll(theFormer)) add(match.groups!.from!, match.groups!.to!, match.index);
  if (owner !== null)
    for (const pattern of [bareUntil, untilThen]) for (const match of text.matchAll(pattern)) add(match.groups!.from!, owner, match.index);
  for (const match of text.matchAll(itsOldName)) add(match.groups!.from!, antecedent(match.index), match.index);
  for (const match of text.matchAll(itIsNow)) add(antecedent(match.index), match.groups!.to!, match.index);
  return found;
}

/** The sentence around a match, roughly; at most 200 characters on each side. */
export function around(text: string, at: number, length = 0): string {
  const before = text.slice(Math.max(0, at - 200), at);
  const rest = text.slice(at + length, at + length + 200);
  const stop = rest.search(/[.!?](?:\s|$)|\n/);
  const begin = Math.max(before.lastIndexOf('. ') + 1, before.lastIndexOf('\n') + 1);
  return before.slice(begin) + text.slice(at, at + length) + (stop < 0 ? rest : rest.slice(0, stop));
}

const word = String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]{1,30}`;
const alias = String.raw`(?:["“„«](?<quoted>[^"”“»\n]{2,40})["”“»]|(?:the|our|el|la|le|der|die|das|den|il|lo|o|a|de|het) (?<plain>${word}(?: ${word}){0,2})|(?<capital>${namePattern}))`;
const callIt = new RegExp(
  String.raw`(?<!['’]d |would |could |might |never |n['’]t |not |to )(?:(?:call|calls|called|calling) it|(?:nicknamed|dubbed)(?: it)?|(?:nennen|nennt)(?: wir| alle| die \p{L}{3,15})? (?:ihn|sie|es|das)(?: nur| intern| einfach| liebevoll)?|(?:lo|la) (?:llamamos|llaman|llamo|llama)|(?:l['’]appelle|l['’]appelons|l['’]appellent|surnommée?)|(?:lo|la) (?:chiamiamo|chiamano)) ${alias}`,
  'gu',
);
/** "the Alias, as Ann calls Name" */
const asCalled = new RegExp(
  String.raw`(?:[Tt]he|[Oo]ur|[Ee]l|[Ll]a|[Ll]e|[Dd]er|[Dd]ie|[Dd]as|[Dd]en) (?<plain>${word}(?: ${word}){0,2}),? (?:as|wie|como|comme|come) (?:\S{1,20} ){0,3}?(?:(?:calls?|called|likes? to call|llama(?:mos|n)?(?: a)?|appell\p{L}{1,4}|chiam\p{L}{1,4}) ${name('of')}|${name('named')} (?:nennt|nennen))`,
  'gu',
);
const alsoKnown = new RegExp(
  String.raw`${name('of')}["”“»]?,? \(?(?:aka|a\.k\.a\.|alias|also known as|better known as|nicknamed|auch bekannt als|alias|también conocid[oa] como|dit|dite) ${alias}`,
  'gu',
);
const initials = new RegExp(String.raw`${name('of')} \((?<short>\p{Lu}[\p{Lu}\p{N}]{1,5})\)`, 'gu');
/** Words that end a nickname. */
const stops =
  /\s+(?:in|because|since|for|by|and|or|which|that|when|as|at|on|here|now|of|to|with|weil|und|oder|wegen|im|bei|porque|y|o|en|por|parce|car|et|ou|dans|chez|perché|e)\b.*$/iu;

export function nicknames(text: string, antecedent: Antecedent, owner: string | null): Nickname[] {
  const found: Nickname[] = [];
  const add = (written: string, of: string | null, weight: number): void => {
    const known = trimmedName(of ?? '');
    // "the one part of it", "the best thing": a judgement, no name.
    if (
      /^(?:one|only|first|last|best|worst|most|\p{L}{3,}est|einzige\p{L}*|beste\p{L}*|única?|mejor|peor|seule?|meilleure?|pire|next|same|whole)(?!\p{L})/iu.test(
        written,
      )
    )
      return;
    const other = written
      .replace(stops, '')
      .replace(/[-'’]+$/u, '')
      .trim();
    if (known !== '' && /\p{L}{2}/u.test(other) && other.toLowerCase() !== known.toLowerCase())
      found.push({ alias: other, of: known, weight });
  };
  const aliasOf = (groups: Record<string, string | undefined>): string =>
    groups.quoted ?? groups.plain ?? trimmedName(groups.capital ?? '');
  for (const match of text.matchAll(callIt))
    add(aliasOf(match.groups!), owner ?? antecedent(match.index), owner ? 0.8 : antecedent(match.index, true) ? 0.6 : 0.4);
  for (const match of text.matchAll(asCalled)) add(match.groups!.plain!, match.groups!.of ?? match.groups!.named!, 0.8);
  for (const match of text.matchAll(alsoKnown)) add(aliasOf(match.groups!), match.groups!.of!, 0.8);
  for (const match of text.matchAll(initials))
    if (fits(match.groups!.short!, match.groups!.of!)) add(match.groups!.short!, match.groups!.of!, 0.8);
  return found;
}

/** Whether letters abbreviate a name: in order, beginning with its first, with one from each of its words. */
export function fits(short: string, name: string): boolean {
  const words = wordsIn(name);
  const letters = short.toLowerCase();
  if (letters.length < 2 || letters[0] !== words[0]?.[0]) return false;
  let at = 0;
  for (const each of words) {
    if (small.has(each)) continue;
    if (letters[at] !== each[0]) return false;
    at += 1;
    // Compounds give a further letter: "Brückenhof" may be "BH".
    for (let i = 1; i < each.length && at < letters.length && letters.length - at > rest(words, each); i += 1)
      if (each[i] === letters[at]) at += 1;
  }
  return at === letters.length;
}

const wordsIn = (name: string): string[] =>
  name
    .normalize('NFD')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((each) => each.length > 2 || /^\p{L}/u.test(each));

/** What letters that fit a name begin with. */
export const firstLetter = (name: string): string | undefined => wordsIn(name)[0]?.[0];

const small = new Set('of and the for in on de la le du der die das und et y & e del des'.split(' '));
const rest = (words: readonly string[], each: string): number =>
  words.slice(words.indexOf(each) + 1).filter((word) => !small.has(word)).length;
