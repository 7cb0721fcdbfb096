import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { S3Answer, S3Client } from './s3-client.ts';

/** How often a download goes on after a broken connection without having got anything new. */
const resumes = 4;

/**
 * An object as a stream: it goes on where a connection broke off, and fails at its end when its hash is another one.
 * @returns null when there is none
 */
export async function openObject(client: S3Client, key: string, sha256: string): Promise<{ stream: Readable; size: number } | null> {
  let answer = await client.send({ method: 'GET', key, maybe: true });
  if (answer.status === 404) return null;
  const size = Number(answer.headers['content-length']);
  const etag = String(answer.headers['etag']);
  async function* pieces(): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    let at = 0;
    for (let vain = 0; ; vain += 1) {
      try {
        for await (const piece of answer.body as AsyncIterable<Buffer>) {
          hash.update(piece);
          at += piece.length;
          vain = 0;
          yield piece;
        }
        if (at >= size) break;
        throw new Error(`the connection ended after ${at} of ${size} bytes`);
      } catch (error) {
        if (vain >= resumes) throw error;
        answer = await resume(client, key, { at, etag });
      }
    }
    const found = hash.digest('hex');
    if (found !== sha256) throw new Error(`the blob ${sha256} is damaged in ${client.place}: its bytes have the hash ${found}`);
  }
  const stream = Readable.from(pieces(), { objectMode: false });
  // A reader may leave before it has read anything; the connection must be given back.
  stream.once('close', () => answer.body.destroy());
  answer.body.on('error', () => {});
  return { stream, size };
}

async function resume(client: S3Client, key: string, { at, etag }: { at: number; etag: string }): Promise<S3Answer> {
  const answer = await client.send({ method: 'GET', key, headers: { range: `bytes=${at}-`, 'if-match': etag } });
  answer.body.on('error', () => {});
  return answer;
}
