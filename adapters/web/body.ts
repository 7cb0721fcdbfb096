import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { AppError } from '../../contracts/errors.ts';

export const tooLarge = (maxBytes: number): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', `The answer is larger than ${maxBytes} bytes.`, {
    hint: 'Fetch a smaller document, or raise the size limit.',
    details: { reason: 'too_large', maxBytes },
  });

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  // Some servers send the raw stream, without zlib's header, whose first byte says method 8.
  deflate: (bytes: Uint8Array, options: { maxOutputLength: number }) =>
    ((bytes[0] ?? 0) & 15) === 8 ? promisify(inflate)(bytes, options) : promisify(inflateRaw)(bytes, options),
};

export const acceptedEncodings = 'gzip, deflate, br';

const isKnown = (coding: string): coding is keyof typeof decoders => Object.hasOwn(decoders, coding);

/**
 * Reads a body completely and decodes its Content-Encoding. The bytes on the wire and every decoded form stay under
 * `maxBytes`, so a compression bomb costs no more than a valid large file.
 * @throws {AppError} PAYLOAD_TOO_LARGE; VALIDATION_ERROR with `details.reason` encoding when the bytes cannot be
 * decoded
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > 2 || !codings.every(isKnown)) throw undecodable(`its Content-Encoding is "${contentEncoding?.slice(0, 60)}"`);

  // One growing buffer: a list of a million one-byte chunks would take a hundred times the memory.
  let buffer = Buffer.allocUnsafe(Math.min(65_536, maxBytes));
  let size = 0;
  for await (const chunk of body) {
    const end = size + chunk.byteLength;
    // Leaving the loop ends the stream and with it the connection.
    if (end > maxBytes) throw tooLarge(maxBytes);
    if (end > buffer.byteLength) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(end, 2 * buffer.byteLength), maxBytes));
      larger.set(buffer.subarray(0, size));
      buffer = larger;
    }
    buffer.set(chunk, size);
    size = end;
  }
  let bytes: Uint8Array = buffer.subarray(0, size);
  // Codings are named in the order in which they were applied.
  for (const coding of codings.toReversed()) {
    if (bytes.byteLength === 0) break;
    try {
      bytes = await decoders[coding](bytes, { maxOutputLength: maxBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
      throw undecodable(`it says ${coding} and is not`, error);
    }
  }
  return bytes;
}

const undecodable = (why: string, cause?: unknown): AppError =>
  new AppError('VALIDATION_ERROR', `The answer's encoding cannot be read: ${why}.`, {
    hint: 'The server sends broken data; fetch the document from elsewhere.',
    details: { reason: 'encoding' },
    cause,
  });
