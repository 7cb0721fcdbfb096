import { describe, expect, it } from 'vitest';
import { speakersOf, talkFault, turnsOf } from './talk.ts';

describe('a pasted conversation', () => {
  it('has a turn for each line that begins with a name; other lines go on with it', () => {
    const turns = turnsOf('Ann: We decided to use Postgres.\r\nIt is fast.\n\nBen Müller: Fine.\nAnn: Good.');
    expect(turns).toEqual([
      { speaker: 'Ann', text: 'We decided to use Postgres.\nIt is fast.' },
      { speaker: 'Ben Müller', text: 'Fine.' },
      { speaker: 'Ann', text: 'Good.' },
    ]);
    expect(speakersOf(turns)).toEqual(['Ann', 'Ben Müller']);
  });

  it.each([
    ['[10:02] Ann: Yes, we do.', 'Ann'],
    ['10:02:11 Ann Lee: Yes, we do.', 'Ann Lee'],
    ["O'Neil (10:02): Yes, we do.", "O'Neil"],
    ['user: Yes, we do.', 'user'],
  ])('takes the name out of %s', (line, speaker) => {
    expect(turnsOf(line)).toEqual([{ speaker, text: 'Yes, we do.' }]);
  });

  it.each([
    'Decision: we use Postgres.',
    'The final decision: we use Postgres.',
    'See https://example.com/a for it.',
    'At 10:30: lunch.',
    'Nobody names himself here.',
  ])('leaves %s without a name', (line) => {
    expect(turnsOf(line)).toEqual([{ text: line }]);
  });

  it('is nothing where nothing was said', () => {
    expect(turnsOf(' \n\n ')).toEqual([]);
    expect(turnsOf('\0')).toEqual([]);
  });

  it('has bounds', () => {
    expect(talkFault(turnsOf('Ann: Hello there.'))).toBeUndefined();
    expect(talkFault(Array.from({ length: 1_001 }, () => ({ text: 'x' })))).toContain('1,001 turns');
    expect(talkFault([{ text: 'a' }, { text: 'x'.repeat(20_001) }])).toContain('Turn 2');
    expect(talkFault(Array.from({ length: 11 }, () => ({ text: 'x'.repeat(19_000) })))).toContain('209,000');
  });
});
