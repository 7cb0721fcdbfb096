import { describe, expect, it } from 'vitest';
import { acronymOf, blocksOf, coreWords, nameKey, numbersOf } from './names.ts';

describe('keys', () => {
  it('do not tell case, accents, punctuation and possessives apart', () => {
    expect(nameKey('  Café-Müller’s ')).toBe('cafe muller');
    expect(nameKey('The Payments  API')).toBe('payments api');
    expect(nameKey('ＡＣＭＥ')).toBe('acme');
  });

  it('tell names apart that differ by their signs only', () => {
    expect(new Set(['C', 'C++', 'C#'].map(nameKey)).size).toBe(3);
    expect(nameKey('AT&T')).toBe(nameKey('AT and T'));
  });

  it('are empty where there is no name', () => {
    for (const text of ['', '—', '"…"', ' ']) expect(nameKey(text)).toBe('');
    expect(nameKey('The')).toBe('the');
  });

  it('keep other scripts', () => {
    expect(nameKey('東京電力')).toBe('東京電力');
    expect(nameKey('Яндекс.Маркет')).toBe('яндекс маркет');
    // Surrogate pairs are never split: Postgres cannot store lone surrogates.
    for (const name of ['𠀀 𖠀', `a${'𠀀'.repeat(80)}`, `x ${'𠀀'.repeat(21)}`]) {
      expect([nameKey(name), ...blocksOf(nameKey(name))].filter((part) => !part.isWellFormed())).toEqual([]);
    }
  });
});

describe('parts', () => {
  it('leave out the legal form, unless nothing else is there', () => {
    expect(coreWords('acme corporation')).toEqual(['acme']);
    expect(coreWords('limited company')).toEqual(['limited', 'company']);
  });

  it('know acronyms and numbers', () => {
    expect(acronymOf('international business machines')).toBe('ibm');
    expect(acronymOf('bank of america')).toBe('ba');
    expect(acronymOf('acme inc')).toBeNull();
    expect(numbersOf('ios 16 beta2')).toEqual(['16', 'beta2']);
  });
});

describe('blocks', () => {
  const meet = (a: string, b: string): boolean => {
    const of = new Set(blocksOf(nameKey(a)));
    return blocksOf(nameKey(b)).some((block) => of.has(block));
  };

  it('bring together what may be the same', () => {
    expect(meet('Acme Corporation', 'ACME Inc.')).toBe(true);
    expect(meet('Jonathan Smith', 'Jonathon Smyth')).toBe(true);
    expect(meet('IBM', 'International Business Machines Corp')).toBe(true);
    expect(meet('Data Dog', 'Datadog')).toBe(true);
  });

  it('keep apart what shares a legal form or a small word only', () => {
    expect(meet('Acme Corporation', 'Globex Corporation')).toBe(false);
    expect(meet('Bank of Ireland', 'University of Utah')).toBe(false);
  });
});
