import { parse as parseCsv } from 'csv-parse/sync';
import { BlockList } from './blocks.ts';
import { decodeText } from './encoding.ts';
import { refusal, refusalOf } from './refusals.ts';
import { headerRowsOf } from './sheet-regions.ts';
import type { Parsed, ParseInput } from './types.ts';
import { Warnings } from './warnings.ts';

const maxRows = 500_000;
const maxCells = 3_000_000;
/** A quote that is never closed consumes the rest of the file; a valid row is never this long. */
const maxRowCharacters = 1_000_000;

/** Rows with a delimiter: comma, semicolon, tab or bar, whichever splits the first lines most evenly. */
export function read({ bytes, filename, mediaType }: ParseInput): Parsed {
  const decoded = decodeText(bytes);
  const warnings = new Warnings(decoded.warnings);
  let text = decoded.text;
  // Excel's line that names the delimiter.
  const told = /^sep=(.)\n/.exec(text)?.[1];
  if (told !== undefined) text = text.slice(6);
  if (text.trim() === '') throw refusal('empty', 'The table is empty.');
  const tabs = /\.(tsv|tab)$/i.test(filename ?? '') || /tab-separated/.test(mediaType ?? '');
  const delimiter = told ?? sniffDelimiter(text, tabs ? '\t' : ',');
  const { rows, lines } = readRows(text, delimiter, warnings);
  if (rows.length === 0) throw refusal('empty', 'The table is empty.');
  const list = new BlockList();
  const shift = told === undefined ? 0 : 1;
  list.table(rows, headerRowsOf(rows), {}, { lines: lines.map((line) => line + shift) });
  return {
    format: delimiter === '\t' ? 'tsv' : 'csv',
    metadata: { encoding: decoded.encoding, delimiter, rows: rows.length, ...warnings.toMetadata() },
    blocks: list.blocks,
    tables: list.tables,
  };
}

function readRows(text: string, delimiter: string, warnings: Warnings): { rows: string[][]; lines: number[] } {
  const attempt = (quote: '"' | null) => {
    const rows: string[][] = [];
    const lines: number[] = [];
    let cells = 0;
    let dropped = 0;
    let line = 1;
    parseCsv(text, {
      delimiter,
      quote,
      escape: quote,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: maxRowCharacters,
      // Rows are collected here, and not in the library as well.
      on_record: (row: string[], { lines: end }) => {
        if (rows.length < maxRows && cells < maxCells) {
          rows.push(row);
          lines.push(line);
          cells += row.length;
        } else dropped++;
        line = end + 1;
        return null;
      },
    });
    if (dropped > 0) warnings.add(`${dropped} rows after the first ${rows.length} were not read.`);
    return { rows, lines };
  };
  try {
    return attempt('"');
  } catch (error) {
    try {
      const read = attempt(null);
      warnings.add('A quotation mark is never closed; they were read as characters like any other.');
      return read;
    } catch {
      throw refusalOf(error, 'The table');
    }
  }
}

/** The delimiter with the same number of occurrences in most of the first lines. */
function sniffDelimiter(text: string, usual: string): string {
  const lines = text
    .slice(0, 64 * 1024)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 50);
  let best = { delimiter: usual, score: 0 };
  for (const delimiter of [usual, ',', ';', '\t', '|']) {
    const counts = lines.map((line) => line.split(delimiter).length - 1).filter((count) => count > 0);
    const often = new Map<number, number>();
    for (const count of counts) often.set(count, (often.get(count) ?? 0) + 1);
    const even = Math.max(0, ...often.values()) / Math.max(1, lines.length);
    const columns = [...often].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
    // On a tie, more columns win: a decimal comma may be even, too.
    const score = even * (1 + Math.min(columns, 20) / 100);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}
