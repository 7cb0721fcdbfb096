import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import { writeSignals, type TestSignal } from '../setup/signals.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

interface Insight {
  kind: string;
  statement: string;
  confidence: number;
  evidence: { ref: string; excerpt: string }[];
  entity: { name: string };
  breadth: { statements: number; documents: number; sources: number; customers: number };
}
interface Answer {
  insights: Insight[];
  missing: string[];
  focus: string | null;
  signals_considered: number;
}

const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

const told: TestSignal[] = [
  // Leaves.
  {
    statement: 'If nothing changes we move to another vendor.',
    class: 'churn_risk',
    sentiment: -0.8,
    at: ago(2),
    about: { customer: ['Nord'] },
  },
  { statement: 'We are fine with the reports.', class: 'praise', sentiment: 0.5, at: ago(3), about: { customer: ['Nord'] } },
  // Asked for by two customers in two places.
  ...(['Nord', 'Ost', 'Ost'] as const).map((customer, i): TestSignal => ({
    statement: `Please let us export to a sheet, wish ${i}.`,
    class: 'request',
    at: ago(4 + i),
    source: i ? 'jira' : 'slack',
    area: 'Data',
    about: { customer: [customer], feature: ['Export'] },
  })),
  // Grave, and new.
  ...[0, 1, 2].map((i): TestSignal => ({
    statement: `Nobody can sign in with a token of kind ${i}: security is at stake.`,
    class: 'bug',
    severity: 'critical',
    sentiment: -0.4,
    at: ago(5 + i),
    about: { customer: ['Ost'], issue: ['Sign-in fails'] },
  })),
  // One statement, copied: shows nothing.
  ...[0, 1, 2, 3].map((i): TestSignal => ({
    statement: `Please add dark mode. (${i})`,
    class: 'request',
    at: ago(6),
    group: 'dark',
    about: { feature: ['Dark mode'] },
  })),
  // Talked of less than before.
  ...[35, 36, 37, 38].map((days): TestSignal => ({
    statement: `Old theme, day ${days}.`,
    class: 'information',
    at: ago(days),
    about: { theme: ['Old'] },
  })),
];

describe('strategic insights', () => {
  let stack: TestStack;
  let pam: Caller;
  const ask = (args: object = {}): Promise<Answer> => stack.ok<Answer>(pam, 'get_strategic_insights', args);
  const of = ({ insights }: Answer, kind: string, name: string): Insight | undefined =>
    insights.find((each) => each.kind === kind && each.entity.name === name);

  beforeAll(async () => {
    stack = await testStack({ model: false, workers: false });
    pam = await stack.caller({ role: 'pm', kind: 'human', name: 'pam' });
    await writeSignals(stack.db, 'acme', told);
  });
  afterAll(() => stack?.stop());

  it('tell patterns, risks and opportunities, each with its own passages', async () => {
    const answer = await ask();
    expect(answer.signals_considered).toBe(12);
    const churn = of(answer, 'risk', 'Nord')!;
    expect(churn.statement).toContain('1 of its 3 signals');
    expect(churn.evidence.map(({ excerpt }) => excerpt)).toEqual(['If nothing changes we move to another vendor.']);
    const wish = of(answer, 'opportunity', 'Export')!;
    expect(wish).toMatchObject({ breadth: { statements: 3, documents: 3, sources: 2, customers: 2 } });
    expect(wish.statement).toContain('3 requests');
    expect(wish.evidence.every(({ excerpt }) => excerpt.startsWith('Please let us export'))).toBe(true);
    expect(wish.evidence[0]!.ref).toMatch(/^doc_.+#0$/);
    const grave = of(answer, 'risk', 'Sign-in fails')!;
    expect(grave.evidence).toHaveLength(3);
    expect(of(answer, 'pattern', 'Sign-in fails')).toBeDefined();
    // Three statements weigh more than one.
    expect(wish.confidence).toBeGreaterThan(churn.confidence);
    for (const { confidence } of answer.insights) expect(confidence > 0 && confidence <= 1).toBe(true);
  });

  it('are not made of copies of one statement, nor of what fades', async () => {
    const { insights } = await ask({ time_window_days: 30 });
    expect(insights.some(({ entity }) => entity.name === 'Dark mode' || entity.name === 'Old')).toBe(false);
  });

  it('keep to an area, to a name, or to what passages say', async () => {
    const area = await ask({ focus_area: 'data' });
    expect(area).toMatchObject({ focus: expect.stringContaining('Data'), signals_considered: expect.any(Number) });
    expect(of(area, 'opportunity', 'Export')).toBeDefined();
    expect(of(area, 'risk', 'Sign-in fails')).toBeUndefined();
    const customer = await ask({ focus_area: 'Ost' });
    expect(customer).toMatchObject({ focus: 'customer "Ost".', signals_considered: 5 });
    expect(of(customer, 'risk', 'Nord')).toBeUndefined();
    const nothing = await ask({ focus_area: 'quantum gravity' });
    expect(nothing).toMatchObject({ insights: [], signals_considered: 0 });
    expect(nothing.missing.join(' ')).toMatch(/Not enough evidence: 0 signals about "quantum gravity".*no signal.*at all/);
  });

  it('say what a longer window would reach', async () => {
    await writeSignals(stack.db, 'quiet', told.slice(-4));
    const quiet = await stack.caller({ tenant: 'quiet', role: 'pm' });
    const answer = await stack.call(quiet, 'insight.strategy.generate', { time_window_days: 7 });
    expect(answer.envelope.warnings.join(' ')).toContain('a longer time_window_days would reach it');
    const longer = await stack.ok<Answer>(quiet, 'get_strategic_insights', { time_window_days: 60 });
    expect(of(longer, 'pattern', 'Old')).toBeDefined();
    expect(longer.missing).toEqual([expect.stringContaining('No risk'), expect.stringContaining('No opportunity')]);
  });
});
