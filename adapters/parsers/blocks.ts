import { assertCharacters } from './refusals.ts';
import { markdownTable } from './tables.ts';
import type { Block, Place, Table } from './types.ts';

/** Rows per table block; longer tables continue in further blocks with the same heading row. */
const rowsPerBlock = 400;
const maxHeadingLength = 500;

/** Collects blocks in reading order with their headings. */
export class BlockList {
  readonly blocks: Block[] = [];
  readonly tables: Table[] = [];
  private characters = 0;
  private path: { level: number; text: string }[] = [];

  heading(level: number, text: string, place: Place = {}): void {
    const clean = cleanText(text).replace(/\s+/g, ' ').trim();
    if (clean === '') return;
    while ((this.path.at(-1)?.level ?? 0) >= level) this.path.pop();
    this.path.push({ level, text: clean.slice(0, maxHeadingLength) });
    this.blocks.push({ kind: 'heading', text: clean, level, place: this.placed(place) });
  }

  add(kind: 'paragraph' | 'list' | 'code', text: string, place: Place = {}, language?: string): void {
    const clean = cleanText(text)
      .trimEnd()
      .replace(/^\s*\n/, '');
    if (clean.trim() === '') return;
    this.blocks.push({
      kind,
      text: kind === 'code' ? clean : clean.trim(),
      place: this.placed(place),
      ...(language === undefined ? {} : { language }),
    });
  }

  /** @param lines the source's line (or row) of each row, if known */
  table(rows: string[][], headerRows: number, place: Place = {}, extra: { title?: string; lines?: number[] } = {}): void {
    this.count(rows);
    // Each further block repeats them.
    const blocks = Math.ceil(rows.length / rowsPerBlock);
    if (blocks > 1) for (let i = 1; i < blocks; i += 1) this.count(rows.slice(0, Math.max(1, headerRows)));
    const clean = rows.map((row) => row.map((cell) => cleanText(cell).trim()));
    if (!clean.some((row) => row.some((cell) => cell !== ''))) return;
    const at = this.placed(place);
    this.tables.push({ rows: clean, headerRows, place: at, ...(extra.title === undefined ? {} : { title: extra.title }) });
    const header = clean.slice(0, Math.max(1, headerRows));
    for (let from = header.length; from === header.length || from < clean.length; from += rowsPerBlock) {
      const line = extra.lines?.[from === header.length ? 0 : from];
      const text = markdownTable([...header, ...clean.slice(from, from + rowsPerBlock)]);
      this.blocks.push({ kind: 'table', text, place: line === undefined ? at : { ...at, line } });
    }
  }

  /** Many cells may share one string in memory: count it before each gets its own copy. */
  private count(rows: readonly (readonly string[])[]): void {
    for (const row of rows) for (const cell of row) this.characters += cell.length;
    assertCharacters(this.characters);
  }

  private placed(place: Place): Place {
    return this.path.length === 0 ? place : { ...place, headings: this.path.map((heading) => heading.text) };
  }
}

/**
 * Without invisible characters and those that Postgres cannot store: NUL, other control characters, lone surrogates,
 * soft hyphens.
 */
export const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\u000B\u000C]/g, '\n')
    .replace(/[\u0000-\u0008\u000E-\u001F\u007F\u00AD\u200B\uFEFF]/g, '')
    .replace(/\u00A0/g, ' ');
