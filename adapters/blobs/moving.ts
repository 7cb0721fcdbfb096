import { AppError } from '../../contracts/errors.ts';
import type { Blobs } from './types.ts';

/**
 * During a migration: writes go to the current place; what is not there yet is read from the former one. Deletions
 * happen in both, each with its own check of references, so a commit is seen by the later one or finds the bytes missing.
 */
export function movingBlobs(current: Blobs, former: Blobs): Blobs {
  /** The migration may copy it between the two looks. */
  const either = async <T>(read: (blobs: Blobs) => Promise<T>): Promise<T> => {
    for (const blobs of [current, former]) {
      try {
        return await read(blobs);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
      }
    }
    return await read(current);
  };
  return {
    place: current.place,
    put: (tenant, bytes) => current.put(tenant, bytes),
    get: (tenant, sha256) => either((blobs) => blobs.get(tenant, sha256)),
    putStream: (tenant, owner, source, note) => current.putStream(tenant, owner, source, note),
    openStream: (tenant, sha256) => either((blobs) => blobs.openStream(tenant, sha256)),
    async dropUnfinished(tenant, of) {
      await current.dropUnfinished(tenant, of);
      await former.dropUnfinished(tenant, of);
    },
    has: async (tenant, sha256) => (await current.has(tenant, sha256)) || (await former.has(tenant, sha256)),
    async delete(tenant, hashes, referenced) {
      const there = await former.delete(tenant, hashes, referenced);
      return Math.max(there, await current.delete(tenant, hashes, referenced));
    },
    list: (tenant, from) => current.list(tenant, from),
    setAside: (tenant, hashes) => current.setAside(tenant, hashes),
    settle: (entry, keep) => current.settle(entry, keep),
    async check() {
      await current.check();
      await former.check();
    },
    async close() {
      await current.close();
      await former.close();
    },
  };
}
