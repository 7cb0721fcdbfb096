import { describe, expect, it } from 'vitest';
import { estimate, logOdds, logistic, rising, type Patterns, type Weights } from './em.ts';
import { generator } from './frequencies.ts';
import { abbreviates, edits, jaroWinkler, sameWord } from './strings.ts';

const start: Weights = {
  prior: 0.2,
  m: [
    [0.1, 0.2, 0.7],
    [0.2, 0.8],
    [0.3, 0.7],
  ],
  u: [
    [0.7, 0.2, 0.1],
    [0.8, 0.2],
    [0.7, 0.3],
  ],
};

/** Pairs drawn from known m, u and prior. */
function drawn(truth: Weights, pairs: number, missing = 0): Patterns & { matches: boolean[] } {
  const random = generator(pairs);
  const levels = new Int8Array(pairs * truth.m.length);
  const matches: boolean[] = [];
  for (let i = 0; i < pairs; i++) {
    const match = random() < truth.prior;
    matches.push(match);
    for (const [f, shares] of (match ? truth.m : truth.u).entries()) {
      let rest = random();
      let level = 0;
      while (level < shares.length - 1 && rest >= shares[level]!) rest -= shares[level++]!;
      levels[i * truth.m.length + f] = random() < missing ? -1 : level;
    }
  }
  return { features: truth.m.length, levels, counts: new Float64Array(pairs).fill(1), matches };
}

const truth: Weights = {
  prior: 0.1,
  m: [
    [0.02, 0.08, 0.9],
    [0.05, 0.95],
    [0.15, 0.85],
  ],
  u: [
    [0.9, 0.08, 0.02],
    [0.95, 0.05],
    [0.8, 0.2],
  ],
};

describe('EM', () => {
  it.each([0, 0.3])('never lowers the likelihood, with %f of the values missing', (missing) => {
    for (const anchor of [0, 20]) {
      const { likelihood } = estimate(drawn(truth, 2_000, missing), start, { anchor: { m: anchor, u: anchor, prior: anchor } });
      expect(likelihood.length).toBeGreaterThan(3);
      for (let i = 1; i < likelihood.length; i++) expect(likelihood[i]! - likelihood[i - 1]!).toBeGreaterThan(-1e-6);
    }
  });

  it('finds m, u and the share of matches that the pairs were drawn from', () => {
    const pairs = drawn(truth, 20_000);
    const { weights } = estimate(pairs, start, { anchor: { m: 0, u: 0, prior: 0 } });
    expect(weights.prior).toBeCloseTo(0.1, 1);
    for (const [f, shares] of truth.m.entries())
      for (const [l, share] of shares.entries()) expect(Math.abs(weights.m[f]![l]! - share)).toBeLessThan(0.05);
    const right = pairs.matches.filter((match, i) => logistic(logOdds(weights, pairs.levels, i * 3)) >= 0.5 === match).length;
    expect(right / pairs.matches.length).toBeGreaterThan(0.97);
  });

  it('gives the same for pairs in another order, and for patterns counted instead of listed', () => {
    const pairs = drawn(truth, 500);
    const options = { anchor: { m: 5, u: 5, prior: 5 } };
    const counted = new Map<string, number>();
    for (let i = 0; i < 500; i++) {
      const key = pairs.levels.slice(i * 3, i * 3 + 3).join();
      counted.set(key, (counted.get(key) ?? 0) + 1);
    }
    const folded: Patterns = {
      features: 3,
      levels: Int8Array.from([...counted.keys()].reverse().flatMap((key) => key.split(',').map(Number))),
      counts: Float64Array.from([...counted.values()].reverse()),
    };
    const [a, b] = [estimate(pairs, start, options).weights, estimate(folded, start, options).weights];
    expect(b.prior).toBeCloseTo(a.prior, 8);
    for (const [f, shares] of a.m.entries()) for (const [l, share] of shares.entries()) expect(b.m[f]![l]).toBeCloseTo(share, 8);
  });

  it('leaves the start where there are no pairs', () => {
    const { weights } = estimate({ features: 3, levels: new Int8Array(), counts: new Float64Array() }, start, {
      anchor: { m: 1, u: 1, prior: 1 },
    });
    expect(weights.prior).toBeCloseTo(start.prior, 8);
  });

  it('keeps weights from falling with the level', () => {
    expect(rising([1, 3, 2, 2, 5, 4], [1, 1, 1, 1, 1, 1])).toEqual([1, 7 / 3, 7 / 3, 7 / 3, 4.5, 4.5]);
    expect(rising([], [])).toEqual([]);
  });
});

/** The textbook edit distance. */
function reference(a: string, b: string): number {
  const rows: number[][] = [];
  for (let i = 0; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      let least =
        i === 0 ? j : Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      rows[i]![j] = least;
    }
  }
  return rows[a.length]![b.length]!;
}

describe('strings', () => {
  it('count edits as by the book, for short and long words', () => {
    const random = generator(3);
    const word = (most: number): string =>
      Array.from({ length: Math.floor(random() * most) }, () => 'abcé'[Math.floor(random() * 4)]).join('');
    for (let i = 0; i < 20_000; i++) {
      const a = word(i % 9 === 0 ? 50 : 10);
      const b =
        random() < 0.5
          ? word(10)
          : a
              .split('')
              .map((letter) => (random() < 0.1 ? 'x' : letter))
              .join('');
      const most = 1 + (i % 5);
      expect([a, b, edits(a, b, most)]).toEqual([a, b, Math.min(reference(a, b), most + 1)]);
      expect(edits(b, a, most)).toBe(edits(a, b, most));
    }
  });

  it('know likeness', () => {
    expect(jaroWinkler('martha', 'marhta')).toBeCloseTo(0.961, 3);
    expect(jaroWinkler('dixon', 'dicksonx')).toBeCloseTo(0.813, 3);
    expect([jaroWinkler('', 'a'), jaroWinkler('ab', 'cd'), jaroWinkler('', '')]).toEqual([0, 0, 1]);
    expect(sameWord('corporation', 'corporaton')).toBeGreaterThan(0.9);
    expect([sameWord('12', '13'), sameWord('a1234567', 'a1234568'), sameWord('gambia', 'zambia'), sameWord('ios', 'ias')]).toEqual([
      0, 0, 0, 0,
    ]);
    expect([abbreviates('msft', 'microsoft'), abbreviates('fb', 'meta'), abbreviates('x', 'xerox')]).toEqual([true, false, false]);
  });
});
