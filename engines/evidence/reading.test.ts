/** From documents to statements, with the shipped classifier by words alone. */
import { describe, expect, it, test } from 'vitest';
import { processorMs } from '../../test/kit/processor.ts';
import { textParser } from '../../adapters/parsers/text.ts';
import type { Parsed } from '../../adapters/parsers/types.ts';
import { vttParser } from '../../adapters/parsers/vtt.ts';
import { judge } from '../classifier/judge.ts';
import { shipped } from '../classifier/shipped.ts';
import { chunk } from '../retrieval/chunking.ts';
import { directoryOf, prepare, readDocument, type Directory, type EvidenceInput, type Reading } from './index.ts';

const models = shipped().kinds.plain;
const input = (text: string, more: Partial<EvidenceInput> = {}): EvidenceInput => ({
  title: 'Handed in',
  origin: 'source',
  sourceType: 'document',
  given: {},
  found: {},
  arrivedAt: '2026-09-01T10:00:00.000Z',
  passages: [{ text, title: null }],
  ...more,
});

async function read(document: EvidenceInput, known?: Directory): Promise<Reading> {
  const { layout, clues } = prepare(document);
  const directory = known ?? directoryOf(clues.map((clue) => ({ ...clue, documents: 1 })));
  return await readDocument(document, layout, directory, (drafts) =>
    Promise.resolve(drafts.map(({ text, context }) => judge(models, { text, context, vector: null }))),
  );
}
const said = async (document: EvidenceInput): Promise<string[]> => (await read(document)).statements.map(({ text }) => text);

const globex = { customer: 'Globex' };

describe('a short text without layout', () => {
  test.each([
    ['The export is too slow for our monthly closing.'],
    ['I love the new dashboard.'],
    ['If this is not fixed by Friday we will cancel our contract.'],
    ['Der Export bricht jeden Abend ab. Bitte behebt das.'],
  ])('gives its statement to the customer of the submission: %s', async (text) => {
    const { statements, saidAt, saidBy } = await read(input(text, { given: globex }));
    expect(statements.map((each) => [each.text, each.unit.customer, each.unit.side])).toEqual([[text, 'Globex', 'customer']]);
    // Nothing tells a date: it was said when it arrived.
    expect([saidAt, saidBy]).toEqual(['2026-09-01T10:00:00.000Z', 'arrival']);
  });

  it('of two lines gives both', async () => {
    const found = await said(input('We cannot invite more than five users.\nPlease add a dark mode.', { given: globex }));
    expect(found.join(' ')).toMatch(/five users\.\s+Please add a dark mode\./);
  });

  it('needs no customer, nor a full stop where users write', async () => {
    expect(await said(input('The app crashes when I print, please fix it.'))).toHaveLength(1);
    expect(await said(input('Great app', { sourceType: 'app_reviews', given: globex }))).toEqual(['Great app']);
  });

  it('is a report of the vendor’s people where it tells of somebody', async () => {
    const { statements, left } = await read(
      input('The customer says the sync breaks every night. We think about a new scheduler.', { given: globex }),
    );
    expect(statements.map(({ text }) => text)).toEqual(['The customer says the sync breaks every night.']);
    expect(left.map(({ why }) => why)).toEqual(['internal']);
  });

  it('is no product overview because it names a feature', async () => {
    const { kind, statements } = await read(input('The export feature fails for us every Monday.'));
    expect([kind, statements.length]).toEqual(['other', 1]);
  });

  it('with the customer of the submission is that customer’s, whoever is known to speak', async () => {
    const known: Directory = {
      version: 'v',
      organisations: [{ name: 'Brandvoll Ferries', aliases: [], role: 'customer', domains: [] }],
      people: [
        {
          name: 'Ida Moe',
          aliases: [],
          side: 'customer',
          posts: [{ organisation: 'Brandvoll Ferries', from: null, until: null }],
        },
      ],
      features: [],
    };
    const call = {
      sourceType: 'call',
      passages: [{ text: 'Ida Moe: We cannot use the crew list, it is empty after every update.', title: null }],
    };
    const customers = async (given: EvidenceInput['given']) =>
      (await read(input('', { ...call, given }), known)).statements.map(({ unit }) => unit.customer);
    expect(await customers({})).toEqual(['Brandvoll Ferries']);
    expect(await customers(globex)).toEqual(['Globex']);
  });
});

describe('nobody’s statement', () => {
  it('stands in texts that no customer speaks in, and the reason is told', async () => {
    const { statements, left } = await read(input('Paris is the capital of France. It lies on the Seine, and we know it well.'));
    expect(statements).toEqual([]);
    expect(left).toMatchObject([{ why: expect.stringMatching(/^(?:small_talk|unsure)$/) }]);
  });

  it('is a heading, code, a courtesy or a signature', async () => {
    const text =
      '# Feedback\n\nHi team,\n\nThe app crashes when I print.\n\n```\nI hate this code\n```\n\n- Please add a dark mode\n\nBest regards,\nAnna';
    const found = (await said(input(text, { sourceType: 'app_reviews', given: globex }))).join('\n');
    expect(found).toContain('The app crashes when I print.');
    expect(found).toContain('Please add a dark mode');
    expect(found).not.toMatch(/Feedback|Hi team|regards/);
  });
});

describe('labelled lines', () => {
  const lines = [
    'Customer: We use the export every day, and we like it.',
    'Customer: One thing: the export fails with large files.',
    'Agent: Note: we know that the export is slow.',
    'Agent: My question: do you use the app?',
    'Customer: Second thing: the login is broken for us.',
  ];

  it('are turns, also where the parser has found none', async () => {
    const one = await read(input('Customer: The report builder is far too slow for us.', { given: globex }));
    expect(one.kind).toBe('call');
    expect(one.statements.map(({ text, unit }) => [text, unit.speaker])).toEqual([
      ['The report builder is far too slow for us.', 'Customer'],
    ]);
    const person = await read(
      input('Maria Keller: The search never finds our invoices, and we need them every day.', { sourceType: 'transcript', given: globex }),
    );
    expect(person.statements.map(({ unit }) => unit.person)).toEqual(['Maria Keller']);
    // A field of a note is no speaker.
    expect((await read(input('Customer: Bank of the West\nThey said that the export fails every night.'))).kind).not.toBe('call');
  });

  test.each([100, 150, 200, 1000])('are the customer’s alone, cut after %i characters', async (size) => {
    const parsed = textParser.parse({ bytes: new TextEncoder().encode(lines.join('\n')) }, {} as never) as Parsed;
    const passages = chunk(parsed, { size }).map(({ text, turns }) => ({ text, title: null, ...(turns ? { turns } : {}) }));
    const { statements } = await read(input('', { sourceType: 'customer_call', given: globex, passages }));
    const found = statements.map(({ text }) => text).join('\n');
    expect(found).toContain('the export fails with large files');
    expect(found).toContain('the login is broken for us');
    expect(found).not.toMatch(/we know|do you use/);
    expect(new Set(statements.map(({ unit }) => unit.speaker))).toEqual(new Set(['Customer']));
    for (const { unit, start, end, text } of statements) expect(passages[unit.passage]!.text.slice(start, end)).toBe(text);
  });

  it('of captions with voices are, too', async () => {
    const vtt = lines.map((line, i) => `00:0${i}.000 --> 00:0${i}.900\n<v ${line.split(':')[0]}>${line.replace(/^\w+: /, '')}`);
    const parsed = vttParser.parse({ bytes: new TextEncoder().encode(`WEBVTT\n\n${vtt.join('\n\n')}\n`) }, {} as never) as Parsed;
    const passages = chunk(parsed, { size: 1000 }).map(({ text, turns }) => ({ text, title: null, ...(turns ? { turns } : {}) }));
    const { statements } = await read(input('', { sourceType: 'customer_call', given: globex, passages }));
    expect(statements.map(({ text }) => text).join('\n')).not.toMatch(/we know|do you use/);
    expect(statements.length).toBeGreaterThan(1);
  });
});

it('a quotation ends with its mark, also behind a space', async () => {
  expect(await said(input('Hélène dit : « La carte se fige chaque matin. » Marc ferme tout.', { given: globex }))).toContainEqual(
    expect.stringContaining('chaque matin. »'),
  );
});

it('a line with a label is another matter than the one before', async () => {
  const text = 'The drivers: two said the map is late and slow.\nDoubles: none since the 19th.\n';
  expect(await said(input(text, { given: globex, title: 'Notes of the visit' }))).toEqual([
    'The drivers: two said the map is late and slow.',
    'Doubles: none since the 19th.',
  ]);
});

it('an answer is read with the question that it quotes', async () => {
  const contexts: string[] = [];
  const document = input(
    'Hi Priya,\n\nanswers below.\n\n> 2. Do you use the tyre page?\nWe do not, and nobody told us that there is one.\n\nBest wishes\nMeg',
    {
      found: { from: 'Meg Rowe <meg@brightwater.example>' },
      people: [{ name: 'Meg Rowe', side: 'customer', customer: 'Globex' }],
    },
  );
  const { layout, clues } = prepare(document);
  await readDocument(document, layout, directoryOf(clues.map((clue) => ({ ...clue, documents: 1 }))), (drafts) => {
    contexts.push(...drafts.map(({ context }) => context));
    return Promise.resolve(drafts.map(({ text, context }) => judge(models, { text, context, vector: null })));
  });
  expect(contexts).toContain('2. Do you use the tyre page?');
});

it('a short chat comes to the matter with its second turn', async () => {
  const text = [
    'Agent: Hello, how can I help you today?',
    'Customer: The invoice export crashes every time I select more than one month.',
    'Agent: Let me check that for you, one moment please.',
    'Customer: Apart from that we love the new dashboard, it saves us an hour every morning. Could you please add a dark mode for us?',
    'Customer: If this is not fixed by Friday we will cancel our contract.',
  ].join('\n');
  const found = (await said(input(text, { sourceType: 'customer_call', given: globex }))).join('\n');
  for (const part of ['export crashes', 'love the new dashboard', 'dark mode', 'cancel our contract']) expect(found).toContain(part);
  expect(found).not.toMatch(/help you|Let me check/);
});

describe('what people said of participants', () => {
  const call = 'Ida Moe: The crew list is empty after every update.\nJon Lake: We would love to see that fixed as well, of course.';
  const document = (people: EvidenceInput['people']): EvidenceInput => input(call, { sourceType: 'call', people });

  it('wins over everything, and is told to other documents for the customer alone', async () => {
    const people = [
      { name: 'Ida Moe', side: 'customer', customer: 'Skagen Lines' },
      { name: 'Jon Lake', side: 'vendor', customer: null },
    ] as const;
    const { statements, participants, left } = await read(document(people));
    expect(statements.map(({ unit }) => [unit.person, unit.customer])).toEqual([['Ida Moe', 'Skagen Lines']]);
    expect(left.map(({ why }) => why)).toEqual(['vendor']);
    expect(participants).toEqual([
      expect.objectContaining({ name: 'Ida Moe', side: 'customer', customer: 'Skagen Lines' }),
      expect.objectContaining({ name: 'Jon Lake', side: 'vendor', customer: null }),
    ]);
    const kinds = prepare(document(people)).clues.map(({ kind, subject }) => `${kind} ${subject}`);
    expect(kinds).toContain('customer Skagen Lines');
    expect(kinds).not.toContain('staff Jon Lake');
  });
});

it('reads in time linear in the text, whatever it is made of', { timeout: 60_000 }, () => {
  for (const unit of ['| a ', 'A: b\n', '`', '# ', '- ', 'Customer: ', '...', '\n\n', ': ']) {
    const taken = processorMs(() => prepare(input(unit.repeat(5_000), { sourceType: 'call' })));
    expect(taken, JSON.stringify(unit)).toBeLessThan(8_000);
  }
});
