import mammoth from 'mammoth';
import { BlockList } from './blocks.ts';
import { fragmentBlocks } from './html.ts';
import { coreProperties, readParts, xmlPart, type Parts } from './office.ts';
import { refusal, refusalOf } from './refusals.ts';
import type { Parsed, ParseInput, ParseLimits } from './types.ts';
import { Warnings } from './warnings.ts';
import { attribute, child, children } from './xml.ts';

/** Word, via HTML, whose headings, lists and tables become blocks. Headers and footers are left out. */
export async function read({ bytes }: ParseInput, limits: ParseLimits): Promise<Parsed> {
  const parts = await readParts(bytes, limits, (path) => /\.(xml|rels)$/i.test(path));
  if (![...parts.keys()].some((path) => /^word\/.*\.xml$/.test(path))) throw refusal('damaged', 'The Word document has no text part.');
  const warnings = new Warnings();
  let html: string;
  try {
    const result = await mammoth.convertToHtml(packageOf(parts), {
      styleMap: headingStyles(parts),
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
    });
    html = result.value;
    for (const message of result.messages) {
      // Unmapped styles are normal; report only errors.
      if (message.type === 'error') warnings.add(message.message.slice(0, 300));
    }
  } catch (error) {
    throw refusalOf(error, 'The Word document');
  }
  const list = new BlockList();
  // The link from a footnote back to its reference.
  fragmentBlocks(html.replace(/ ?<a href="#[^"]*-ref-[^"]*">↑<\/a>/g, ''), list);
  if (list.blocks.length === 0)
    throw refusal('empty', 'The Word document has no text.', { hint: 'Text inside images is not read: run OCR over it first.' });
  const { title, metadata } = coreProperties(parts);
  const first = list.blocks.find((block) => block.kind === 'heading')?.text;
  const named = title ?? first;
  return {
    format: 'docx',
    ...(named === undefined ? {} : { title: named }),
    metadata: { ...metadata, ...warnings.toMetadata() },
    blocks: list.blocks,
    tables: list.tables,
  };
}

/** Passes the parts that were unpacked within the limits to mammoth, instead of the zip. */
function packageOf(parts: Parts): Parameters<typeof mammoth.convertToHtml>[0] {
  const file = {
    exists: (name: string): boolean => parts.has(name),
    read: (name: string, encoding?: string): Promise<string | Uint8Array> => {
      const part = parts.get(name);
      if (part === undefined) return Promise.reject(new Error(`there is no part "${name}"`));
      return Promise.resolve(encoding === undefined ? part : Buffer.from(part).toString(encoding === 'base64' ? 'base64' : 'utf8'));
    },
  };
  return { file } as unknown as Parameters<typeof mammoth.convertToHtml>[0];
}

/** Custom styles count as headings when they, or their base styles, have an outline level. */
function headingStyles(parts: Parts): string[] {
  const map = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];
  const styles = xmlPart(parts, 'word/styles.xml');
  if (styles === undefined) return map;
  const known = new Map(children(child(styles, 'styles') ?? styles, 'style').map((style) => [attribute(style, 'styleId') ?? '', style]));
  for (const style of known.values()) {
    const name = attribute(child(style, 'name'), 'val') ?? '';
    if (attribute(style, 'type') !== 'paragraph' || name === '' || /['\\]/.test(name)) continue;
    let at = style;
    for (let step = 0; step < 10; step++) {
      const level = Number(attribute(child(at, 'pPr', 'outlineLvl'), 'val') ?? Number.NaN);
      if (level >= 0 && level < 9) map.push(`p[style-name='${name}'] => h${Math.min(6, level + 1)}:fresh`);
      const base = known.get(attribute(child(at, 'basedOn'), 'val') ?? '');
      if (!Number.isNaN(level) || base === undefined) break;
      at = base;
    }
  }
  return map;
}
