import { nameKey } from '../text/names.ts';
import { namesAndFacts } from './model-facts.ts';
import { isName, knownIn, overlaps, unitOf, type Known, type Unit } from './model-unit.ts';
import { placeOf, type Answer, type Batch, type Checked, type CheckedStatement, type Refusal } from './model-types.ts';
import type { Span } from './statements-sentences.ts';
import type { Directory, EvidenceInput, Layout } from './types.ts';
import { foldText, spanOf, type Folded } from './verbatim.ts';

/**
 * What holds of a language model's answers: nothing but spans of the text it was asked about, names that are written
 * there or known, and dates that the text tells. Everything else is dropped and counted. Pure.
 */

const longestStatement = 1_200;
const mostPerUnit = 12;
const mostNames = 6;

export function checked(
  input: EvidenceInput,
  layout: Layout,
  directory: Directory,
  answers: readonly { batch: Batch; answer: Answer }[],
): Checked {
  const done: Checked = { answered: new Set(), statements: [], names: [], facts: [], clues: [], dropped: {} };
  const answered = new Set<string>();
  const drop = (why: Refusal): void => void (done.dropped[why] = (done.dropped[why] ?? 0) + 1);
  const known = knownIn(directory);
  for (const { batch, answer } of answers) {
    const written = foldText(batch.records.map(({ text, under, subject }) => [under ?? '', subject ?? '', text].join('\n')).join('\n'));
    const numbered = new Map<number, { index: number } | null>();
    const settling: { statement: CheckedStatement; n: number }[] = [];
    for (const { id, statements, names, facts } of answer.units) {
      const voiced = batch.units.get(id);
      if (voiced === undefined || answered.has(placeOf(voiced))) {
        for (const _ of [...statements, ...names, ...facts]) drop('not_asked');
        continue;
      }
      answered.add(placeOf(voiced));
      const unit = unitOf(input, voiced);
      const taken: Span[] = [];
      for (const each of statements) {
        if (each.class === 'none') continue;
        const span = taken.length < mostPerUnit ? spanIn(unit, each, taken) : 'too_many';
        if (typeof span === 'string') {
          drop(span);
          continue;
        }
        taken.push(span);
        const name = (type: 'feature' | 'competitor', names: string[]): string[] =>
          namesOf(type, names, known, written, () => drop('unknown_name'));
        const statement: CheckedStatement = {
          unit: voiced,
          start: voiced.start + span.start,
          end: voiced.start + span.end,
          class: each.class,
          tone: each.tone,
          severity: each.severity,
          state: each.state,
          confidence: Math.min(1, Math.max(0, each.confidence)),
          features: name('feature', each.features),
          competitors: name('competitor', each.competitors),
          settles: null,
        };
        // A number that was given twice refers to nothing.
        numbered.set(each.n, numbered.has(each.n) ? null : { index: done.statements.length });
        settling.push({ statement, n: each.settles });
        done.statements.push(statement);
      }
      namesAndFacts(unit, layout, { names, facts }, known, done, drop);
    }
    for (const { statement, n } of settling) statement.settles = settledBy(statement, numbered.get(n)?.index, done.statements);
  }
  return { ...done, answered };
}

/** The place of a quotation, or why it is not used. */
function spanIn(unit: Unit, { quote, end }: { quote: string; end: string }, taken: readonly Span[]): Span | Refusal {
  const fits = ({ start, end: stop }: Span): boolean => stop - start <= longestStatement;
  const span = spanOf(unit.text, quote, end, (each) => fits(each) && !taken.some((other) => overlaps(each, other)));
  if (span === null) {
    const somewhere = spanOf(unit.text, quote, end);
    return somewhere === null ? 'not_found' : fits(somewhere) ? 'repeated' : 'too_long';
  }
  return span;
}

/** Names of a type as the directory has them; else as written in the text. */
function namesOf(type: 'feature' | 'competitor', given: readonly string[], known: Known, written: Folded, unknown: () => void): string[] {
  const found = new Map<string, string>();
  for (const each of given.slice(0, mostNames)) {
    const entry = known.get(nameKey(each));
    const name = entry?.type === type ? entry.name : entry === undefined && isName(each) && spanOf(written, each) ? each.trim() : null;
    if (name === null) unknown();
    else found.set(nameKey(name), name);
  }
  return [...found.values()].sort();
}

/** The statement that stands before it and is still open; a state without one settles nothing. */
function settledBy(later: CheckedStatement, at: number | undefined, statements: readonly CheckedStatement[]): number | null {
  const earlier = at === undefined ? undefined : statements[at];
  if (at === undefined || earlier === undefined || earlier === later) return null;
  if (later.state !== 'resolved' && later.state !== 'withdrawn') return null;
  return earlier.state === 'open' && isBefore(earlier, later) && earlier.unit.customer === later.unit.customer ? at : null;
}

const isBefore = (a: CheckedStatement, b: CheckedStatement): boolean =>
  a.unit.passage === b.unit.passage ? a.start < b.start : a.unit.passage < b.unit.passage;
