/** Pure: the address of the signals, the filters of the tools, and corrections by digits. */
import type { Severity, SignalClass, StatementState, Tone } from '../../../../contracts/signals/signals.ts';

export const defaults = {
  q: '',
  class: '',
  severity: '',
  tone: '',
  state: '',
  source: '',
  area: '',
  customer: '',
  feature: '',
  issue: '',
  theme: '',
  competitor: '',
  from: '',
  to: '',
  as_of: '',
  /** Ids with commas: about all of these. */
  entities: '',
  opportunity: '',
  group: '',
  unsettled: '',
  sort: 'newest',
  fold: 'yes',
  id: '',
};
export type Url = typeof defaults;

const listed = (text: string): string[] | undefined => (text === '' ? undefined : text.split(','));
const given = (text: string): string | undefined => (text === '' ? undefined : text);

/** The address as filters of signal.facet.list and signal.record.search. */
export function filtersOf(url: Url): Record<string, unknown> {
  const filters = {
    class: listed(url.class),
    severity: given(url.severity),
    tone: given(url.tone),
    state: given(url.state),
    source: given(url.source),
    area: given(url.area),
    customer: given(url.customer),
    feature: given(url.feature),
    issue: given(url.issue),
    theme: given(url.theme),
    competitor: given(url.competitor),
    date_from: given(url.from),
    date_to: given(url.to),
    as_of: given(url.as_of),
    entity_ids: listed(url.entities),
    opportunity_id: given(url.opportunity),
    group_id: given(url.group),
    unsettled: url.unsettled === 'yes' ? true : undefined,
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

export function searchOf(url: Url): Record<string, unknown> {
  const query = url.q.trim();
  return {
    ...filtersOf(url),
    limit: 50,
    ...(url.fold === 'yes' && url.group === '' ? { fold: true } : {}),
    ...(query === '' ? (url.sort === 'severity' ? { sort: 'severity' } : {}) : { query }),
  };
}

/** All but the record that is open, the order and the folding. */
export const cleared: Partial<Url> = Object.fromEntries(
  Object.entries(defaults).filter(([name]) => !['id', 'sort', 'fold'].includes(name)),
);

export const isFiltered = (url: Url): boolean => Object.entries(cleared).some(([name, value]) => url[name as keyof Url] !== value);

/** Facets in the order of the screen, with the parameter of each. */
export const facets = [
  'class',
  'severity',
  'tone',
  'state',
  'customer',
  'feature',
  'issue',
  'theme',
  'competitor',
  'area',
  'source',
] as const;
export type Facet = (typeof facets)[number];

/** Of class several may be chosen, of the others one. Choosing again takes it back. */
export function chosen(url: Url, facet: Facet, value: string): Partial<Url> {
  if (facet !== 'class') return { [facet]: url[facet] === value ? '' : value };
  const classes = listed(url.class) ?? [];
  const next = classes.includes(value) ? classes.filter((each) => each !== value) : [...classes, value];
  return { class: next.join(',') };
}

export const isChosen = (url: Url, facet: Facet, value: string): boolean =>
  facet === 'class' ? (listed(url.class) ?? []).includes(value) : url[facet].toLowerCase() === value.toLowerCase();

/** The fields that a person corrects, each with its values in the order of the digits. */
export const corrections = {
  class: ['request', 'bug', 'complaint', 'praise', 'question', 'churn_risk', 'information', 'none'] satisfies (SignalClass | 'none')[],
  tone: ['positive', 'negative', 'neutral', 'mixed'] satisfies Tone[],
  severity: ['none', 'low', 'medium', 'high', 'critical'] satisfies Severity[],
  state: ['open', 'resolved', 'withdrawn', 'hypothetical'] satisfies StatementState[],
};
export type Field = keyof typeof corrections;
export const fields = Object.keys(corrections) as Field[];

export interface Corrected {
  class: SignalClass;
  tone: Tone | null;
  severity: Severity;
  state: StatementState;
}

/** What takes a correction back. A tone that was not known cannot be given again. */
export function undoOf(before: Corrected, field: Field): { [K in Field]?: string } | null {
  const value = before[field];
  return value === null ? null : { [field]: value };
}
