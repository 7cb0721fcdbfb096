/** Files for tests, valid and hostile. */
import { createHash } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
  path: string;
  data: string | Uint8Array;
  /** Replaces the true unpacked size. */
  declaredSize?: number;
  /** Unix mode, e.g. 0o120777 for a symbolic link. */
  mode?: number;
  /** General purpose flags; 1 means encrypted. */
  flags?: number;
}

/** A zip of deflated entries, with false metadata where the parts ask for it. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, data, declaredSize, mode = 0o100644, flags = 0 } of parts) {
    const plain = Buffer.from(data);
    const packed = deflated(data, plain);
    const name = Buffer.from(path);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(plain), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(declaredSize ?? plain.length, 18);
    common.writeUInt16LE(name.length, 22);
    files.push(Buffer.from('PK\u0003\u0004', 'latin1'), common, name, packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0003', 'latin1'), common, tail, name);
    offset += 30 + name.length + packed.length;
  }
  const size = directory.reduce((sum, each) => sum + each.length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, ...directory, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}

/** Large data used in several parts is compressed once. */
const known = new WeakMap<Uint8Array, Buffer>();
function deflated(data: string | Uint8Array, plain: Buffer): Buffer {
  if (typeof data === 'string') return deflateRawSync(plain);
  const packed = known.get(data) ?? deflateRawSync(plain);
  known.set(data, packed);
  return packed;
}

const contentTypes = { path: '[Content_Types].xml', data: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>' };
const relationships = (targets: readonly [id: string, type: string, target: string][]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
    .map(
      ([id, type, target]) =>
        `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

/** @param body what stands in w:body @param prolog before the root element */
export function docxOf(body: string, { prolog = '', more = [] }: { prolog?: string; more?: ZipPart[] } = {}): Buffer {
  return zipOf([
    contentTypes,
    { path: '_rels/.rels', data: relationships([['rId1', 'officeDocument', 'word/document.xml']]) },
    {
      path: 'word/document.xml',
      data: `<?xml version="1.0"?>${prolog}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    },
    ...more,
  ]);
}

export const wordParagraph = (text: string, style?: string): string =>
  `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;

/** @param slides what stands in each slide's shape tree */
export function pptxOf(slides: readonly string[]): Buffer {
  const ids = slides.map((_, i) => i + 1);
  const space =
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  return zipOf([
    contentTypes,
    { path: '_rels/.rels', data: relationships([['rId1', 'officeDocument', 'ppt/presentation.xml']]) },
    {
      path: 'ppt/presentation.xml',
      data: `<p:presentation ${space}><p:sldIdLst>${ids.map((id) => `<p:sldId id="${255 + id}" r:id="rId${id}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    },
    { path: 'ppt/_rels/presentation.xml.rels', data: relationships(ids.map((id) => [`rId${id}`, 'slide', `slides/slide${id}.xml`])) },
    ...slides.map((shapes, i) => ({
      path: `ppt/slides/slide${i + 1}.xml`,
      data: `<p:sld ${space}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
    })),
  ]);
}

/** @param sheetData what stands in the only sheet's worksheet element */
/** @param texts the shared ones, by number */
export function xlsxOf(sheetData: string, texts: readonly string[] = []): Buffer {
  const space =
    'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  return zipOf([
    {
      path: '[Content_Types].xml',
      data: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
    },
    { path: '_rels/.rels', data: relationships([['rId1', 'officeDocument', 'xl/workbook.xml']]) },
    { path: 'xl/workbook.xml', data: `<workbook ${space}><sheets><sheet name="Numbers" sheetId="1" r:id="rId1"/></sheets></workbook>` },
    {
      path: 'xl/_rels/workbook.xml.rels',
      data: relationships([
        ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
        ['rId2', 'sharedStrings', 'sharedStrings.xml'],
      ]),
    },
    {
      path: 'xl/sharedStrings.xml',
      data: `<sst ${space}>${texts.map((text) => `<si><t xml:space="preserve">${text}</t></si>`).join('')}</sst>`,
    },
    { path: 'xl/worksheets/sheet1.xml', data: `<worksheet ${space}>${sheetData}</worksheet>` },
  ]);
}

export interface PdfText {
  text: string;
  x: number;
  y: number;
  size?: number;
  /** F1 is Helvetica, F2 its bold. */
  font?: 'F1' | 'F2';
  /** Degrees, against the clock. */
  turned?: number;
}

/** A PDF of 612 by 792 points a page, y upwards. @param options.password opens it; '' locks it with the empty one */
export function pdfOf(pages: readonly (readonly PdfText[])[], options: { rotate?: number; password?: string } = {}): Buffer {
  const lock = options.password === undefined ? undefined : lockWith(options.password);
  const objects: (string | Buffer)[] = [];
  const kids = pages.map((_, i) => 5 + i * 2);
  objects.push('<< /Type /Catalog /Pages 2 0 R >>');
  objects.push(`<< /Type /Pages /Count ${pages.length} /Kids [${kids.map((id) => `${id} 0 R`).join(' ')}] >>`);
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>');
  for (const [i, texts] of pages.entries()) {
    const drawn = texts.map(({ text, x, y, size = 11, font = 'F1', turned = 0 }) => {
      const [cos, sin] = [Math.cos((turned * Math.PI) / 180), Math.sin((turned * Math.PI) / 180)].map((each) => Number(each.toFixed(6)));
      return `BT /${font} ${size} Tf ${cos} ${sin} ${-sin!} ${cos} ${x} ${y} Tm (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`;
    });
    const content = Buffer.from(drawn.join('\n'), 'latin1');
    const stream = lock === undefined ? content : lock.encrypt(content, kids[i]! + 1);
    const rotate = options.rotate === undefined ? '' : ` /Rotate ${options.rotate}`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792]${rotate} /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents ${kids[i]! + 1} 0 R >>`,
    );
    objects.push(Buffer.concat([Buffer.from(`<< /Length ${stream.length} >>\nstream\n`), stream, Buffer.from('\nendstream')]));
  }
  if (lock !== undefined) objects.push(lock.dictionary);
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let at = parts[0]!.length;
  for (const [i, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object as string), Buffer.from('\nendobj\n')]);
    offsets.push(at);
    at += part.length;
    parts.push(part);
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const id = fileId.toString('hex');
  const locked = lock === undefined ? '' : ` /Encrypt ${objects.length} 0 R /ID [<${id}> <${id}>]`;
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${locked} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

const fileId = Buffer.from('0123456789abcdef');
/** The constant that the PDF specification pads passwords with. */
const padding = Buffer.from('28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A', 'hex');

/** The specification's oldest encryption (40 bits of RC4): enough to test encrypted files. */
function lockWith(password: string): { dictionary: string; encrypt(data: Buffer, object: number): Buffer } {
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32);
  const md5 = (...data: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(data)).digest();
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const key = md5(padded, owner, permissions, fileId).subarray(0, 5);
  return {
    dictionary: `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${owner.toString('hex')}> /U <${rc4(key, padding).toString('hex')}> >>`,
    encrypt: (data, object) => rc4(md5(key, Buffer.from([object & 255, object >> 8, 0, 0, 0])).subarray(0, 10), data),
  };
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  const swap = (i: number, j: number): void => {
    [state[i], state[j]] = [state[j]!, state[i]!];
  };
  for (let i = 0, j = 0; i < 256; i++) swap(i, (j = (j + state[i]! + key[i % key.length]!) & 255));
  let [i, j] = [0, 0];
  return data.map((byte) => {
    i = (i + 1) & 255;
    j = (j + state[i]!) & 255;
    swap(i, j);
    return byte ^ state[(state[i]! + state[j]!) & 255]!;
  }) as Buffer;
}
