import { AppError } from '../../contracts/errors.ts';
import { markdownParser } from './markdown.ts';
import { srtParser } from './srt.ts';
import { textParser } from './text.ts';
import type { Parsed, ParseInput, ParserAdapter } from './types.ts';
import { vttParser } from './vtt.ts';

export type { Block, Parsed, ParseInput, Place } from './types.ts';

/** Every format that can be read. A new one is one file and one entry here. */
const adapters: readonly ParserAdapter[] = [textParser, markdownParser, vttParser, srtParser];

/** For messages and documentation. */
export const supportedFormats: readonly { format: string; extensions: readonly string[]; mediaTypes: readonly string[] }[] = adapters.map(
  ({ format, extensions, mediaTypes }) => ({ format, extensions, mediaTypes }),
);

/**
 * Reads a file into blocks that know their place. The format comes from the file name, else from the media type, else
 * from the content; nameless content without a sign of its format is read as plain text.
 * @throws {AppError} VALIDATION_ERROR for unknown formats (with what is supported) and unreadable content.
 */
export async function parse(input: ParseInput): Promise<Parsed> {
  return choose(input).parse(input);
}

function choose({ bytes, filename, mediaType }: ParseInput): ParserAdapter {
  const extension = /\.([^./\\\s]{1,16})$/.exec(filename ?? '')?.[1]?.toLowerCase();
  const type = mediaType?.split(';', 1)[0]?.trim().toLowerCase();
  const told =
    adapters.find((adapter) => extension !== undefined && adapter.extensions.includes(extension)) ??
    adapters.find((adapter) => type !== undefined && adapter.mediaTypes.includes(type));
  // "Text" is said of many things; the content knows better.
  if (told !== undefined && told !== textParser) return told;
  const seen = adapters.find((adapter) => adapter.recognises?.(bytes) === true);
  if (seen !== undefined) return seen;
  if (told !== undefined) return told;
  const nothingTold = extension === undefined && (type === undefined || type === '' || type === 'application/octet-stream');
  if (nothingTold) return textParser;

  const supported = supportedFormats.flatMap((format) => format.extensions.map((each) => `.${each}`));
  const given = extension === undefined ? `media type "${type}"` : `file type ".${extension}"`;
  throw new AppError('VALIDATION_ERROR', `Cannot read ${given}. Supported: ${supported.join(', ')}.`, {
    hint: 'Convert the file to one of the supported types, or give its text as plain text.',
    details: { extension, mediaType: type, supported },
  });
}
