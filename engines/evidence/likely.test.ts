import { describe, expect, it } from 'vitest';
import { likelyFeatures } from './likely.ts';

/** A unit vector whose cosine with `axis(k)` is `share`, and which shares the rest with nothing else. */
const vector = (shares: Record<number, number>, own: number): Float32Array => {
  const made = new Float32Array(16);
  let rest = 1;
  for (const [at, share] of Object.entries(shares)) {
    made[Number(at)] = share;
    rest -= share * share;
  }
  made[8 + own] = Math.sqrt(Math.max(0, rest));
  return made;
};
const said = (features: string[], where: Float32Array | null, customer: string | null = 'Alder') => ({
  features,
  competitors: [] as string[],
  vector: where,
  customer,
});
const texts = [said(['Reminders'], vector({ 0: 1 }, 0)), said(['Reminders'], vector({ 0: 1 }, 0))];
const rooms = [said(['Rooms'], vector({ 1: 1 }, 0)), said(['Rooms'], vector({ 1: 1 }, 0))];

describe('the likely feature of a statement', () => {
  it('is that of the most similar statements of the same customer', () => {
    const statements = [...texts, ...rooms, said([], vector({ 0: 0.66, 1: 0.5 }, 1))];
    expect(likelyFeatures(statements)).toEqual([null, null, null, null, 'Reminders']);
  });

  it('is not guessed: another is nearly as near, none is near, only one resembles it, or it has no vector', () => {
    const none = (own: ReturnType<typeof said>, others = [...texts, ...rooms]) =>
      expect(likelyFeatures([...others, own]).at(-1)).toBeNull();
    none(said([], vector({ 0: 0.66, 1: 0.64 }, 1)));
    none(said([], vector({ 0: 0.55 }, 1)));
    none(said([], vector({ 0: 0.7, 1: 0.3 }, 1)), [texts[0]!, said(['Reminders'], vector({}, 2)), ...rooms]);
    none(said([], null));
  });

  it('is none where a customer speaks of one feature only: nothing tells whether another one is nearer', () => {
    expect(likelyFeatures([...texts, said([], vector({ 0: 0.9 }, 1))]).at(-1)).toBeNull();
  });

  it('takes nothing from other customers nor from statements about several features, and gives nothing to those about another product', () => {
    const near = said([], vector({ 0: 0.9 }, 1));
    expect(likelyFeatures([...texts.map((each) => ({ ...each, customer: 'Birch' })), ...rooms, near]).at(-1)).toBeNull();
    expect(likelyFeatures([...texts.map((each) => ({ ...each, features: ['Reminders', 'Rooms'] })), near]).at(-1)).toBeNull();
    expect(likelyFeatures([...texts, ...rooms, { ...near, customer: null }]).at(-1)).toBeNull();
    expect(likelyFeatures([...texts, ...rooms, { ...near, competitors: ['Terracall'] }]).at(-1)).toBeNull();
    expect(likelyFeatures([...texts, ...rooms, near]).at(-1)).toBe('Reminders');
  });

  it('is compared on the scale of the shipped model', () => {
    const statements = [...texts, ...rooms, said([], vector({ 0: 0.5, 1: 0.1 }, 1))];
    expect(likelyFeatures(statements).at(-1)).toBeNull();
    expect(likelyFeatures(statements, (cosine) => Math.min(1, cosine + 0.2)).at(-1)).toBe('Reminders');
  });

  it('looks only around a statement of a customer with very many', () => {
    const many = Array.from({ length: 700 }, (_, i) => said(i < 100 ? ['Reminders'] : ['Rooms'], vector({ [i < 100 ? 0 : 1]: 1 }, 0)));
    const far = likelyFeatures([...many, said([], vector({ 0: 0.9 }, 1))]);
    const beside = likelyFeatures([...many.slice(0, 100), said([], vector({ 0: 0.9 }, 1)), ...many.slice(100)]);
    expect([far.at(-1), beside[100]]).toEqual([null, 'Reminders']);
  });
});
