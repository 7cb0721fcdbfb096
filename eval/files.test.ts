import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createParser } from '../adapters/parsers/bounded.ts';
import { evalFiles, type FilesReport } from './files.ts';

const data = join(import.meta.dirname, '../../shared/data/5-files');
const parser = createParser({ timeoutMs: 60_000, memoryMb: 512, maxPages: 5000, maxUnpackedBytes: 256 * 1024 * 1024 });
afterAll(() => parser.close());

async function run(dir: string): Promise<FilesReport> {
  let printed = '';
  const report = await evalFiles(dir, { parser, json: true, print: (text) => (printed = text) });
  expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(report)));
  return report;
}

it('compares words with the reference beside a file and names what cannot be read', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'files-'));
  try {
    mkdirSync(join(dir, 'expected'));
    writeFileSync(join(dir, 'a.html'), '<html><body><h1>One two</h1><p>three three <a href="/x">four</a></p></body></html>');
    writeFileSync(join(dir, 'a.md'), '# One two\n\nthree [four](http://elsewhere.test/five) six\n');
    writeFileSync(join(dir, 'b.pdf'), 'no PDF');
    writeFileSync(join(dir, 'README.md'), 'skipped');
    const { files, totals } = await run(dir);
    expect(files.map((file) => [file.file, file.outcome, file.reason])).toEqual([
      ['a.html', 'parsed', undefined],
      ['b.pdf', 'refused', 'mislabelled'],
    ]);
    expect(files[0]!.reference).toMatchObject({ file: 'a.md', recall: 4 / 5, precision: 4 / 5, missing: ['six'], added: ['three'] });
    expect(totals).toMatchObject({ files: 2, parsed: 1, refused: 1, failed: 0, compared: 1 });
  } finally {
    rmSync(dir, { recursive: true });
  }
});

it.skipIf(!existsSync(data))('reads every real file or says why not, and meets the references', { timeout: 120_000 }, async () => {
  const { files, totals } = await run(data);
  expect(files.filter((file) => file.outcome === 'failed')).toEqual([]);
  expect(files.filter((file) => file.outcome === 'refused').map((file) => [file.file, file.reason])).toEqual([
    ['exceljs/missing-bits.xlsx', 'damaged'],
    ['python-docx/having-images.docx', 'empty'],
    ['python-docx/tbl-having-tables.docx', 'empty'],
  ]);
  expect(totals.compared).toBeGreaterThanOrEqual(24);
  expect(totals.meanF1).toBeGreaterThan(0.98);
  expect(files.flatMap((file) => file.metadata?.filter((each) => !each.alike) ?? [])).toEqual([]);
});
