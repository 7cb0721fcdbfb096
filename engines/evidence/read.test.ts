import { describe, expect, it } from 'vitest';
import { signalClasses } from '../../contracts/signals/signals.ts';
import { judge } from '../classifier/judge.ts';
import { shipped } from '../classifier/shipped.ts';
import { counted, mail, prose, sheet, talk } from './documents.fixture.ts';
import { directoryOf, prepare, readDocument } from './index.ts';
import { capitalsIn, namedIn } from './topics.ts';
import type { EvidenceInput, Judge, Reading, Shares } from './types.ts';

/** The shipped classifier, by words alone. */
const byWords: Judge = (drafts) =>
  Promise.resolve(drafts.map(({ text, context }) => judge(shipped().kinds.plain, { text, context, vector: null })));

const overview = prose(
  'overview.md',
  '# Elm Press overview\n\n- **Tour Desk** plans tours for groups.\n- **Map Room** prints maps of the car parks.\n- **Coach Log** says which coach is where.\n',
);

/** Reads the last document; the others say who is who. */
async function read(...inputs: EvidenceInput[]): Promise<Reading> {
  return await readBy(byWords, ...inputs);
}

async function readBy(judges: Judge, ...inputs: EvidenceInput[]): Promise<Reading> {
  const directory = directoryOf(counted([overview, ...inputs]));
  const input = inputs.at(-1)!;
  return await readDocument(input, prepare(input).layout, directory, judges);
}

/** Hears no feeling, so that grammar alone decides. */
const calm: Judge = async (drafts) =>
  (await byWords(drafts)).map((shares) => ({ ...shares, tone: { positive: 0.05, neutral: 0.9, negative: 0.04, mixed: 0.01 } }));

const head = 'Lakeside Tours call, 4 May 2026\nPresent: Ann Field, Bea Low (Lakeside Tours); Carl Stein (Elm Press)\n\n';
const texts = ({ statements }: Reading): string[] => statements.map(({ text }) => text);

describe('a conversation', () => {
  it('begins where somebody tells how things go, although nothing is named', async () => {
    const reading = await read(
      talk(
        'call.txt',
        `${head}Carl Stein: Hello both.\nAnn Field: Three weeks and not one crash, to be fair.\nCarl Stein: Good.\nBea Low: The second one is still there. Whoever pauses a tour loses the seats that were booked by phone.\nCarl Stein: Yes.\nAnn Field: Our drivers still print the map twice.\n`,
      ),
    );
    expect(texts(reading)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('Three weeks'),
        expect.stringContaining('still there'),
        expect.stringContaining('print the map twice'),
      ]),
    );
  });

  it('is opened by words that are no statement, whoever says them; what follows in the same turn is one', async () => {
    const said = async (opening: string) =>
      texts(
        await read(
          talk(
            'call.txt',
            `${head}Ann Field: ${opening} Map Room prints every page twice.\nCarl Stein: Since when?\nAnn Field: Since May.\n`,
          ),
        ),
      );
    for (const opening of [
      'Thanks for making time.',
      'Thank you all for coming, Carl. This is the rollout review for Map Room in our coaches.',
      'Three points today: what happened with Map Room, the date of the next delivery, and who does what.',
      'Herzlich willkommen. Auf der Tagesordnung steht Map Room.',
      'Merci à tous d’être venus. Commençons par Map Room.',
    ]) {
      const found = await said(opening);
      expect([opening, found[0]]).toEqual([opening, 'Map Room prints every page twice.']);
    }
    for (const matter of [
      'Two things to discuss: the pages do not print.',
      'Some points for today: we need Map Room to print on both sides.',
    ])
      expect((await said(matter))[0]).toContain(matter.slice(-12));
    expect((await said('We cannot thank you for coming when Tour Desk fails each morning.'))[0]).toContain('Tour Desk fails');
  });

  it('a retraction is a statement of its own', async () => {
    const reading = await readBy(
      calm,
      talk(
        'call.txt',
        `${head}Carl Stein: How is Map Room?\nAnn Field: Map Room prints all maps again since this morning. You may forget what I wrote about stopping the licence.\n`,
      ),
    );
    expect(reading.statements.map(({ text, state }) => [text, state])).toEqual([
      ['Map Room prints all maps again since this morning.', 'resolved'],
      ['You may forget what I wrote about stopping the licence.', 'withdrawn'],
    ]);
  });

  it('an ultimatum is a statement of its own, beside praise and to somebody unknown', async () => {
    const reading = await read(
      talk(
        'call.txt',
        `${head}Carl Stein: How is Map Room?\nAnn Field: The new print is a joy, though. If Saturdays are not right by Christmas we go to Packwell.\n`,
      ),
    );
    const threat = reading.statements.find(({ text }) => text === 'If Saturdays are not right by Christmas we go to Packwell.');
    expect(threat).toMatchObject({ class: 'churn_risk', state: 'open' });
  });

  it('what is over and what remains are two statements', async () => {
    const reading = await readBy(
      calm,
      talk(
        'call.txt',
        `${head}Carl Stein: How is Coach Log?\nAnn Field: Coach Log counts the coaches again since the patch. The second yard is still at zero.\n`,
      ),
    );
    expect(reading.statements.map(({ text, state }) => [text, state])).toEqual([
      ['Coach Log counts the coaches again since the patch.', 'resolved'],
      ['The second yard is still at zero.', 'open'],
    ]);
  });

  it('praise and what spoils it are two statements where only the classifier sees the turn, and only likely ones are put to it', async () => {
    const of = (text: string): keyof Shares['class'] =>
      /rock solid/.test(text)
        ? /lottery/.test(text)
          ? 'information'
          : 'praise'
        : /lottery|twice/.test(text)
          ? 'complaint'
          : 'information';
    const asked: { by: string; text: string }[] = [];
    const sure: Judge = async (drafts, by) => {
      asked.push(...drafts.map(({ text }) => ({ by: by ?? 'all', text })));
      const shares = await byWords(drafts);
      return drafts.map(({ text }, i) => ({
        ...shares[i]!,
        class: { ...Object.fromEntries(signalClasses.map((each) => [each, 0.02])), none: 0.02, [of(text)]: 0.86 } as Shares['class'],
      }));
    };
    const reading = await readBy(
      sure,
      talk(
        'call.txt',
        `${head}Ann Field: Our rota here is rock solid. And our letters are a lottery.\nCarl Stein: Oh.\nBea Low: Our drivers print the map twice. They throw one away.\n`,
      ),
    );
    expect(reading.statements.map(({ class: label, text }) => [label, text])).toEqual([
      ['praise', 'Our rota here is rock solid.'],
      ['complaint', 'And our letters are a lottery.'],
      ['complaint', 'Our drivers print the map twice. They throw one away.'],
    ]);
    // By words, the second group has no praise.
    expect(asked.filter(({ by, text }) => by === 'words' && text.startsWith('Our drivers'))).toHaveLength(1);
    expect(asked.filter(({ by, text }) => by === 'all' && text.startsWith('Our drivers'))).toEqual([
      { by: 'all', text: 'Our drivers print the map twice. They throw one away.' },
    ]);
  });

  it('the words of a feature in small letters mean something else where its name is written', () => {
    const directory = directoryOf(counted([overview]));
    const capitals = capitalsIn(['Map Room loses our car parks.'], directory);
    expect(namedIn('There was a mouse in the map room of the museum.', directory, capitals).features).toEqual([]);
    expect(namedIn('There was a mouse in the map room of the museum.', directory, new Set()).features).toEqual(['Map Room']);
    expect(namedIn('The Map Room is slow.', directory, capitals).features).toEqual(['Map Room']);
  });
});

describe('mail', () => {
  const from = {
    from: 'Ann Field <ann@lakeside-tours.example>',
    to: 'Carl Stein <carl@elm-press.example>',
    date: 'Mon, 4 May 2026 09:00:00 +0200',
    subject: 'Map Room',
  };

  it.each([
    'Nothing but fog this week, and cold.',
    'Bei uns regnet es seit Ostern.',
    'Por aquí nieva desde ayer y hace un frío tremendo.',
    'Ici la pluie ne finit pas.',
  ])('the weather is nobody’s statement: %s', async (text) => {
    const reading = await read(
      mail(
        'a.eml',
        from,
        `Dear Carl,\n\nMap Room loses our car parks on every second print. We cannot send the drivers out like this.\n\n${text}\n\nBest regards\nAnn Field\n`,
      ),
    );
    expect(texts(reading).join(' ')).toContain('loses our car parks');
    expect(texts(reading).join(' ')).not.toContain(text);
  });
});

describe('tables', () => {
  it('a closed row is resolved, its subject tells the feature', async () => {
    const reading = await read(
      sheet('tickets.csv', [
        ['id', 'opened', 'customer', 'subject', 'description', 'status'],
        ['1', '2026-05-02', 'Lakeside Tours', 'Map Room prints twice', 'Every second page comes out twice since Monday.', 'solved'],
        ['2', '2026-05-03', 'Hill School', 'Coach Log', 'It forgets the second bus.', 'in progress'],
      ]),
    );
    expect(reading.statements.map(({ features, state, unit }) => [features, state, unit.customer])).toEqual([
      [['Map Room'], 'resolved', 'Lakeside Tours'],
      [['Coach Log'], 'open', 'Hill School'],
    ]);
  });
});
