/** Real files, read in place. eval/files.ts measures how much of their text is found. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, type Parsed } from './index.ts';
import { docxOf, wordParagraph } from './testing.ts';

const data = join(import.meta.dirname, '../../../shared/data');
const here = existsSync(data);
if (!here) console.warn('shared/data is not there: tests on real files are skipped.');
const read = (path: string): Promise<Parsed> => parse({ bytes: readFileSync(join(data, '5-files', path)), filename: basename(path) });
const headings = (parsed: Parsed): string[] =>
  parsed.blocks.filter((block) => block.kind === 'heading').map((block) => `${block.level} ${block.text}`);

describe.skipIf(!here)('real files', () => {
  it('PDF: two columns in order, superscripts in their lines, headings of the text size', async () => {
    const parsed = await read('docling/pdf/amt_handbook_sample.pdf');
    const text = parsed.blocks.map((block) => block.text).join('\n');
    expect(text).toContain('No. 6 up to 1⁄4 inch, the Rol-top ranges from 1⁄4 inch to 1⁄6 inch');
    expect(text.indexOf('The wing type that is')).toBeLessThan(text.indexOf('the most common ranges in size'));
    expect(headings(parsed)).toEqual(expect.arrayContaining(['1 Boots Self-Locking Nut', '1 Elastic Stop Nut']));
    expect(parsed).toMatchObject({
      title: 'AMT General Handbook',
      pageCount: 1,
      metadata: { author: 'FAA', created: '2017-12-11T15:35:19.000Z' },
    });
  });

  it('PDF: tables and forms by their columns', async () => {
    const { tables = [] } = await read('markitdown/movie-theater-booking-2024.pdf');
    expect(tables.map((table) => table.rows)).toContainEqual([
      ['Month', '# Shows', 'Gross Amount', 'Net Amount', 'Occupancy'],
      ['December 2024', '48', '$12,500.00', '$11,250.00', '85%'],
      ['Totals', '48', '$12,500.00', '$11,250.00', '85%'],
    ]);
    expect(tables[0]!.rows[0]).toEqual(['Order / Rev:', '2024-12-5678', 'Cinema:', 'Downtown Multiplex']);
  });

  it('Word: headings, lists, tables, and the headings above each', async () => {
    const parsed = await read('docling/docx/word_sample.docx');
    expect(headings(parsed)).toEqual(['1 Swimming in the lake', '1 Let’s swim!', '2 Let’s eat']);
    expect(parsed.blocks.find((block) => block.kind === 'table')).toMatchObject({
      text: expect.stringContaining('| Berries | Blueberry, Strawberry, Cranberry | 150 |') as string,
      place: { headings: ['Let’s swim!', 'Let’s eat'] },
    });
    expect(
      (await read('docling/docx/unit_test_headers.docx')).blocks.find((block) => block.text === 'Paragraph 1.2.3.1')!.place.headings,
    ).toEqual(['Section 1', 'Section 1.2', 'Section 1.2.3']);
  });

  it('PowerPoint: merged cells, notes, comments, charts, SmartArt', async () => {
    const sample = await read('docling/pptx/powerpoint_sample.pptx');
    expect(sample.tables![0]!.rows.slice(0, 2)).toEqual([
      ['', 'Class1', 'Class1', 'Class1', 'Class2', 'Class2', 'Class2'],
      ['', 'A merged with B', 'A merged with B', 'C', 'A', 'B', 'C'],
    ]);
    expect(sample.blocks.find((block) => block.text === 'Some notes on the second slide.')!.place).toEqual({
      slide: 2,
      headings: ['Second slide title', 'Notes'],
    });
    expect((await read('tika/testPPT_comment.pptx')).blocks.at(-1)!.text).toContain('tps deck');
    expect((await read('markitdown/test.pptx')).tables![1]!.rows[1]).toEqual(['2000', '2000']);
    expect((await read('python-pptx/shp-shapes.pptx')).blocks.find((block) => block.text.includes('Smart Art'))!.text).toBe(
      '- shapes[5]\n- Smart Art',
    );
  });

  it('Excel: every sheet, merged cells, dates, titles over tables', async () => {
    const sheets = await read('docling/xlsx/xlsx_01.xlsx');
    expect(headings(sheets)).toEqual(['1 Sheet1', '1 Sheet2', '1 Sheet3', '1 Sheet4']);
    expect(sheets.metadata['hidden_sheets']).toEqual(['Sheet4']);
    expect(sheets.tables!.filter((table) => table.place.sheet === 'Sheet3')[0]!.rows.slice(0, 2)).toEqual([
      ['first', 'header', 'header'],
      ['first', 'second', 'third'],
    ]);
    expect((await read('exceljs/1904.xlsx')).blocks[1]).toMatchObject({ text: '1904-01-01', place: { sheet: 'Sheet1', line: 4 } });
    expect((await read('tika/testEXCEL.xlsx')).tables![0]).toMatchObject({ headerRows: 1, rows: { length: 16 } });
    expect((await read('unstructured/stanley-cups.xlsx')).tables![0]!.rows).toContainEqual(['Maple Leafs', 'TOR', '13']);
  });

  it('HTML: the article of a page, its code and metadata', async () => {
    const parsed = await read('markitdown/test_blog.html');
    expect(parsed).toMatchObject({
      title: expect.stringContaining('Case Study for MATH') as string,
      metadata: { byline: 'Chi Wang', article: true, canonical_url: expect.stringContaining('LLM-tuning-math') as string },
    });
    expect(headings(parsed)).toEqual(['2 Experiment Setup', '2 Experiment Results', '2 Analysis and Discussion', '2 For Further Reading']);
  });

  it('refuses what has no text, and what is broken', async () => {
    await expect(read('python-docx/having-images.docx')).rejects.toMatchObject({ details: { reason: 'empty' } });
    await expect(read('exceljs/missing-bits.xlsx')).rejects.toMatchObject({ details: { reason: 'damaged' } });
  });

  it('takes instructions in content for content', async () => {
    const attacks = JSON.parse(readFileSync(join(data, '6-security/bipia/text_attack_train.json'), 'utf8')) as Record<string, string[]>;
    const lines = Object.values(attacks)
      .flat()
      .map((line) => line.replace(/\s+/g, ' ').trim());
    const escaped = lines.map((line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
    const word = await parse({ bytes: docxOf(escaped.map((line) => wordParagraph(line)).join('')), filename: 'a.docx' });
    expect(word.blocks.map((block) => block.text)).toEqual(lines);
    const html = await parse({
      bytes: Buffer.from(`<html><body>${escaped.map((line) => `<div><p>${line}</p></div>`).join('')}`),
      filename: 'a.html',
    });
    for (const line of lines) expect(html.blocks.map((block) => block.text)).toContain(line);
  });
});
