import { nameKey } from '../text/names.ts';
import type { Token } from './tokens.ts';
import { definingHeads, givenNames, legalForms, organizationEnds, placeEnds, placeStarts, places, roleWords, stopWords } from './words.ts';

interface Guess {
  type: string;
  certain: boolean;
  /** Added to the confidence that this is a name. */
  confidence: number;
}

export interface Run {
  tokens: readonly Token[];
  text: string;
  /** Tokens [from, to). */
  from: number;
  to: number;
  /** Preceded by a title or an office. */
  person: boolean;
}

/** The type of a name, by its words and its context. */
export function typeOf(run: Run): Guess {
  const { tokens, from, to } = run;
  const words = tokens.slice(from, to);
  const last = words.at(-1)!.lower;
  const first = words[0]!.lower;
  const key = nameKey(words.map((word) => word.text).join(' '));
  if (words.length > 1 && legalForms.has(last)) return sure('organization');
  if (places.has(key)) return maybe('place', 0.1);
  const defined = definedAs(run);
  if (defined) return defined;
  const life = lived(run);
  if (life) return life;
  if (run.person) return maybe('person', 0.1);
  if (words.length > 1) {
    if (softwareParts.test(last)) return maybe('feature', 0.1);
    if (thingEnds.test(last)) return maybe('thing', 0.1);
    if (placeEnds.has(last) || (words.length > 2 && placeEnds.has(first) && words[1]!.lower === 'of')) return maybe('place', 0.1);
    if (organizationEnds.has(last) || (organizationEnds.has(first) && words[1]!.lower === 'of')) return maybe('organization', 0.1);
    const caps = words.filter((word) => word.cap);
    if (
      givenNames.has(first) &&
      !words[0]!.upper &&
      caps.length >= 2 &&
      caps.length <= 4 &&
      !words.some((word) => word.digit || word.lower === 'of')
    )
      return maybe('person', 0.1);
    if (/^\p{Lu}$|^\p{Lu}\.\p{Lu}$/u.test(words[0]!.text) && words.length <= 4 && !words.some((word) => word.digit))
      return maybe('person', 0.05);
    if (placeStarts.has(first) && words.length === 2 && before(run, ' in near at from to of ')) return maybe('place', 0.05);
  }
  if (role(run)) return maybe('person', 0.05);
  if (words.length > 1 && words.at(-1)!.digit && /\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u.test(words[0]!.text)) return maybe('product', 0);
  if (words.length === 1 && givenNames.has(first)) return maybe('person', 0);
  return maybe('thing', 0);
}

/** "Payments API", "Reporting Console": last words of product names. */
const softwareParts =
  /^(?:apis?|sdks?|dashboards?|consoles?|portals?|editors?|widgets?|plugins?|integrations?|webhooks?|inbox|wizards?|importers?|exporters?|schedulers?|scanners?)$/;

const thingEnds =
  /^(?:awards?|prizes?|medals?|cup|trophy|act|law|treaty|war|wars|battle|day|festival|games|revolution|rebellion|championships?|model|theorem|rights?)$/;

const sure = (type: string): Guess => ({ type, certain: true, confidence: 0.15 });
const maybe = (type: string, confidence: number): Guess => ({ type, certain: false, confidence });

/** "X is a German media group", "X (formerly Y) was an American actor": by the head of the definition. */
function definedAs({ tokens, text, from, to }: Run): Guess | null {
  let i = to;
  const gap = text.slice(tokens[to - 1]!.end, tokens[to]?.start ?? tokens[to - 1]!.end);
  if (/^\s*\(/.test(gap)) {
    const closed = text.slice(tokens[to - 1]!.end, tokens[to - 1]!.end + 160).indexOf(')');
    if (closed < 0) return null;
    while (i < tokens.length && tokens[i]!.start < tokens[to - 1]!.end + closed) i += 1;
  } else if (/^\s*,/.test(gap)) {
    // Between commas: "Ann Lee, a Swedish actor, …"
    const kind = /^an?$/.test(tokens[i]?.lower ?? '') ? headAfter(tokens, i + 1, text) : null;
    return kind === null ? null : maybe(kind, 0.1);
  }
  if (!/^(?:is|was|are|were)$/.test(tokens[i]?.lower ?? '')) return null;
  if (/^(?:also|still|originally)$/.test(tokens[i + 1]?.lower ?? '')) i += 1;
  if (!/^(?:an?|the|one)$/.test(tokens[i + 1]?.lower ?? '')) return null;
  // A name at the end of another phrase ("the capital of X is a …") is not its subject.
  const preposition = tokens[from - 1];
  if (preposition && /^(?:of|in|for|with|from|by|to|and|at|on)$/.test(preposition.lower) && preposition.end <= tokens[from]!.start)
    return null;
  const kind = headAfter(tokens, i + 2, text);
  if (kind === null) return null;
  // A definition at the start of a sentence is clear.
  return tokens[from]!.first || (preposition?.lower === 'the' && preposition.first) ? sure(kind) : maybe(kind, 0.1);
}

/** The head of a noun phrase: its last word before a preposition, verb or comma. */
function headAfter(tokens: readonly Token[], from: number, text: string): string | null {
  let found: string | null = null;
  for (let i = from; i < tokens.length && i < from + 9; i += 1) {
    const token = tokens[i]!;
    if (i > from && /[.;:()]/.test(text.slice(tokens[i - 1]!.end, token.start))) break;
    if (
      stopWords.has(token.lower) ||
      /^(?:based|located|situated|owned|written|directed|published|released|born|known|founded|operated)$/.test(token.lower)
    ) {
      if (token.lower === 'and' || token.lower === 'most' || token.lower === 'more') continue;
      break;
    }
    const kind = definingHeads.get(token.lower) ?? definingHeads.get(token.lower.replace(/s$/, ''));
    if (kind) found = kind;
    if (i > from && /,/.test(text.slice(tokens[i]!.end, tokens[i + 1]?.start ?? tokens[i]!.end)) && found) break;
  }
  return found;
}

/** "X (born 5 May 1970)"; "X (1902 – 1990)" may also be a state. */
function lived({ tokens, text, to }: Run): Guess | null {
  const after = text.slice(tokens[to - 1]!.end, tokens[to - 1]!.end + 90);
  if (/^\s*\((?:[^)]{0,40}\b)?(?:born|née)\s/.test(after)) return sure('person');
  return /^\s*\([^)]{0,30}\b1[0-9]\d\d\s*[–-]\s*[^)]{0,30}\b(?:1[0-9]|20)\d\d\)/.test(after) ? maybe('person', 0.1) : null;
}

/** "Ann Lee, CTO of Acme", "Ann (VP Engineering)" */
function role({ tokens, text, to }: Run): boolean {
  const next = tokens[to];
  if (!next || !/^[ \t]*[,(][ \t]*$/.test(text.slice(tokens[to - 1]!.end, next.start))) return false;
  for (let i = to; i < Math.min(to + 5, tokens.length); i += 1) {
    if (i > to && !tokens[i]!.tight) return false;
    if (roleWords.has(tokens[i]!.lower)) return true;
    if (stopWords.has(tokens[i]!.lower) && !/^(?:our|their|the|an?)$/.test(tokens[i]!.lower)) return false;
  }
  return false;
}

const before = ({ tokens, from }: Run, options: string): boolean => from > 0 && options.includes(` ${tokens[from - 1]!.lower} `);
