import type { AppError } from '../../contracts/errors.ts';
import { detect, looksLikeEmail, looksLikeHtml, type Seen } from './detect.ts';
import { markdownParser } from './markdown.ts';
import { assertCharacters, refusal, refusalOf } from './refusals.ts';
import { srtParser } from './srt.ts';
import { textParser } from './text.ts';
import { defaultLimits, type Parsed, type ParseInput, type ParseLimits, type ParserAdapter, type Recognise } from './types.ts';
import { vttParser } from './vtt.ts';

export type { Block, Parsed, ParseInput, Place } from './types.ts';

/** A format whose libraries are loaded on first use. */
function onDemand(
  format: string,
  extensions: string[],
  mediaTypes: string[],
  load: () => Promise<{ read(input: ParseInput, limits: ParseLimits): Parsed | Promise<Parsed> }>,
  recognises?: (bytes: Uint8Array) => boolean,
): ParserAdapter {
  const parse = async (input: ParseInput, limits: ParseLimits): Promise<Parsed> => (await load()).read(input, limits);
  return { format, extensions, mediaTypes, parse, ...(recognises === undefined ? {} : { recognises }) };
}

const office = 'application/vnd.openxmlformats-officedocument';
const spreadsheet = () => import('./xlsx.ts');

/** All supported formats. A new one is one file and one entry here. */
const adapters: readonly ParserAdapter[] = [
  textParser,
  vttParser,
  srtParser,
  onDemand('pdf', ['pdf'], ['application/pdf'], () => import('./pdf.ts')),
  onDemand('docx', ['docx', 'docm'], [`${office}.wordprocessingml.document`], () => import('./docx.ts')),
  onDemand('pptx', ['pptx', 'pptm', 'ppsx'], [`${office}.presentationml.presentation`], () => import('./pptx.ts')),
  onDemand('xlsx', ['xlsx', 'xlsm'], [`${office}.spreadsheetml.sheet`], spreadsheet),
  onDemand('xls', ['xls'], ['application/vnd.ms-excel'], spreadsheet),
  onDemand('ods', ['ods'], ['application/vnd.oasis.opendocument.spreadsheet'], spreadsheet),
  onDemand('csv', ['csv'], ['text/csv', 'application/csv'], () => import('./csv.ts')),
  onDemand('tsv', ['tsv', 'tab'], ['text/tab-separated-values'], () => import('./csv.ts')),
  onDemand('html', ['html', 'htm', 'xhtml'], ['text/html', 'application/xhtml+xml'], () => import('./html.ts'), looksLikeHtml),
  onDemand('eml', ['eml'], ['message/rfc822'], () => import('./eml.ts'), looksLikeEmail),
  onDemand('json', ['json'], ['application/json'], () => import('./json.ts')),
  onDemand('jsonl', ['jsonl', 'ndjson'], ['application/x-ndjson', 'application/jsonl'], () => import('./json.ts')),
  // Last, because its signs also occur in others.
  markdownParser,
];

/** Never chosen by detection: callers that want an article pass a web page. */
const articleParser = onDemand('html', [], [], () => import('../web/readable.ts'));

/** Text formats, whatever their declared type. */
const textFormats: ReadonlySet<string> = new Set(['txt', 'md', 'vtt', 'srt', 'csv', 'tsv', 'html', 'eml', 'json', 'jsonl']);

/** For messages and documentation. */
export const supportedFormats: readonly { format: string; extensions: readonly string[]; mediaTypes: readonly string[] }[] = adapters.map(
  ({ format, extensions, mediaTypes }) => ({ format, extensions, mediaTypes }),
);

/**
 * Parses a file into blocks with locations. The format comes from the detected content, else from the file name, else
 * from the media type; unnamed content without signs of a format is plain text. A misnamed file is parsed as its true
 * type, with a warning, or refused with the detected type. Runs in this process: for untrusted files use
 * `createParser` (bounded.ts).
 * @throws {AppError} VALIDATION_ERROR or PAYLOAD_TOO_LARGE, with `details.reason` (refusals.ts).
 */
export async function parse(input: ParseInput, limits: ParseLimits = defaultLimits): Promise<Parsed> {
  const { adapter, warning }: ReturnType<typeof choose> = input.as === 'article' ? { adapter: articleParser } : choose(input);
  let parsed: Parsed;
  try {
    parsed = await adapter.parse(input, limits);
  } catch (error) {
    throw refusalOf(error, `The file (${adapter.format.toUpperCase()})`);
  }
  const size = parsed.blocks.reduce((sum, block) => sum + block.text.length, 0);
  assertCharacters(size);
  if (warning === undefined) return parsed;
  const { warnings } = parsed.metadata;
  return { ...parsed, metadata: { ...parsed.metadata, warnings: [warning, ...(Array.isArray(warnings) ? (warnings as string[]) : [])] } };
}

/** The format as which a file would be parsed, or undefined when it would be refused. Cheap: nothing is parsed. */
export function formatOf(input: ParseInput): string | undefined {
  try {
    return recognise(input).format;
  } catch {
    return undefined;
  }
}

export const recognise: Recognise = (input) => {
  const { format } = choose(input).adapter;
  return { format, text: textFormats.has(format) };
};

const named = (format: string | undefined): ParserAdapter | undefined => adapters.find((adapter) => adapter.format === format);

function choose(input: ParseInput): { adapter: ParserAdapter; warning?: string } {
  const { bytes, filename, mediaType } = input;
  const extension = /\.([^./\\\s]{1,16})$/.exec(filename ?? '')?.[1]?.toLowerCase();
  const type = mediaType?.split(';', 1)[0]?.trim().toLowerCase();
  const told =
    adapters.find((adapter) => extension !== undefined && adapter.extensions.includes(extension)) ??
    adapters.find((adapter) => type !== undefined && adapter.mediaTypes.includes(type));
  const seen = detect(bytes);
  if (seen !== undefined) return chooseSeen(seen, told, extension ?? type);
  if (told !== undefined && !textFormats.has(told.format)) return { adapter: asTold(told, bytes) };
  // Many formats are declared as text; the content decides.
  if (told !== undefined && told !== textParser) return { adapter: told };
  const recognised = adapters.find((adapter) => adapter.recognises?.(bytes) === true);
  if (recognised !== undefined) return { adapter: recognised };
  if (told !== undefined) return { adapter: told };
  const nothingTold = extension === undefined && (type === undefined || type === '' || type === 'application/octet-stream');
  if (nothingTold) return { adapter: textParser };
  throw unsupported(extension === undefined ? `media type "${type}"` : `file type ".${extension}"`, { extension, mediaType: type });
}

/** The content was detected with certainty. */
function chooseSeen(seen: Seen, told: ParserAdapter | undefined, name: string | undefined): { adapter: ParserAdapter; warning?: string } {
  if (seen.encrypted) throw refusal('encrypted', `The file is ${seen.what}.`);
  const adapter = named(seen.format);
  const alike = told === undefined || told.format === seen.format || (isSpreadsheet(told.format) && isSpreadsheet(seen.format));
  if (adapter !== undefined)
    return alike ? { adapter } : { adapter, warning: `It is named "${name}" but is ${seen.what}, and was read as such.` };
  if (told === undefined) throw unsupported(seen.what, {});
  if (seen.cut && !textFormats.has(told.format) && told.format !== 'pdf') return { adapter: told };
  const kind = textFormats.has(told.format) ? 'text' : `a ${told.format.toUpperCase()} file`;
  throw refusal('mislabelled', `The file is not readable as ${kind}: it starts like ${seen.what}.`, {
    details: { looks_like: seen.what, named: name },
  });
}

const isSpreadsheet = (format: string | undefined): boolean => /^(xlsx|xls|ods)$/.test(format ?? '');

/** Declared as a compressed or binary format without matching content. */
function asTold(told: ParserAdapter, bytes: Uint8Array): ParserAdapter {
  const kind = told.format.toUpperCase();
  if (bytes.length === 0) throw refusal('empty', 'The file is empty.');
  if (looksLikeHtml(bytes)) {
    throw refusal('mislabelled', `The file is named ${kind} but is a web page; often an error page that was saved in its place.`, {
      details: { looks_like: 'a web page' },
    });
  }
  const text = !bytes.subarray(0, 4096).includes(0);
  throw refusal('mislabelled', `The file is named ${kind} but is ${text ? 'text' : 'something else'}.`, {
    details: { looks_like: text ? 'text' : 'unknown' },
    hint: text
      ? 'Give it with the extension of what it is, e.g. ".txt" or ".csv".'
      : 'Give the file that was meant; this one may be damaged.',
  });
}

function unsupported(given: string, details: Record<string, unknown>): AppError {
  const supported = supportedFormats.flatMap((format) => format.extensions.map((each) => `.${each}`));
  return refusal('unsupported', `Cannot read ${given}. Supported: ${supported.join(', ')}.`, {
    hint: 'Convert the file to one of the supported types, or give its text as plain text.',
    details: { ...details, supported },
  });
}
