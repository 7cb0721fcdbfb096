import { createHash, randomUUID } from 'node:crypto';
import { notFound } from '../../contracts/errors.ts';
import { asideName, blobName, readName, tenantName, unfinishedFolder, unfinishedName } from './names.ts';
import { s3Client, type S3Settings } from './s3-client.ts';
import { openObject } from './s3-read.ts';
import { cut, s3Writer } from './s3-write.ts';
import type { BlobEntry, Blobs } from './types.ts';

/** Blobs that a deletion handles at once. */
const atOnce = 8;

interface Listed {
  name: string;
  size: number;
  modified: Date;
}

/**
 * Blobs in a bucket, under the names that they have in a folder. A bucket cannot rename: moving aside is a copy inside
 * the store followed by a deletion, which keeps the order that `delete` relies on.
 */
export function s3Blobs(settings: S3Settings): Blobs {
  const client = s3Client(settings);
  const writer = s3Writer(client);
  const { prefix } = settings;
  const keyOf = (name: string): string => `${prefix}${name}`;
  const remove = async (name: string): Promise<void> => {
    await client.done({ method: 'DELETE', key: keyOf(name), maybe: true });
  };

  /** Names below a prefix, in order, a page at a time. */
  async function* listed(start: string, from?: string): AsyncGenerator<Listed> {
    for (let token: string | undefined, more = true; more;) {
      const at = token !== undefined ? { 'continuation-token': token } : from ? { 'start-after': keyOf(`${start}${from}`) } : {};
      const query = { 'list-type': '2', prefix: keyOf(start), ...at };
      const { ListBucketResult: page } = await client.ask({ method: 'GET', query });
      for (const { Key, Size, LastModified } of page?.Contents ?? [])
        yield { name: String(Key).slice(prefix.length), size: Number(Size), modified: new Date(LastModified) };
      token = page?.NextContinuationToken;
      more = page?.IsTruncated === 'true' && token !== undefined;
    }
  }

  async function asideOf(name: string): Promise<string[]> {
    const names: string[] = [];
    for await (const each of listed(`${name}.`)) if (each.name.endsWith('.aside')) names.push(each.name);
    return names;
  }

  /** @returns whether it existed */
  async function move(from: string, to: string): Promise<boolean> {
    if (!(await writer.copy(keyOf(from), keyOf(to)))) return false;
    await remove(from);
    return true;
  }

  /** Moved aside by a deletion that has not decided yet, or died: it exists until it is deleted. */
  async function open(tenant: string, sha256: string) {
    const name = blobName(tenant, sha256);
    const found = await openObject(client, keyOf(name), sha256);
    if (found) return found;
    for (const each of [...(await asideOf(name)), name]) {
      const other = await openObject(client, keyOf(each), sha256);
      if (other) return other;
    }
    throw notFound('blob', sha256);
  }

  const blobs: Blobs = {
    place: client.place,
    async put(tenant, bytes) {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await writer.put(keyOf(blobName(tenant, sha256)), bytes);
      return sha256;
    },
    async get(tenant, sha256) {
      const { stream } = await open(tenant, sha256);
      const pieces: Buffer[] = [];
      for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
      return Buffer.concat(pieces);
    },
    /** The name is known at the end only, so what does not fit into one part is uploaded aside and then copied in the store. */
    async putStream(tenant, owner, source, note) {
      const hash = createHash('sha256');
      let size = 0;
      const parts = cut(counted(source, (piece) => void ((size += piece.length), hash.update(piece))));
      const first = await parts.next();
      const second = first.done ? first : await parts.next();
      if (second.done) {
        const sha256 = hash.digest('hex');
        await note({ sha256, size });
        await writer.put(keyOf(blobName(tenant, sha256)), first.done ? new Uint8Array() : first.value);
        return { sha256, size };
      }
      const temporary = unfinishedName(tenant, owner);
      try {
        await writer.putParts(keyOf(temporary), after([first.value as Uint8Array, second.value], parts));
        const sha256 = hash.digest('hex');
        await note({ sha256, size });
        // Another process may have considered this one dead and deleted its partial file.
        if (!(await move(temporary, blobName(tenant, sha256)))) throw new Error(`the partial file of ${owner} is gone`);
        return { sha256, size };
      } catch (error) {
        await parts.return(undefined);
        await remove(temporary).catch(() => {});
        throw error;
      }
    },
    openStream: open,
    async dropUnfinished(tenant, of) {
      const start = `${tenantName(tenant)}/${unfinishedFolder}/${'owner' in of ? `${of.owner}.` : ''}`;
      const old = (time: Date): boolean => 'owner' in of || time < of.before;
      for await (const { name, modified } of listed(start)) if (old(modified)) await remove(name);
      // Parts that never became an object. A large blob whose name was known is uploaded in parts, too.
      for (const below of 'owner' in of ? [start] : [`${tenant}/`]) {
        for (const { Key, UploadId, Initiated } of await openUploads(below)) {
          if (old(new Date(Initiated))) await client.done({ method: 'DELETE', key: Key, query: { uploadId: UploadId }, maybe: true });
        }
      }
    },
    async has(tenant, sha256) {
      return (await client.done({ method: 'HEAD', key: keyOf(blobName(tenant, sha256)), maybe: true })).status !== 404;
    },
    async delete(tenant, hashes, referenced) {
      const all = [...new Set(hashes)];
      // To move a blob is work for the store, so those that rows name are left in peace.
      const known = all.length === 0 ? new Set<string>() : await referenced(all);
      const held = new Map<string, string>();
      let keep: ReadonlySet<string> | null = null;
      try {
        await together(
          all.filter((sha256) => !known.has(sha256)),
          async (sha256) => {
            const name = blobName(tenant, sha256);
            const mine = asideName(name);
            for (const each of [name, ...(await asideOf(name))]) if (await move(each, mine)) held.set(sha256, mine);
          },
        );
        keep = held.size === 0 ? new Set() : await referenced([...held.keys()]);
      } finally {
        const kept = [...held].filter(([sha256]) => keep === null || keep.has(sha256));
        await together(kept, async ([sha256, mine]) => void (await move(mine, blobName(tenant, sha256))));
      }
      const doomed = [...held].filter(([sha256]) => !keep.has(sha256));
      await together(doomed, ([, mine]) => remove(mine));
      return doomed.length;
    },
    async *list(tenant, from) {
      for await (const { name, size, modified } of listed(tenant === undefined ? '' : `${tenantName(tenant)}/`, from)) {
        const read = readName(name);
        if (read === null) continue;
        const aside: BlobEntry['aside'] = read.aside && { name, since: read.aside.since ?? modified };
        yield { ...read, size, modified, aside };
      }
    },
    async setAside(tenant, hashes) {
      await together(hashes, async (sha256) => {
        const name = blobName(tenant, sha256);
        await move(name, asideName(name));
      });
    },
    async settle({ tenant, sha256, aside }, keep) {
      if (aside === null) return;
      if (keep) await move(aside.name, blobName(tenant, sha256));
      else await remove(aside.name);
    },
    async check() {
      const key = keyOf(`.probe/${randomUUID()}`);
      const body = Buffer.from('probe');
      const checksum = settings.checksums ? { 'x-amz-checksum-sha256': createHash('sha256').update(body).digest('base64') } : {};
      const attempts = 3;
      await client.done({ method: 'PUT', key, body, headers: { ...settings.encryption, ...checksum }, attempts });
      await client.done({ method: 'GET', key, attempts });
      await client.done({ method: 'DELETE', key, attempts });
      await client.ask({ method: 'GET', query: { 'list-type': '2', prefix: keyOf('.probe/'), 'max-keys': '1' }, attempts });
    },
    close: () => client.close(),
  };
  return blobs;

  async function openUploads(start: string): Promise<{ Key: string; UploadId: string; Initiated: string }[]> {
    const found = [];
    for (let marker: Record<string, string> = {}, more = true; more;) {
      const { ListMultipartUploadsResult: page } = await client.ask({
        method: 'GET',
        query: { uploads: '', prefix: keyOf(start), ...marker },
      });
      found.push(...(page?.Upload ?? []));
      more = page?.IsTruncated === 'true';
      marker = { 'key-marker': page?.NextKeyMarker ?? '', 'upload-id-marker': page?.NextUploadIdMarker ?? '' };
    }
    return found;
  }
}

async function together<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const outcomes = await Promise.allSettled(
    Array.from({ length: Math.min(atOnce, items.length) }, async () => {
      for (const item of left) await work(item);
    }),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

async function* counted(source: AsyncIterable<Uint8Array>, count: (piece: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    count(piece);
    yield piece;
  }
}

async function* after(first: Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* first;
  yield* rest;
}
