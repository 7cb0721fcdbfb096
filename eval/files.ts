/**
 * Quality of the parsers on a folder of real files: parsed, or refused with a reason, the time, and the share of a
 * reference's text that was found. References are beside the files: `a.docx.md`, `a.md`, `expected/a.md`, or, in the
 * format of Readability's test cases, `source.html` with `expected.html` and `expected-metadata.json`.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { parseHTML } from 'linkedom';
import { createParser, type Parser } from '../adapters/parsers/bounded.ts';
import { supportedFormats } from '../adapters/parsers/index.ts';
import type { Parsed } from '../adapters/parsers/types.ts';
import { AppError } from '../contracts/errors.ts';

export interface FileOutcome {
  /** Relative to the folder. */
  file: string;
  bytes: number;
  outcome: 'parsed' | 'refused' | 'failed';
  format?: string;
  /** For refusals, with `reason` as in adapters/parsers/refusals.ts; for failures, the message. */
  code?: string;
  reason?: string;
  ms: number;
  blocks: number;
  tables: number;
  pages: number;
  characters: number;
  warnings: string[];
  /** Comparison with the reference as a multiset of words, 0 to 1. */
  reference?: { file: string; recall: number; precision: number; f1: number; missing: string[]; added: string[] };
  /** Fields of expected-metadata.json: expected, found, alike. */
  metadata?: { field: string; expected: unknown; found: unknown; alike: boolean }[];
}

export interface FilesReport {
  files: FileOutcome[];
  totals: { files: number; parsed: number; refused: number; failed: number; compared: number; meanF1: number | null; ms: number };
}

export interface FilesOptions {
  /** Default: one with the default limits, closed at the end. */
  parser?: Parser;
  /** Print JSON instead of a table. */
  json?: boolean;
  /** Prints the report; default: standard output. */
  print?: (text: string) => void;
}

/** Whether a file is a reference. */
const isReference = (path: string): boolean => /(^|\/)expected(\/|\.html$|-metadata\.json$)/.test(path) || /\.[a-z]{3,5}\.md$/.test(path);
const skipped = /(^|\/)(feeds|LICENSE[^/]*|README[^/]*|SHA256SUMS|node_modules)(\/|$)/;

/** Reads every file of a folder with a known format. */
export async function evalFiles(dir: string, options: FilesOptions = {}): Promise<FilesReport> {
  const extensions = new Set(supportedFormats.flatMap((format) => format.extensions));
  const parser =
    options.parser ?? createParser({ timeoutMs: 120_000, memoryMb: 1024, maxPages: 5000, maxUnpackedBytes: 512 * 1024 * 1024 });
  const paths: string[] = [];
  for await (const path of glob('**/*', { cwd: dir })) {
    if (skipped.test(path) || isReference(path) || !extensions.has(extname(path).slice(1).toLowerCase())) continue;
    if (isTwin(dir, path) || !statSync(join(dir, path)).isFile()) continue;
    paths.push(path);
  }
  const files: FileOutcome[] = [];
  try {
    for (const path of paths.sort()) files.push(await evalFile(parser, dir, path));
  } finally {
    if (options.parser === undefined) await parser.close();
  }
  const report = { files, totals: totalsOf(files) };
  const print = options.print ?? ((text: string) => void process.stdout.write(`${text}\n`));
  print(options.json === true ? JSON.stringify(report, null, 2) : render(report));
  return report;
}

/** `a.md` beside `a.pdf` is the reference for it. */
const isTwin = (dir: string, path: string): boolean =>
  extname(path) === '.md' &&
  ['.pdf', '.docx', '.pptx', '.xlsx', '.html'].some((each) => existsSync(join(dir, path.replace(/\.md$/, each))));

async function evalFile(parser: Parser, dir: string, path: string): Promise<FileOutcome> {
  const file = join(dir, path);
  const bytes = readFileSync(file);
  const started = performance.now();
  const base = { file: path, bytes: bytes.length, blocks: 0, tables: 0, pages: 0, characters: 0, warnings: [] };
  try {
    const parsed = await parser.parse({ bytes, filename: basename(path) });
    const ms = performance.now() - started;
    const { warnings } = parsed.metadata;
    return {
      ...base,
      outcome: 'parsed',
      format: parsed.format,
      ms,
      blocks: parsed.blocks.length,
      tables: parsed.tables?.length ?? 0,
      pages: parsed.pageCount ?? 0,
      characters: parsed.blocks.reduce((sum, block) => sum + block.text.length, 0),
      warnings: Array.isArray(warnings) ? warnings.map(String) : [],
      ...compare(dir, file, parsed),
    };
  } catch (error) {
    const ms = performance.now() - started;
    if (!(error instanceof AppError)) return { ...base, outcome: 'failed', ms, reason: String(error) };
    return { ...base, outcome: 'refused', ms, code: error.code, reason: String(error.details?.['reason'] ?? error.message) };
  }
}

function compare(dir: string, file: string, parsed: Parsed): Partial<Pick<FileOutcome, 'reference' | 'metadata'>> {
  const folder = dirname(file);
  const stem = basename(file, extname(file));
  const html = basename(file) === 'source.html' ? join(folder, 'expected.html') : undefined;
  // A reference by stem alone belongs to a file only when no other has the same.
  const alone = readdirSync(folder).filter((each) => basename(each, extname(each)) === stem && extname(each) !== '.md').length === 1;
  const candidates = [`${file}.md`, ...(alone ? [join(folder, `${stem}.md`), join(folder, 'expected', `${stem}.md`)] : [])].filter(
    (each) => each !== file,
  );
  const reference = html !== undefined && existsSync(html) ? html : candidates.find((each) => existsSync(each));
  if (reference === undefined) return {};
  const text = readFileSync(reference, 'utf8');
  const expected = wordsOf(reference === html ? htmlText(text) : text);
  const found = wordsOf(parsed.blocks.map((block) => block.text).join('\n'));
  const metadata = join(folder, 'expected-metadata.json');
  return {
    reference: { file: relative(dir, reference), ...overlap(expected, found) },
    ...(reference === html && existsSync(metadata) && { metadata: compareMetadata(metadata, parsed) }),
  };
}

function htmlText(html: string): string {
  const { document } = parseHTML(
    `<!doctype html><html><body>${html.replace(/<\/?(?:p|div|li|h\d|td|th|tr|br|pre|section|figcaption)[^>]*>/gi, ' $& ')}</body></html>`,
  ) as unknown as {
    document: { body: { textContent: string | null } };
  };
  return document.body.textContent ?? '';
}

/** Words and numbers, without Markdown syntax, comments and link URLs; joins words that are hyphenated at line ends. */
function wordsOf(text: string): Map<string, number> {
  const words = new Map<string, number>();
  const plain = text
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\p{L})-\n(\p{Ll})/gu, '$1$2')
    .normalize('NFKC')
    .replace(/&(amp|lt|gt|quot);/g, ' ')
    .toLowerCase();
  for (const word of plain.match(/[\p{L}\p{N}]+/gu) ?? []) words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

function overlap(
  expected: ReadonlyMap<string, number>,
  found: ReadonlyMap<string, number>,
): Omit<NonNullable<FileOutcome['reference']>, 'file'> {
  const sum = (words: ReadonlyMap<string, number>): number => [...words.values()].reduce((all, count) => all + count, 0);
  let both = 0;
  for (const [word, count] of expected) both += Math.min(count, found.get(word) ?? 0);
  const beyond = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): string[] =>
    [...one]
      .filter(([word, count]) => count > (other.get(word) ?? 0))
      .slice(0, 20)
      .map(([word]) => word);
  const recall = sum(expected) === 0 ? 1 : both / sum(expected);
  const precision = sum(found) === 0 ? 1 : both / sum(found);
  const f1 = recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision);
  return { recall, precision, f1, missing: beyond(expected, found), added: beyond(found, expected) };
}

/** The names Readability uses, and ours. */
const fields = {
  title: 'title',
  byline: 'byline',
  lang: 'lang',
  siteName: 'site_name',
  publishedTime: 'published',
  excerpt: 'excerpt',
} as const;

function compareMetadata(file: string, parsed: Parsed): NonNullable<FileOutcome['metadata']> {
  const expected = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const plain = (value: unknown): string => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '');
  return Object.entries(fields)
    .filter(([theirs]) => plain(expected[theirs]) !== '')
    .map(([theirs, ours]) => {
      const found = ours === 'title' ? parsed.title : parsed.metadata[ours];
      return { field: theirs, expected: expected[theirs], found: found ?? null, alike: plain(found) === plain(expected[theirs]) };
    });
}

function totalsOf(files: readonly FileOutcome[]): FilesReport['totals'] {
  const count = (outcome: FileOutcome['outcome']): number => files.filter((file) => file.outcome === outcome).length;
  const scores = files.flatMap((file) => file.reference?.f1 ?? []);
  return {
    files: files.length,
    parsed: count('parsed'),
    refused: count('refused'),
    failed: count('failed'),
    compared: scores.length,
    meanF1: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    ms: files.reduce((sum, file) => sum + file.ms, 0),
  };
}

function render({ files, totals }: FilesReport): string {
  const share = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(3));
  const rows = [
    ['file', 'outcome', 'ms', 'blocks', 'tables', 'pages', 'recall', 'precision', 'F1', 'metadata'],
    ...files.map((file) => [
      file.file,
      file.outcome === 'parsed' ? (file.format ?? '') : `${file.outcome}: ${file.reason}`,
      file.ms.toFixed(0),
      String(file.blocks),
      String(file.tables),
      String(file.pages || ''),
      share(file.reference?.recall),
      share(file.reference?.precision),
      share(file.reference?.f1),
      file.metadata === undefined ? '' : `${file.metadata.filter((each) => each.alike).length}/${file.metadata.length}`,
    ]),
  ];
  const widths = rows[0]!.map((_, x) => Math.max(...rows.map((row) => row[x]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, x) => (x === 0 || x === 1 ? cell.padEnd(widths[x]!) : cell.padStart(widths[x]!)))
      .join('  ')
      .trimEnd(),
  );
  const mean = totals.meanF1 === null ? '' : `, mean F1 ${totals.meanF1.toFixed(3)} over ${totals.compared} with a reference`;
  return `${lines.join('\n')}\n\n${totals.files} files: ${totals.parsed} parsed, ${totals.refused} refused, ${totals.failed} failed; ${(totals.ms / 1000).toFixed(1)} s${mean}`;
}
