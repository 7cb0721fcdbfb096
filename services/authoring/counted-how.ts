/** Pure: how a figure of a draft was counted, in words. */
import { classNames, dateOf, severityName } from './names.ts';
import type { DraftSpec, Figure, SampleSet } from './types.ts';

const sets: Record<SampleSet, string | null> = {
  any: null,
  problems: 'bug reports and complaints that still stand',
  requests: 'requests that still stand',
  praise: 'words of praise',
  churn: 'signs of leaving that still stand',
};

const subjects: Record<Figure['of'], string> = {
  signals: 'Statements',
  customers: 'Different customers with statements',
  group: 'Statements that say nearly the same',
};

/**
 * @param names of entities by id
 * @param period of the draft, ISO 8601; null: from the beginning
 */
export function countedHow(
  figure: Figure,
  spec: Pick<DraftSpec, 'opportunityId' | 'entity' | 'area' | 'customer' | 'type'>,
  names: ReadonlyMap<string, string>,
  period: { from: string | null; until: string },
): string {
  const classes = figure.classes ?? null;
  const kind = sets[figure.set ?? 'any'] ?? (classes === null ? null : classes.map((each) => classNames[each][1]).join(' or '));
  const from = figure.from ?? period.from;
  const until = figure.until ?? period.until;
  const within = [
    ...(spec.opportunityId === null ? [] : ['the evidence of the opportunity']),
    ...(spec.entity === null ? [] : [`statements about ${spec.entity.name}`]),
    ...(spec.customer === null ? [] : [`statements of ${spec.customer.name}`]),
    ...(spec.area === null ? [] : [`the area ${spec.area}`]),
    ...(spec.type === 'competitive_intel' ? ['statements about competitors'] : []),
  ];
  return [
    subjects[figure.of],
    ...(kind === null ? [] : [`(${kind})`]),
    ...(figure.entity === undefined ? [] : [`about ${names.get(figure.entity) ?? 'something that is known no more'}`]),
    ...((figure.severity ?? 0) > 0 ? [`of severity ${severityName(figure.severity!)} or more`] : []),
    from === null ? `said until ${dateOf(until)}` : `said from ${dateOf(from)} to ${dateOf(until)}`,
    ...(within.length === 0 ? [] : [`within ${within.join(', ')}`]),
  ].join(' ');
}
