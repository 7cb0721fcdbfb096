import { describe, expect, it } from 'vitest';
import { nameKey } from '../text/names.ts';
import { defaultNameModel, estimateNameModel, levelsOf, probabilityOf, recalibrate, scoreNames } from './names.ts';
import type { NamedThing, NameModel } from './types.ts';

const thing = (name: string, type = 'customer', more: Partial<NamedThing> = {}): NamedThing => ({ key: nameKey(name), type, ...more });
const score = (a: string, b: string, type = 'customer'): number => scoreNames(thing(a, type), thing(b, type), defaultNameModel).probability;

describe('two names', () => {
  it.each([
    ['Acme Corporation', 'ACME Inc.'],
    ['Acme', 'Acme Corporation'],
    ['Globex Corporaton', 'Globex Corporation'],
    ['Initech Solutions', 'Initech Solutons'],
    ['Data Dog', 'Datadog'],
    ['Gateway for Payments', 'Payments Gateway'],
    ['Bank of America Corporation', 'Bank of America Corp.'],
  ])('%s is %s', (a, b) => {
    expect(score(a, b)).toBeGreaterThanOrEqual(0.9);
  });

  it.each([
    ['IBM', 'International Business Machines', 'customer'],
    ['Acme', 'Acme Integration', 'customer'],
    ['John Smith', 'J. Smith', 'stakeholder'],
    ['Robert Smith', 'Bob Smith', 'person'],
    ['Mark Johnson', 'Mark Johnston', 'person'],
    ['Austria', 'Australia', 'place'],
  ])('%s may be %s: a person decides', (a, b, type) => {
    expect(score(a, b, type)).toBeGreaterThanOrEqual(0.6);
    expect(score(a, b, type)).toBeLessThan(0.9);
  });

  it.each([
    ['iOS 16', 'iOS 17', 'feature'],
    ['Issue 12', 'Issue 13', 'issue'],
    ['Phase II', 'Phase III', 'theme'],
    ['John Smith', 'Jane Smith', 'stakeholder'],
    ['bulk export', 'bulk import', 'feature'],
    ['Acme Bank', 'Acme Food', 'customer'],
    ['Gambia', 'Zambia', 'place'],
    ['Facebook', 'Meta Platforms', 'customer'],
  ])('%s is not %s, whatever else speaks for it', (a, b, type) => {
    const neighbours = new Set(['n1', 'n2', 'n3']);
    const embedding = [1, 0];
    const { probability } = scoreNames(
      thing(a, type, { neighbours, embedding }),
      thing(b, type, { neighbours, embedding }),
      defaultNameModel,
    );
    expect(probability).toBeLessThan(0.4);
  });

  it('are less surely one when their types differ', () => {
    const same = scoreNames(thing('Acme'), thing('Acme Inc'), defaultNameModel);
    const other = scoreNames(thing('Acme'), thing('Acme Inc', 'feature'), defaultNameModel);
    expect(other.probability).toBeLessThan(0.6);
    expect(other.evidence).toContain('one is a customer, the other a feature');
    expect(same.evidence[0]).toBe('both are "acme"; only the legal form differs');
  });

  it('gain by shared neighbours and lose by others', () => {
    const of = (neighbours: string[]): NamedThing => thing('Acme Bank', 'customer', { neighbours: new Set(neighbours) });
    const p = (a: string[], b: string[]): number => scoreNames(of(a), { ...of(b), key: 'acme' }, defaultNameModel).probability;
    expect(p(['a', 'b', 'c'], ['a', 'b', 'c'])).toBeGreaterThan(p([], []));
    expect(p(['a', 'b', 'c'], ['x', 'y', 'z'])).toBeLessThan(p([], []));
  });

  it('count by their best pair of names', () => {
    const ibm = thing('Big Blue', 'customer', { aliases: [nameKey('IBM')] });
    const { probability, evidence } = scoreNames(ibm, thing('IBM Corporation'), defaultNameModel);
    expect(probability).toBeGreaterThan(0.9);
    expect(evidence[0]).toContain('(as "ibm" and "ibm corporation")');
  });

  it('are compared the same in both directions', () => {
    const names = [
      'Acme',
      'Acme Corporation',
      'ACME Integration 2',
      'IBM',
      'International Business Machines',
      '',
      '東京',
      'a a a',
      'A&B',
      'x'.repeat(120),
    ];
    for (const type of ['person', 'customer']) {
      for (const a of names) for (const b of names) expect(score(a, b, type)).toBeCloseTo(score(b, a, type), 12);
    }
  });
});

const loglikelihood = (model: NameModel, pairs: Record<string, number>[]): number =>
  pairs.reduce((sum, levels) => {
    const share = (of: 'm' | 'u'): number =>
      Object.entries(levels).reduce((product, [feature, level]) => product * (level < 0 ? 1 : model.features[feature]![of][level]!), 1);
    return sum + Math.log(model.prior * share('m') + (1 - model.prior) * share('u'));
  }, 0);

describe('a model', () => {
  const pairs = [
    ...Array.from({ length: 300 }, () => levelsOf(thing('Acme Corporation'), thing('Acme Inc'))),
    ...Array.from({ length: 700 }, () => levelsOf(thing('Acme Bank'), thing('Acme Food'))),
  ];

  it('is fitted to the pairs there are, within reach of the default', () => {
    const fitted = estimateNameModel(pairs, defaultNameModel);
    expect(loglikelihood(fitted, pairs)).toBeGreaterThan(loglikelihood(defaultNameModel, pairs));
    expect(fitted.prior).toBeGreaterThan(0.2);
    expect(fitted.pairs).toBe(1000);
    for (const [feature, { m, u }] of Object.entries(fitted.features)) {
      const ratios = m.map((share, level) => Math.log(share / u[level]!));
      expect(ratios, feature).toEqual([...ratios].sort((a, b) => a - b));
      const before = defaultNameModel.features[feature]!;
      for (const [level, ratio] of ratios.entries()) {
        expect(Math.abs(ratio - Math.log(before.m[level]! / before.u[level]!))).toBeLessThan(3.1);
      }
    }
  });

  it('does not depend on the order of pairs, and stays for none', () => {
    expect(estimateNameModel([...pairs].reverse(), defaultNameModel)).toEqual(estimateNameModel(pairs, defaultNameModel));
    const none = estimateNameModel([], defaultNameModel);
    expect(none.prior).toBeCloseTo(defaultNameModel.prior, 6);
    expect(none.features['name']!.m[7]).toBeCloseTo(defaultNameModel.features['name']!.m[7]!, 6);
  });

  it('follows people, and no farther than it may', () => {
    const contained = levelsOf(thing('Acme'), thing('Acme Integration'));
    const before = probabilityOf(contained, defaultNameModel);
    const decide = (confirmed: boolean, times: number): NameModel =>
      recalibrate(
        defaultNameModel,
        Array.from({ length: times }, () => ({ levels: contained, confirmed })),
      );
    expect(probabilityOf(contained, decide(false, 10))).toBeLessThan(before - 0.15);
    expect(probabilityOf(contained, decide(true, 10))).toBeGreaterThan(before + 0.1);
    const zealous = decide(true, 10_000);
    expect(zealous.decisions).toBe(10_000);
    expect(probabilityOf(levelsOf(thing('iOS 16'), thing('iOS 17')), zealous)).toBeLessThan(0.2);
    expect(recalibrate(defaultNameModel, [])).toBe(defaultNameModel);
  });

  it('stored by an older release is completed', () => {
    const old: NameModel = { prior: 0.08, features: {}, pairs: 5, decisions: 0 };
    const levels = { ...levelsOf(thing('Acme'), thing('Acme Inc')), gone: 3, name: 99 };
    expect(probabilityOf(levels, old)).toBeLessThan(0.3);
    expect(probabilityOf({ ...levels, name: 7 }, old)).toBeGreaterThan(0.9);
  });
});
