import type { Cited } from './types.ts';

/** A statement of Acme about Doors: an open bug, said on 1 July. */
export const citedFixture = (given: Partial<Cited> & { day?: string }): Cited => {
  const { day = '2026-07-01', ...rest } = given;
  const cited: Cited = {
    ref: `s-${day}-${(given.statement ?? '').slice(0, 12)}`,
    passage: `doc_${day}#0`,
    statement: 'The side door stays open after the alarm.',
    start: 0,
    documentAt: `${day}T00:00:00.000Z`,
    before: null,
    class: 'bug',
    tone: 'negative',
    sentiment: -0.5,
    severity: 2,
    state: 'open',
    earlierId: null,
    earlier: null,
    settledBy: null,
    settledAt: null,
    source: 'document',
    author: null,
    at: `${day}T00:00:00.000Z`,
    group: '',
    copies: 1,
    customers: ['Acme'],
    features: ['Doors'],
    competitors: [],
    names: [],
    ...rest,
  };
  return { ...cited, group: rest.group ?? cited.ref, names: [...cited.customers, ...cited.features, ...cited.competitors] };
};
