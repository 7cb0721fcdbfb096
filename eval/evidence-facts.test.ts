import { describe, expect, it } from 'vitest';
import { clausesOf, judgeFact, linesOf, type FactVerdict } from './evidence-facts-judge.ts';
import { meaningOf } from './evidence-facts-words.ts';
import { goldOf } from './evidence-gold.ts';

const gold = goldOf({
  documents: [],
  statements: [],
  traps: [],
  entities: [
    { name: 'Mill Bakery', type: 'customer', aliases: ['the Mill'] },
    { name: 'Payslips', type: 'feature', aliases: ['Wage Letters'], org: 'Paywright' },
    { name: 'Overtime', type: 'feature', aliases: [], org: 'Paywright' },
    { name: 'Lohnfix', type: 'competitor', aliases: [] },
    { name: 'Ida Kern', type: 'person', aliases: [], org: 'Mill Bakery' },
  ],
  report_facts: [],
});

const judged = (must_say: string, must_not_say: string, markdown: string): FactVerdict =>
  judgeFact({ as_of: '2026-05-31', must_say, must_not_say }, linesOf({ name: 'digest', markdown }, gold), gold);
const said = (fact: string, ...bullets: string[]): string =>
  judged(fact, 'Ida Kern sings', `# Digest\n\n## Matters\n\n${bullets.map((each) => `- ${each} [1][12]`).join('\n')}`)
    .clauses.map(({ is }) => is)
    .join();
const broken = (fact: string, bullet: string, heading = 'Matters'): string =>
  judged('Nothing', fact, `## ${heading}\n\n- ${bullet}`).broken;

describe('meaningOf', () => {
  it('reads numbers and days in any notation', () => {
    const forms = ['the thirtieth of May', '30 May 2026', 'May 30th', '2026-05-30', 'am 30. Mai'];
    for (const form of forms) expect([...meaningOf(form, gold).days], form).toEqual(['05-30']);
    expect([...meaningOf('sixty-one of 1,250 for £4,200.00 at 23:10, version 9.2.1', gold).numbers]).toEqual([
      '61',
      '1250',
      '4200',
      '23:10',
      '9.2.1',
    ]);
    expect(meaningOf('May it end.', gold).days.size).toBe(0);
  });

  it('finds names by their aliases, the longest first', () => {
    expect(meaningOf('The Mill prints wage letters', gold).names.map(({ name }) => name)).toEqual(['Payslips', 'Mill Bakery']);
  });
});

describe('linesOf', () => {
  it('takes sentences, bullets and rows with the headings above, and no sources', () => {
    const markdown =
      '# Digest\n\nOne. Two!\n\n## Open\n\n- First thing. It hurts. [3]\n\n| who | what |\n| --- | --- |\n| Mill Bakery | Payslips |\n\n## Sources\n\n- [3] “First”';
    const lines = linesOf({ name: 'digest', markdown }, gold);
    expect(lines.map(({ text }) => text)).toEqual(['One.', 'Two!', 'First thing. It hurts.', '| Mill Bakery | Payslips |']);
    expect(lines[2]!.meaning.open).toBe(true);
  });
});

describe('must say', () => {
  it('needs names, numbers, days and half of the words in one line', () => {
    const fact = 'Mill Bakery got 212 payslips twice on 22 April';
    expect(said(fact, '“We got two hundred and twelve wage letters twice” (the Mill, 22 Apr 2026)')).toBe('said');
    expect(said(fact, '“We got 212 payslips twice” (Ida Kern)')).toBe('unsaid');
    expect(said(fact, '“We got 212 payslips twice” (Mill Bakery, 23 Apr 2026)')).toBe('partly');
    expect(said(fact, 'Mill Bakery has payslips.', 'Somebody got 212 twice on 22 April.')).toBe('unsaid');
  });

  it('cuts a fact into clauses, each with its subject', () => {
    const fact = 'The lost payslips at Mill Bakery are solved; wrong sums in Overtime are open (14 since March)';
    expect(
      clausesOf(fact, gold).map(({ meaning }) =>
        meaning.names
          .map(({ name }) => name)
          .sort()
          .join(),
      ),
    ).toEqual(['Mill Bakery,Payslips', 'Mill Bakery,Overtime']);
    expect(said(fact, 'Mill Bakery: lost Payslips, resolved on 3 May.', 'Mill Bakery: wrong sums in Overtime, 14 times, open.')).toBe(
      'said,said',
    );
    expect(said(fact, 'Mill Bakery: lost Payslips, open.', 'Mill Bakery: wrong sums in Overtime, 14 times, resolved.')).toBe(
      'unsaid,unsaid',
    );
  });

  it('wants both names of a renamed thing', () => {
    const fact = 'Wage Letters and Payslips are one feature, renamed on 2 March';
    expect(said(fact, 'Wage Letters is the same feature as Payslips: renamed on 2 March.')).toBe('said,said');
    expect(said(fact, 'Payslips is a feature, renamed on 2 March.')).toBe('unsaid,said');
  });

  it('takes the employer for a person, but not where the employer is told', () => {
    expect(said('Ida Kern withdrew the notice', 'Mill Bakery: the notice was withdrawn.')).toBe('said');
    expect(said('Ida Kern works for Mill Bakery since 2 March', 'Mill Bakery works since 2 March.')).toBe('unsaid');
  });
});

describe('must not say', () => {
  it('is broken by a line with the same standing', () => {
    expect(broken('Mill Bakery may leave for Lohnfix', '“Once more and we go to Lohnfix” (Mill Bakery)', 'Customers who may leave')).toBe(
      'broken',
    );
    expect(
      broken('Mill Bakery may leave for Lohnfix', '“Once more and we go” (Mill Bakery), withdrawn on 2 May', 'Customers who may leave'),
    ).toBe('clean');
    expect(broken('Mill Bakery has left', 'Mill Bakery: 2 signs of leaving')).toBe('clean');
    expect(broken('Mill Bakery has left', 'Mill Bakery left in May.')).toBe('broken');
    expect(broken('Lost payslips are solved', 'Lost payslips are not yet resolved.')).toBe('clean');
    expect(broken('Lost payslips are an open problem', 'No lost payslips since 3 May, a problem less.')).toBe('clean');
    expect(broken('Payslips is late for all customers', 'Payslips is late for one customer.')).toBe('clean');
  });

  it('shows doubtful lines, and takes each alternative', () => {
    expect(broken('Mill Bakery is happy with Overtime', 'Mill Bakery is not happy with Overtime.')).toBe('look');
    expect(
      broken('Ida Kern sings, Lohnfix is the better product, or Mill Bakery demands a refund', 'Mill Bakery demands a full refund.'),
    ).toBe('broken');
  });
});
