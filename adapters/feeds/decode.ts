/** The encodings that byte order marks name. */
function markedAs(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  // Without a mark: every second byte of "<?" or "<r" is zero.
  if (a === 0x3c && b === 0) return 'utf-16le';
  if (a === 0 && b === 0x3c) return 'utf-16be';
  return undefined;
}

/** Null: not valid in this encoding, or an unknown encoding. */
function strictly(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const isUtf8 = (encoding: string | undefined): boolean => encoding === undefined || /^utf-?8$/i.test(encoding);

/**
 * Decodes the bytes of an XML document. Order: a byte order mark; valid UTF-8, if UTF-8 or nothing is declared
 * (servers often wrongly declare ISO-8859-1); the server's charset; the document's own; Windows-1252.
 */
export function decodeXmlBytes(bytes: Uint8Array, charset: string | undefined, warnings: string[]): string {
  const marked = markedAs(bytes);
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes);
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 512)).toString('latin1');
  const declared = /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(start)?.[1];
  if (isUtf8(declared) || isUtf8(charset)) {
    const text = strictly(bytes, 'utf-8');
    if (text !== null) return text;
  }
  for (const encoding of [charset, declared]) {
    if (encoding === undefined || isUtf8(encoding)) continue;
    const text = strictly(bytes, encoding);
    if (text !== null) return text;
  }
  // A few bad bytes must not garble the rest.
  const mended = new TextDecoder().decode(bytes);
  let broken = 0;
  let sound = 0;
  for (const char of mended) {
    if (char === '\uFFFD') broken++;
    else if (char > '\u007f') sound++;
  }
  if (broken * 20 <= sound) {
    warnings.push(`${broken} invalid UTF-8 sequences were replaced.`);
    return mended;
  }
  warnings.push(`The feed is not in the encoding it names (${charset ?? declared ?? 'UTF-8'}); read as Windows-1252.`);
  return new TextDecoder('windows-1252').decode(bytes);
}
