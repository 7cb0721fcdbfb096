import { describe, expect, it } from 'vitest';
import { around, pieces, placeOf } from './marks.ts';

describe('marks', () => {
  it('cut the text at each beginning and end, and lose nothing of it', () => {
    const marks = [
      { start: 2, end: 6, is: 'a' },
      { start: 4, end: 8, is: 'b' },
      { start: 9, end: 99, is: 'c' },
    ];
    const found = pieces('0123456789', marks);
    expect(found.map(({ text, marks: all }) => [text, all.map(({ is }) => is).join('')])).toEqual([
      ['01', ''],
      ['23', 'a'],
      ['45', 'ab'],
      ['67', 'b'],
      ['8', ''],
      ['9', 'c'],
    ]);
    expect(
      pieces('', [])
        .map(({ text }) => text)
        .join(''),
    ).toBe('');
  });

  it('find an excerpt with other white space and with what stands for what is left out', () => {
    const text = 'One (two)\n  three? four.';
    expect(placeOf(text, '… (two) three? …')).toEqual({ start: 4, end: 18 });
    expect(text.slice(4, 18)).toBe('(two)\n  three?');
    expect(placeOf(text, 'five')).toBeNull();
    expect(placeOf(text, '… …')).toBeNull();
  });

  it('keep their places when the text is cut around the first of them', () => {
    const text = `${'word '.repeat(200)}needle ${'word '.repeat(200)}`;
    const at = text.indexOf('needle');
    const cut = around(text, [{ start: at, end: at + 6 }], 100);
    expect(cut.text.length).toBeLessThan(110);
    expect(cut.marks.map(({ start, end }) => cut.text.slice(start, end))).toEqual(['needle']);
    expect(cut.text.startsWith('… word')).toBe(true);
    expect(around('short', [], 100)).toEqual({ text: 'short', marks: [], cut: false });
  });
});
