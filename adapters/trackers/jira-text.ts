/** Markdown of comments that we write, in the formats of Jira. Pure. */

/** A node of the Atlassian Document Format. */
export interface Node {
  type: string;
  version?: number;
  text?: string;
  attrs?: Record<string, string>;
  marks?: { type: string; attrs?: Record<string, string> }[];
  content?: Node[];
}

interface Block {
  quoted: boolean;
  lines: string[];
}

/** Paragraphs and quotations, with the empty lines that part them left out. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let parted = false;
  for (const line of text.split('\n')) {
    const quoted = /^>( |$)/.test(line);
    const words = quoted ? line.slice(2) : line;
    const last = blocks.at(-1);
    if (!quoted && words.trim() === '') parted = true;
    else if (last?.quoted === quoted && !parted) last.lines.push(words);
    else blocks.push({ quoted, lines: [words] });
    if (quoted || words.trim() !== '') parted = false;
  }
  return blocks;
}

interface Span {
  kind: 'text' | 'code' | 'link';
  words: string;
}

/** Names in backticks and addresses in a line; everything else is text. */
const spansOf = (line: string): Span[] =>
  line
    .split(/(`[^`]+`|https?:\/\/[^\s<>"`]+[^\s<>"`.,;:!?)])/)
    .filter(Boolean)
    .map((part): Span => {
      if (/^`.+`$/.test(part)) return { kind: 'code', words: part.slice(1, -1) };
      return { kind: /^https?:\/\//.test(part) ? 'link' : 'text', words: part };
    });

/** For Jira Cloud: a document in which no word of an agent is markup. */
export function documentOf(text: string): Node {
  const content = blocksOf(text).flatMap(({ quoted, lines }): Node[] => {
    const paragraphs = paragraphsOf(lines, quoted);
    if (paragraphs.length === 0) return [];
    return quoted ? [{ type: 'blockquote', content: paragraphs }] : paragraphs;
  });
  return { type: 'doc', version: 1, content };
}

function paragraphsOf(lines: readonly string[], plain: boolean): Node[] {
  const paragraphs: Node[][] = [[]];
  for (const line of lines) {
    const open = paragraphs.at(-1)!;
    if (line.trim() === '') paragraphs.push([]);
    else open.push(...(open.length > 0 ? [{ type: 'hardBreak' }] : []), ...nodesOf(line, plain));
  }
  return paragraphs.filter((nodes) => nodes.length > 0).map((content) => ({ type: 'paragraph', content }));
}

const nodesOf = (line: string, plain: boolean): Node[] =>
  plain
    ? [{ type: 'text', text: line }]
    : spansOf(line).map(({ kind, words }): Node => {
        if (kind === 'code') return { type: 'text', text: words, marks: [{ type: 'code' }] };
        return kind === 'link'
          ? { type: 'text', text: words, marks: [{ type: 'link', attrs: { href: words } }] }
          : { type: 'text', text: words };
      });

/** Without macros, links, mentions and pictures. */
const escaped = (text: string): string => text.replaceAll(/[\\{}[\]!|~]/g, String.raw`\$&`);

/** For Jira Data Center: wiki markup. */
export const wikiOf = (text: string): string =>
  blocksOf(text)
    .map(({ quoted, lines }) => {
      if (quoted) return `{quote}\n${lines.map(escaped).join('\n')}\n{quote}`;
      return lines
        .map((line) =>
          spansOf(line)
            .map(({ kind, words }) => (kind === 'code' ? `{{${escaped(words)}}}` : kind === 'link' ? words : escaped(words)))
            .join(''),
        )
        .join('\n');
    })
    .join('\n\n');
