import { nameKey } from '../text/names.ts';
import { companies, detail, headers, others, statusWords } from './layout-columns-words.ts';
import { isCellDate, serialDay } from './when-columns.ts';

/** What the columns of a table of tickets, answers or reviews hold, by their headers and else by their cells. */

export type Role = 'id' | 'date' | 'customer' | 'author' | 'subject' | 'body' | 'status' | 'score' | 'email' | 'reply' | 'other';

/** @param rows cells by column; header not included */
export function rolesOf(header: readonly string[], rows: readonly (readonly string[])[]): Role[] {
  const columns: Column[] = header.map((name, at) => ({ at, key: nameKey(name), ...measure(rows.map((row) => row[at] ?? '')) }));
  const free = (): Column[] => columns.filter(({ at }) => !taken.has(at));
  const roles: Role[] = header.map(() => 'other');
  const taken = new Set<number>();
  const take = (at: number | undefined, role: Role): void => {
    if (at === undefined) return;
    roles[at] = role;
    taken.add(at);
  };
  for (const { at, key, words } of columns) if (others.has(key) && words < 6) taken.add(at);
  for (const role of order) {
    for (const name of headers[role]) {
      const at = free().find((column) => column.key === name && fits[role](column))?.at;
      take(at, role);
      if (at !== undefined && role !== 'body' && role !== 'reply') break;
    }
  }
  const has = (role: Role): boolean => roles.includes(role);
  // "Ticket opened on", "Customer / site": a word of the header says it.
  for (const role of order) {
    if (has(role)) continue;
    const said = free().find((column) => saysRole(column.key, role) && fits[role](column));
    take(said?.at, role);
  }
  if (!has('date')) take(free().find(({ dates, key }) => dates > 0.7 && !key.split(' ').some((word) => detail.has(word)))?.at, 'date');
  if (!has('status')) take(free().find(({ statuses }) => statuses > 0.7)?.at, 'status');
  if (!has('score')) take(free().find(({ numbers, most, distinct }) => numbers > 0.8 && most <= 100 && distinct < 0.9)?.at, 'score');
  if (!has('id'))
    take(free().find(({ at, words, distinct, names }) => at === 0 && words <= 1.2 && distinct > 0.95 && names < 0.5)?.at, 'id');
  if (!has('customer')) {
    // "Your plant", "Which clinic are you from?": a survey asks for the place.
    const asked = free().find(
      ({ at, names, words, dates, numbers }) => isPlace(header[at]!) && names > 0.6 && words <= 6 && dates < 0.5 && numbers < 0.5,
    );
    take(asked?.at, 'customer');
  }
  // Free text: the longest column, and further ones of a survey with several questions.
  const longest = free().reduce((most, { words }) => Math.max(most, words), 0);
  for (const { at, words } of free()) {
    if (words >= 4 && (!has('body') ? words === longest : words * 2 >= longest && words >= 6)) take(at, 'body');
  }
  // A question of a survey, whose answers may be short.
  for (const { at, words, distinct, numbers, dates } of free()) {
    if (isQuestion(header[at]!) && words >= 1.3 && distinct > 0.6 && numbers < 0.5 && dates < 0.5 && !isPlace(header[at]!))
      take(at, 'body');
  }
  const body = roles.indexOf('body');
  if (!has('subject') && body > 0)
    take(free().find(({ at, words, distinct }) => at < body && words >= 1.5 && words < 8 && distinct > 0.8)?.at, 'subject');
  if (!has('customer')) {
    const recurring = free().filter(
      ({ names, distinct, words, kinds, markets }) => markets < 0.3 && names > 0.6 && distinct <= 0.7 && kinds >= 2 && words <= 5,
    );
    take(recurring.toSorted((a, b) => b.words - a.words)[0]?.at, 'customer');
  }
  if (!has('email')) take(free().find(({ mails }) => mails > 0.7)?.at, 'email');
  if (!has('author')) take(free().find(({ people }) => people > 0.6)?.at, 'author');
  return roles;
}

type Told = Exclude<Role, 'other'>;

const order = ['reply', 'date', 'status', 'score', 'email', 'customer', 'id', 'author', 'subject', 'body'] as const;

/** A header may lie ("response" with numbers): what its cells are must not speak against it. */
const fits: Record<Told, (column: Column) => boolean> = {
  id: ({ words, dates, distinct }) => words <= 2 && dates < 0.8 && distinct > 0.9,
  date: ({ dates, serials }) => dates > 0.6 || serials > 0.8,
  customer: ({ words, numbers, dates, markets, mails }) => words <= 6 && numbers < 0.5 && dates < 0.5 && markets < 0.3 && mails < 0.5,
  author: ({ words, numbers, dates }) => words <= 4 && numbers < 0.5 && dates < 0.5,
  email: ({ mails }) => mails > 0.5,
  subject: ({ words, numbers }) => words <= 12 && numbers < 0.5,
  body: ({ numbers, dates, filled }) => filled > 0 && numbers < 0.5 && dates < 0.5,
  status: ({ words, statuses, kinds, count }) => words <= 3 && (statuses > 0.3 || kinds <= Math.max(6, count / 4)),
  score: ({ numbers }) => numbers > 0.6,
  reply: ({ words }) => words >= 2,
};

const single = new Map(
  Object.entries(headers).map(([role, names]) => [role, new Set(names.filter((name) => !name.includes(' ') && name.length > 2))]),
);

function saysRole(key: string, role: Told): boolean {
  const words = key.split(' ');
  if (words.length < 2 || words.length > 8 || words.some((word) => detail.has(word))) return false;
  // "Client contact" is a person, "customer comment" a text, "requester org" an organisation.
  const whose =
    role === 'customer' &&
    !companies.has(words.at(-1)!) &&
    (['author', 'body', 'email'] as const).some((other) => words.some((word) => word !== 'name' && single.get(other)!.has(word)));
  return !whose && words.some((word) => single.get(role)!.has(word));
}

const marketplace =
  /^(?:(?:apple |mac )?app ?store|google play|play ?store|microsoft store|galaxy store|amazon|trustpilot|capterra|g2(?: crowd)?|get ?app|software advice|product ?hunt|yelp|tripadvisor|ios|android|web|website|email|e-mail|phone|chat)$/iu;

const asksPlace =
  /^(?:and |so )?(?:your|which|what|ihre?|eure?|welche[rs]?|su|tu|qué|cuál|votre|quel(?:le)?|vostra|quale)(?: \p{L}[\p{L}'’-]*){1,2}\s*\??$|(?:are you (?:from|with|at|in)|d?o? ?you work|kommen sie|arbeiten sie|trabajas?|vienes?|travaillez|venez|lavora|lavori)(?![\p{L}])/iu;
/** What else a survey asks in so few words. */
const asksOther =
  /(?<![\p{L}])(?:name|role|job|title|age|e-?mail|position|rolle|nombre|puesto|cargo|edad|nom|poste|rôle|score|rating|opinion|meinung|avis|idea|ideas|wish|wishes|answer|feedback|comments?|message|question|thoughts|experience|favou?rite|module?|feature|version|plan|team|department|language|country|reason|review|report|text|is|are|do|does|should|would|could|can|did|have|has|went|happened)(?![\p{L}])/iu;

const isPlace = (header: string): boolean =>
  asksPlace.test(header.trim()) && (!asksOther.test(header) || /are you|you work/iu.test(header));

const isQuestion = (text: string): boolean =>
  text.trim().split(/\s+/).length >= 3 &&
  (/\?\s*$/.test(text) ||
    /^(?:what|why|how|anything|which|is there|do you|would you|tell us|was|warum|wie|gibt es|möchten|qué|por qué|cómo|algo|que|qu['’]|pourquoi|comment|avez|cosa|perché|come)(?![\p{L}])/iu.test(
      text,
    ));

interface Column extends Measure {
  at: number;
  key: string;
}

interface Measure {
  count: number;
  /** Shares of the filled cells, 0 to 1. */
  filled: number;
  dates: number;
  /** Whole numbers in the range of a spreadsheet's days or of seconds since 1970. */
  serials: number;
  /** Addresses of mail, or domains. */
  mails: number;
  numbers: number;
  statuses: number;
  /** Places where reviews are written. */
  markets: number;
  /** Capitalised and short. */
  names: number;
  /** Two or three capitalised words. */
  people: number;
  distinct: number;
  /** Different values. */
  kinds: number;
  /** Mean number. */
  words: number;
  /** Largest number. */
  most: number;
}

const sample = 400;

function measure(cells: readonly string[]): Measure {
  const filled = cells.slice(0, sample).filter((cell) => cell !== '');
  const share = (test: (cell: string) => boolean): number => (filled.length === 0 ? 0 : filled.filter(test).length / filled.length);
  const wordsOf = (cell: string): number => cell.split(/\s+/).length;
  return {
    count: filled.length,
    filled: filled.length / Math.max(1, Math.min(sample, cells.length)),
    dates: share(isCellDate),
    serials: share((cell) => serialDay(cell) !== null),
    mails: share((cell) => /^(?:[^<>]{0,60}<)?[^\s@<>]{0,64}@?[^\s@<>]{1,100}\.\p{L}{2,10}>?$/u.test(cell) && !/^www\./i.test(cell)),
    numbers: share((cell) => /^[\d.,]{1,8}(?:\s*(?:\/|of|von|de|sur)\s*\d{1,3}|\s*%|\s*[★*]+)?$|^[★☆⭐]{1,10}$/u.test(cell)),
    statuses: share((cell) => statusWords.has(nameKey(cell))),
    markets: share((cell) => marketplace.test(cell)),
    names: share((cell) => /^["“(]?\p{Lu}/u.test(cell) && wordsOf(cell) <= 6 && !/[.!?]$/.test(cell)),
    people: share((cell) => /^(?:\p{Lu}[\p{L}'’.-]*)(?: \p{Lu}[\p{L}'’-]*){1,2}$/u.test(cell)),
    distinct: new Set(filled.map(nameKey)).size / Math.max(1, filled.length),
    kinds: new Set(filled.map(nameKey)).size,
    words: filled.reduce((sum, cell) => sum + wordsOf(cell), 0) / Math.max(1, filled.length),
    most: filled.reduce((most, cell) => Math.max(most, Number.parseFloat(cell) || 0), 0),
  };
}
