import { severities } from '../../contracts/signals/signals.ts';
import { placeOf, type Checked, type CheckedStatement } from './model-types.ts';
import type { EvidenceInput, Judged, Layout, Left, Voiced } from './types.ts';

/** Statements that a language model found, in the form of those of rules. */

const longestContext = 300;

/** Without the sentiment, which the classifier's shares give. */
export function statedByModel(
  input: EvidenceInput,
  layout: Layout,
  voiced: readonly Voiced[],
  statements: readonly CheckedStatement[],
): Omit<Judged, 'sentiment'>[] {
  const places = new Map(voiced.map((unit, i) => [placeOf(unit), i]));
  return statements.map(({ unit, start, end, severity, settles, ...rest }, n) => {
    const passage = input.passages[unit.passage]!.text;
    const within = passage.slice(unit.start, start);
    const before = within.trim() === '' ? textOf(input, voiced[(places.get(placeOf(unit)) ?? 0) - 1]) : within;
    return {
      ...rest,
      unit,
      start,
      end,
      text: passage.slice(start, end),
      context: before.replaceAll(/\s+/g, ' ').trim().slice(-longestContext),
      day: unit.day ?? layout.saidAt.slice(0, 10),
      severity: severities.indexOf(severity),
      model: { n, settles },
    };
  });
}

/** Units in which it found no statement. */
export function unstated(input: EvidenceInput, voiced: readonly Voiced[], model: Pick<Checked, 'answered' | 'statements'> | null): Left[] {
  if (model === null) return [];
  const stated = new Set(model.statements.map(({ unit }) => placeOf(unit)));
  return voiced
    .filter((unit) => model.answered.has(placeOf(unit)) && !stated.has(placeOf(unit)))
    .map((unit) => ({ passage: unit.passage, start: unit.start, end: unit.end, text: textOf(input, unit), why: 'small_talk' }));
}

const textOf = (input: EvidenceInput, unit: Voiced | undefined): string =>
  unit === undefined || (unit.omitted !== null && unit.omitted !== 'marketing')
    ? ''
    : input.passages[unit.passage]!.text.slice(unit.start, unit.end);
