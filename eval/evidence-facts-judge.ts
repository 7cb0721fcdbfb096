/**
 * Whether reports say a fact, decided by words. A fact is cut into clauses; one sentence, bullet or table row (with the
 * headings above it) must carry a clause's names (or their aliases), all its numbers and days in any notation, half of
 * its content words, and the same standing: what is over must be told as over, what is open not as over.
 *
 * The limits of this: it knows English words, few near-synonyms and no meaning. A quotation in another language, or in
 * words of its own, is not recognised ("partly" at best); a sentence that has the words in another relation is. So the
 * verdicts are a measure for comparing versions, and each is printed with the sentence that decided it, for a person.
 */
import type { Gold, ReportFact } from './evidence-gold.ts';
import { fold } from './evidence-gold.ts';
import { meaningOf, type Meaning } from './evidence-facts-words.ts';

/** A report, or another text in Markdown. */
export interface Told {
  /** Type and format. */
  name: string;
  markdown: string;
}

/** A sentence, bullet or table row of a report. */
export interface Line {
  report: string;
  text: string;
  /** With the headings above. */
  meaning: Meaning;
  folded: string;
}

export interface ClauseVerdict {
  clause: string;
  /** `partly`: names and standing fit, but a number, a day or some words are missing. */
  is: 'said' | 'partly' | 'unsaid';
  /** What comes nearest. */
  line: Line | null;
  missing: string[];
}

export interface FactVerdict {
  fact: ReportFact;
  /** Every clause is said. */
  said: boolean;
  clauses: ClauseVerdict[];
  /** Reports in which all of it is said. */
  whole: string[];
  /** `look`: a person should read the line. */
  broken: 'broken' | 'look' | 'clean';
  /** The lines behind `broken`. */
  lines: Line[];
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Without headings of the first level, sources, citations and marks of Markdown. */
export function linesOf({ name, markdown }: Told, gold: Gold): Line[] {
  const lines: Line[] = [];
  const headings: string[] = [];
  let head: string | null = null;
  for (const raw of markdown.split('\n')) {
    const line = raw.trim();
    const heading = /^(#{1,6}) (.*)$/.exec(line);
    if (heading) {
      headings.splice(Math.max(0, heading[1]!.length - 2));
      if (heading[1]!.length > 1) headings.push(plain(heading[2]!));
      head = null;
      continue;
    }
    if (/^sources$/i.test(headings[0] ?? '') || line === '' || /^[|\s:-]+$/.test(line)) continue;
    const isRow = line.startsWith('|');
    if (isRow && head === null) {
      head = line;
      continue;
    }
    const said = plain(line.replace(/^(?:[-*+]|\d+\.)\s+/, ''));
    const pieces = isRow || line !== said ? [said] : Array.from(sentences.segment(said), ({ segment }) => segment.trim());
    for (const text of pieces) {
      const whole = [...headings, ...(isRow ? [plain(head!)] : []), text].join('. ');
      lines.push({ report: name, text, meaning: meaningOf(whole, gold), folded: ` ${fold(whole)} ` });
    }
  }
  return lines;
}

const plain = (text: string): string =>
  text
    .replaceAll(/(?:\s?\[\d+\])+/g, '')
    .replaceAll(/[*_`]{1,3}|\\(?=[^\w\s])/g, '')
    .replaceAll(/\s*\|\s*/g, ' | ')
    .trim();

export function judgeFact(fact: ReportFact, lines: readonly Line[], gold: Gold): FactVerdict {
  const wanted = clausesOf(fact.must_say, gold);
  const clauses = wanted.map((clause) => bestOf(clause, lines, gold));
  const reports = [...new Set(lines.map(({ report }) => report))];
  const own = (report: string): Line[] => lines.filter((line) => line.report === report);
  const said = clauses.every(({ is }) => is === 'said');
  const wrong = alternativesOf(fact.must_not_say).map((text) => breaking(text, lines, gold));
  const broken = (['broken', 'look'] as const).find((is) => wrong.some((each) => each.is === is)) ?? 'clean';
  return {
    fact,
    said,
    clauses,
    whole: said ? reports.filter((report) => wanted.every((clause) => bestOf(clause, own(report), gold).is === 'said')) : [],
    broken,
    lines: wrong.filter(({ is }) => is === broken).flatMap((each) => each.lines),
  };
}

interface Clause {
  text: string;
  meaning: Meaning;
  /** Surfaces of one thing under several names: each must stand there. */
  surfaces: string[];
}

/** Clauses between commas, semicolons and brackets; one without content belongs to the clause before. */
export function clausesOf(text: string, gold: Gold): Clause[] {
  const about = /^([^:;,(]+): (.*)$/.exec(text);
  const pieces = (about ? about[2]! : text)
    .split(/[;,] |\s*[()]+\s*/)
    .filter((piece) => piece.trim() !== '')
    .flatMap((piece) => apart(piece, gold));
  const joined: string[] = [];
  for (const piece of pieces) {
    const { content, numbers, days } = meaningOf(piece, gold);
    const stands = content.size >= 2 || (content.size === 1 && numbers.size + days.size > 0);
    if (stands || joined.length === 0) joined.push(piece);
    else joined.push(`${joined.pop()!} ${piece}`);
  }
  const head = meaningOf(about?.[1] ?? '', gold);
  let subjects = head.names;
  return joined.map((clause) => {
    const meaning = meaningOf(clause, gold);
    const things = Map.groupBy(meaning.names, ({ type, name }) => `${type}/${name}`);
    const surfaces = [...things.values()].filter((same) => same.length > 1).flatMap((same) => same.map(({ surface }) => surface));
    const own = meaning.names.filter(({ type }) => type === 'customer' || type === 'person');
    if (own.length > 0) subjects = own;
    else if (subjects.length > 0) meaning.names.push(...subjects);
    else if (meaning.names.length === 0) {
      // Features of the clauses before; those of a later clause are its own.
      const until = Math.max(0, text.indexOf(clause.slice(0, 20))) + clause.length;
      meaning.names.push(...meaningOf(text.slice(0, until), gold).names.filter(({ type }) => type === 'feature'));
    }
    return { text: clause, meaning: { ...meaning, open: meaning.open || head.open }, surfaces };
  });
}

/** "Cards in A and receipts in B": two features, each with something to say. */
function apart(piece: string, gold: Gold): string[] {
  const parts = piece.split(' and ');
  const stands = (part: string): boolean => {
    const { names, content } = meaningOf(part, gold);
    return content.size > 0 && names.some(({ type }) => type === 'feature');
  };
  return parts.length > 1 && parts.every(stands) ? parts : [piece];
}

const rank = { said: 2, partly: 1, unsaid: 0 };

function bestOf(clause: Clause, lines: readonly Line[], gold: Gold): ClauseVerdict {
  let best: ClauseVerdict & { score: number } = { clause: clause.text, is: 'unsaid', line: null, missing: [], score: -Infinity };
  for (const line of lines) {
    const each = compared(clause, line, gold);
    if (rank[each.is] > rank[best.is] || (each.is === best.is && each.score > best.score)) best = { clause: clause.text, line, ...each };
  }
  const { score: _, ...verdict } = best;
  return verdict;
}

function compared(
  { meaning: wanted, surfaces }: Clause,
  { meaning: told, folded }: Line,
  gold: Gold,
): Pick<ClauseVerdict, 'is' | 'missing'> & { score: number } {
  const names = wanted.names.filter((each) => each.type !== 'vendor' && !isNamed(each, wanted, told, gold)).map(({ name }) => name);
  names.push(...surfaces.filter((surface) => !folded.includes(` ${fold(surface)} `)));
  const figures = [
    ...[...wanted.numbers].filter((each) => !told.numbers.has(each)),
    ...[...wanted.days].filter((each) => !told.days.has(each)),
  ];
  const words = [...wanted.content].filter((each) => !told.content.has(each));
  const covered = wanted.content.size === 0 ? 1 : 1 - words.length / wanted.content.size;
  const enough = wanted.numbers.size + wanted.days.size >= 2 ? 0.3 : 0.5;
  const over = wanted.settled || (wanted.negated && !wanted.open);
  const stands = over ? told.settled || told.negated : !(wanted.open && told.settled && !told.open);
  const score = covered + (figures.length === 0 ? 0.5 : 0) + (stands ? 0.5 : 0) - names.length;
  const missing = [
    ...names,
    ...figures,
    ...(covered < 1 ? [`"${words.join('", "')}"`] : []),
    ...(stands ? [] : [over ? 'that it is over' : 'that it is open']),
  ];
  if (names.length > 0 || !stands || (covered < 0.3 && wanted.content.size > 0)) return { is: 'unsaid', missing, score };
  return { is: figures.length === 0 && covered >= enough ? 'said' : 'partly', missing, score };
}

/** A person is also named by the employer, unless the clause tells the employer of somebody. */
function isNamed({ type, name }: Meaning['names'][number], wanted: Meaning, told: Meaning, gold: Gold): boolean {
  if (told.names.some((each) => each.type === type && each.name === name)) return true;
  if (type !== 'person') return false;
  const employer = gold.entities.find((each) => each.type === type && each.name === name)?.org;
  return told.names.some((each) => each.name === employer) && !wanted.names.some((each) => each.name === employer);
}

const alternativesOf = (text: string): string[] => {
  const bare = text.replaceAll(/\s*\([^)]*\)/g, '');
  return bare.split(/, or /).length > 1 ? bare.split(/, (?:or )?/) : bare.split('; ');
};

function breaking(text: string, lines: readonly Line[], gold: Gold): { is: FactVerdict['broken']; lines: Line[] } {
  const wanted = meaningOf(text, gold);
  const verdicts = lines.map((line) => ({ line, is: breaks(wanted, line.meaning) }));
  const is = (['broken', 'look'] as const).find((each) => verdicts.some((verdict) => verdict.is === each)) ?? 'clean';
  return { is, lines: is === 'clean' ? [] : verdicts.filter((verdict) => verdict.is === is).map(({ line }) => line) };
}

/** Customers and persons must be named, and all numbers; other names count like words. */
function breaks(wanted: Meaning, told: Meaning): FactVerdict['broken'] {
  const named = (each: Meaning['names'][number]): boolean => told.names.some(({ type, name }) => type === each.type && name === each.name);
  const subjects = wanted.names.filter(({ type }) => type === 'customer' || type === 'person');
  if (!subjects.every(named) || ![...wanted.numbers].every((each) => told.numbers.has(each))) return 'clean';
  if (![...wanted.days].every((each) => told.days.has(each))) return 'clean';
  if (wanted.general && !told.general) return 'clean';
  // One thing under two names is not two things.
  if (told.content.has('rename') && !wanted.content.has('rename')) return 'clean';
  const inMonth = new Set([...told.months, ...[...told.days].map((day) => day.slice(0, 2))]);
  if (wanted.months.size > 0 && ![...wanted.months].some((month) => inMonth.has(month))) return 'clean';
  const leaving = wanted.content.has('leave');
  // Whoever may leave for one competitor may leave.
  const others = wanted.names.filter(({ type }) => type === 'feature' || (type === 'competitor' && !(leaving && wanted.possible)));
  const size = wanted.content.size + others.length;
  const common = [...wanted.content].filter((each) => told.content.has(each)).length + others.filter(named).length;
  const covered = size === 0 ? 1 : common / size;
  if (covered < 0.4) return 'clean';
  if (wanted.settled ? !told.settled : told.settled) return 'clean';
  // "May leave" does not say that somebody leaves.
  if (leaving && !wanted.possible && told.possible) return 'clean';
  return covered >= 0.6 && (!told.negated || wanted.negated) ? 'broken' : 'look';
}
