import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, type Block, type Parsed } from '../../adapters/parsers/index.ts';
import { chunk } from './chunking.ts';
import { splitProse } from './chunking-split.ts';

const data = join(import.meta.dirname, '../../../shared/data');
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
const markdown = (text: string): Promise<Parsed> => parse({ bytes: bytes(text), filename: 'a.md' });

/** A small seeded generator: the same documents on every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomDocument(seed: number): Parsed {
  const next = random(seed);
  let count = 0;
  const prose = (most: number): string =>
    Array.from({ length: 1 + next(most) }, () => `w${count++}${'x'.repeat(next(9))}${['', '.', '\n', '. Then', '🎉'][next(5)]}`).join(' ');
  const kinds = ['heading', 'paragraph', 'list', 'table', 'code', 'turn'] as const;
  const blocks = Array.from({ length: 1 + next(40) }, (): Block => {
    const kind = kinds[next(kinds.length)]!;
    const text = kind === 'heading' ? prose(next(10) === 0 ? 80 : 8).replace(/\n/g, ' ') : prose(next(6) === 0 ? 400 : 40);
    return {
      kind,
      text,
      ...(kind === 'heading' ? { level: 1 + next(6) } : {}),
      ...(kind === 'code' && next(2) === 0 ? { language: 'ts' } : {}),
      place: { line: 1 + next(1000), ...(kind === 'turn' ? { speaker: `Speaker ${next(3)}` } : {}) },
    };
  });
  return { format: 'test', metadata: {}, blocks };
}

describe('chunk', () => {
  it('keeps every word and every limit, whatever the document and the size', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const parsed = randomDocument(seed);
      for (const size of [100, 333, 1000, 8000]) {
        const chunks = chunk(parsed, { size });
        expect(chunks.map((each) => each.ordinal)).toEqual(chunks.map((_, i) => i));
        expect(Math.max(...chunks.map((each) => each.text.length))).toBeLessThanOrEqual(size);
        const found = new Set(chunks.flatMap((each) => words(each.text)));
        const lost = parsed.blocks.flatMap((block) => words(block.text)).filter((word) => !found.has(word));
        expect(lost, `seed ${seed}, size ${size}`).toEqual([]);
      }
    }
  }, 30_000);

  it('refuses sizes out of range', () => {
    for (const size of [99, 8001, 500.5, Number.NaN]) {
      expect(() => chunk({ format: 'txt', metadata: {}, blocks: [] }, { size })).toThrow(/from 100 to 8000/);
    }
  });

  it('opens a chunk at a heading and keeps headings in a row together', async () => {
    const chunks = chunk(await markdown('# Guide\n\n## Install\n\nRun it.\n\n## Use\n\nCall it.\n'));
    expect(chunks.map((each) => each.text)).toEqual(['# Guide\n\n## Install\n\nRun it.', '## Use\n\nCall it.']);
    expect(chunks.map((each) => each.title)).toEqual(['Guide › Install', 'Guide › Use']);
    expect(chunks[1]).toMatchObject({ place: { line: 7, headings: ['Guide', 'Use'] }, endPlace: { line: 9 } });
  });

  it('does not cut code that fits, and names its language', async () => {
    const code = Array.from({ length: 12 }, (_, i) => `const value${i} = compute(${i});`).join('\n');
    const chunks = chunk(await markdown(`${'Some words before it. '.repeat(20)}\n\n\`\`\`TypeScript\n${code}\n\`\`\`\n\nAfter.`), {
      size: 500,
    });
    const withCode = chunks.filter((each) => each.hasCode);
    expect(withCode).toHaveLength(1);
    expect(withCode[0]!.codeBlocks).toEqual([{ language: 'typescript', code }]);
    expect(withCode[0]!.text).toContain(`\`\`\`typescript\n${code}\n\`\`\``);
  });

  it('cuts code that is too long at lines, each piece fenced', async () => {
    const lines = Array.from({ length: 60 }, (_, i) => `line_${i}();`);
    const chunks = chunk(await markdown(`\`\`\`js\n${lines.join('\n')}\n\`\`\``), { size: 150 });
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.flatMap((each) => each.codeBlocks.flatMap((block) => block.code.split('\n')))).toEqual(lines);
    for (const each of chunks) expect(each.text).toMatch(/^```js\n[^]*\n```$/);
    const second = chunks[1]!;
    expect(second.codeBlocks[0]!.code.split('\n')[0]).toBe(lines[second.place.line! - 2]);
  });

  it('repeats the header of a table that is too long', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `| row ${i} | ${i * i} |`);
    const chunks = chunk(await markdown(`| name | square |\n|---|---|\n${rows.join('\n')}`), { size: 200 });
    for (const each of chunks) expect(each.text.startsWith('| name | square |\n|---|---|\n| row ')).toBe(true);
    expect(chunks.flatMap((each) => each.text.split('\n').slice(2))).toEqual(rows);
  });

  it('names a speaker when the voice changes, and keeps the times', async () => {
    const vtt =
      'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Hello.\n\n00:02.000 --> 00:03.000\n<v Bob>Hi.\n\n00:03.000 --> 00:04.500\n<v Ann>Shall we start?\n';
    const [only, ...others] = chunk(await parse({ bytes: bytes(vtt), filename: 'a.vtt' }));
    expect(others).toEqual([]);
    expect(only!.text).toBe('Ann: Hello.\nBob: Hi.\nAnn: Shall we start?');
    expect(only).toMatchObject({ place: { startMs: 1000, speaker: 'Ann' }, endPlace: { startMs: 3000, endMs: 4500 } });
  });

  it('repeats the speaker and a few words when a turn alone is too long', () => {
    const text = Array.from({ length: 40 }, (_, i) => `This is sentence number ${i}.`).join(' ');
    const chunks = chunk({ format: 'vtt', metadata: {}, blocks: [{ kind: 'turn', text, place: { speaker: 'Ann' } }] }, { size: 300 });
    for (const each of chunks) expect(each.text).toMatch(/^Ann: This is|^Ann: \w[^]*\.$/);
    expect(chunks[0]!.text).toMatch(/\.$/);
    const shared = chunks[1]!.text.slice(5, 20);
    expect(chunks[0]!.text).toContain(shared);
  });

  it('takes 5 MB in one line or in a million in bounded time, without breaking characters', () => {
    for (const text of ['a'.repeat(5e6), 'word '.repeat(1e6), '🎉'.repeat(1e6), 'a\n'.repeat(1e6)]) {
      const chunks = chunk({ format: 'txt', metadata: {}, blocks: [{ kind: 'paragraph', text, place: { line: 1 } }] }, { size: 1000 });
      expect(chunks.length).toBeGreaterThan(1000);
      expect(chunks.every((each) => each.text.isWellFormed())).toBe(true);
    }
  }, 30_000);
});

describe('splitProse', () => {
  it('covers the text without a gap and moves on', () => {
    const next = random(7);
    for (let i = 0; i < 200; i++) {
      const text = Array.from({ length: next(400) }, () => ['a', ' ', '. B', '\n', '🎉', 'longword'][next(6)]).join('');
      const size = 5 + next(60);
      const pieces = splitProse(text, size, next(size));
      expect(pieces[0]?.start).toBe(0);
      expect(pieces.at(-1)?.end).toBe(text.length);
      for (const [k, piece] of pieces.entries()) {
        expect(piece.end - piece.start).toBeLessThanOrEqual(size);
        if (k > 0) {
          expect(piece.start).toBeLessThanOrEqual(pieces[k - 1]!.end);
          expect(piece.end).toBeGreaterThan(pieces[k - 1]!.end);
        }
      }
    }
  });
});

const meetings = join(data, '4-signals/qmsum_product_val.jsonl');
const hasMeetings = existsSync(meetings);
if (!hasMeetings) console.warn('chunking.test: ../shared/data is absent; the meeting transcripts are skipped.');

describe.skipIf(!hasMeetings)('real meetings', () => {
  it('are read as turns and lose nothing in chunks', async () => {
    const lines = readFileSync(meetings, 'utf8').trim().split('\n').slice(0, 10);
    for (const line of lines) {
      const { meeting_transcripts: said } = JSON.parse(line) as { meeting_transcripts: { speaker: string; content: string }[] };
      const text = said.map((turn) => `${turn.speaker}: ${turn.content.replace(/\s+/g, ' ')}`).join('\n');
      const parsed = await parse({ bytes: bytes(text), filename: 'meeting.txt' });
      expect(parsed.blocks.map((block) => block.place.speaker)).toEqual(said.map((turn) => turn.speaker.trim()));
      const found = new Set(chunk(parsed).flatMap((each) => words(each.text)));
      expect(words(text).filter((word) => !found.has(word))).toEqual([]);
    }
  });
});
