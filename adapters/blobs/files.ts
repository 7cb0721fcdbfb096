import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { notFound } from '../../contracts/errors.ts';
import { unfinishedFiles, writeHashed } from './unfinished.ts';

/** Content-addressed bytes, per tenant. Histories and rows contain the hash, never the bytes. */
export interface Blobs {
  /** @returns the SHA-256 (hex) of the bytes; storing the same bytes again is a no-op. */
  put(tenant: string, bytes: Uint8Array): Promise<string>;
  /** @throws AppError NOT_FOUND */
  get(tenant: string, sha256: string): Promise<Uint8Array>;
  /**
   * As `put`, for data that may not fit into memory.
   * @param owner the writer: `dropUnfinished` deletes its partial files after a crash
   * @param note called after all is written and before the blob exists: a caller that commits a reference there
   * leaves no orphaned blob, and checks with `has` afterwards
   * @returns SHA-256 and size in bytes
   */
  putStream(
    tenant: string,
    owner: string,
    source: AsyncIterable<Uint8Array>,
    note: (blob: { sha256: string; size: number }) => Promise<void>,
  ): Promise<{ sha256: string; size: number }>;
  /**
   * As `get`, for data that may not fit into memory.
   * @throws AppError NOT_FOUND
   */
  openStream(tenant: string, sha256: string): Promise<{ stream: Readable; size: number }>;
  /** Deletes partial files: of one owner, or older than a time. */
  dropUnfinished(tenant: string, of: { owner: string } | { before: Date }): Promise<void>;
  /**
   * Whether the bytes exist. After storing bytes and committing a row that names them, check this, and store them
   * again if necessary: a deletion may have checked references just before the commit.
   */
  has(tenant: string, sha256: string): Promise<boolean>;
  /**
   * Deletes unreferenced blobs. Bytes are moved aside before references are checked, so that a concurrent commit of a
   * reference is either seen or finds the bytes missing. After a kill, a repeat finishes it.
   * @param referenced which of these hashes rows name
   * @returns how many were deleted
   */
  delete(tenant: string, hashes: readonly string[], referenced: (hashes: string[]) => Promise<ReadonlySet<string>>): Promise<number>;
}

const aside = '.aside';
const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

export function fileBlobs(folder: string): Blobs {
  const unfinished = unfinishedFiles(folder);
  const path = (tenant: string, sha256: string): string => {
    if (!/^[a-z0-9][a-z0-9_-]*$/.test(tenant) || !/^[0-9a-f]{64}$/.test(sha256)) throw notFound('blob', sha256.slice(0, 64));
    return join(folder, tenant, sha256.slice(0, 2), sha256);
  };
  return {
    async put(tenant, bytes) {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const target = path(tenant, sha256);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      const temporary = `${target}.${randomUUID()}`;
      const file = await open(temporary, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, target).catch(async (error: unknown) => {
        await rm(temporary, { force: true });
        throw error;
      });
      return sha256;
    },
    async get(tenant, sha256) {
      const target = path(tenant, sha256);
      // Moved aside by a deletion that has not decided yet, or died: it exists until it is deleted.
      for (const file of [target, ...(await setAside(target)), target]) {
        try {
          return await readFile(file);
        } catch (error) {
          if (!isMissing(error)) throw error;
        }
      }
      throw notFound('blob', sha256);
    },
    async putStream(tenant, owner, source, note) {
      const temporary = await unfinished.create(tenant, owner);
      try {
        const { sha256, size } = await writeHashed(temporary, source);
        const target = path(tenant, sha256);
        await note({ sha256, size });
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await rename(temporary, target);
        return { sha256, size };
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    async openStream(tenant, sha256) {
      const target = path(tenant, sha256);
      for (const name of [target, ...(await setAside(target)), target]) {
        try {
          const file = await open(name);
          const { size } = await file.stat();
          return { stream: file.createReadStream(), size };
        } catch (error) {
          if (!isMissing(error)) throw error;
        }
      }
      throw notFound('blob', sha256);
    },
    dropUnfinished: (tenant, of) => unfinished.drop(tenant, of),
    async has(tenant, sha256) {
      try {
        await access(path(tenant, sha256));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
    async delete(tenant, hashes, referenced) {
      const held = new Map<string, { target: string; mine: string }>();
      let keep: ReadonlySet<string> | null = null;
      try {
        for (const sha256 of new Set(hashes)) {
          const target = path(tenant, sha256);
          // A unique name: another deletion must not delete this file.
          const mine = `${target}.${randomUUID()}${aside}`;
          if (await setAsideAs(target, mine)) held.set(sha256, { target, mine });
        }
        keep = held.size === 0 ? new Set() : await referenced([...held.keys()]);
      } finally {
        for (const [sha256, { target, mine }] of held) {
          if (keep === null || keep.has(sha256)) await rename(mine, target).catch(ignoreMissing);
        }
      }
      const doomed = [...held].filter(([sha256]) => !keep.has(sha256));
      for (const [, { mine }] of doomed) await rm(mine, { force: true });
      return doomed.length;
    },
  };
}

/**
 * Moves the blob aside, wherever it is.
 * @returns whether it existed
 */
async function setAsideAs(target: string, mine: string): Promise<boolean> {
  let held = false;
  for (const file of [target, ...(await setAside(target))]) {
    try {
      await rename(file, mine);
      held = true;
    } catch (error) {
      ignoreMissing(error);
    }
  }
  return held;
}

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

/** Files to which deletions have moved a blob. */
async function setAside(target: string): Promise<string[]> {
  const names = await readdir(dirname(target)).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.filter((name) => name.startsWith(`${basename(target)}.`) && name.endsWith(aside)).map((name) => join(dirname(target), name));
}
