import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tenantName, unfinishedFolder, unfinishedName } from './names.ts';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Partial files: separate from the blobs, and named by their owner, so that those of dead processes can be found. */
export function unfinishedFiles(folder: string) {
  return {
    /** @returns a unique path per call */
    async create(tenant: string, owner: string): Promise<string> {
      const path = join(folder, unfinishedName(tenant, owner));
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return path;
    },
    async drop(tenant: string, of: { owner: string } | { before: Date }): Promise<void> {
      const place = join(folder, tenantName(tenant), unfinishedFolder);
      const names = await readdir(place).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      for (const name of names) {
        const file = join(place, name);
        if ('owner' in of ? name.startsWith(`${of.owner}.`) : await olderThan(file, of.before)) await rm(file, { force: true });
      }
    },
  };
}

async function olderThan(file: string, before: Date): Promise<boolean> {
  try {
    return (await stat(file)).mtime < before;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Writes a new file and hashes it meanwhile. In memory: one chunk of the source. */
export async function writeHashed(path: string, source: AsyncIterable<Uint8Array>): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const piece of source) {
      hash.update(piece);
      size += piece.length;
      await file.writeFile(piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { sha256: hash.digest('hex'), size };
}
