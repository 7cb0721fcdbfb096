import { describe, expect, it } from 'vitest';
import { goalsAbout } from './goals.ts';
import { factorsOf, inForce, scoreOf, type Evidence } from './score.ts';
import { titleOf } from './title.ts';

const evidence = (more: Partial<Evidence> = {}): Evidence => ({
  signals: 10,
  statements: 8,
  customers: 4,
  anonymous: 0,
  classes: { request: 10 },
  severity: 1,
  sentiment: 0,
  certainty: 0.8,
  severe: 0,
  sources: 1,
  current: 5,
  previous: 5,
  ...more,
});
const of = (more: Partial<Evidence> = {}) => factorsOf(evidence(more), null);

describe('factors of an opportunity', () => {
  it('lie within their ranges, whatever the evidence', () => {
    const worst = of({
      signals: 1,
      statements: 1,
      customers: 0,
      anonymous: 1,
      certainty: 0,
      current: 0,
      previous: 0,
      sentiment: 1,
      severity: 0,
    });
    const most = of({
      customers: 100_000,
      statements: 1e6,
      severity: 4,
      sentiment: -1,
      severe: 10,
      sources: 6,
      certainty: 1,
      previous: 0,
      classes: { churn_risk: 10 },
    });
    for (const factors of [worst, most]) {
      for (const [name, { value, reason }] of Object.entries(factors)) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(name === 'confidence' ? 1 : 10);
        expect(reason).not.toBe('');
      }
      expect(Number.isFinite(scoreOf(inForce(factors, new Map())))).toBe(true);
    }
    expect([most.impact.value, most.confidence.value, most.urgency.value]).toEqual([10, 1, 10]);
  });

  it('follow the evidence', () => {
    expect(of({ customers: 20 }).impact.value).toBeGreaterThan(of().impact.value);
    expect(of({ severity: 3 }).impact.value).toBeGreaterThan(of().impact.value);
    expect(of({ sentiment: -0.9 }).impact.value).toBeGreaterThan(of().impact.value);
    expect(of({ statements: 30 }).confidence.value).toBeGreaterThan(of().confidence.value);
    expect(of({ customers: 1 }).confidence.value).toBeLessThan(of().confidence.value);
    expect(of({ sources: 3 }).confidence.value).toBeGreaterThan(of().confidence.value);
    expect(of({ current: 9, previous: 5 }).urgency.value).toBeGreaterThan(of().urgency.value);
    expect(of({ classes: { churn_risk: 4, request: 6 } }).urgency.value).toBeGreaterThan(of().urgency.value);
    expect(of({ current: 0, previous: 0 }).urgency.value).toBe(1);
    expect(of({ classes: { bug: 6, request: 4 } }).effort.value).toBe(3);
    expect(of().effort).toMatchObject({ value: 5, reason: expect.stringContaining('Assumed') });
  });

  it('make the score, with what people say in place of what is computed', () => {
    expect(scoreOf({ impact: 8, confidence: 0.5, strategic_alignment: 5, urgency: 4, effort: 2 })).toBe(40);
    expect(scoreOf(inForce(of(), new Map([['effort', 10]]))) * 2).toBeCloseTo(scoreOf(inForce(of(), new Map())), 0);
    expect(scoreOf(inForce(of(), new Map([['impact', 0]])))).toBe(0);
  });

  it('of the strategy come from the goals it is about', () => {
    const goals = [
      { key: 'accounts', name: 'Accounts', alignment: 8 },
      { key: 'dark mode', name: 'Dark mode', alignment: 9 },
      { key: 'billing', name: 'Billing', alignment: 10 },
    ];
    const named = (count: number) => [{ entity_id: 'e', name: 'Dark Mode', type: 'feature', count }];
    expect(goalsAbout(goals, { areas: ['Accounts'], entities: named(1), statements: 8 }).map(({ name }) => name)).toEqual(['Accounts']);
    const about = goalsAbout(goals, { areas: ['accounts'], entities: named(2), statements: 8 });
    expect(factorsOf(evidence(), about).strategic_alignment).toMatchObject({ value: 9, reason: expect.stringContaining('Dark mode') });
    expect(factorsOf(evidence(), []).strategic_alignment.value).toBe(3);
    expect(of().strategic_alignment.value).toBe(5);
  });
});

describe('titles', () => {
  const named = (type: string, name: string, count: number) => ({ type, name, count });

  it('are the issue that most statements name, with the feature it is of', () => {
    const both = [named('issue', 'Export times out', 5), named('feature', 'Reports', 6)];
    expect(titleOf('The export takes forever.', 8, both)).toBe('Reports: Export times out');
    expect(titleOf('The reports take forever.', 8, [named('feature', 'Reports', 6)])).toBe('The reports take forever');
    expect(titleOf('Something else entirely happens.', 8, [named('issue', 'Export times out', 3)])).toBe('Something else entirely happens');
  });

  it.each([
    ['Please let us export the dashboard numbers as a CSV file.', 'Let us export the dashboard numbers as a CSV file'],
    ['Hi team, could you please add dark mode to the app? It hurts my eyes.', 'Add dark mode to the app'],
    ['We need to download our reports into a spreadsheet.', 'Download our reports into a spreadsheet'],
    ['I would like a dark theme.', 'A dark theme'],
    ['We need SSO', 'We need SSO'],
    ['Three. When a guest cancels, where does the deposit go?', 'When a guest cancels, where does the deposit go'],
    ['Two is the kitchen. The board shows orders that were served long ago.', 'The board shows orders that were served long ago'],
    ['2) First, the export leaves out the last row.', 'The export leaves out the last row'],
    ['Two rooms are offered twice.', 'Two rooms are offered twice'],
    ['One is enough for us.', 'One is enough for us'],
    ['  broken\n\tagain\u0000, <b>really</b>  ', 'Broken again , <b>really</b>'],
  ])('say what "%s" is about', (statement, title) => {
    expect(titleOf(statement, 3, [])).toBe(title);
  });

  it('are short, cut between words', () => {
    const title = titleOf(`The import ${'of very many orders '.repeat(20)}fails`, 3, []);
    expect(title.length).toBeLessThanOrEqual(80);
    expect(title).toMatch(/(orders|many|very|of)…$/);
    expect(titleOf('😀'.repeat(200), 1, []).isWellFormed()).toBe(true);
  });
});
