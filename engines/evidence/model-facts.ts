import { intervalOf } from '../extraction/dates.ts';
import { nameKey } from '../text/names.ts';
import { isName, type Known, type Unit } from './model-unit.ts';
import { predicates, type Answer, type AnsweredFact, type Checked, type CheckedName, type NameType, type Refusal } from './model-types.ts';
import type { Span } from './statements-sentences.ts';
import { datesIn, isoDay } from './when-dates.ts';
import type { Clue, Layout } from './types.ts';
import { spanOf } from './verbatim.ts';

/** Names and dated facts of a language model's answer, checked against the unit they are about. */

const mostNames = 20;
const mostFacts = 10;
const longestFact = 500;
/** As sure as a clear sentence: a name that rules or people contradict does not stand. */
const weight = 0.6;

type Drop = (why: Refusal) => void;

export function namesAndFacts(
  unit: Unit,
  layout: Layout,
  { names, facts }: Pick<Answer['units'][number], 'names' | 'facts'>,
  known: Known,
  done: Pick<Checked, 'names' | 'facts' | 'clues'>,
  drop: Drop,
): void {
  const types = new Map<string, NameType>();
  for (const [i, { name, type, same_as: sameAs }] of names.entries()) {
    const place = i < mostNames && isName(name) ? nameIn(unit, name, type) : null;
    if (place === null) {
      drop(i < mostNames ? 'not_found' : 'too_many');
      continue;
    }
    const key = nameKey(place.surface);
    if (types.has(key)) continue;
    // What is known keeps its type.
    types.set(key, known.get(key)?.type ?? type);
    if (!known.has(key)) done.names.push(place);
    done.clues.push(...cluesOf(place.surface, type));
    const same = sameAs.trim();
    if (same === '' || nameKey(same) === key) continue;
    const other = known.get(nameKey(same));
    // Of one type: otherwise a word would give somebody to another side.
    if (!isName(same) || (other ? other.type !== type : nameIn(unit, same, type) === null)) drop('unknown_name');
    else if (cluesOf(same, type).length > 0)
      done.clues.push({ kind: 'alias', subject: place.surface, object: same, day: null, weight, origin: 'model' });
  }
  const given = new Set<string>();
  for (const [i, fact] of facts.entries()) {
    const found = i < mostFacts ? factOf(unit, layout, fact, types, known) : 'too_many';
    if (typeof found === 'string') drop(found);
    else {
      const key = [nameKey(found.subject.surface), found.predicate, nameKey(found.object?.surface ?? found.value ?? '')].join('|');
      if (!given.has(key)) done.facts.push(found);
      given.add(key);
    }
  }
}

function nameIn({ voiced, text }: Unit, name: string, type: NameType): CheckedName | null {
  const span = spanOf(text, name);
  return (
    span && {
      passage: voiced.passage,
      start: voiced.start + span.start,
      end: voiced.start + span.end,
      surface: written(text.source, span),
      type,
    }
  );
}

const written = (text: string, { start, end }: Span): string => text.slice(start, end).replaceAll(/\s+/g, ' ');

/**
 * Whatever is known: if a clue vanished as soon as its name is known, the directory would change to and fro. Persons
 * and other organisations tell nothing about customers, competitors and features.
 */
const cluesOf = (name: string, type: NameType): Clue[] =>
  type === 'customer' || type === 'competitor' || type === 'feature'
    ? [{ kind: type, subject: name, object: null, day: null, weight, origin: 'model' }]
    : [];

function factOf(
  unit: Unit,
  { saidAt }: Layout,
  fact: AnsweredFact,
  types: ReadonlyMap<string, NameType>,
  known: Known,
): Checked['facts'][number] | Refusal {
  const { voiced, text } = unit;
  const span = spanOf(text, fact.quote);
  if (span === null) return 'not_found';
  if (span.end - span.start > longestFact) return 'too_long';
  const place = (name: string): CheckedName | null => {
    const type = types.get(nameKey(name)) ?? known.get(nameKey(name))?.type;
    if (type === undefined) return null;
    const speaks = voiced.customer !== null && known.get(nameKey(name))?.name === voiced.customer;
    return (
      nameIn(unit, name, type) ??
      (speaks ? { passage: voiced.passage, start: 0, end: 0, surface: voiced.customer!, type: 'customer' } : null)
    );
  };
  const subject = place(fact.subject);
  const { object: kind, exclusive } = predicates[fact.predicate];
  const object = kind === 'name' ? place(fact.object) : null;
  const value = kind === 'value' ? spanOf(text, fact.object) : null;
  if (subject === null || (object === null && value === null)) return 'unknown_name';
  if (object !== null && nameKey(object.surface) === nameKey(subject.surface)) return 'repeated';
  const [from, to] = [dayOf(fact.from, 'first'), dayOf(fact.to, 'last')];
  const told = toldDays(text.source, voiced.day ?? saidAt.slice(0, 10), saidAt);
  if ([from, to].some((day) => day === undefined || (day !== null && !told.has(day)))) return 'invented_date';
  return {
    passage: voiced.passage,
    start: voiced.start + span.start,
    end: voiced.start + span.end,
    statement: written(text.source, span),
    subject,
    predicate: fact.predicate,
    object,
    value: value && written(text.source, value),
    exclusive,
    validFrom: from ? `${from}T00:00:00.000Z` : null,
    validTo: to ? `${to}T23:59:59.999Z` : null,
  };
}

/** The first or last day of a date; null: none is given; undefined: it is no date. */
function dayOf(date: string, which: 'first' | 'last'): string | null | undefined {
  if (date.trim() === '') return null;
  const [, y, m, d] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(date.trim()) ?? [];
  if (y === undefined) return undefined;
  const [year, month, day] = [Number(y), m === undefined ? null : Number(m), d === undefined ? null : Number(d)];
  if (month === null) return which === 'first' ? isoDay(year, 1, 1) : isoDay(year, 12, 31);
  if (month < 1 || month > 12 || day === 0) return undefined;
  const result = day === null ? (which === 'first' ? isoDay(year, month, 1) : isoDay(year, month + 1, 0)) : isoDay(year, month, day);
  return result.startsWith(`${y}-${m}`) ? result : undefined;
}

/** Days that a text tells: written dates, months and years by their first and last day, relative ones, and its own day. */
function toldDays(text: string, own: string, saidAt: string): Set<string> {
  const days = new Set([own, saidAt.slice(0, 10)]);
  const said = Number(own.slice(0, 4));
  const plain = text.replaceAll(/\s+/g, ' ');
  for (const { year, month, day, swapped } of datesIn(plain)) {
    for (const y of year === null ? [said - 1, said, said + 1] : [year]) {
      if (day === null) days.add(isoDay(y, month, 1)).add(isoDay(y, month + 1, 0));
      else days.add(isoDay(y, month, day));
      if (swapped !== null) days.add(isoDay(y, swapped.month, swapped.day));
    }
  }
  for (const [year] of plain.matchAll(/(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d|\d)/g)) days.add(`${year}-01-01`).add(`${year}-12-31`);
  for (const sentence of plain.split(/(?<=[.!?;]) /)) {
    const { from, to } = intervalOf(sentence, `${own}T12:00:00.000Z`);
    for (const at of [from, to]) if (at !== null) days.add(at.slice(0, 10));
  }
  return days;
}
