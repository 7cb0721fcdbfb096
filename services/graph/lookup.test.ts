import { describe, expect, it } from 'vitest';
import { ambiguous, otherTypeFrom, unknownName, verdictOn, type Candidate } from './lookup-decide.ts';
import { nameKey } from '../../engines/text/names.ts';
import { nameSimilarity } from '../../engines/text/similarity.ts';

const alike = (a: string, b: string): number => {
  const [left, right] = [nameKey(a), nameKey(b)];
  expect(nameSimilarity(right, left)).toBe(nameSimilarity(left, right));
  return nameSimilarity(left, right);
};

describe('likeness of names', () => {
  it("gives the seed's example its figures", () => {
    expect(alike('Acme', 'Acme Corporation')).toBe(0.95);
    expect(alike('Acme', 'Acme Integration')).toBe(0.6);
    expect(alike('Acme Corp', 'Acme Integration')).toBeLessThan(otherTypeFrom);
  });

  it.each([
    ['Authentification Service', 'Authentication Service'],
    ['Acme Corporaton', 'Acme Corporation'],
    ['Data Dog', 'Datadog'],
    ['Service Authentication', 'Authentication Service'],
    ['Salesfroce', 'Salesforce'],
    ['ACME Inc.', 'Acme'],
  ])('takes "%s" for "%s"', (a, b) => expect(alike(a, b)).toBeGreaterThanOrEqual(0.85));

  it.each([
    ['auth service', 'Authentication Service'],
    ['IBM', 'International Business Machines'],
    ['Acme Labs', 'Acme Foods'],
    ['Export to CSV', 'Export to PDF'],
    ['iOS 16', 'iOS 17'],
    ['PAY-101', 'PAY-102'],
    ['Windows', 'Windows 11'],
    ['Austria', 'Australia'],
    ['internal API', 'external API'],
    ['Acme', 'Acne'],
    ['checkout fails with card', 'checkout fails without card'],
  ])('does not take "%s" for "%s"', (a, b) => expect(alike(a, b)).toBeLessThan(0.85));

  it('thinks little of names that differ by a number', () => expect(alike('iOS 16', 'iOS 17')).toBeLessThanOrEqual(0.5));
});

const candidate = (name: string, type: string, confidence: number, signal_count = 1): Candidate => ({
  entity_id: `${type}-${name}`,
  name,
  type,
  confidence,
  signal_count,
});
const rules = { accept: 0.85, margin: 0.1, otherType: otherTypeFrom };

describe('which one is meant', () => {
  it('is nobody below the threshold', () => {
    expect(verdictOn([candidate('a', 'customer', 0.84)], rules).kind).toBe('none');
    expect(verdictOn([], rules).kind).toBe('none');
  });

  it('is the best one when the others are far', () => {
    const verdict = verdictOn([candidate('b', 'customer', 0.84), candidate('a', 'customer', 0.95)], rules);
    expect(verdict).toMatchObject({ kind: 'one', best: { name: 'a' } });
  });

  it.each([
    ['within the margin', candidate('b', 'customer', 0.85)],
    ['of another type, and likely enough', candidate('b', 'feature', 0.6)],
  ])('is for the caller to say with a runner-up %s', (_what, other) => {
    const verdict = verdictOn([other, candidate('a', 'customer', 0.95), candidate('c', 'customer', 0.7)], rules);
    expect(verdict.kind === 'several' && verdict.candidates.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('is not made unclear by another type below the limit', () => {
    expect(verdictOn([candidate('a', 'customer', 0.95), candidate('b', 'feature', 0.59)], rules).kind).toBe('one');
    expect(verdictOn([candidate('a', 'customer', 0.95), candidate('b', 'feature', 0.7)], { ...rules, otherType: null }).kind).toBe('one');
  });
});

describe('what is told instead of a guess', () => {
  it('names each candidate with its type and signals', () => {
    const error = ambiguous('Acme', [
      candidate('Acme Integration', 'feature', 0.6, 3),
      candidate('Acme Corporation', 'customer', 0.95, 47),
    ]);
    expect(error).toMatchObject({ code: 'AMBIGUOUS_ENTITY', message: 'Found 2 entities matching "Acme".' });
    expect(error.hint).toContain(`Did you mean customer "Acme Corporation" (47 signals) or feature "Acme Integration" (3 signals)?`);
    expect(error.candidates).toEqual([
      { type: 'customer', name: 'Acme Corporation', signal_count: 47, confidence: 0.95, entity_id: 'customer-Acme Corporation' },
      { type: 'feature', name: 'Acme Integration', signal_count: 3, confidence: 0.6, entity_id: 'feature-Acme Integration' },
    ]);
  });

  it('suggests the closest names', () => {
    const error = unknownName(
      'auth service',
      ['feature'],
      [candidate('Authentication Service', 'feature', 0.79, 1), candidate('x', 'feature', 0.31)],
    );
    expect(error).toMatchObject({
      code: 'NOT_FOUND',
      message: 'No feature is known as "auth service".',
      hint: 'Did you mean feature "Authentication Service" (1 signal)?',
      alternatives: ['Authentication Service', 'x'],
    });
    expect(unknownName('x', undefined, []).alternatives).toBeUndefined();
  });
});
