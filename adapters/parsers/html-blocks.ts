import { fillSpans, type SpannedCell } from './tables.ts';
import type { BlockList } from './blocks.ts';
import type { Place } from './types.ts';

/** The used members of the DOM, so that no DOM types are needed. */
export interface HtmlNode {
  readonly nodeType: number;
  readonly localName?: string;
  readonly textContent: string | null;
  readonly firstChild: HtmlNode | null;
  readonly nextSibling: HtmlNode | null;
  readonly parentNode: HtmlNode | null;
  getAttribute?(name: string): string | null;
}

const skipped = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'head',
  'svg',
  'iframe',
  'object',
  'select',
  'button',
  'input',
  'textarea',
  'canvas',
  'audio',
  'video',
]);
const inline = new Set(
  'a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark math meter q ruby rb rt rp s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const maxCells = 500_000;

/** Content of an element as blocks. Iterative, because pages may nest to any depth. */
export function htmlBlocks(root: HtmlNode, list: BlockList, place: Place = {}): void {
  let line = '';
  const flush = (): void => {
    list.add('paragraph', tidy(line), place);
    line = '';
  };
  for (let node = root.firstChild; node !== null;) {
    let inside = false;
    const name = node.localName ?? '';
    if (node.nodeType === 3) line += collapse(node.textContent ?? '');
    else if (node.nodeType !== 1 || skipped.has(name) || isHidden(node)) inside = false;
    else if (name === 'br') line += '\n';
    else if (/^h[1-6]$/.test(name)) {
      flush();
      list.heading(Number(name[1]), inlineText(node), place);
    } else if (name === 'pre') {
      flush();
      list.add('code', (node.textContent ?? '').replace(/^\n/, ''), place, languageOf(node));
    } else if (name === 'ul' || name === 'ol') {
      flush();
      readList(node, list, place);
    } else if (name === 'table' && isData(node)) {
      flush();
      readTable(node, list, place);
    } else {
      if (!inline.has(name)) flush();
      inside = true;
    }
    if (inside && node.firstChild !== null) {
      node = node.firstChild;
      continue;
    }
    while (node !== null && node !== root && node.nextSibling === null) {
      node = node.parentNode;
      if (node !== null && node !== root && !inline.has(node.localName ?? '')) flush();
    }
    if (node === null || node === root) break;
    node = node.nextSibling;
  }
  flush();
}

const collapse = (text: string): string => text.replace(/[\s\u00A0]+/g, ' ');
const tidy = (text: string): string =>
  text
    .replace(/ *\n */g, '\n')
    .replace(/ {2,}/g, ' ')
    .trim();

const isHidden = (node: HtmlNode): boolean =>
  node.getAttribute?.('hidden') != null || /display\s*:\s*none/i.test(node.getAttribute?.('style') ?? '');

/** An element's visible text, with line breaks only at br. */
function inlineText(root: HtmlNode, stopAt: ReadonlySet<string> = new Set()): string {
  let text = '';
  walk(root, (node) => {
    if (node.nodeType === 3) text += collapse(node.textContent ?? '');
    const name = node.localName ?? '';
    if (node.nodeType !== 1) return false;
    if (name === 'br') text += '\n';
    if (skipped.has(name) || stopAt.has(name) || isHidden(node)) return false;
    if (!inline.has(name)) text += '\n';
    return true;
  });
  return tidy(text).replace(/\n{2,}/g, '\n');
}

/**
 * Visits descendants in order.
 * @param enter false: skip the descendants of this one
 */
function walk(root: HtmlNode, enter: (node: HtmlNode) => boolean): void {
  for (let node = root.firstChild; node !== null;) {
    if (enter(node) && node.firstChild !== null) {
      node = node.firstChild;
      continue;
    }
    while (node !== null && node !== root && node.nextSibling === null) node = node.parentNode;
    if (node === null || node === root) return;
    node = node.nextSibling;
  }
}

/** `language-ts`, `lang-ts`, `brush: ts`, `highlight-source-ts`, on the pre, its code or its container. */
function languageOf(pre: HtmlNode): string | undefined {
  const candidates = [pre, pre.firstChild, pre.parentNode, pre.parentNode?.parentNode];
  for (const node of candidates) {
    const named = node?.getAttribute?.('data-lang') ?? node?.getAttribute?.('data-language') ?? '';
    const found =
      /^[\w+#-]{1,40}$/.exec(named)?.[0] ??
      /(?:^|\s)(?:language-|lang-|brush:\s*|highlight-source-|sourceCode\s+)([\w+#-]{1,40})/.exec(node?.getAttribute?.('class') ?? '')?.[1];
    if (found !== undefined) return found.toLowerCase();
  }
  return undefined;
}

const lists = new Set(['ul', 'ol']);
const blocksInItems = new Set(['ul', 'ol', 'pre', 'table']);

/** A list with nested lists as Markdown lines; code and tables of an item follow as separate blocks. */
function readList(root: HtmlNode, list: BlockList, place: Place): void {
  let lines: string[] = [];
  const flush = (): void => {
    list.add('list', lines.join('\n'), place);
    lines = [];
  };
  const counters: { node: HtmlNode; next: number }[] = [{ node: root, next: startOf(root) }];
  const depthOf = (node: HtmlNode): number => {
    while (counters.length > 1 && !isInside(node, counters.at(-1)!.node)) counters.pop();
    return counters.length - 1;
  };
  walk(root, (node) => {
    const name = node.localName ?? '';
    if (node.nodeType !== 1) return false;
    if (lists.has(name)) {
      depthOf(node);
      // Beyond this depth, items are kept without their level.
      if (counters.length < 20) counters.push({ node, next: startOf(node) });
      return true;
    }
    if (name === 'pre') {
      flush();
      list.add('code', node.textContent ?? '', place, languageOf(node));
      return false;
    }
    if (name === 'table') {
      flush();
      readTable(node, list, place);
      return false;
    }
    if (name !== 'li') return !skipped.has(name);
    const depth = depthOf(node);
    const counter = counters.at(-1)!;
    const mark = counter.node.localName === 'ol' ? `${counter.next++}.` : '-';
    const text = inlineText(node, blocksInItems).replaceAll('\n', ' ');
    if (text !== '') lines.push(`${'  '.repeat(depth)}${mark} ${text}`);
    return true;
  });
  flush();
}

const startOf = (list: HtmlNode): number => Math.min(1e6, Math.max(0, Number.parseInt(list.getAttribute?.('start') ?? '1', 10) || 1));

function isInside(node: HtmlNode, ancestor: HtmlNode): boolean {
  for (let at: HtmlNode | null = node.parentNode; at !== null; at = at.parentNode) if (at === ancestor) return true;
  return false;
}

const cellNames = new Set(['td', 'th']);

/** Rows of the table, without those of nested tables. */
function rowsOf(table: HtmlNode): HtmlNode[][] {
  const rows: HtmlNode[][] = [];
  let cells = 0;
  walk(table, (node) => {
    const name = node.localName ?? '';
    if (name === 'table' || node.nodeType !== 1) return false;
    if (name === 'tr') rows.push([]);
    if (!cellNames.has(name)) return name !== 'caption';
    if (cells++ < maxCells) rows.at(-1)?.push(node);
    return false;
  });
  return rows.filter((row) => row.length > 0);
}

/** Layout tables are read like any other container. */
function isData(table: HtmlNode): boolean {
  if (/^(presentation|none)$/.test(table.getAttribute?.('role') ?? '')) return false;
  const rows = rowsOf(table);
  if (!rows.some((row) => row.length > 1)) return false;
  for (const row of rows) {
    for (const cell of row) {
      let arranging = false;
      walk(cell, (node) => {
        arranging ||= node.localName === 'table' || /^h[1-6]$/.test(node.localName ?? '');
        return !arranging;
      });
      if (arranging) return false;
    }
  }
  return true;
}

function readTable(table: HtmlNode, list: BlockList, place: Place): void {
  const rows = rowsOf(table);
  const span = (cell: HtmlNode, name: string): number => Math.min(1000, Number.parseInt(cell.getAttribute?.(name) ?? '1', 10) || 1);
  const cells = rows.map((row) =>
    row.map((cell): SpannedCell => ({ text: inlineText(cell), columns: span(cell, 'colspan'), rows: span(cell, 'rowspan') })),
  );
  let header = rows.findIndex((row) => !row.every((cell) => cell.localName === 'th' || cell.parentNode?.parentNode?.localName === 'thead'));
  if (header < 0) header = 1;
  let title: string | undefined;
  walk(table, (node) => {
    if (node.localName === 'caption') title = inlineText(node);
    return title === undefined && node.localName !== 'tr';
  });
  if (title) list.add('paragraph', title, place);
  list.table(fillSpans(cells), header, place, title ? { title } : {});
}
