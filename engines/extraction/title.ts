import { keyWords, nameKey } from '../text/names.ts';
import { personName } from './people.ts';
import { isName } from './spans.ts';
import type { Talk } from './talk.ts';
import { scan, type Scanned, type Token } from './tokens.ts';
import type { ExtractionInput, Mention } from './types.ts';
import { typeOf } from './typing.ts';
import { calendarWords, openers, plainWords, stopWords } from './words.ts';

export interface TitleName {
  surface: string;
  type: string;
  certain: boolean;
}

/** Titles of tickets. */
const bug = /^\s*(?:\[(?:bug|issue|defect|incident)\]|(?:bug|issue|defect|incident)(?:\s+report)?\s*[:–-])\s*/i;
/** An article's name is in its first lines. */
const opening = 400;

/** Mentions of the whole document: its title if it is a name, its customer, its participants. */
export function titleMentions(input: ExtractionInput, title: TitleName | null): Mention[] {
  if (input.passages.length === 0) return [];
  const mentions: Mention[] = [];
  const add = (surface: string, type: string, origin: Mention['origin'], confidence: number, certain: boolean): void => {
    if (isName(surface)) mentions.push({ passage: 0, start: 0, end: 0, surface, type, certain, confidence, origin });
  };
  if (input.customer) add(input.customer, 'customer', 'metadata', 1, true);
  for (const person of new Set(input.participants?.map(personName))) add(person, 'stakeholder', 'metadata', 1, true);
  if (title) {
    const known = input.known.get(nameKey(title.surface))?.[0];
    add(title.surface, known ?? title.type, 'title', 0.9, known === undefined ? title.certain : true);
  }
  return mentions;
}

/** The title as a name: of a ticket, or of the text's subject. Null: it is a heading. */
export function titleName(documentTitle: string, first: Scanned | undefined, talk: Talk): TitleName | null {
  const title = documentTitle.trim();
  if (!first || first.tokens.length === 0 || title === '' || title.length > 200) return null;
  if (talk.work && bug.test(title)) return { surface: title.replace(bug, ''), type: 'issue', certain: true };
  const plain = title.replace(/\s*\([^()]{1,80}\)$/, '');
  const forms = [title, plain, plain.split(',')[0]!.trim()].filter((each) => nameKey(each) !== '');
  const head = ` ${nameKey(first.text.slice(0, opening))} `;
  const defined = forms.find((each) => defines(head, nameKey(each)));
  if (defined !== undefined) return { surface: defined, ...kindOf(defined, first) };
  const names = forms.filter((each) => isNameLike(each));
  const surface = names.find((each) => head.includes(` ${nameKey(each)} `));
  if (surface !== undefined) return { surface, ...kindOf(surface, first) };
  if (!names.includes(plain)) return null;
  // "Tim Kaine" for an article that begins with "Timothy Michael Kaine".
  const words = keyWords(nameKey(plain));
  const last = words.at(-1)!;
  if (words.length >= 2 && words.length <= 6 && keyWords(head.trim()).slice(0, 12).includes(last))
    return { surface: plain, ...kindUpTo(last, first) };
  // At work, titles are of papers and meetings; elsewhere of an article's subject.
  return talk.work || talk.product || words.length > 7 ? null : { surface: plain, type: typeOfTitle(plain), certain: false };
}

/** "Trench warfare is a type of …": an immediate definition needs no capitals. */
const defines = (head: string, key: string): boolean => {
  const at = head.indexOf(` ${key} `);
  return at >= 0 && at <= 12 && /^(?:is|was|are|were) (?:an?|the|one) /.test(head.slice(at + key.length + 2));
};

/** Every word except small ones is capitalized, and at least one is not a plain word. */
function isNameLike(title: string): boolean {
  const { tokens, sentences } = scan(title);
  if (
    sentences.length !== 1 ||
    tokens.length > 12 ||
    openers.has(tokens[0]!.lower) ||
    /^(?:how|why|what|when|where|who|list|history|index|outline|role)$/.test(tokens[0]!.lower)
  )
    return false;
  const words = tokens.filter((token) => !token.digit && !stopWords.has(token.lower) && !particles.has(token.lower));
  const distinct = (token: Token): boolean => token.cap && !plainWords.has(token.lower) && !calendarWords.has(token.lower);
  // "First Rutte cabinet", "Mach number": in a short title one name is enough.
  return words.some(distinct) && (words.every((token) => token.cap) || (tokens.length <= 4 && distinct(tokens[0]!)));
}
const particles = new Set("de von van du la le di del der den el al y e da dos d'".split(' '));

const typeOfTitle = (surface: string): string => {
  const { tokens, text } = scan(surface);
  return tokens.length === 0 ? 'thing' : typeOf({ tokens, text, from: 0, to: tokens.length, person: false }).type;
};

/** By its definition in the text: "X is a river in …". */
function kindOf(surface: string, { tokens, text }: Scanned): { type: string; certain: boolean } {
  const key = nameKey(surface);
  const length = keyWords(key).length;
  for (let from = 0; from < Math.min(tokens.length, 20); from += 1) {
    for (let to = from + 1; to <= Math.min(tokens.length, from + length + 2); to += 1) {
      if (nameKey(text.slice(tokens[from]!.start, tokens[to - 1]!.end)) !== key) continue;
      const { type, certain } = typeOf({ tokens, text, from, to, person: false });
      if (type !== 'thing') return { type, certain };
    }
  }
  return { type: 'thing', certain: false };
}

/** For a name that begins the text and ends with that word. */
function kindUpTo(last: string, { tokens, text }: Scanned): { type: string; certain: boolean } {
  const to = tokens.findIndex((token) => nameKey(token.text) === last) + 1;
  if (to === 0) return { type: 'thing', certain: false };
  const { type, certain } = typeOf({ tokens, text, from: 0, to, person: false });
  return { type, certain };
}
