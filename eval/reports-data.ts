/** Fictional customers and their statements, always the same: enough data for every kind of report. */
import type { TestSignal } from '../test/setup/signals.ts';

const customers = ['Acme', 'Globex', 'Initech', 'Umbrella', 'Hooli', 'Vandelay', 'Stark', 'Wayne'];
const features = ['Export', 'Search', 'Dashboards', 'Mobile app', 'Billing'];
const areas: Record<string, string> = {
  Export: 'Reporting',
  Dashboards: 'Reporting',
  Search: 'Platform',
  'Mobile app': 'Mobile',
  Billing: 'Billing',
};
const issues: Record<string, string> = {
  Export: 'Export drops rows',
  Search: 'Search misses new documents',
  Dashboards: 'Dashboards load slowly',
  'Mobile app': 'Mobile app logs people out',
  Billing: 'Invoices arrive twice',
};

type Saying = Pick<TestSignal, 'class' | 'sentiment' | 'severity'> & {
  says(customer: string, feature: string, i: number): string;
  issue?: boolean;
};
const sayings: Saying[] = [
  {
    class: 'bug',
    sentiment: -0.6,
    severity: 'high',
    issue: true,
    says: (c, f, i) => `${c} told us that ${f} fails for team ${i} when more than ${100 + i} records are open.`,
  },
  { class: 'request', sentiment: 0, says: (c, f, i) => `${c} would like ${f} to remember the settings of workspace ${i}.` },
  {
    class: 'complaint',
    sentiment: -0.5,
    severity: 'medium',
    issue: true,
    says: (c, f, i) => `For ${c} the ${f} page is too slow to be of use in meeting ${i}.`,
  },
  { class: 'praise', sentiment: 0.8, says: (c, f, i) => `${c} says that ${f} saved them ${i + 2} hours in one week.` },
  { class: 'question', sentiment: 0, says: (c, f, i) => `${c} asks whether ${f} can be switched off for group ${i}?` },
  {
    class: 'churn_risk',
    sentiment: -0.9,
    severity: 'critical',
    says: (c, f, i) => `${c} may switch to Contoso instead of renewing contract ${i}, as ${f} still lags behind.`,
  },
  { class: 'information', sentiment: 0, says: (c, f, i) => `${c} rolled ${f} out to office ${i} this month.` },
];
const sources = ['slack', 'meeting_transcript', 'document', 'jira'] as const;

const day = 24 * 60 * 60 * 1000;

/** @param until the newest signal is a few hours before; the oldest is `days` before */
export function sampleSignals(count: number, until: number, days = 56): TestSignal[] {
  // A linear congruential generator: the same numbers everywhere.
  let seed = 20261122;
  const next = (n: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((seed / 0x80000000) * n);
  };
  return Array.from({ length: count }, (_, i) => {
    const customer = customers[Math.min(next(customers.length), next(customers.length))]!;
    const feature = features[Math.min(next(features.length), next(features.length))]!;
    const saying = sayings[next(sayings.length)]!;
    const { says, issue, ...signal } = saying;
    return {
      ...signal,
      statement: says(customer, feature, i + 1),
      at: new Date(until - Math.floor(((i + 0.5) / count) * days * day)).toISOString(),
      source: sources[next(sources.length)]!,
      author: `${customer.toLowerCase()}-contact`,
      area: areas[feature]!,
      about: {
        customer: [customer],
        feature: [feature],
        ...(issue ? { issue: [issues[feature]!] } : {}),
        ...(signal.class === 'churn_risk' ? { competitor: ['Contoso'] } : {}),
        ...(signal.class === 'complaint' ? { theme: ['Performance'] } : {}),
      },
    };
  });
}
