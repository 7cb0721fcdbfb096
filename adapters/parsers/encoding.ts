import { AppError } from '../../contracts/errors.ts';

export interface DecodedText {
  /** Line ends are \n, without byte order mark. */
  text: string;
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  warnings: string[];
}

/** Beginnings that reveal another type of a "text" file. */
const signatures: readonly (readonly [start: string, what: string])[] = [
  ['%PDF-', 'a PDF'],
  ['PK\u0003\u0004', 'a ZIP container (DOCX, PPTX, XLSX, …)'],
  ['\u00D0\u00CF\u0011\u00E0', 'an old Office file (DOC, XLS, PPT)'],
  ['{\\rtf', 'an RTF file'],
  ['\u0089PNG', 'a PNG image'],
  ['\u00FF\u00D8\u00FF', 'a JPEG image'],
  ['\u001F\u008B', 'a gzip archive'],
];

/**
 * Decodes a text file: UTF-8 with or without BOM, UTF-16 by its BOM, else Windows-1252.
 * @throws {AppError} VALIDATION_ERROR when the bytes are not text.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  for (const [signature, what] of signatures) {
    if (start.startsWith(signature)) throw notText(`it starts like ${what}`);
  }
  const { text, encoding, warnings } = decode(bytes);
  refuseBinary(text);
  return { text: text.replace(/\r\n?/g, '\n'), encoding, warnings };
}

function decode(bytes: Uint8Array): DecodedText {
  // TextDecoder drops the BOM of its own encoding.
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'utf-16le', warnings: [] };
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'utf-16be', warnings: [] };
  const text = new TextDecoder().decode(bytes);
  const broken = count(text, /\uFFFD/g);
  if (broken === 0) return { text, encoding: 'utf-8', warnings: [] };
  // A file cut inside a character is still UTF-8; a few bad bytes must not garble the rest.
  const sound = count(text, /[\u0080-\uFFFC]/g);
  if (broken * 20 <= sound) {
    return { text, encoding: 'utf-8', warnings: [`${broken} invalid UTF-8 sequence(s) were replaced.`] };
  }
  return {
    text: new TextDecoder('windows-1252').decode(bytes),
    encoding: 'windows-1252',
    warnings: ['Not valid UTF-8; read as Windows-1252.'],
  };
}

function refuseBinary(text: string): void {
  const zeros = count(text, /\0/g);
  if (zeros * 4 > text.length && zeros > 1) throw notText('it looks like UTF-16 without a byte order mark');
  if (zeros > 0) throw notText('it contains NUL bytes');
  // Text contains no control characters except tab, line ends, form feed, backspace and escape.
  const controls = count(text, /[\u0001-\u0007\u000E-\u001A\u001C-\u001F]/g);
  if (controls > 8 && controls * 100 > text.length) throw notText('it is full of control characters');
}

/** For single-character patterns: linear, without an array of millions of matches. */
function count(text: string, pattern: RegExp): number {
  let found = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) found++;
  return found;
}

const notText = (why: string): AppError =>
  new AppError('VALIDATION_ERROR', `The file is not readable as text: ${why}.`, {
    hint: 'Give the file with its right name or media type, or save it as UTF-8 text.',
  });
