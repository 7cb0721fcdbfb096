import { describe, expect, it } from 'vitest';
import { judge } from '../classifier/judge.ts';
import { shipped } from '../classifier/shipped.ts';
import { counted } from './documents.fixture.ts';
import { directoryOf, linksOf, prepare, readDocument } from './index.ts';
import type { EvidenceInput, EvidencePassage, Judge, Reading } from './types.ts';

/** Hostile and huge documents: no exception, every text accounted for, and effort that grows with the text. */

const known = judge(shipped().kinds.plain, { text: 'It fails.', context: '', vector: null });
/** The same shares for all: what is measured here is the reading, not the classifier. */
const evenly: Judge = (drafts) => Promise.resolve(drafts.map(() => known));

const document = (passages: EvidencePassage[], more: Partial<EvidenceInput> = {}): EvidenceInput => ({
  title: 'Lakeside',
  origin: 'a.txt',
  sourceType: 'document',
  given: {},
  found: {},
  arrivedAt: '2026-06-30T09:00:00Z',
  passages,
  ...more,
});

async function read(input: EvidenceInput): Promise<Reading> {
  const { layout } = prepare(input);
  return await readDocument(input, layout, directoryOf(counted([input])), evenly);
}

const sentence = 'Coach Log still loses our buses every week and nobody answers. ';
const plain = (text: string): EvidenceInput => document([{ text, title: 'Lakeside' }]);
const turns = (n: number): EvidenceInput =>
  document(
    Array.from({ length: n }, (_, i) => {
      const who = i % 2 ? 'Ann Field' : 'Carl Stein';
      return { text: `${who}: ${sentence}`, title: 'Call', turns: [[0, who.length + 2, who]] as [number, number, string][] };
    }),
  );

describe('odd documents', () => {
  it.each([
    ['nothing', document([])],
    ['an empty passage', plain('')],
    ['white space', plain(' \t\n\u00a0'.repeat(20_000))],
    ['line ends', plain('\n'.repeat(50_000))],
    ['one long word', plain('a'.repeat(200_000))],
    ['parentheses', plain('('.repeat(50_000))],
    ['bullets', plain('- \t'.repeat(30_000))],
    ['bars', plain('|'.repeat(30_000))],
    ['surrogates', plain('\ud83d'.repeat(5_000))],
    [
      'a mail without a body',
      document([{ text: '', title: 's' }], { found: { from: 'Ann <ann@lake.example>', to: ['carl@elm.example'] } }),
    ],
    ['a mail of quoted lines', document([{ text: `> ${sentence}\n`.repeat(2_000), title: 's' }], { found: { from: 'a@lake.example' } })],
  ])('%s: no statement', async (_, input) => {
    expect((await read(input)).statements).toEqual([]);
  });

  it('text from right to left', async () => {
    const text = 'המערכת עדיין לא עובדת אצלנו מאז יום שני. نظام التصدير لا يعمل منذ أسبوع.';
    const { statements, left } = await read(document([{ text: `Ann Field: ${text}`, title: 'Call', turns: [[0, 11, 'Ann Field']] }]));
    expect([...statements, ...left].map((each) => each.text).join(' ')).toContain('التصدير');
    for (const { start, end, text: said } of statements) expect(`Ann Field: ${text}`.slice(start, end)).toBe(said);
  });

  it('a table with 200 columns', async () => {
    const header = Array.from({ length: 200 }, (_, i) =>
      i === 0 ? 'id' : i === 2 ? 'date' : i === 3 ? 'customer' : i === 5 ? 'comment' : `field ${i}`,
    );
    const row = (r: number): string[] =>
      header.map((_, i) => (i === 0 ? `T-${r}` : i === 2 ? '2026-05-04' : i === 3 ? 'Hill School' : i === 5 ? sentence.trim() : 'x'));
    const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
    const text = [line(header), line(header.map(() => '---')), ...Array.from({ length: 50 }, (_, r) => line(row(r)))].join('\n');
    const { statements } = await read(plain(text));
    expect(statements).toHaveLength(50);
    expect(new Set(statements.map(({ unit }) => unit.customer))).toEqual(new Set(['Hill School']));
  });
});

describe('long documents', () => {
  it('5 MB without a line end are read to the end', { timeout: 300_000 }, async () => {
    const text = sentence.repeat(Math.ceil(5_000_000 / sentence.length));
    const { layout } = prepare(plain(text));
    expect(layout.units.at(-1)!.end).toBe(text.trimEnd().length);
  });

  it('10,000 turns: each is a statement or left out', { timeout: 120_000 }, async () => {
    const { statements, left } = await read(turns(10_000));
    expect(statements.length + left.length).toBeGreaterThanOrEqual(10_000);
  });

  it.each([
    ['turns', turns],
    ['prose', (n: number) => plain(sentence.repeat(n))],
    ['quotation marks', (n: number) => plain('"so it is, '.repeat(n))],
  ])('four times the %s take not much more than four times as long', { timeout: 120_000 }, async (_, make) => {
    const took = async (n: number): Promise<number> => {
      const from = process.cpuUsage();
      await read(make(n));
      const { user, system } = process.cpuUsage(from);
      return user + system;
    };
    await took(300);
    const few = await took(800);
    expect((await took(3_200)) / few).toBeLessThan(12);
  });

  it('links: a customer’s statements are compared with a bounded number before them', () => {
    const statements = Array.from({ length: 2_000 }, (_, i) => ({
      text: `Bus ${i} is lost again and the coach log of yard ${i % 50} is empty.`,
      day: '2026-05-04',
      customer: 'Lakeside',
      features: ['Coach Log'],
      competitors: [],
      class: 'bug' as const,
      tone: 'negative' as const,
      state: 'open' as const,
      vector: null,
    }));
    for (const { from, to } of linksOf(statements)) expect(to).toBeLessThan(from);
  });
});
