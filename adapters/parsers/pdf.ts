import { BlockList, cleanText } from './blocks.ts';
import { addFlows, styleOf } from './pdf-blocks.ts';
import { dropFurniture } from './pdf-furniture.ts';
import { flowsOf } from './pdf-layout.ts';
import { readFrames, type TextFrame, type TextItem } from './pdf-text.ts';
import { refusal, refusalOf } from './refusals.ts';
import type { Parsed, ParseInput, ParseLimits } from './types.ts';
import { Warnings } from './warnings.ts';

/** The used members of pdf.js, whose own types need a browser's. */
interface PdfJs {
  getDocument(options: Record<string, unknown>): { promise: Promise<PdfDocument>; destroy(): Promise<void> };
}
interface PdfDocument {
  numPages: number;
  getMetadata(): Promise<{ info: Record<string, unknown> }>;
  getPage(page: number): Promise<PdfPage>;
}
interface PdfPage {
  getViewport(options: { scale: number }): { transform: number[]; width: number; height: number };
  getTextContent(): Promise<{ items: (TextItem | { type: string })[] }>;
  getAnnotations(): Promise<{ subtype?: string; fieldName?: string; fieldValue?: unknown; fieldType?: string; alternativeText?: string }[]>;
  cleanup(): void;
}

/**
 * PDF with a text layer. Drawn text becomes rows (pdf-text.ts), rows get a reading order (pdf-layout.ts) and become
 * blocks (pdf-blocks.ts, pdf-tables.ts). Repeated headers and footers are left out.
 */
export async function read({ bytes }: ParseInput, limits: ParseLimits): Promise<Parsed> {
  const { getDocument } = (await import('unpdf/pdfjs')) as unknown as PdfJs;
  // The library detaches the bytes, so it gets a copy.
  const loading = getDocument({
    data: new Uint8Array(bytes),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    verbosity: 0,
  });
  try {
    return await readDocument(await loading.promise, bytes, limits);
  } catch (error) {
    throw pdfError(error, bytes);
  } finally {
    await loading.destroy().catch(() => {});
  }
}

/** Every PDF ends with this mark, possibly followed by data from mail servers. */
const isCut = (bytes: Uint8Array): boolean => !Buffer.from(bytes.subarray(-2048)).includes('%%EOF');

function pdfError(error: unknown, bytes: Uint8Array): Error {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') return refusal('encrypted', 'The PDF is protected by a password.', { cause: error });
  if (name === 'InvalidPDFException' && isCut(bytes))
    return refusal('truncated', 'The PDF is cut off: its end is missing.', { cause: error });
  return refusalOf(error, 'The PDF');
}

async function readDocument(document: PdfDocument, bytes: Uint8Array, limits: ParseLimits): Promise<Parsed> {
  const pages = document.numPages;
  if (pages > limits.maxPages)
    throw refusal('too_many_pages', `The PDF has ${pages} pages, more than ${limits.maxPages}.`, { details: { pages } });
  const { info } = await document.getMetadata();
  const warnings = new Warnings();
  if (isCut(bytes)) warnings.add('The end of the PDF is missing; pages may be, too.');
  const read: { frames: TextFrame[]; fields: string[] }[] = [];
  for (let number = 1; number <= pages; number++) {
    try {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const frames = readFrames(
        items.filter((item): item is TextItem => 'str' in item),
        page.getViewport({ scale: 1 }),
      );
      read.push({ frames, fields: info['IsAcroFormPresent'] === true ? await fieldsOf(page) : [] });
      page.cleanup();
    } catch (error) {
      warnings.add(`Page ${number} could not be read: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown error'}`);
      read.push({ frames: [], fields: [] });
    }
  }
  const empty = read.flatMap(({ frames, fields }, i) => (frames.length + fields.length === 0 ? [i + 1] : []));
  const letters = read.some(
    ({ frames, fields }) =>
      fields.length > 0 || frames.some(({ rows }) => rows.some((row) => row.segments.some(({ text }) => /[\p{L}\d]/u.test(text)))),
  );
  if (!letters) {
    throw refusal(
      'no_text_layer',
      `The PDF has no text layer: its ${pages === 1 ? 'page is' : `${pages} pages are`} a scan, drawings, or blank.`,
      { details: { pages } },
    );
  }
  if (empty.length > 0)
    warnings.add(`No text on page ${empty.slice(0, 20).join(', ')}${empty.length > 20 ? ', …' : ''}: a scan, or blank. OCR may help.`);

  dropFurniture(read.map(({ frames }) => frames[0]));
  const style = styleOf(read.flatMap(({ frames }) => frames.flatMap((frame) => frame.rows)));
  const list = new BlockList();
  for (const [i, { frames, fields }] of read.entries()) {
    for (const frame of frames) addFlows(flowsOf(frame.rows), list, { page: i + 1 }, style);
    list.add('list', fields.join('\n'), { page: i + 1 });
  }
  const title = titleOf(info) ?? list.blocks.find((block) => block.kind === 'heading')?.text;
  return {
    format: 'pdf',
    ...(title === undefined ? {} : { title }),
    metadata: { ...metadataOf(info), pages, ...warnings.toMetadata() },
    blocks: list.blocks,
    tables: list.tables,
    pageCount: pages,
  };
}

/** Form values, which are not part of the page's text. */
async function fieldsOf(page: PdfPage): Promise<string[]> {
  const annotations = await page.getAnnotations();
  return annotations.flatMap(({ subtype, fieldName, fieldValue, fieldType, alternativeText }) => {
    const value = Array.isArray(fieldValue) ? fieldValue.join(', ') : fieldValue;
    if (subtype !== 'Widget' || fieldType === 'Sig' || typeof value !== 'string' || value.trim() === '' || value === 'Off') return [];
    return [`- ${alternativeText || fieldName || 'field'}: ${value.replace(/\s+/g, ' ')}`];
  });
}

/** Programs also write file names and "untitled" there. */
function titleOf(info: Record<string, unknown>): string | undefined {
  const title =
    typeof info['Title'] === 'string'
      ? cleanText(info['Title'])
          .replace(/^Microsoft \w+ - /, '')
          .trim()
      : '';
  return title === '' || /^untitled|^\(?(?:anonymous|unspecified)\)?$|\.(docx?|pptx?|xlsx?|indd|pdf|tex|dvi|rtf|odt)$/i.test(title)
    ? undefined
    : title.slice(0, 1000);
}

function metadataOf(info: Record<string, unknown>): Record<string, unknown> {
  const text = (key: string): string | undefined => {
    const value = info[key];
    const clean = typeof value === 'string' ? cleanText(value).trim().slice(0, 1000) : '';
    return /^\(?(?:anonymous|unspecified|unknown)?\)?$/i.test(clean) ? undefined : clean;
  };
  const values = {
    author: text('Author'),
    subject: text('Subject'),
    keywords: text('Keywords'),
    language: text('Language'),
    producer: text('Producer'),
    created: dateOf(text('CreationDate')),
    modified: dateOf(text('ModDate')),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** "D:20171211093519-06'00'" as ISO 8601. */
function dateOf(value: string | undefined): string | undefined {
  const found = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|Z)?/.exec(value ?? '');
  if (found === null) return undefined;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', sign, zoneHour = '00', zoneMinute = '00'] = found;
  const date = new Date(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${sign === undefined ? 'Z' : `${sign}${zoneHour}:${zoneMinute}`}`,
  );
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
