import { createHash } from 'node:crypto';
import { AppError } from '../../contracts/errors.ts';
import { S3Error, type S3Client } from './s3-client.ts';

/** Some stores want all parts but the last to be of one size; 10,000 of these are 84 GB. */
const partBytes = 8 * 2 ** 20;
const mostParts = 10_000;
/** Parts on their way at once; in memory are these and the one that is being filled. */
const atOnce = 2;
/** The most that one request may copy, and what a copy in parts takes at once. */
const copyBytes = 5 * 2 ** 30;
const copyPartBytes = 2 ** 30;

/** How objects get into the bucket, whatever their size. */
export function s3Writer(client: S3Client, limits = { copyBytes, copyPartBytes }) {
  const { bucket, encryption, checksums } = client.settings;
  const checksumOf = (body: Uint8Array): Record<string, string> =>
    checksums ? { 'x-amz-checksum-sha256': createHash('sha256').update(body).digest('base64') } : {};

  /** Parts under one upload, which is abandoned when one fails. */
  async function inParts(key: string, headers: Record<string, string>, upload: (send: PartSender) => Promise<void>): Promise<void> {
    const asked = await client.ask({ method: 'POST', key, query: { uploads: '' }, headers: { ...encryption, ...headers } });
    const id = String(asked.InitiateMultipartUploadResult?.UploadId);
    const parts: string[] = [];
    const flying = new Set<Promise<void>>();
    const failures: Error[] = [];
    try {
      await upload(async (put) => {
        const number = parts.push('');
        if (number > mostParts) throw tooManyParts();
        const flight: Promise<void> = put(number, id)
          .then((part) => void (parts[number - 1] = `<Part><PartNumber>${number}</PartNumber>${part}</Part>`))
          .catch((error: Error) => void failures.push(error))
          .finally(() => flying.delete(flight));
        flying.add(flight);
        if (flying.size >= atOnce) await Promise.race(flying);
        if (failures[0]) throw failures[0];
      });
      await Promise.all(flying);
      if (failures[0]) throw failures[0];
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
      await complete(key, id, body);
    } catch (error) {
      await Promise.allSettled(flying);
      // If this fails, too, the bucket's lifecycle rule or `dropUnfinished` ends it.
      await client.done({ method: 'DELETE', key, query: { uploadId: id }, maybe: true, attempts: 2 }).catch(() => {});
      throw error;
    }
  }

  /** A repeat after a lost answer finds no upload any more. */
  async function complete(key: string, id: string, body: Buffer): Promise<void> {
    try {
      await client.ask({ method: 'POST', key, query: { uploadId: id }, body, headers: { 'content-type': 'application/xml' } });
    } catch (error) {
      const gone = error instanceof S3Error && error.reason === 'NoSuchUpload';
      if (!gone || (await client.done({ method: 'HEAD', key, maybe: true })).status !== 200) throw error;
    }
  }

  async function put(key: string, body: Uint8Array): Promise<void> {
    if (body.length > partBytes * 2) return await putParts(key, cut([body]));
    await client.done({ method: 'PUT', key, body, headers: { ...encryption, ...checksumOf(body) } });
  }

  const putParts = (key: string, pieces: AsyncIterable<Uint8Array>): Promise<void> =>
    inParts(key, checksums ? { 'x-amz-checksum-algorithm': 'SHA256' } : {}, async (send) => {
      for await (const body of pieces) {
        await send(async (number, id) => {
          const checksum = checksumOf(body);
          const query = { partNumber: String(number), uploadId: id };
          const answer = await client.done({ method: 'PUT', key, query, body, headers: checksum });
          const sum = checksum['x-amz-checksum-sha256'];
          return `<ETag>${escaped(answer.headers['etag'])}</ETag>${sum === undefined ? '' : `<ChecksumSHA256>${sum}</ChecksumSHA256>`}`;
        });
      }
    });

  /** Inside the store. @returns false when there is nothing to copy */
  async function copy(from: string, to: string): Promise<boolean> {
    const source = { 'x-amz-copy-source': `/${bucket}/${from}` };
    try {
      const head = await client.done({ method: 'HEAD', key: from, maybe: true });
      if (head.status === 404) return false;
      const size = Number(head.headers['content-length']);
      if (size <= limits.copyBytes) {
        await client.ask({ method: 'PUT', key: to, headers: { ...encryption, ...source } });
        return true;
      }
      await inParts(to, {}, async (send) => {
        for (let at = 0; at < size; at += limits.copyPartBytes) {
          const range = `bytes=${at}-${Math.min(at + limits.copyPartBytes, size) - 1}`;
          await send(async (number, id) => {
            const query = { partNumber: String(number), uploadId: id };
            const copied = await client.ask({ method: 'PUT', key: to, query, headers: { ...source, 'x-amz-copy-source-range': range } });
            return `<ETag>${escaped(copied.CopyPartResult?.ETag)}</ETag>`;
          });
        }
      });
      return true;
    } catch (error) {
      // Deleted between the two requests.
      if (error instanceof S3Error && error.reason === 'NoSuchKey') return false;
      throw error;
    }
  }

  return { put, putParts, copy };
}

type PartSender = (put: (number: number, uploadId: string) => Promise<string>) => Promise<void>;

const escaped = (etag: unknown): string => String(etag).replaceAll('"', '&quot;');

const tooManyParts = (): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', `A blob may have ${(mostParts * partBytes) / 1e9} GB at most.`, { hint: 'Split it into several.' });

/** The same bytes in pieces of one size, the last one shorter. In memory is one piece. */
export async function* cut(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, size = partBytes): AsyncGenerator<Uint8Array> {
  let piece = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const given of source) {
    for (let at = 0; at < given.length;) {
      const taken = Math.min(size - filled, given.length - at);
      piece.set(given.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (filled < size) continue;
      yield piece;
      // The former one may still be on its way.
      piece = Buffer.allocUnsafe(size);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}
