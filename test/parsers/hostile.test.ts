/** Malformed, encrypted and oversized files: each ends in time with a reason, and the next file is read. */
import * as XLSX from '@e965/xlsx';
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { AppError } from '../../contracts/errors.ts';
import { createParser, type Parser, type ParserSettings } from '../../adapters/parsers/bounded.ts';
import { parse } from '../../adapters/parsers/index.ts';
import type { ParseInput } from '../../adapters/parsers/types.ts';
import { docxOf, pdfOf, pptxOf, wordParagraph, xlsxOf, zipOf } from '../../adapters/parsers/testing.ts';

const mb = 1024 * 1024;
const settings: ParserSettings = { timeoutMs: 60_000, memoryMb: 256, maxPages: 50, maxUnpackedBytes: 64 * mb };
const parser = createParser(settings);
afterAll(() => parser.close());

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const refusalBy = async (by: Parser, input: ParseInput): Promise<AppError> => {
  const error = await by.parse(input).then(
    (parsed) => Promise.reject(new Error(`was read: ${JSON.stringify(parsed).slice(0, 300)}`)),
    (reason: unknown) => reason as AppError,
  );
  expect(error).toMatchObject({ name: 'AppError', hint: expect.any(String) as string, details: { reason: expect.any(String) as string } });
  expect(error.retryable).toBe(false);
  return error;
};
const refusal = (filename: string, content: Uint8Array): Promise<AppError> => refusalBy(parser, { bytes: content, filename });

/** Seconds of work for any parser. */
const slowPage = `<html><body>${'<p>x'.repeat(1_500_000)}`;
const longWord = docxOf(wordParagraph('All is well. '.repeat(400)));

describe('archives', () => {
  const zeros = new Uint8Array(80 * mb);
  const wordWith = (part: Parameters<typeof zipOf>[0][number]): Buffer => docxOf(wordParagraph('x'), { more: [part] });

  it('refuses bombs by what they declare, and by what comes out when they lie', async () => {
    expect(await refusal('a.docx', wordWith({ path: 'word/bomb.xml', data: zeros }))).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      details: { reason: 'too_large' },
    });
    expect(await refusal('a.docx', wordWith({ path: 'word/bomb.xml', data: zeros, declaredSize: 1000 }))).toMatchObject({
      details: { reason: expect.stringMatching(/too_large|damaged/) as string },
    });
    expect(
      await refusal(
        'a.xlsx',
        zipOf([
          { path: '[Content_Types].xml', data: '<Types/>' },
          { path: 'xl/workbook.xml', data: zeros },
        ]),
      ),
    ).toMatchObject({ details: { reason: 'too_large' } });
    const many = Array.from({ length: 10_001 }, (_, i) => ({ path: `word/${i}.xml`, data: '' }));
    expect(await refusal('a.docx', docxOf('', { more: many }))).toMatchObject({ details: { reason: 'too_large', entries: 10_004 } });
  });

  it('does not inflate what it does not need', async () => {
    const parsed = await parser.parse({
      bytes: docxOf(wordParagraph('read'), { more: [{ path: 'word/media/a.png', data: new Uint8Array(12 * mb) }] }),
      filename: 'a.docx',
    });
    expect(parsed.blocks.map((block) => block.text)).toEqual(['read']);
  });

  it('refuses document types: no entity expands, no file is read', async () => {
    const lol = `<!DOCTYPE l [<!ENTITY a "lol">${'bcdefghij'.replace(/./g, (name, i: number) => `<!ENTITY ${name} "${`&${'abcdefghij'[i]};`.repeat(10)}">`)}]>`;
    const outside = '<!DOCTYPE l [<!ENTITY j SYSTEM "file:///etc/passwd">]>';
    for (const prolog of [lol, outside]) {
      expect(await refusal('a.docx', docxOf(wordParagraph('&j;'), { prolog }))).toMatchObject({
        details: { reason: 'damaged' },
        message: expect.stringContaining('document type') as string,
      });
    }
    const slide = { path: 'ppt/slides/slide1.xml', data: `${outside}<x/>` };
    expect(
      await refusal(
        'a.pptx',
        zipOf([{ path: '[Content_Types].xml', data: '<Types/>' }, { path: 'ppt/presentation.xml', data: '<p/>' }, slide]),
      ),
    ).toMatchObject({ details: { reason: 'damaged' } });
  });

  it('refuses what is nested beyond reason', async () => {
    const deep = (open: string, close: string): string => open.repeat(50_000) + close.repeat(50_000);
    expect((await refusal('a.pptx', pptxOf([deep('<p:grpSp>', '</p:grpSp>')]))).details).toMatchObject({ reason: 'damaged' });
    expect((await refusal('a.docx', docxOf(deep('<w:p>', '</w:p>')))).details).toMatchObject({
      reason: expect.stringMatching(/damaged|empty/) as string,
    });
  });
});

describe('cut off, empty, locked', () => {
  it('says that the end is missing', async () => {
    const sheet = xlsxOf('<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>x</t></is></c></row></sheetData>');
    for (const [name, whole] of [
      ['a.docx', longWord],
      ['a.xlsx', sheet],
    ] as const) {
      expect((await refusal(name, whole.subarray(0, Math.floor(whole.length * 0.7)))).details).toMatchObject({ reason: 'truncated' });
    }
    expect((await refusal('a.pdf', bytes('%PDF-1.7\n1 0 obj\n<< /Type /Cat'))).details).toMatchObject({ reason: 'truncated' });
  });

  it('reads what a cut-off PDF still has, and warns', async () => {
    const whole = pdfOf([[{ text: 'The first page is still here', x: 72, y: 700 }]]);
    const parsed = await parser.parse({ bytes: whole.subarray(0, whole.indexOf('startxref')), filename: 'a.pdf' });
    expect(parsed.blocks[0]!.text).toBe('The first page is still here');
    expect(parsed.metadata['warnings']).toEqual([expect.stringContaining('end of the PDF is missing')]);
  });

  it('says that there is nothing in it', async () => {
    for (const name of ['a.pdf', 'a.docx', 'a.xlsx', 'a.pptx', 'a.csv', 'a.html', 'a.json']) {
      expect((await refusal(name, new Uint8Array())).details, name).toMatchObject({ reason: 'empty' });
    }
    expect((await refusal('a.docx', docxOf(''))).details).toMatchObject({ reason: 'empty' });
    expect((await refusal('a.xlsx', xlsxOf('<sheetData/>'))).details).toMatchObject({ reason: 'empty' });
    expect(await refusal('a.pdf', pdfOf([[], []]))).toMatchObject({
      details: { reason: 'no_text_layer', pages: 2 },
      hint: expect.stringContaining('OCR') as string,
    });
  });

  it('opens PDFs that are locked with the empty password and refuses the others', async () => {
    const page = [[{ text: 'Not so secret', x: 72, y: 700 }]];
    expect((await parser.parse({ bytes: pdfOf(page, { password: '' }), filename: 'a.pdf' })).blocks[0]!.text).toBe('Not so secret');
    expect(await refusal('a.pdf', pdfOf(page, { password: 'secret' }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { reason: 'encrypted' },
    });
  });

  it('refuses locked Office files and archives', async () => {
    const container = XLSX.CFB.utils.cfb_new();
    XLSX.CFB.utils.cfb_add(container, 'EncryptedPackage', Buffer.alloc(5000));
    const locked = XLSX.CFB.write(container, { type: 'buffer' }) as Buffer;
    for (const name of ['a.docx', 'a.xlsx', 'a.pptx'])
      expect((await refusal(name, locked)).details, name).toMatchObject({ reason: 'encrypted' });
    const entries = [
      { path: '[Content_Types].xml', data: 'x' },
      { path: 'word/document.xml', data: 'x', flags: 1 },
    ];
    expect((await refusal('a.docx', zipOf(entries))).details).toMatchObject({ reason: 'encrypted' });
  });
});

describe('files that are not what they are called', () => {
  it('reads what it can, with a warning', async () => {
    const pdf = pdfOf([[{ text: 'I am a PDF', x: 72, y: 700 }]]);
    for (const [name, content, format] of [
      ['a.txt', pdf, 'pdf'],
      ['a.docx', pdf, 'pdf'],
      ['a.pdf', longWord, 'docx'],
      ['a.csv', longWord, 'docx'],
    ] as const) {
      const parsed = await parser.parse({ bytes: content, filename: name });
      expect(parsed.format, name).toBe(format);
      expect(parsed.metadata['warnings'], name).toEqual([expect.stringContaining(`named "${name.slice(2)}" but is`)]);
    }
    expect((await parser.parse({ bytes: longWord, mediaType: 'application/octet-stream' })).format).toBe('docx');
  });

  it('refuses the rest and says what it looks like', async () => {
    const program = Buffer.concat([bytes('MZ\u0090'), Buffer.alloc(500)]);
    const cases = [
      ['a.docx', program, 'a Windows program'],
      ['a.pdf', zipOf([{ path: 'a.txt', data: 'hello' }]), 'a ZIP archive'],
      ['a.docx', zipOf([{ path: 'a.txt', data: 'hello' }]), 'a ZIP archive'],
      ['a.pdf', bytes('just some words'), 'text'],
      ['a.pdf', bytes('<!DOCTYPE html><html><body>Please log in</body></html>'), 'a web page'],
      ['a.txt', Buffer.concat([Buffer.from([0x89]), bytes('PNG\r\n\u001a\n'), Buffer.alloc(20)]), 'a PNG image'],
      ['a.xlsx', bytes('a,b\n1,2\n'), 'text'],
    ] as const;
    for (const [name, content, what] of cases) {
      expect(await refusal(name, content), name).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { reason: 'mislabelled', looks_like: what },
      });
    }
    expect(
      (await refusal('a.doc', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('WordDocument', 'utf16le')]))).message,
    ).toContain('DOC');
  });

  it('does not take words for signatures', async () => {
    for (const text of ['MZ is short for a name.', 'ID3 tags are old.', 'PK and other initials', 'BZh was here']) {
      expect((await parse({ bytes: bytes(text), filename: 'a.txt' })).blocks[0]!.text).toBe(text);
    }
  });
});

describe('bounds', () => {
  it('refuses too many pages and slides', async () => {
    const small = createParser({ ...settings, maxPages: 2 });
    const pages = [1, 2, 3].map((n) => [{ text: `Page ${n}`, x: 72, y: 700 }]);
    expect(await refusalBy(small, { bytes: pdfOf(pages), filename: 'a.pdf' })).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      details: { reason: 'too_many_pages', pages: 3 },
    });
    expect((await refusalBy(small, { bytes: pptxOf(['', '', '']), filename: 'a.pptx' })).details).toMatchObject({
      reason: 'too_many_pages',
    });
    await small.close();
  });

  it('ends a file that takes too long and reads the next one', async () => {
    const hasty = createParser({ ...settings, timeoutMs: 2_500, memoryMb: 1_024 });
    expect(await refusalBy(hasty, { bytes: bytes(slowPage.repeat(4)), filename: 'a.html' })).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      details: { reason: 'timeout' },
    });
    expect((await hasty.parse({ bytes: bytes('a;b\n1;2\n'), filename: 'a.csv' })).format).toBe('csv');
    await hasty.close();
  });

  it('ends a file that takes too much memory, in objects or in buffers', async () => {
    const narrow = createParser({ ...settings, memoryMb: 128, maxUnpackedBytes: 4096 * mb });
    const rows = bytes(`[${'{"a":[1,2,3]},'.repeat(1_500_000)}1]`);
    expect(await refusalBy(narrow, { bytes: rows, filename: 'a.json' })).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      details: { reason: 'out_of_memory', memory_mb: 128 },
    });
    const zeros = new Uint8Array(15 * mb);
    const parts = Array.from({ length: 60 }, (_, i) => ({ path: `word/${i}.xml`, data: zeros }));
    expect((await refusalBy(narrow, { bytes: docxOf('', { more: parts }), filename: 'a.docx' })).details).toMatchObject({
      reason: 'out_of_memory',
    });
    await narrow.close();
  });

  it('keeps a sheet that claims a million columns and merges to what it has', async () => {
    const sheet =
      '<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>only</t></is></c><c r="B1" t="inlineStr"><is><t>two</t></is></c></row></sheetData><mergeCells><mergeCell ref="B1:XFD1048576"/></mergeCells>';
    const parsed = await parser.parse({ bytes: xlsxOf(sheet), filename: 'a.xlsx' });
    expect(parsed.tables![0]!.rows[0]!.slice(0, 3)).toEqual(['only', 'two', 'two']);
  });

  const shared = (rows: number, text: string): Buffer =>
    xlsxOf(
      `<sheetData>${Array.from({ length: rows }, (_, i) => `<row r="${i + 1}">${['A', 'B', 'C', 'D', 'E'].map((column) => `<c r="${column}${i + 1}" t="s"><v>0</v></c>`).join('')}</row>`).join('')}</sheetData>`,
      [text],
    );

  it('refuses a small sheet whose cells all show one long text, before each has its own', async () => {
    const sheet = shared(4_000, 'x'.repeat(32_000));
    expect(sheet.length).toBeLessThan(110_000);
    expect(await refusal('a.xlsx', sheet)).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      details: { reason: 'too_large', max_characters: 64_000_000 },
    });
  });

  it('reads long runs of spaces within cells and paragraphs in time', async () => {
    const gap = `a${' '.repeat(32_000)}b`;
    const sheet = await parser.parse({ bytes: shared(80, gap), filename: 'a.xlsx' });
    expect(sheet.tables![0]!.rows).toHaveLength(80);
    const page = await parser.parse({ bytes: bytes(`<html><body><pre>a${' '.repeat(200_000)}b</pre></body></html>`), filename: 'a.html' });
    expect(page.blocks[0]!.text).toMatch(/^a\s+b$/);
  });

  it('reads 200,000 rows of CSV', async () => {
    const csv = `id,name,amount\n${Array.from({ length: 200_000 }, (_, i) => `${i},"Name, ${i}",${i * 1.5}`).join('\n')}\n`;
    const parsed = await parser.parse({ bytes: bytes(csv), filename: 'big.csv' });
    expect(parsed.tables![0]).toMatchObject({ headerRows: 1, rows: { length: 200_001 } });
    expect(parsed.tables![0]!.rows[200_000]).toEqual(['199999', 'Name, 199999', '299998.5']);
    expect(parsed.blocks.length).toBe(500);
    expect(parsed.blocks[499]!.place.line).toBe(199_602);
  });

  it('keeps pages and quotes that never end in bounds', async () => {
    const nested = await parser.parse({ bytes: bytes(`<html><body>${'<div>'.repeat(20_000)}deep`), filename: 'a.html' });
    expect(nested.blocks.map((block) => block.text)).toEqual(['deep']);
    const open = await parser.parse({ bytes: bytes(`a,b\n1,"never closed\n${'2,3\n'.repeat(400_000)}`), filename: 'a.csv' });
    expect(open.metadata['warnings']).toEqual([expect.stringContaining('never closed')]);
    expect(open.tables![0]!.rows).toHaveLength(400_002);
  });
});

describe('the processes', () => {
  it('serve many at once, each with its own answer', async () => {
    const parsed = await Promise.all(
      Array.from({ length: 12 }, (_, i) => parser.parse({ bytes: docxOf(wordParagraph(`file ${i}`)), filename: 'a.docx' })),
    );
    expect(parsed.map((each) => each.blocks[0]!.text)).toEqual(Array.from({ length: 12 }, (_, i) => `file ${i}`));
  });

  it('refuse after closing what waits and what comes', async () => {
    const closing = createParser(settings);
    const waiting = Array.from({ length: 4 }, () =>
      closing.parse({ bytes: longWord, filename: 'a.docx' }).catch((error: unknown) => error),
    );
    await closing.close();
    expect(await Promise.all(waiting)).toEqual(
      Array.from({ length: 4 }, () => expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }) as unknown),
    );
    await expect(closing.parse({ bytes: longWord })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await closing.close();
  });

  it('end with their parent, even while they read', async () => {
    const code = `
      const { createParser } = await import(${JSON.stringify(new URL('../../adapters/parsers/bounded.ts', import.meta.url).href)});
      const parser = createParser(${JSON.stringify({ ...settings, timeoutMs: 60_000 })});
      void parser.parse({ bytes: Buffer.from('<html><body>' + '<p>x'.repeat(1_500_000)), filename: 'a.html' });
      const { execFileSync } = await import('node:child_process');
      setTimeout(() => process.send(execFileSync('ps', ['-o', 'pid=', '--ppid', String(process.pid)]).toString()), 300);
    `;
    const parent = fork('-', [], { execArgv: ['--input-type=module', '-e', code], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const [listed] = (await once(parent, 'message')) as [string];
    const pids = listed.trim().split(/\s+/).map(Number).filter(alive);
    expect(pids.length).toBeGreaterThan(0);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    const until = Date.now() + 60_000;
    while (pids.some(alive)) {
      if (Date.now() > until) throw new Error(`still there: ${pids.filter(alive).join(', ')}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  });

  it.skipIf(!existsSync('/proc/self/environ'))('are told nothing of our environment, and may not write', async () => {
    process.env['PARSER_TEST_SECRET'] = 'hush';
    const own = createParser(settings);
    await own.parse({ bytes: longWord, filename: 'a.docx' });
    const started = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)])
      .toString()
      .split('\n')
      .filter((line) => line.includes('bounded-host.ts'));
    expect(started.length).toBeGreaterThan(0);
    for (const line of started) {
      expect(line).toContain('--permission');
      const pid = line.trim().split(' ')[0]!;
      expect(
        readFileSync(`/proc/${pid}/environ`, 'utf8')
          .split('\0')
          .map((each) => each.split('=')[0])
          .filter((name) => !name!.startsWith('NODE_CHANNEL'))
          .toSorted((one, other) => one!.localeCompare(other!)),
      ).toEqual(['', 'NODE_NO_WARNINGS', 'TZ']);
    }
    await own.close();
    delete process.env['PARSER_TEST_SECRET'];
  });
});

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
