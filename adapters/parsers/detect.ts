/** Detects the true type of bytes, whatever their name. Cheap: reads beginnings, and a zip's directory. */
import { isZip } from './unzip.ts';

export interface Seen {
  /** One of our formats, if it is readable. */
  format?: string;
  /** For messages: "a PDF". */
  what: string;
  /** A supported format, but encrypted. */
  encrypted?: boolean;
  /** A truncated zip, whose content is unknown. */
  cut?: boolean;
}

const starts: readonly (readonly [start: string, what: string, format?: string])[] = [
  ['%PDF-', 'a PDF', 'pdf'],
  ['{\\rtf', 'an RTF file'],
  ['\u0089PNG', 'a PNG image'],
  ['\u00FF\u00D8\u00FF', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['II*\0', 'a TIFF image'],
  ['MM\0*', 'a TIFF image'],
  ['\u001F\u008B', 'a gzip archive'],
  ['BZh', 'a bzip2 archive'],
  ['7z\u00BC\u00AF\u0027\u001C', 'a 7-Zip archive'],
  ['Rar!\u001A\u0007', 'a RAR archive'],
  ['\u007FELF', 'a Linux program'],
  ['\u00CF\u00FA\u00ED\u00FE', 'a macOS program'],
  ['\u00CA\u00FE\u00BA\u00BE', 'a program'],
  ['SQLite format 3\0', 'an SQLite database'],
  ['OggS', 'an Ogg recording'],
  ['ID3', 'an MP3 recording'],
  ['fLaC', 'a FLAC recording'],
];

/** Folder of the main part, by format. */
const officeFolders: readonly (readonly [folder: string, format: string, what: string])[] = [
  ['word/', 'docx', 'a Word document'],
  ['ppt/', 'pptx', 'a PowerPoint presentation'],
  ['xl/', 'xlsx', 'an Excel workbook'],
];

/** Streams of the old Office formats, whose names are in the file as UTF-16. */
const oleStreams: readonly (readonly [stream: string, seen: Seen])[] = [
  ['EncryptedPackage', { what: 'an Office file with a password', encrypted: true }],
  ['WordDocument', { what: 'an old Word document (DOC)' }],
  ['PowerPoint Document', { what: 'an old PowerPoint presentation (PPT)' }],
  ['__properties_version1.0', { what: 'an Outlook message (MSG)' }],
  ['Workbook', { what: 'an old Excel workbook (XLS)', format: 'xls' }],
  ['Book', { what: 'an old Excel workbook (XLS)', format: 'xls' }],
];

/** Undefined: text, or an unknown type. */
export function detect(bytes: Uint8Array): Seen | undefined {
  const start = latin1(bytes.subarray(0, 16));
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isZip(bytes)) return detectZip(buffer);
  if (start.startsWith('\u00D0\u00CF\u0011\u00E0\u00A1\u00B1\u001A\u00E1')) {
    return oleStreams.find(([stream]) => buffer.includes(Buffer.from(stream, 'utf16le')))?.[1] ?? { what: 'an old Office file' };
  }
  // The letters may also begin a sentence; binary data has control characters soon after them.
  const binary = buffer.subarray(0, 64).some((byte) => byte < 9);
  for (const [sign, what, format] of starts) {
    if (!start.startsWith(sign)) continue;
    if (format !== undefined) return { what, format };
    if (binary || /^[{\u0080-\u00FF]/.test(sign)) return { what };
  }
  if (/^RIFF....WEBP/s.test(start)) return { what: 'a WebP image' };
  if (/^....ftyp/s.test(start)) return { what: 'an MP4 video or HEIC image' };
  if (start.startsWith('MZ') && binary) return { what: 'a Windows program' };
  // Readers accept a PDF that begins late, after mail headers or a byte order mark.
  const late = buffer.subarray(0, 1024).indexOf('%PDF-');
  if (late > 0 && buffer.lastIndexOf('%%EOF') > late) return { what: 'a PDF', format: 'pdf' };
  return undefined;
}

function detectZip(buffer: Buffer): Seen {
  const names = zipNames(buffer);
  for (const [folder, format, what] of officeFolders) {
    if (
      names.some((name) => name.startsWith(folder)) &&
      names.some((name) => name === '[Content_Types].xml' || name === '_rels/.rels' || name.startsWith(`${folder}_rels/`))
    ) {
      return { format, what };
    }
  }
  // Their first entry contains the type, uncompressed.
  const says = (type: string): boolean => buffer.includes(`mimetypeapplication/${type}`);
  if (says('vnd.oasis.opendocument.spreadsheet')) return { format: 'ods', what: 'an OpenDocument spreadsheet' };
  if (says('vnd.oasis.opendocument')) return { what: 'an OpenDocument file' };
  if (says('epub')) return { what: 'an EPUB book' };
  return { what: 'a ZIP archive', ...(buffer.includes('PK\u0005\u0006') ? {} : { cut: true }) };
}

/** The entries' names from the zip's directory, else from the entries. At most 2,000. */
function zipNames(buffer: Buffer): string[] {
  const names: string[] = [];
  const end = buffer.lastIndexOf('PK\u0005\u0006');
  let at = end >= 0 && end + 20 <= buffer.length ? buffer.readUInt32LE(end + 16) : -1;
  while (at >= 0 && at + 46 <= buffer.length && names.length < 2000 && buffer.readUInt32LE(at) === 0x02014b50) {
    const length = buffer.readUInt16LE(at + 28);
    names.push(buffer.toString('utf8', at + 46, at + 46 + length).replaceAll('\\', '/'));
    at += 46 + length + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32);
  }
  if (names.length > 0) return names;
  for (at = 0; at >= 0 && at + 30 <= buffer.length && names.length < 2000; at = buffer.indexOf('PK\u0003\u0004', at + 4)) {
    names.push(buffer.toString('utf8', at + 30, at + 30 + buffer.readUInt16LE(at + 26)).replaceAll('\\', '/'));
  }
  return names;
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/** A page that begins like HTML, after comments and an XML declaration. */
export const looksLikeHtml = (bytes: Uint8Array): boolean =>
  /^(?:\u00EF\u00BB\u00BF)?\s{0,200}(?:<\?xml[^>]{0,200}>\s{0,20})?(?:<!--[^>]{0,500}-->\s{0,20})?<(?:!doctype html|html[\s>])/i.test(
    latin1(bytes.subarray(0, 1200)),
  );

/** Headers that only e-mails have, from the first line on. */
export function looksLikeEmail(bytes: Uint8Array): boolean {
  const head = latin1(bytes.subarray(0, 8192)).split(/\r?\n\r?\n/, 1)[0]!;
  return (
    /^[A-Za-z][\w-]{1,60}:/.test(head) &&
    /^(MIME-Version|Message-ID|Received|Return-Path):/im.test(head) &&
    /^(From|Date|Subject):/im.test(head)
  );
}
