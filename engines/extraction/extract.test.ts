import { describe, expect, it } from 'vitest';
import { nameKey } from '../text/names.ts';
import { candidateKeys, extract } from './index.ts';
import type { Extracted, ExtractionInput } from './types.ts';

const input = (text: string | string[], more: Partial<ExtractionInput> = {}): ExtractionInput => ({
  passages: [text].flat().map((each) => ({ title: null, text: each })),
  documentTitle: '',
  saidAt: '2024-06-12T10:00:00Z',
  sourceType: 'document',
  known: new Map(),
  ...more,
});
const read = (text: string | string[], more: Partial<ExtractionInput> = {}): Extracted => extract(input(text, more));
/** As `type:surface`, with "!" where the type is certain. */
const found = ({ mentions }: Extracted): string[] =>
  mentions.map(({ type, surface, certain }) => `${type}${certain ? '!' : ''}:${surface}`);
const surfaces = (extracted: Extracted): string[] => extracted.mentions.map((mention) => mention.surface);

describe('names as they are written', () => {
  it('takes runs of capitals with their small words, numbers and legal forms', () => {
    expect(surfaces(read('They moved from the Bank of America and Acme, Inc. to iOS 17 and J. K. Rowling.'))).toEqual([
      'Bank of America',
      'Acme, Inc',
      'iOS 17',
      'J. K. Rowling',
    ]);
  });

  it('takes no pronoun, date, greeting, menu or opening word', () => {
    expect(
      surfaces(
        read('Hello! I met them on Monday, 3 March. However, nothing came of it. Unfortunately it rained. Next Step Terms of Service'),
      ),
    ).toEqual([]);
    expect(surfaces(read('Log In | Sign Up | Download as PDF | Privacy Policy\n\nPROVIDE ME WITH THE DETAILS OF IT NOW'))).toEqual([]);
    expect(surfaces(read('Provide a poem. Explain the theory. Keeps me going. Support was quick.'))).toEqual([]);
  });

  it('believes a capital at the start of a sentence when something else speaks for a name', () => {
    expect(surfaces(read('Evernote has been good to me.'))).toEqual(['Evernote']);
    expect(surfaces(read('Glitchy at first. I like Skitch. Skitch, then, for me.'))).toEqual(['Skitch', 'Skitch']);
    expect(surfaces(read('Green fields everywhere, green as ever.'))).toEqual([]);
  });

  it('leaves titles and offices out, and parts two names of which one is of the other', () => {
    expect(found(read('They met Prime Minister Erna Solberg and the President of the General Assembly of the League of Nations.'))).toEqual(
      ['person:Erna Solberg', 'organization:General Assembly', 'organization:League of Nations'],
    );
  });

  it('says a type for certain where the text says it', () => {
    expect(found(read('Velora is a German media group.'))[0]).toBe('organization!:Velora');
    expect(found(read('Ann Lee (born 5 May 1970) sings.'))[0]).toBe('person!:Ann Lee');
    expect(found(read('Tarn Water is a lake in Cumbria.'))[0]).toBe('place!:Tarn Water');
    expect(found(read('He flew to Paris with Contoso GmbH.'))).toEqual(['place:Paris', 'organization!:Contoso GmbH']);
  });

  it('has one type for a name within a document, and no second person for a surname', () => {
    const { mentions } = read([
      'Ann Lee (born 5 May 1970) sings. Lee lives in Oslo.',
      'They asked Lee about it, and Ann Lee answered.',
      'Nobody else asked Lee.',
    ]);
    expect(
      mentions
        .filter((mention) => mention.surface !== 'Oslo')
        .map(({ passage, surface, type, start }) => [passage, surface, type, start > 0]),
    ).toEqual([
      [0, 'Ann Lee', 'person', false],
      [1, 'Ann Lee', 'person', true],
      // Named partly: a mention of the whole passage.
      [2, 'Ann Lee', 'person', false],
    ]);
  });

  it('finds little in other languages, and nothing for certain', () => {
    const german = read(
      'Die Deutsche Bank hat gestern neue Zahlen vorgelegt, und der Vorstand war mit dem Ergebnis der Sparte sehr zufrieden.',
    );
    const french = read(
      "Le ministre des Affaires étrangères a rencontré Emmanuel Macron à Paris pour discuter de l'accord avec les partenaires.",
    );
    const japanese = read('私たちは毎日この製品を使っています。とても便利ですが、少し高いです。');
    expect(surfaces(german).length).toBeLessThanOrEqual(1);
    expect(surfaces(french)).toContain('Emmanuel Macron');
    expect(surfaces(japanese)).toEqual([]);
    for (const { mentions, assertions } of [german, french]) {
      expect(mentions.every((mention) => !mention.certain && mention.confidence <= 0.5)).toBe(true);
      expect(assertions).toEqual([]);
    }
  });

  it('reads no names out of code, data and addresses', () => {
    expect(surfaces(read('{"name":"Acme Corp","items":[{"title":"Foo Bar"}]}'))).toEqual([]);
    expect(surfaces(read('See https://Example.com/Foo/BarBaz or write to Ann.Lee@Example.com.'))).toEqual([]);
    expect(surfaces(read('Then:\n```ts\nconst Widget = new FooBar(Baz);\n```\n'))).toEqual([]);
  });
});

describe('the document as a whole', () => {
  it('takes its title where that is a name, and its kind from the text', () => {
    const { mentions } = read('VIVA Media GmbH (until 2004 "VIVA Media AG") is a music television network.', {
      documentTitle: 'VIVA Media',
    });
    expect(mentions[0]).toMatchObject({ surface: 'VIVA Media', origin: 'title', passage: 0, start: 0, end: 0 });
    expect(found(read('Timothy Michael Kaine (born 1958) is a politician.', { documentTitle: 'Tim Kaine' }))).toEqual([
      'person!:Tim Kaine',
      'person!:Timothy Michael Kaine',
    ]);
    expect(found(read('Darial is a town in Pakistan.', { documentTitle: 'Darial, Pakistan' }))[0]).toBe('place!:Darial');
  });

  it('takes no heading for a name', () => {
    for (const title of ['How to Export Your Data', 'Getting started', 'Introduction', 'Meeting notes', 'notes-2024.md']) {
      expect(
        read('Getting started with it: an introduction, and how to export your data. Meeting notes follow.', { documentTitle: title })
          .mentions,
      ).toEqual([]);
    }
  });

  it('has the customer and those who took part, there and wherever they are named', () => {
    const { mentions } = read('Sara Connor said that Acme will stay.', {
      customer: 'Acme',
      participants: ['Sara Connor (Acme)', 'Bo Ek <bo@ek.se>'],
      sourceType: 'customer_call',
    });
    expect(mentions.map(({ surface, type, certain, origin, start, end }) => [surface, type, certain, origin, start, end])).toEqual([
      ['Acme', 'customer', true, 'metadata', 0, 0],
      ['Sara Connor', 'stakeholder', true, 'metadata', 0, 0],
      ['Bo Ek', 'stakeholder', true, 'metadata', 0, 0],
      ['Sara Connor', 'stakeholder', true, 'rules', 0, 11],
      ['Acme', 'customer', true, 'rules', 22, 26],
    ]);
  });

  it('takes speakers of transcripts, roles among them, but no "Agent" and no "Speaker 1"', () => {
    const text = 'Ann Lee: We start.\nAgent: Sure.\nSpeaker 1: Fine.\nAnn Lee: Good.\nAgent: Bye.\nSpeaker 1: Bye.';
    expect(new Set(found(read(text, { sourceType: 'transcript' })))).toEqual(new Set(['stakeholder!:Ann Lee']));
    expect(read('Project: Alpha\nOwner: nobody', { sourceType: 'document' }).mentions.map((mention) => mention.type)).not.toContain(
      'stakeholder',
    );
  });
});

describe('known names', () => {
  const known = new Map<string, readonly string[]>([
    ['dark mode', ['feature']],
    ['acme', ['customer']],
    ['notion', ['product', 'customer']],
    ['target', ['customer']],
  ]);
  it('win, in whatever case, with their type', () => {
    const { mentions } = read('the folks at ACME love Dark-Mode, and the target is met.', { known });
    expect(mentions.map(({ surface, type, origin, certain }) => [surface, type, origin, certain])).toEqual([
      ['ACME', 'customer', 'known', true],
      ['Dark-Mode', 'feature', 'known', true],
    ]);
  });

  it('are the only features where the features are known', () => {
    const text = 'I love dark mode, but the export button and the "Night" button crash the app, and so does the Offline Editor.';
    const typed = (featuresKnown: boolean) =>
      read(text, { known, featuresKnown, sourceType: 'app_reviews' }).mentions.flatMap(({ type, surface }) =>
        type === 'feature' ? surface : [],
      );
    expect(typed(false)).toEqual(expect.arrayContaining(['dark mode', 'export button']));
    expect(typed(true)).toEqual(['dark mode']);
  });

  it('are uncertain where several types bear the name', () => {
    expect(read('They use Notion.', { known }).mentions[0]).toMatchObject({ surface: 'Notion', type: 'product', certain: false });
  });

  it('are asked for by keys that hold every known name of a text', () => {
    const text = 'We love dark mode at Acme, Inc. and the Bank of America. Is sync to devices slow in v4.2 of Node.js?';
    const keys = new Set(candidateKeys(input(text, { documentTitle: 'Call with Globex', customer: 'Initech' })));
    for (const name of [
      'dark mode',
      'Acme',
      'Acme, Inc.',
      'Bank of America',
      'Node.js',
      'Globex',
      'Initech',
      'sync',
      'sync to devices',
      'v4.2',
    ]) {
      expect(keys, name).toContain(nameKey(name));
    }
    for (const noise of ['we', 'the', 'is', 'of', 'we love', 'at acme']) expect(keys).not.toContain(noise);
  });

  it('are asked for in bounded number', () => {
    const passage = Array.from({ length: 160 }, (_, i) => `Name${i} word${i}`).join(' ');
    const passages = Array.from({ length: 50 }, (_, i) => `${passage} ${i}`);
    expect(candidateKeys(input(passages)).length).toBeLessThanOrEqual(5_000);
  });
});
