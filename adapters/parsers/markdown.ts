import MarkdownIt from 'markdown-it';
import { decodeText } from './encoding.ts';
import { isTranscript } from './text.ts';
import type { Block, BlockKind, Parsed, ParserAdapter, Place } from './types.ts';
import { Warnings } from './warnings.ts';

/** Only the block structure is parsed; the text stays as written. Reference definitions also stay text. */
const structure = new MarkdownIt({ html: false });
structure.core.ruler.enableOnly(['normalize', 'block']);
structure.block.ruler.disable(['reference']);
const inline = new MarkdownIt({ html: false });

/** People do not write such lines; the parser's cost grows with their possible nesting. */
const maxLineLength = 20_000;
const maxHeadingLength = 500;
const maxFrontMatterLines = 500;

type Token = ReturnType<typeof structure.parse>[number];

/** Markdown (CommonMark with tables) with optional front matter. */
export const markdownParser: ParserAdapter = {
  format: 'md',
  extensions: ['md', 'markdown', 'mdx', 'mdown'],
  mediaTypes: ['text/markdown', 'text/x-markdown'],
  recognises: looksLikeMarkdown,

  parse({ bytes }): Parsed {
    const decoded = decodeText(bytes);
    const warnings = new Warnings(decoded.warnings);
    const lines = decoded.text.split('\n');
    const front = readFrontMatter(lines);
    const blocks = readBlocks(lines, front.end, warnings);
    const named = front.values['title'];
    const title = typeof named === 'string' && named !== '' ? named : blocks.find((block) => block.kind === 'heading')?.text;
    return {
      format: 'md',
      ...(title === undefined ? {} : { title }),
      metadata: { ...(front.end > 0 ? { frontMatter: front.values } : {}), ...warnings.toMetadata() },
      blocks,
    };
  },
};

/** Empty if the bytes are not text: other parsers handle them. */
function linesOf(bytes: Uint8Array): string[] {
  try {
    return decodeText(bytes).text.split('\n');
  } catch {
    return [];
  }
}

/**
 * Text that is certainly Markdown: separate headings, and at least one more sign. Turns with speakers are a
 * transcript, whatever precedes them.
 */
function looksLikeMarkdown(bytes: Uint8Array): boolean {
  const lines = linesOf(bytes.subarray(0, 64_000));
  const blank = (line: string | undefined): boolean => line === undefined || line.trim() === '';
  let headings = 0;
  let others = 0;
  let fenced = false;
  for (const [i, line] of lines.entries()) {
    if (/^(?:`{3,}|~{3,})/.test(line)) {
      others += fenced ? 1 : 0;
      fenced = !fenced;
    } else if (!fenced) {
      if (/^#{1,6} \S/.test(line) && blank(lines[i - 1]) && blank(lines[i + 1])) headings += 1;
      else if (/^\|?\s*:?-{3,}:?\s*\|[\s|:-]*$/.test(line) && lines[i - 1]?.includes('|')) others += 1;
      else if (/^(?:[-*+] |\d{1,3}\. )\S/.test(line) || /\[[^\]\n]{1,200}\]\(https?:|\*\*[^*\s][^*\n]{0,200}\*\*/.test(line)) others += 1;
    }
  }
  return headings > 0 && headings + others >= 2 && !isTranscript(lines);
}

/** @param from 0-based index of the first line after the front matter */
function readBlocks(lines: readonly string[], from: number, warnings: Warnings): Block[] {
  // Over-long lines are hidden from the parser and restored by number: the structure refers to lines only.
  let long = 0;
  const body = lines.slice(from).map((line) => {
    if (line.length <= maxLineLength) return line;
    long++;
    return 'x';
  });
  if (long > 0) warnings.add(`${long} line(s) of more than ${maxLineLength} characters were read as plain text.`);
  const blocks: Block[] = [];
  const path: { level: number; text: string }[] = [];
  const add = (kind: BlockKind, text: string, index: number, extra: Partial<Block> = {}): void => {
    if (text.trim() === '') return;
    const place: Place = { line: from + index + 1, ...(path.length === 0 ? {} : { headings: path.map((heading) => heading.text) }) };
    blocks.push({ kind, text, place, ...extra });
  };
  const source = (start: number, end: number): string =>
    lines
      .slice(from + start, from + end)
      .join('\n')
      .trimEnd();
  const addCode = (token: Token, [start]: [number, number]): void => {
    const language = /^[\w+#.-]{1,40}/.exec(token.info.trim().replace(/^[{.]+/, ''))?.[0].toLowerCase();
    const first = token.type === 'fence' ? start + 1 : start;
    // A hidden line must be restored.
    const text = long > 0 ? source(first, first + token.content.split('\n').length - 1) : token.content.replace(/\n$/, '');
    add('code', text, first, language === undefined ? {} : { language });
  };

  const tokens = structure.parse(body.join('\n'), {});
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const map = token.map;
    // Only top-level opening blocks matter; their end is found below.
    if (map === null || token.level > 0) continue;
    if (token.type === 'heading_open') {
      // An underlined over-long line is not a title.
      if (long > 0 && source(...map).length > maxLineLength) {
        add('paragraph', source(...map), map[0]);
        continue;
      }
      const level = Number(token.tag.slice(1));
      const text = plain(tokens[i + 1]?.content ?? '');
      while ((path.at(-1)?.level ?? 0) >= level) path.pop();
      path.push({ level, text: text.slice(0, maxHeadingLength) });
      add('heading', text, map[0], { level });
    } else if (token.type === 'fence' || token.type === 'code_block') {
      addCode(token, map);
    } else if (token.nesting === 1) {
      // Code inside lists and quotes becomes a separate block; the surrounding text stays in order.
      let at = map[0];
      const kind = kinds[token.type] ?? 'paragraph';
      for (i++; i < tokens.length && tokens[i]!.level > 0; i++) {
        const inner = tokens[i]!;
        if (inner.type !== 'fence' || inner.map === null) continue;
        add(kind, source(at, inner.map[0]), at);
        addCode(inner, inner.map);
        at = inner.map[1];
      }
      add(kind, source(at, map[1]), at);
    }
  }
  return blocks;
}

const kinds: Record<string, BlockKind> = { bullet_list_open: 'list', ordered_list_open: 'list', table_open: 'table' };

/** A heading without its inline marks. */
function plain(content: string): string {
  if (content.length > maxHeadingLength || !/[*_`[\]<\\&~]/.test(content)) return content;
  const children = inline.parseInline(content, {})[0]?.children ?? [];
  const text = children.map((child) => (child.type.endsWith('break') ? ' ' : child.content)).join('');
  return text.trim() === '' ? content : text;
}

/**
 * YAML front matter between two `---` lines: plain `key: value` pairs and lists of plain values. Nested values are
 * ignored.
 */
function readFrontMatter(lines: readonly string[]): { end: number; values: Record<string, string | string[]> } {
  const values: Record<string, string | string[]> = {};
  if (lines[0]?.trimEnd() !== '---') return { end: 0, values };
  const end = lines.slice(0, maxFrontMatterLines).findIndex((line, i) => i > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (end < 0) return { end: 0, values };
  let list: string[] | undefined;
  for (const line of lines.slice(1, end)) {
    const item = /^\s*-\s+(\S.{0,2000})$/.exec(line);
    if (item !== null) list?.push(unquote(item[1]!));
    const pair = /^([\w-]{1,80}):(?:\s+(.{0,5000}))?$/.exec(line);
    if (pair === null) continue;
    const value = (pair[2] ?? '').trim();
    list = undefined;
    if (value === '') values[pair[1]!] = list = [];
    else if (value.startsWith('[') && value.endsWith(']')) values[pair[1]!] = value.slice(1, -1).split(',').map(unquote);
    else values[pair[1]!] = unquote(value);
  }
  return { end: end + 1, values };
}

function unquote(value: string): string {
  const trimmed = value.trim();
  const quoted = /^(["'])(.*)\1$/.exec(trimmed);
  return quoted?.[2] ?? trimmed;
}
