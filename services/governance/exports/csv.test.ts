import { describe, expect, it } from 'vitest';
import { csvLine } from './csv.ts';

describe('a line of CSV', () => {
  it('quotes what needs it, and tells null from empty text', () => {
    expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', ' space', '', null, undefined])).toBe(
      'plain,"a,b","say ""hi""","two\nlines"," space","",,\r\n',
    );
  });

  it('keeps numbers and truth values, and writes lists as JSON', () => {
    expect(csvLine([-0.5, 0, 12345678901, true, ['a', 'b'], { a: '=1' }])).toBe(
      '-0.5,0,12345678901,true,"[""a"",""b""]","{""a"":""=1""}"\r\n',
    );
  });

  it.each([`=cmd|' /C calc'!A0`, '+1+1', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '＝1'])('disarms %j', (text) => {
    const line = csvLine([text]).replace(/^"/, '');
    expect(line.startsWith(`'${text.slice(0, 1)}`)).toBe(true);
  });

  it('leaves harmless text alone', () => {
    expect(csvLine(['a=b', "it's -1 degrees"])).toBe("a=b,it's -1 degrees\r\n");
  });
});
