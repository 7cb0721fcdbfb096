import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { notFound } from '../../contracts/errors.ts';

/** Content-addressed bytes, per tenant. Histories and rows carry the hash, never the bytes. */
export interface Blobs {
  /** @returns the SHA-256 (hex) of the bytes; storing the same bytes again is a no-op. */
  put(tenant: string, bytes: Uint8Array): Promise<string>;
  /** @throws AppError NOT_FOUND */
  get(tenant: string, sha256: string): Promise<Uint8Array>;
}

export function fileBlobs(folder: string): Blobs {
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
      try {
        return await readFile(path(tenant, sha256));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notFound('blob', sha256);
        throw error;
      }
    },
  };
}
