import { createHash } from 'node:crypto';
import type { BlobEntry, Blobs } from '../../adapters/blobs/types.ts';
import { AppError } from '../../contracts/errors.ts';

export interface BlobCopy {
  /** Blobs in the source so far. */
  found: number;
  copied: number;
  /** Were there already. */
  present: number;
  /** Deleted while they were to be copied. */
  gone: number;
  /** Bytes that were copied. */
  bytes: number;
  /** Blobs that could not be copied: damaged ones, for example. */
  failed: { tenant: string; sha256: string; error: string }[];
  stopped: boolean;
}

export interface BlobCopyOptions {
  atOnce?: number;
  /** Also read those again that are there already, and compare their hashes. */
  verify?: boolean;
  /** Ends after those under way. */
  signal?: AbortSignal;
  onProgress?: (copy: BlobCopy) => void;
}

const mostFailures = 1_000;

/**
 * Copies every blob that the target lacks, and checks each one's hash on the way. It keeps no state: both listings are
 * compared in their order, so it can be stopped or killed at any moment and goes on when it is called again.
 * @throws AppError SERVICE_UNAVAILABLE when one of the places is away
 */
export async function copyBlobs(from: Blobs, to: Blobs, options: BlobCopyOptions = {}): Promise<BlobCopy> {
  const { atOnce = 4, verify = false, signal, onProgress } = options;
  const copy: BlobCopy = { found: 0, copied: 0, present: 0, gone: 0, bytes: 0, failed: [], stopped: false };
  const flying = new Set<Promise<void>>();
  const outages: AppError[] = [];

  const one = async (entry: BlobEntry, there: boolean): Promise<void> => {
    const { tenant, sha256 } = entry;
    try {
      if (there && verify) await drain(to, tenant, sha256);
      if (there) copy.present += 1;
      else if (await copyOne(from, to, entry)) {
        copy.copied += 1;
        copy.bytes += entry.size;
      } else copy.gone += 1;
    } catch (error) {
      if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') outages.push(error);
      else if (copy.failed.length < mostFailures) copy.failed.push({ tenant, sha256, error: (error as Error).message });
    }
    onProgress?.(copy);
  };

  const target = new Cursor(to.list());
  let former = '';
  try {
    for await (const entry of from.list()) {
      if (signal?.aborted || outages.length > 0) break;
      const name = nameOf(entry);
      // One that a deletion has set aside as well. It is copied: the deletion may decide to keep it.
      if (name === former) continue;
      former = name;
      copy.found += 1;
      const there = await target.has(name, entry.size);
      const flight: Promise<void> = one(entry, there).finally(() => flying.delete(flight));
      flying.add(flight);
      if (flying.size >= atOnce) await Promise.race(flying);
    }
  } finally {
    await Promise.all(flying);
    await target.close();
  }
  copy.stopped = signal?.aborted ?? false;
  if (outages[0]) throw outages[0];
  return copy;
}

const nameOf = ({ tenant, sha256 }: BlobEntry): string => `${tenant}/${sha256}`;

/** @returns false: it was deleted meanwhile */
async function copyOne(from: Blobs, to: Blobs, { tenant, sha256 }: BlobEntry): Promise<boolean> {
  try {
    const { stream } = await from.openStream(tenant, sha256);
    await to.putStream(tenant, 'migration', stream, async (blob) => {
      if (blob.sha256 !== sha256) throw new Error(`it is damaged in ${from.place}: its bytes have the hash ${blob.sha256}`);
    });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}

async function drain(blobs: Blobs, tenant: string, sha256: string): Promise<void> {
  const { stream } = await blobs.openStream(tenant, sha256);
  const hash = createHash('sha256');
  for await (const piece of stream as AsyncIterable<Uint8Array>) hash.update(piece);
  const found = hash.digest('hex');
  if (found !== sha256) throw new Error(`it is damaged in ${blobs.place}: its bytes have the hash ${found}`);
}

/** Walks through a listing in step with another one. */
class Cursor {
  private readonly entries: AsyncIterator<BlobEntry>;
  private current: BlobEntry | null = null;
  private ended = false;

  constructor(entries: AsyncIterable<BlobEntry>) {
    this.entries = entries[Symbol.asyncIterator]();
  }

  /** Whether the listing has this blob, whole; names are asked for in the listing's order. */
  async has(name: string, size: number): Promise<boolean> {
    for (;;) {
      while (this.current === null && !this.ended) {
        const next = await this.entries.next();
        if (next.done) this.ended = true;
        // One that is set aside may be about to be deleted there.
        else if (next.value.aside === null) this.current = next.value;
      }
      if (this.current === null || nameOf(this.current) > name) return false;
      if (nameOf(this.current) === name) return this.current.size === size;
      this.current = null;
    }
  }

  async close(): Promise<void> {
    await this.entries.return?.(undefined);
  }
}
