import type { Directory } from './types.ts';
import { isEmpty, stemOf } from './words.ts';

/** Names of features and competitors in a text, with how sure each is meant. */

/** A form by which a feature may be called. */
interface Form {
  stems: string[];
  feature: string;
  /** A whole name of several words, a nickname of one, the last word of a name, or another word of it. */
  kind: 'whole' | 'nickname' | 'head' | 'part';
}

export interface NameIndex {
  forms: Map<string, Form[]>;
  /** Weight of words that go with one feature. */
  words: Map<string, { feature: string; weight: number }>;
  rivals: Map<string, { stems: string[]; name: string }[]>;
}

export interface Word {
  start: number;
  end: number;
  text: string;
  stem: string;
  cap: boolean;
  /** First of a sentence, cell or line. */
  first: boolean;
  /** Only a blank or hyphen since the word before. */
  tight: boolean;
}

export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let end = 0;
  for (const match of text.matchAll(/[\p{L}\p{M}\p{N}]{1,60}/gu)) {
    const gap = text.slice(end, match.index);
    words.push({
      start: match.index,
      end: match.index + match[0].length,
      text: match[0],
      stem: stemOf(match[0]),
      cap: /^\p{Lu}/u.test(match[0]),
      first: words.length === 0 || /[.!?:;\n"“”„«»(•…–—]|--/u.test(gap),
      tight: /^[ \u00a0-]$/.test(gap),
    });
    end = match.index + match[0].length;
  }
  return words;
}

/** "electric" and "electricity" begin alike. */
const beginning = (stem: string): string => `${stem.slice(0, 8)}…`;

const indexes = new WeakMap<Directory, NameIndex>();

export function indexOf(directory: Directory): NameIndex {
  const known = indexes.get(directory);
  if (known) return known;
  const index: NameIndex = { forms: new Map(), words: new Map(), rivals: new Map() };
  const add = (form: Form): void => {
    const [first] = form.stems;
    if (first) index.forms.set(first, [...(index.forms.get(first) ?? []), form]);
  };
  const heads = new Map<string, Set<string>>();
  const parts = new Map<string, Set<string>>();
  const note = (map: Map<string, Set<string>>, key: string, feature: string): void =>
    void map.set(key, (map.get(key) ?? new Set<string>()).add(feature));
  for (const { name, aliases } of directory.features) {
    for (const each of [name, ...aliases]) {
      const words = each.replace(/^(?:the|our|der|die|das|el|la|le)\s+/iu, '').split(/\s+/);
      const stems = words.flatMap(stemsIn);
      add({ stems, feature: name, kind: words.length > 1 || /\p{Ll}\p{Lu}/u.test(each) ? 'whole' : 'nickname' });
      // "Rota Sync" for "Staff Rota Sync"
      for (let i = 1; i < words.length - 1; i += 1) add({ stems: words.slice(i).flatMap(stemsIn), feature: name, kind: 'whole' });
      if (words.length < 2) continue;
      for (const [i, word] of words.entries()) note(i === words.length - 1 ? heads : parts, stemsIn(word).join(' '), name);
    }
  }
  // A word of several features' names tells none of them.
  for (const [key, features] of heads) if (features.size === 1) add({ stems: key.split(' '), feature: [...features][0]!, kind: 'head' });
  for (const [key, features] of parts) {
    if (features.size === 1 && !heads.has(key) && key.length > 2 && !isEmpty(key))
      add({ stems: key.split(' '), feature: [...features][0]!, kind: 'part' });
  }
  for (const { name, words } of directory.features) {
    for (const { stem, weight } of words) {
      index.words.set(stem, { feature: name, weight });
      if (stem.length > 7 && !index.words.has(beginning(stem))) index.words.set(beginning(stem), { feature: name, weight });
    }
  }
  for (const { name, aliases, role } of directory.organisations) {
    if (role !== 'competitor') continue;
    for (const each of [name, ...aliases]) {
      const stems = stemsIn(each);
      if (stems[0]) index.rivals.set(stems[0], [...(index.rivals.get(stems[0]) ?? []), { stems, name }]);
    }
  }
  indexes.set(directory, index);
  return index;
}

const stemsIn = (text: string): string[] => wordsOf(text).map(({ stem }) => stem);

const articles = new Set(
  `the our your this that these those their my his her its der die das den dem des im am beim vom zum zur unser unsere unserem unseren ihr ihre ihrem
  ihren euer eure el la los las del al nuestro nuestra su sus vuestro vuestra le les l au aux du notre votre nos vos ce cette il lo gli nel nella del della
  il de het o a os as no na do da`.split(/\s+/),
);
const indefinite = new Set(
  'a an another any no some every each one two first last next more ein eine einen einem kein keine un una uno une aucun'.split(' '),
);
/** Words after a name that do not make a compound with it. */
const loose =
  /^(?:is|are|was|were|has|have|had|does|do|did|can|cannot|could|will|would|should|may|might|must|and|or|but|to|in|on|at|for|with|from|by|of|as|so|if|when|that|which|it|we|i|you|they|he|she|not|never|always|also|still|now|again|only|just|too|itself|down|up|off|out|back|\p{L}+s|\p{L}+ed|\p{L}+t)$/iu;

/** How sure each feature is named in a text, 0 to 1, by the best of its forms. */
export function namesIn(words: readonly Word[], index: NameIndex, casual: boolean, capitals: ReadonlySet<string>): Map<string, number> {
  const scores = new Map<string, number>();
  let next = 0;
  for (let i = 0; i < words.length; i += 1) {
    const matching = (index.forms.get(words[i]!.stem) ?? []).filter(({ stems }) => matches(words, i, stems));
    const [form] = matching.sort((a, b) => b.stems.length - a.stems.length || rank[a.kind] - rank[b.kind]);
    if (!form || i < next) continue;
    next = i + form.stems.length;
    const score = sureness(words, i, form, casual, capitals);
    scores.set(form.feature, Math.max(score, scores.get(form.feature) ?? 0));
  }
  return scores;
}

const rank = { whole: 0, nickname: 1, head: 2, part: 3 };

const matches = (words: readonly Word[], at: number, stems: readonly string[]): boolean =>
  stems.every((stem, i) => words[at + i]?.stem === stem && (i === 0 || words[at + i]!.tight));

function sureness(
  words: readonly Word[],
  at: number,
  { kind, stems, feature }: Form,
  casual: boolean,
  capitals: ReadonlySet<string>,
): number {
  const run = words.slice(at, at + stems.length);
  const before = words[at - 1];
  const after = words[at + stems.length];
  const article = before !== undefined && run[0]!.tight && articles.has(before.text.toLowerCase());
  const compound = after !== undefined && after.tight && !after.cap && !loose.test(after.text);
  const written = run.some(({ cap, first }) => cap && !first) || (run.length > 1 && run.every(({ cap }) => cap));
  const opens = run[0]!.first && run[0]!.cap;
  if (kind === 'whole') {
    if (written) return 1;
    if (casual || (opens && run.length > 1)) return 0.9;
    // Plain speech: somebody who writes the name with capitals elsewhere means something else here.
    if (capitals.has(feature) && !article) return 0.6;
    return compound || capitals.has(feature) ? 0.35 : 0.8;
  }
  if (kind === 'nickname') {
    if (written) return 0.95;
    return article ? 0.9 : opens ? 0.8 : casual ? 0.7 : before && indefinite.has(before.text.toLowerCase()) ? 0 : 0.3;
  }
  if (before && run[0]!.tight && indefinite.has(before.text.toLowerCase())) return kind === 'head' ? 0.3 : 0.15;
  if (kind === 'head') return article ? (compound ? 0.6 : 0.8) : written ? 0.6 : opens ? 0.6 : 0.4;
  return article ? 0.45 : 0.3;
}

/** Stems of words that go with a feature, summed up to 0.6 for each. */
export function hintsIn(words: readonly Word[], index: NameIndex): Map<string, number> {
  const scores = new Map<string, number>();
  for (const stem of new Set(words.map((word) => word.stem))) {
    const hint = index.words.get(stem) ?? (stem.length > 7 ? index.words.get(beginning(stem)) : undefined);
    if (hint) scores.set(hint.feature, Math.min(0.6, (scores.get(hint.feature) ?? 0) + hint.weight));
  }
  return scores;
}

export function rivalsIn(words: readonly Word[], { rivals }: NameIndex): string[] {
  const found = new Set<string>();
  words.forEach((word, i) => {
    for (const { stems, name } of rivals.get(word.stem) ?? []) {
      if (matches(words, i, stems) && (word.cap || stems.length > 1)) found.add(name);
    }
  });
  return [...found].sort();
}
