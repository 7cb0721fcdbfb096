import { describe, expect, it } from 'vitest';
import { foldAssertions, type FoldedFact, type SaidFact } from './facts-fold.ts';

const day = (n: number): Date => new Date(Date.UTC(2026, 0, 1 + n));
let ids = 0;

/** "`subject` owns `object`", stated and recorded on a day. */
const said = (objectKey: string, on: number, more: Partial<SaidFact> = {}): SaidFact => ({
  id: String((ids += 1)),
  subjectId: 's',
  predicate: 'owned_by',
  objectId: objectKey,
  objectText: null,
  objectKey,
  statement: `owned by ${objectKey} (${on})`,
  exclusive: true,
  validFrom: null,
  validTo: null,
  saidAt: day(on),
  recordedAt: day(on),
  confidence: 0.8,
  ...more,
});
const fold = (...all: SaidFact[]): FoldedFact[] => foldAssertions('acme', all);
const brief = (facts: FoldedFact[]) =>
  facts.map(({ objectKey, validFrom, validTo, evidence }) => [objectKey, dayOf(validFrom), dayOf(validTo), evidence.length]);
const dayOf = (date: Date | null): number | null => (date ? (date.getTime() - day(0).getTime()) / 86_400_000 : null);

describe('of one at a time', () => {
  it('the same object said again is the same fact, with more evidence', () => {
    const [first, again] = [said('anna', 1), said('anna', 5)];
    expect(brief(fold(first, again))).toEqual([['anna', 1, null, 2]]);
    expect(fold(first, again)[0]!.id).toBe(fold(first)[0]!.id);
  });

  it('a newer one ends the older, and says so', () => {
    const [older, newer] = fold(said('anna', 1), said('bob', 5));
    expect(older).toMatchObject({ objectKey: 'anna', validTo: day(5), closedBy: newer!.id, recordedTo: day(5) });
    expect(newer).toMatchObject({ objectKey: 'bob', validFrom: day(5), validTo: null, closedBy: null, recordedTo: null });
  });

  it('what comes back has two intervals', () => {
    expect(brief(fold(said('anna', 1), said('bob', 5), said('anna', 9)))).toEqual([
      ['anna', 1, 5, 1],
      ['bob', 5, 9, 1],
      ['anna', 9, null, 1],
    ]);
  });

  it('the time it is about counts, not when it was said', () => {
    expect(brief(fold(said('bob', 3), said('anna', 8, { validFrom: day(1) })))).toEqual([
      ['anna', 1, 3, 1],
      ['bob', 3, null, 1],
    ]);
  });

  it('an older one that is learnt late is ended by the next, which stays as it was', () => {
    const bob = said('bob', 5);
    const late = said('anna', 1, { recordedAt: day(20) });
    const [anna, still] = fold(bob, late);
    expect(still).toEqual(fold(bob)[0]);
    expect(anna).toMatchObject({ validTo: day(5), recordedFrom: day(20), recordedTo: day(20), closedBy: still!.id });
  });

  it('a stated end holds, with nobody after it, and cannot outlast the next one', () => {
    const until = said('anna', 1, { validTo: day(4) });
    expect(brief(fold(until, said('bob', 8)))).toEqual([
      ['anna', 1, 4, 1],
      ['bob', 8, null, 1],
    ]);
    expect(fold(until, said('bob', 8))[0]).toMatchObject({ closedBy: null, recordedTo: day(1) });
    expect(brief(fold(until, said('anna', 6)))).toEqual([
      ['anna', 1, 4, 1],
      ['anna', 6, null, 1],
    ]);
    expect(brief(fold(said('anna', 1, { validTo: day(9) }), said('bob', 5)))).toEqual([
      ['anna', 1, 5, 1],
      ['bob', 5, null, 1],
    ]);
  });

  it('an end told afterwards ends the one that was under way, and is all that is known of another', () => {
    const told = said('anna', 7, { validTo: day(4) });
    expect(brief(fold(said('anna', 1), told))).toEqual([['anna', 1, 4, 2]]);
    expect(brief(fold(said('anna', 1), said('bob', 3), told))).toEqual([
      ['anna', 1, 3, 2],
      ['bob', 3, null, 1],
    ]);
    expect(brief(fold(told, said('bob', 6)))).toEqual([
      ['anna', null, 4, 1],
      ['bob', 6, null, 1],
    ]);
  });

  it('an end before the start is not believed; one at the start is', () => {
    expect(brief(fold(said('anna', 1, { validFrom: day(5), validTo: day(2) })))).toEqual([['anna', 5, null, 1]]);
    expect(brief(fold(said('anna', 1, { validFrom: day(5), validTo: day(5) })))).toEqual([['anna', 5, 5, 1]]);
  });

  it('what begins in the moment of a stated end is a new interval', () => {
    const until = said('anna', 1, { validTo: day(4) });
    expect(brief(fold(until, said('anna', 6, { validFrom: day(4) })))).toEqual([
      ['anna', 1, 4, 1],
      ['anna', 4, null, 1],
    ]);
    expect(brief(fold(until, said('anna', 6, { validFrom: day(3) })))).toEqual([['anna', 1, 4, 2]]);
  });

  it('of two for the same time the one said last holds, once each', () => {
    const facts = fold(
      said('anna', 1, { validFrom: day(0) }),
      said('bob', 2, { validFrom: day(0) }),
      said('anna', 3, { validFrom: day(0) }),
    );
    expect(brief(facts)).toEqual([
      ['bob', 0, 0, 1],
      ['anna', 0, null, 2],
    ]);
  });
});

describe('of many at a time', () => {
  const uses = (object: string, on: number, more: Partial<SaidFact> = {}): SaidFact =>
    said(object, on, { predicate: 'uses', exclusive: false, ...more });

  it('they never end each other, and each ends as it was said', () => {
    expect(brief(fold(uses('sso', 1), uses('api', 2), uses('sso', 3), uses('api', 9, { validTo: day(5) })))).toEqual([
      ['sso', 1, null, 2],
      ['api', 2, 5, 2],
    ]);
  });

  it('keep their id when older evidence comes or goes', () => {
    const [older, newer] = [uses('sso', 1), uses('sso', 3)];
    expect(fold(newer)[0]!.id).toBe(fold(older, newer)[0]!.id);
    expect(fold(uses('sso', 1))[0]!.id).not.toBe(fold(said('sso', 1, { predicate: 'uses' }))[0]!.id);
  });

  it('the surest statement speaks for the fact, of equally sure ones the first', () => {
    expect(fold(uses('sso', 1, { statement: 'first' }), uses('sso', 2, { statement: 'second' }))[0]).toMatchObject({ statement: 'first' });
    expect(fold(uses('sso', 1), uses('sso', 2, { confidence: 0.95, statement: 'sure' }))[0]).toMatchObject({
      statement: 'sure',
      confidence: 0.95,
    });
  });
});

/** Mulberry32: the same numbers each time, so that failures are reproducible. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

function someSaid(next: (below: number) => number): SaidFact[] {
  return Array.from({ length: 1 + next(12) }, () => {
    const on = next(20);
    return said(['a', 'b', 'c'][next(3)]!, on, {
      exclusive: next(4) > 0,
      validFrom: next(3) === 0 ? day(next(20)) : null,
      validTo: next(4) === 0 ? day(next(25)) : null,
      recordedAt: day(on + next(5)),
      confidence: (1 + next(9)) / 10,
    });
  });
}

const shuffled = <T>(items: T[], next: (below: number) => number): T[] =>
  items
    .map((item) => ({ item, at: next(1_000_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
const sorted = (facts: FoldedFact[]): FoldedFact[] => facts.toSorted((a, b) => (a.id < b.id ? -1 : 1));

describe('whatever is said', () => {
  const cases = Array.from({ length: 2_000 }, (_, seed) => {
    const next = random(seed);
    return { seed, next, all: someSaid(next) };
  });

  it('the order in which it arrives does not matter, and nothing is lost or counted twice', () => {
    for (const { seed, next, all } of cases) {
      const facts = sorted(foldAssertions('acme', all));
      expect(sorted(foldAssertions('acme', shuffled(all, next))), `seed ${seed}`).toEqual(facts);
      expect(facts.flatMap((fact) => fact.evidence).sort(), `seed ${seed}`).toEqual(all.map(({ id }) => id).sort());
      expect(new Set(facts.map((fact) => fact.id)).size, `seed ${seed}`).toBe(facts.length);
    }
  });

  it('intervals of one line never overlap, and none ends before it begins', () => {
    for (const { seed, all } of cases) {
      for (const { validFrom, validTo, recordedFrom, recordedTo } of foldAssertions('acme', all)) {
        if (validFrom && validTo) expect(validTo >= validFrom, `seed ${seed}`).toBe(true);
        if (recordedTo) expect(recordedTo >= recordedFrom, `seed ${seed}`).toBe(true);
        expect((recordedTo === null) === (validTo === null), `seed ${seed}`).toBe(true);
      }
      const line = foldAssertions('acme', all)
        .filter((fact) => fact.exclusive)
        .map(({ validFrom, validTo }) => [validFrom?.getTime() ?? validTo!.getTime(), validTo?.getTime() ?? Infinity] as const)
        .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      for (const [i, [start]] of line.entries()) if (i > 0) expect(start >= line[i - 1]![1], `seed ${seed}`).toBe(true);
    }
  });

  it('ids of facts stay when evidence of other facts is taken away', () => {
    let kept = 0;
    for (const { seed, next, all } of cases) {
      const facts = foldAssertions('acme', all);
      const victim = facts[next(facts.length)]!;
      const left = foldAssertions(
        'acme',
        all.filter(({ id }) => !victim.evidence.includes(id)),
      );
      for (const fact of facts.filter(({ objectKey }) => objectKey !== victim.objectKey)) {
        const still = left.find((other) => other.evidence[0] === fact.evidence[0]);
        // When two intervals have become one, the earlier one's id represents both.
        if (!still) continue;
        expect(still.id, `seed ${seed}`).toBe(fact.id);
        kept += 1;
      }
    }
    expect(kept).toBeGreaterThan(cases.length);
  });
});
