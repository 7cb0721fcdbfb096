import { BlockList } from './blocks.ts';
import { coreProperties, readParts, relationsOf, xmlPart, type Parts } from './office.ts';
import { chartTable, diagramLines } from './pptx-graphics.ts';
import { readTextBody, tableRows, type Paragraph } from './pptx-text.ts';
import { refusal } from './refusals.ts';
import type { Parsed, ParseInput, ParseLimits, Place } from './types.ts';
import { attribute, child, children, descendants, textOf, type XmlNode } from './xml.ts';

/** PowerPoint: each slide's title as a heading, then its shapes, then its notes and comments. */
export async function read({ bytes }: ParseInput, limits: ParseLimits): Promise<Parsed> {
  const parts = await readParts(bytes, limits, (path) => /\.(xml|rels)$/i.test(path) && !/^ppt\/(slideMasters|theme)\//.test(path));
  const presentation = xmlPart(parts, 'ppt/presentation.xml');
  if (presentation === undefined) throw refusal('damaged', 'The presentation has no list of slides.');
  const targets = new Map(relationsOf(parts, 'ppt/presentation.xml').map(({ id, target }) => [id, target]));
  const slides = children(child(presentation, 'presentation', 'sldIdLst') ?? presentation, 'sldId')
    .map((each) => targets.get(relationId(each)))
    .filter((path) => path !== undefined && parts.has(path)) as string[];
  if (slides.length > limits.maxPages)
    throw refusal('too_many_pages', `The presentation has ${slides.length} slides, more than ${limits.maxPages}.`);
  const list = new BlockList();
  for (const [i, path] of slides.entries()) readSlide(parts, path, list, { slide: i + 1 });
  if (list.blocks.length === 0)
    throw refusal('empty', 'The presentation has no text.', { hint: 'Text inside images is not read: run OCR over it first.' });
  const { title, metadata } = coreProperties(parts);
  // PowerPoint's default names of unnamed files.
  const named =
    title !== undefined && !/^(powerpoint[- ]|slide 1$|presentation\d*$)/i.test(title)
      ? title
      : list.blocks.find((block) => block.kind === 'heading')?.text;
  return {
    format: 'pptx',
    ...(named === undefined ? {} : { title: named }),
    metadata: { ...metadata, slides: slides.length },
    blocks: list.blocks,
    tables: list.tables,
    pageCount: slides.length,
  };
}

/** `r:id` and `id` differ only in their prefix, which the parser drops; the relation's value begins with "rId". */
const relationId = (node: XmlNode): string => Object.values(node.attributes).find((value) => /^R?rId/i.test(value)) ?? '';

function readSlide(parts: Parts, path: string, list: BlockList, place: Place): void {
  const slide = xmlPart(parts, path);
  const tree = slide && child(slide, 'sld', 'cSld', 'spTree');
  const relations = relationsOf(parts, path);
  const shapes = tree === undefined ? [] : flatten(tree);
  const title = shapes.find((shape) => /^(title|ctrTitle)$/.test(placeholderOf(shape) ?? ''));
  const heading =
    title === undefined
      ? ''
      : readTextBody(child(title, 'txBody'))
          .map((each) => each.text)
          .join(' ')
          .trim();
  // Without its own heading a slide would be below the previous one.
  list.heading(1, heading === '' ? `Slide ${place.slide}` : heading, place);
  for (const shape of shapes) if (shape !== title) readShape(parts, shape, relations, list, place);
  for (const relation of relations) {
    const part = /^(notesSlide|comments)$/.test(relation.type) ? xmlPart(parts, relation.target) : undefined;
    if (part === undefined) continue;
    if (relation.type === 'notesSlide') readNotes(part, list, place);
    else readComments(part, list, place);
  }
}

/** Shapes in drawing order, with groups expanded; of alternatives the first. */
function flatten(node: XmlNode): XmlNode[] {
  return node.children.flatMap((each) => {
    if (each.name === 'grpSp') return flatten(each);
    if (each.name === 'AlternateContent') return flatten(child(each, 'Choice') ?? child(each, 'Fallback') ?? each);
    return /^(sp|graphicFrame|cxnSp|pic)$/.test(each.name) ? [each] : [];
  });
}

/** The kind of placeholder; shapes without one are bodies. */
function placeholderOf(shape: XmlNode): string | undefined {
  const placeholder = child(shape, 'nvSpPr', 'nvPr', 'ph');
  return placeholder === undefined ? undefined : (attribute(placeholder, 'type') ?? 'body');
}

function readShape(parts: Parts, shape: XmlNode, relations: ReturnType<typeof relationsOf>, list: BlockList, place: Place): void {
  const kind = placeholderOf(shape);
  // Date, footer and number repeat on every slide.
  if (/^(dt|ftr|sldNum|hdr)$/.test(kind ?? '')) return;
  if (shape.name !== 'graphicFrame') {
    addParagraphs(readTextBody(child(shape, 'txBody'), kind === 'body' || kind === 'obj'), list, place);
    return;
  }
  const data = child(shape, 'graphic', 'graphicData');
  const table = child(data, 'tbl');
  if (table !== undefined) list.table(tableRows(table), attribute(child(table, 'tblPr'), 'firstRow') === '1' ? 1 : 0, place);
  const related = (name: string, key: string): XmlNode | undefined => {
    const id = attribute(child(data, name), key);
    const target = relations.find((relation) => relation.id === id)?.target;
    return target === undefined ? undefined : xmlPart(parts, target);
  };
  const chart = related('chart', 'id');
  if (chart !== undefined) {
    const { title, rows } = chartTable(chart);
    if (title !== '') list.add('paragraph', title, place);
    list.table(rows, 1, place, title === '' ? {} : { title });
  }
  const diagram = related('relIds', 'dm');
  if (diagram !== undefined)
    list.add(
      'list',
      diagramLines(diagram)
        .map((line) => `- ${line}`)
        .join('\n'),
      place,
    );
}

/** Consecutive bullets are one list, other lines are paragraphs. */
function addParagraphs(paragraphs: Paragraph[], list: BlockList, place: Place): void {
  let items: string[] = [];
  const numbers: number[] = [];
  const flush = (): void => {
    list.add('list', items.join('\n'), place);
    items = [];
    numbers.length = 0;
  };
  // A single line in a body is a sentence, not a list.
  const bullets = paragraphs.filter((each) => each.mark !== undefined).length > 1;
  for (const { text, level, mark, explicit } of paragraphs) {
    if (mark === undefined || (!bullets && !explicit)) {
      flush();
      list.add('paragraph', text, place);
      continue;
    }
    numbers.length = Math.min(numbers.length, level + 1);
    numbers[level] = (numbers[level] ?? 0) + 1;
    items.push(`${'  '.repeat(level)}${mark === 'number' ? `${numbers[level]}.` : '-'} ${text.replaceAll('\n', ' ')}`);
  }
  flush();
}

function readNotes(notes: XmlNode, list: BlockList, place: Place): void {
  const tree = child(notes, 'notes', 'cSld', 'spTree');
  const paragraphs = (tree === undefined ? [] : flatten(tree))
    .filter((shape) => placeholderOf(shape) === 'body')
    .flatMap((shape) => readTextBody(child(shape, 'txBody')));
  if (paragraphs.length === 0) return;
  list.heading(2, 'Notes', place);
  list.add('paragraph', paragraphs.map((each) => each.text).join('\n'), place);
}

function readComments(part: XmlNode, list: BlockList, place: Place): void {
  const comments = descendants(part, 'cm').map((comment) => {
    const text = child(comment, 'text');
    return text === undefined ? descendants(comment, 't').map(textOf).join('') : textOf(text);
  });
  if (!comments.some((text) => text.trim() !== '')) return;
  list.heading(2, 'Comments', place);
  for (const text of comments) list.add('paragraph', text, place);
}
