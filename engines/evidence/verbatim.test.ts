import { describe, expect, it } from 'vitest';
import { processorMs } from '../../test/kit/processor.ts';
import { foldText, spanOf } from './verbatim.ts';

const found = (text: string, quote: string, last = ''): string | null => {
  const span = spanOf(foldText(text), quote, last);
  return span && text.slice(span.start, span.end);
};

describe('a quotation', () => {
  it('is found with the offsets of the text itself', () => {
    const text = 'Well, the export fails. Every Friday.';
    expect(spanOf(foldText(text), 'the export fails.')).toEqual({ start: 6, end: 23 });
    expect(found(text, 'The Export Fails.')).toBe('the export fails.');
    expect(found(text, 'the export failed')).toBeNull();
    expect(found(text, '')).toBeNull();
    expect(found(text, ' . ')).toBeNull();
  });

  it('may differ in white space, also across a line break', () => {
    expect(found('the export\u00a0\u202ffails\n   every\tFriday', 'export fails every friday')).toBe(
      'export\u00a0\u202ffails\n   every\tFriday',
    );
    expect(found('the export\r\nfails', 'export fails')).toBe('export\r\nfails');
    expect(found('the export fails', 'export  fails\n')).toBe('export fails');
    expect(found('the exportfails', 'export fails')).toBeNull();
  });

  it('may lack what nobody sees', () => {
    expect(found('the ex\u00adport fails', 'export fails')).toBe('ex\u00adport fails');
    expect(found('the ex\u200bport \u2066fails\u2069 now', 'export fails now')).toBe('ex\u200bport \u2066fails\u2069 now');
    expect(found('it works ❤\ufe0f for us', 'works ❤ for')).toBe('works ❤\ufe0f for');
    expect(found('the export fails', 'the ex\u00adport fails')).toBe('the export fails');
  });

  it('may have other quotes and dashes', () => {
    expect(found('she said “it’s slow” – always', `"it's slow" - always`)).toBe('“it’s slow” – always');
    expect(found('«lent» — toujours', '"lent" - toujours')).toBe('«lent» — toujours');
    expect(found(`"it's slow"`, '“it’s slow”')).toBe(`"it's slow"`);
  });

  it('must not differ in anything else', () => {
    expect(found('we pay 1,200 a month', 'we pay 1200 a month')).toBeNull();
    expect(found('café', 'cafe')).toBeNull();
    expect(found('it works... mostly', 'it works mostly')).toBeNull();
    expect(found('we never leave', 'we leave')).toBeNull();
  });

  it('cuts no word and no letter', () => {
    expect(found('start over', 'art over')).toBeNull();
    expect(found('the exporter', 'the export')).toBeNull();
    expect(found('cafe\u0301 noir', 'cafe')).toBeNull();
    expect(found('restart, art', 'art')).toBe('art');
    expect(found('𝒳art is art', 'art')).toBe('art');
    expect(spanOf(foldText('𝒳art is art'), 'art')).toEqual({ start: 9, end: 12 });
  });

  it('keeps surrogate pairs whole', () => {
    const text = '😀😀 it works 👍🏽 now';
    expect(found(text, 'it works 👍🏽 now')).toBe('it works 👍🏽 now');
    expect(spanOf(foldText(text), 'it works')).toEqual({ start: 5, end: 13 });
    expect(found(text, 'works \ud83d')).toBeNull();
    expect(found('𝐀𝐁 fails', '𝐀𝐁 fails')).toBe('𝐀𝐁 fails');
  });

  it('survives letters that grow when they become small', () => {
    const text = 'İİİ export FAILS today';
    expect(found(text, 'export fails')).toBe('export FAILS');
    expect(found(text, 'İİİ export')).toBe('İİİ export');
  });

  it('is taken where it is free, when it is repeated', () => {
    const text = foldText('It fails. It fails. It fails.');
    const taken: { start: number; end: number }[] = [];
    const next = () => spanOf(text, 'it fails.', '', ({ start, end }) => !taken.some((other) => start < other.end && end > other.start));
    for (let span = next(); span !== null; span = next()) taken.push(span);
    expect(taken.map(({ start }) => start)).toEqual([0, 10, 20]);
  });

  it('may be given by its first and last words', () => {
    const text = 'The export fails every Friday. We rebuild it by hand, and it costs a day. Thanks.';
    expect(found(text, 'The export fails', 'costs a day.')).toBe(
      'The export fails every Friday. We rebuild it by hand, and it costs a day.',
    );
    expect(found(text, 'We rebuild it by', 'rebuild it by hand')).toBe('We rebuild it by hand');
    expect(found(text, 'costs a day.', 'The export fails')).toBeNull();
    expect(found(text, 'The export fails', 'costs a week.')).toBeNull();
    expect(found(text, 'The export fails', '…')).toBeNull();
  });

  it('costs little in a hostile text', () => {
    const text = foldText('a '.repeat(50_000));
    const taken = processorMs(() => {
      expect(spanOf(text, 'a a a b')).toBeNull();
      expect(spanOf(text, 'a', 'a', () => false)).toBeNull();
    });
    expect(taken).toBeLessThan(2_000);
  });
});
