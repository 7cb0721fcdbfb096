/** Pure: lines about matters. Each statement is quoted once in a draft. */
import { dateOf } from './names.ts';
import { inTime, type Matter } from './matters.ts';
import { copiesOf, listed, onWhat, quoted, whoSays } from './phrases.ts';
import { isClosedTicket, isTrouble } from './polarity.ts';
import type { Cited, Evidence, Statement } from './types.ts';
import { specificity, weightOf } from './weight.ts';

export interface Size {
  /** Maximum lines per section. */
  items: number;
  /** Further quotations of a matter. */
  quotes: number;
}

/** A draft while it is assembled. */
export interface Telling {
  evidence: Evidence;
  matters: readonly Matter[];
  size: Size;
  /** Refs of quoted statements. */
  said: Set<string>;
}

const longestBeside = 220;

/** A matter by its weightiest statements that are not quoted yet; null without one. */
export function tell(telling: Telling, matter: Matter, mark = ''): Statement | null {
  const { state, settledBy } = matter;
  const line =
    settledBy && state === 'withdrawn'
      ? withdrawn(telling, matter, settledBy)
      : settledBy && state === 'resolved'
        ? solved(telling, matter, settledBy)
        : open(telling, matter, mark);
  if (line) for (const ref of line.sources) telling.said.add(ref);
  return line;
}

const fresh = ({ said }: Telling, statements: readonly Cited[]): Cited[] => statements.filter(({ ref }) => !said.has(ref));

/** The weightiest, and one per group of near-duplicates. */
function best({ evidence: { filter } }: Telling, statements: readonly Cited[], most: number): Cited[] {
  const sorted = statements.toSorted((a, b) => weightOf(b, filter.asOf) - weightOf(a, filter.asOf));
  return sorted.filter((each, i) => sorted.findIndex(({ group }) => group === each.group) === i).slice(0, most);
}

function open(telling: Telling, matter: Matter, mark: string): Statement | null {
  const told = fresh(
    telling,
    matter.said.filter(({ state }) => state !== 'resolved' && state !== 'withdrawn'),
  );
  const chosen = best(telling, told.length > 0 ? told : fresh(telling, matter.said), 1 + telling.size.quotes);
  // A threat first in its own words, then what gives rise to it; else the newest first.
  const isThreat = ({ class: kind }: Cited): boolean => matter.kind === 'leaving' && kind === 'churn_risk';
  const [first, ...others] = chosen.toSorted((a, b) => Number(isThreat(b)) - Number(isThreat(a)) || inTime(b, a));
  if (!first) return null;
  const after = matter.perhapsSolved ? [matter.perhapsSolved] : [];
  const note = after[0] ? ` Perhaps solved by ${dateOf(after[0].at)}: ${quoted(after[0], longestBeside)}` : '';
  const text = `${whoSays(first)}${onWhat(about(chosen))}${mark}: ${quoted(first, undefined, chosen)}${besides(others, chosen)}${note}`;
  return lineOf(text, [...chosen, ...after], [...chosen, ...after]);
}

/** Further quotations, with their relation in time. */
const besides = (others: readonly Cited[], chosen: readonly Cited[], word = ' Also:'): string =>
  others.length === 0 ? '' : `${word} ${others.map((each) => quoted(each, longestBeside, chosen)).join('; ')}`;

const before = (telling: Telling, { said }: Matter, end: Cited): Cited[] =>
  best(
    telling,
    fresh(
      telling,
      said.filter((each) => each.ref !== end.ref && inTime(each, end) <= 0),
    ),
    1 + telling.size.quotes,
  ).toSorted((a, b) => inTime(b, a));

function solved(telling: Telling, matter: Matter, end: Cited): Statement | null {
  if (telling.said.has(end.ref)) return null;
  const isWish = !matter.said.some(isTrouble) && matter.said.some(({ class: kind }) => kind === 'request' || kind === 'question');
  const closed = isClosedTicket(end);
  const how = closed ? 'closed as solved' : isWish ? 'delivered' : 'solved';
  const earlier = before(telling, matter, end);
  const all = [end, ...earlier];
  const text = `${whoSays(end)}${onWhat(about(all))}, ${how} by ${dateOf(matter.settledAt ?? end.at)}: ${quoted(end, undefined, all)}${besides(earlier, all, ' Before:')}`;
  return lineOf(text, all, all);
}

const takenBackAs = {
  leaving: 'threat or notice',
  problem: 'complaint',
  request: 'request',
  question: 'question',
  praise: 'praise',
  rest: 'statement',
};

function withdrawn(telling: Telling, matter: Matter, end: Cited): Statement | null {
  const again = telling.said.has(end.ref);
  const earlier = before(telling, matter, end);
  if (again && earlier.length === 0) return null;
  const all = [end, ...earlier];
  const days = [...new Set(earlier.map(({ at }) => dateOf(at)))];
  const what = `${takenBackAs[matter.kind]}${days.length === 0 ? '' : ` of ${listed(days)}`} withdrawn on ${dateOf(end.at)}`;
  const words = again ? besides(earlier, all, ':') : `: ${quoted(end, undefined, all)}${besides(earlier, all, ' Before:')}`;
  return lineOf(`${whoSays(end)}${onWhat(about(all))}, ${what}${words}`, all, all);
}

/** What the quoted statements are about. */
const about = (quotedOnes: readonly Cited[]): { features: string[] } => ({
  features: [...new Set(quotedOnes.flatMap(({ features }) => features))],
});

const lineOf = (text: string, sources: readonly Cited[], told: readonly Cited[]): Statement => ({
  text,
  sources: [...new Set(sources.map(({ ref }) => ref))],
  figures: told.flatMap(copiesOf),
});

/** Statements that no other line quotes, as they are. */
export function quoteAlone(telling: Telling, cited: Cited, mark = ''): Statement | null {
  if (telling.said.has(cited.ref)) return null;
  telling.said.add(cited.ref);
  return lineOf(`${whoSays(cited)}${onWhat(cited)}${mark}: ${quoted(cited)}`, [cited], [cited]);
}

/** Whether a statement is worth a line of its own. */
export const worthALine = (cited: Cited): boolean => cited.statement.length >= 40 || specificity(cited) > 0;
