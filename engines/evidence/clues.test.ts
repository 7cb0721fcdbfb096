import { describe, expect, it } from 'vitest';
import { processorMs } from '../../test/kit/processor.ts';
import { dayIn } from './clues-days.ts';
import { nicknames, renamings } from './clues-renames.ts';
import { cluesIn, mail, prose, talk } from './documents.fixture.ts';
import type { EvidenceInput } from './types.ts';

const clues = (input: EvidenceInput, kind: string): [string, string | null][] =>
  cluesIn(input).flatMap((each) => (each.kind === kind ? [[each.subject, each.object] as [string, string | null]] : []));
const call = (text: string): EvidenceInput => talk('call.txt', `Call with Elm Press, 4 May 2026\n\nAnn Field: ${text}\nBen Hart: I see.`);

describe('renames', () => {
  it.each([
    ['Since March Tour Desk is called Trip Desk, same thing.', 'Tour Desk', 'Trip Desk'],
    ['Tour Desk was renamed to Trip Desk.', 'Tour Desk', 'Trip Desk'],
    ['Trip Desk (formerly Tour Desk) plans tours.', 'Tour Desk', 'Trip Desk'],
    ['Trip Desk (until 3 May 2026: Tour Desk) plans tours.', 'Tour Desk', 'Trip Desk'],
    ['Seit Mai heißt Tour Desk jetzt Trip Desk.', 'Tour Desk', 'Trip Desk'],
    ['Tour Desk heißt seit Mai Trip Desk.', 'Tour Desk', 'Trip Desk'],
    ['Tour Desk wurde im Mai in Trip Desk umbenannt.', 'Tour Desk', 'Trip Desk'],
    ['Tour Desk ahora se llama Trip Desk.', 'Tour Desk', 'Trip Desk'],
    ["Tour Desk s'appelle désormais Trip Desk.", 'Tour Desk', 'Trip Desk'],
    ['Tour Desk ora si chiama Trip Desk.', 'Tour Desk', 'Trip Desk'],
    ['My horse is called Trip Desk.', '', ''],
    ['Tour Desk is called by many people.', '', ''],
  ])('%s', (text, from, to) => {
    expect(renamings(text, () => null).map((each) => [each.from, each.to])).toEqual(from === '' ? [] : [[from, to]]);
  });

  it('finds the former name before a pronoun', () => {
    expect(renamings('Renamed! its Trip Desk since 3 May.', () => 'Tour Desk')).toMatchObject([{ from: 'Tour Desk', to: 'Trip Desk' }]);
    expect(renamings('Ah, it is now Trip Desk.', () => null)).toEqual([]);
  });

  it.each([
    ['until 3 May 2026', '2026-05-04'],
    ['since 3 May', '2026-05-03'],
    ['since the third', '2026-06-03'],
    ['seit dem 3. Mai', '2026-05-03'],
    ['at the end of the month', '2026-06-30'],
    ['since Monday', '2026-06-15'],
    ['for a while', null],
  ])('%s is %s', (text, day) => expect(dayIn(text, '2026-06-20T10:00:00Z')).toBe(day));
});

describe('nicknames', () => {
  it.each([
    ['The old mule, as Ann calls Trip Desk, is slow.', 'old mule'],
    ['We call it the mule because it is slow.', 'mule'],
    ['Some shops call it Muley.', 'Muley'],
    ['Intern nennen wir ihn nur den Esel.', 'Esel'],
    ['Aquí lo llamamos el burro.', 'burro'],
    ["On l'appelle la mule.", 'mule'],
    ['Trip Desk, also known as Muley, is slow.', 'Muley'],
    ["I'd call it the worst of all.", ''],
    ['They call it the one part that works.', ''],
    ['Call it what you like.', ''],
  ])('%s', (text, alias) => {
    expect(nicknames(text, () => 'Trip Desk', null).map((each) => each.alias)).toEqual(alias === '' ? [] : [alias]);
  });
});

describe('competitors', () => {
  it.each([
    'We are thinking of switching to Packwell.',
    'Packwell has quoted us half of that.',
    'Our neighbour in the harbour uses Packwell and is happy.',
    'There is an offer from Packwell on my desk.',
    'They dropped us for Packwell last year.',
    'The map is better than Packwell by far.',
    'Wir denken über einen Wechsel zu Packwell nach.',
    'Vamos a cambiarnos a Packwell en junio.',
    'Nous allons passer chez Packwell.',
  ])('%s', (text) => expect(clues(call(text), 'competitor').map(([name]) => name)).toEqual(['Packwell']));

  it.each(['We moved to Berlin in May.', 'Ann went to lunch.', 'I called on Monday and asked for Ben.', 'We switched to Summer time.'])(
    'not in: %s',
    (text) => expect(clues(call(text), 'competitor')).toEqual([]),
  );

  it('are the headings of notes about others, not the questions among them', () => {
    const notes = prose(
      'rivals.md',
      '# Competitors\n\n## Packwell\n- Cheap, but slow.\n\n## Boxly\n- Nice demo.\n\n## What we say\n- Nothing bad.',
    );
    expect(
      clues(notes, 'competitor')
        .map(([name]) => name)
        .sort(),
    ).toEqual(['Boxly', 'Packwell']);
  });
});

describe('people', () => {
  it('belong to the domain of their address, unless anybody may have it', () => {
    const input = mail(
      'a.eml',
      { from: 'Ann Field <ann@elmpress.example>', to: 'Joe Bloom <joe@gmail.com>', date: '2026-05-04T08:00:00Z', subject: 'Paper' },
      'Dear Joe,\n\nthe paper is late.\n\nAnn Field\nElm Press',
    );
    expect(clues(input, 'person')).toEqual(expect.arrayContaining([['Ann Field', 'elmpress.example']]));
    expect(clues(input, 'person').some(([, object]) => object === 'gmail.com')).toBe(false);
  });

  it('leave and arrive', () => {
    const input = talk(
      'elm.txt',
      `Elm Press, 4 May 2026

Ann Field: My last day at Elm Press is 29 May.
Ben Hart: And Cora Vane joined Oak Books on 2 March, you know her from Elm Press.
Ben Hart: I finish here on the thirtieth, and on the first of June I start at Pine Press.
Ann Field: I'm moving to Packwell if it fails again.`,
    );
    const moves = cluesIn(input).filter(({ kind }) => kind === 'moved' || kind === 'left');
    expect(moves).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'left', subject: 'Ann Field', object: 'Elm Press', day: '2026-05-29' }),
        expect.objectContaining({ kind: 'moved', subject: 'Cora Vane', object: 'Oak Books', day: '2026-03-02' }),
        expect.objectContaining({ kind: 'moved', subject: 'Ben Hart', object: 'Pine Press', day: '2026-06-01' }),
      ]),
    );
    // Neither a memory of an employer nor another product.
    expect(moves.filter(({ object }) => object === 'pine' || object === 'Packwell')).toEqual([]);
  });
});

describe('an overview', () => {
  it.each([
    ['bold', '**Gate Log.** Counts everybody who comes in.\n\n**Night Book.** Keeps what the porter writes.'],
    ['a table', '| Part | Purpose |\n|---|---|\n| Gate Log | counts everybody |\n| Night Book | keeps the notes |'],
    ['a list', '- Gate Log: counts everybody who comes in\n- Night Book: keeps what the porter writes'],
    ['headings', '## Gate Log\n\nCounts everybody who comes in.\n\n## Night Book\n\nKeeps what the porter writes.'],
    ['lines', 'Gate Log - counts everybody who comes in\nNight Book - keeps what the porter writes'],
  ])('in the form of %s gives the features', (_form, body) => {
    const input = prose(
      'overview.md',
      `# Product overview: what Porterly does\n\n${body}\n\nKnown limits: no photos. Typical price: 40 euros.`,
    );
    expect(
      clues(input, 'feature')
        .map(([name]) => name)
        .sort(),
    ).toEqual(['Gate Log', 'Night Book']);
  });
});

it('reads a long hostile text in linear time', () => {
  for (const piece of ['Aa Bb ', 'the Aa, as ', 'since ', 'is called ', 'We call it the ', '(formerly ', 'a-', 'Aa (bb since ']) {
    const text = piece.repeat(20_000);
    expect(processorMs(() => cluesIn(prose('hostile.txt', text)))).toBeLessThan(4_000);
  }
});
