import * as XLSX from '@e965/xlsx';
import { BlockList } from './blocks.ts';
import { readParts } from './office.ts';
import { refusal, refusalOf } from './refusals.ts';
import { regionsOf } from './sheet-regions.ts';
import type { Parsed, ParseInput, ParseLimits } from './types.ts';
import { isZip } from './unzip.ts';
import { Warnings } from './warnings.ts';

const maxRows = 200_000;
const maxCells = 2_000_000;
/** Maximum cells filled by merges per sheet. */
const maxMerged = 100_000;

const options = {
  dense: true,
  cellDates: true,
  UTC: true,
  cellNF: true,
  cellFormula: false,
  cellHTML: false,
  sheetRows: maxRows + 1,
} as const;

/** Spreadsheets (XLSX, XLSM, XLS, ODS): each sheet is a heading, each area of cells a table, single cells paragraphs. */
export async function read({ bytes }: ParseInput, limits: ParseLimits): Promise<Parsed> {
  const book = await open(bytes, limits);
  const names = book.SheetNames;
  if (names.length > limits.maxPages)
    throw refusal('too_many_pages', `The workbook has ${names.length} sheets, more than ${limits.maxPages}.`);
  const warnings = new Warnings();
  const list = new BlockList();
  let cells = 0;
  for (const name of names) {
    const sheet = book.Sheets[name];
    if (sheet === undefined) continue;
    const rows = rowsOf(sheet, maxCells - cells);
    cells += rows.reduce((sum, row) => sum + row.length, 0);
    if (rows.length > maxRows || cells >= maxCells)
      warnings.add(`Sheet "${name}" was not read beyond its row ${Math.min(rows.length, maxRows)}.`);
    const regions = regionsOf(rows.slice(0, maxRows));
    if (regions.length === 0) continue;
    list.heading(1, name, { sheet: name });
    for (const { rows: part, lines, headerRows } of regions) {
      const place = { sheet: name, line: lines[0]! };
      if (part.length === 1 && part[0]!.length === 1) list.add('paragraph', part[0]![0]!, place);
      else list.table(part, headerRows, place, { title: name, lines });
    }
  }
  if (list.blocks.length === 0) throw refusal('empty', 'The workbook has no cells with content.');
  const { Title, Author, CreatedDate, ModifiedDate } = book.Props ?? {};
  const hidden = (book.Workbook?.Sheets ?? []).filter((sheet) => sheet.Hidden).map((sheet) => sheet.name);
  const date = (value: unknown): string | undefined =>
    value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined;
  const metadata = {
    author: Author,
    created: date(CreatedDate),
    modified: date(ModifiedDate),
    sheets: names.slice(0, 200),
    hidden_sheets: hidden.length > 0 ? hidden.slice(0, 200) : undefined,
  };
  return {
    format: !isZip(bytes) ? 'xls' : book.bookType === 'ods' ? 'ods' : 'xlsx',
    ...(Title ? { title: Title } : {}),
    metadata: { ...Object.fromEntries(Object.entries(metadata).filter(([, value]) => value)), ...warnings.toMetadata() },
    blocks: list.blocks,
    tables: list.tables,
    pageCount: names.length,
  };
}

async function open(bytes: Uint8Array, limits: ParseLimits): Promise<XLSX.WorkBook> {
  try {
    if (!isZip(bytes)) return XLSX.read(bytes, { ...options, type: 'array' });
    // Unpacked here, within the limits, and passed in the container that the library creates from a zip.
    const parts = await readParts(bytes, limits, (path) => !/^(xl\/media|Pictures|Thumbnails|docProps\/thumbnail)/.test(path));
    if (/encryption-data/.test(Buffer.from(parts.get('META-INF/manifest.xml') ?? []).toString('latin1'))) {
      throw refusal('encrypted', 'The spreadsheet is protected by a password.');
    }
    const container = XLSX.CFB.utils.cfb_new() as object;
    for (const [path, part] of parts) XLSX.CFB.utils.cfb_add(container, path, Buffer.from(part));
    return parseParts(container, { ...options });
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message))
      throw refusal('encrypted', 'The spreadsheet is protected by a password.', { cause: error });
    throw refusalOf(error, 'The spreadsheet');
  }
}

/** Exported by the library, missing from its types. */
const parseParts = (XLSX as unknown as { parse_zip(container: object, options: object): XLSX.WorkBook }).parse_zip;

/** Texts of the cells, with merged ones filled; only existing rows and cells, whatever range the file declares. */
function rowsOf(sheet: XLSX.WorkSheet, budget: number): string[][] {
  const data = (sheet as { '!data'?: (XLSX.CellObject | undefined)[][] })['!data'] ?? [];
  const rows: string[][] = [];
  let cells = 0;
  for (let y = 0; y < Math.min(data.length, maxRows + 1) && cells < budget; y++) {
    const row = Array.from(data[y] ?? [], textOf);
    while (row.at(-1) === '') row.pop();
    cells += row.length;
    rows.push(row);
  }
  let merged = 0;
  for (const { s, e } of sheet['!merges'] ?? []) {
    const value = rows[s.r]?.[s.c];
    // A merged cell alone in its row is a title above the table, not a value of each column.
    if (!value || rows[s.r]!.every((cell, x) => x === s.c || cell === '')) continue;
    for (let y = s.r; y <= Math.min(e.r, rows.length - 1); y++) {
      for (let x = s.c; x <= e.c && merged < maxMerged; x++, merged++) {
        while (rows[y]!.length < x) rows[y]!.push('');
        rows[y]![x] = value;
      }
    }
  }
  return rows;
}

function textOf(cell: XLSX.CellObject | undefined): string {
  if (cell === undefined || cell.v === undefined || cell.v === null || cell.t === 'z') return '';
  if (cell.v instanceof Date) return dateText(cell.v, cell);
  if (cell.t === 'e') return cell.w ?? '#ERROR';
  if (cell.t === 'b') return cell.v ? 'TRUE' : 'FALSE';
  if (cell.t !== 'n') return String(cell.v);
  // As displayed; a number without format is written in full.
  const plain = cell.z === undefined || /^general$/i.test(String(cell.z)) || cell.w === undefined || /^#+$/.test(cell.w);
  return plain ? String(cell.v) : cell.w!.trim();
}

/** ISO 8601, because orders of day and month differ; pure times stay as displayed. */
function dateText(date: Date, cell: XLSX.CellObject): string {
  if (Number.isNaN(date.getTime())) return cell.w ?? '';
  const format = String(cell.z ?? '').replace(/"[^"]*"|\[[^\]]*\]|\\./g, '');
  if (cell.w !== undefined && format !== '' && !/[dy]/i.test(format) && /[hs]/i.test(format)) return cell.w;
  const iso = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
}
