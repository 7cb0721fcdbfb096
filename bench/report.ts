import type { Spread } from './stats.ts';

/** One row of the table: a path of the product and its floor, from the same run. */
export interface Line {
  path: string;
  product: string;
  /** The comparison; empty when the goal is absolute. */
  floor: string;
  ratio?: number;
  goal: string;
  /** Absent: shown for comparison only. */
  met?: boolean;
  /** The same values for programs. */
  figures: Record<string, unknown>;
}

export interface Section {
  title: string;
  lines: Line[];
  /** Notes that a reader needs to interpret the numbers. */
  notes: string[];
}

export const ms = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(1));
export const spreadText = (times: Spread): string => `${ms(times.p50)} / ${ms(times.p95)} / ${ms(times.p99)} ms`;
export const rate = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)}/s`;

const heads = ['path', 'product (p50/p95/p99 or rate)', 'floor', 'ratio', 'goal', 'met'];

export function printSection(section: Section): void {
  const rows = section.lines.map((line) => [
    line.path,
    line.product,
    line.floor || '–',
    line.ratio === undefined ? '–' : `×${line.ratio.toFixed(2)}`,
    line.goal || '–',
    line.met === undefined ? '–' : line.met ? 'yes' : 'NO',
  ]);
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]!.length)));
  const text = (row: string[]): string =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd();
  console.log(`\n${section.title}`);
  console.log(text(heads));
  console.log(widths.map((width) => '─'.repeat(width)).join('  '));
  for (const row of rows) console.log(text(row));
  for (const note of section.notes) console.log(`  ${note}`);
}
