import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError, notFound } from '../../contracts/errors.ts';
import { asideName, blobName, readName } from './names.ts';
import type { BlobEntry, Blobs } from './types.ts';
import { unfinishedFiles, writeHashed } from './unfinished.ts';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

export function fileBlobs(folder: string): Blobs {
  const unfinished = unfinishedFiles(folder);
  const path = (tenant: string, sha256: string): string => join(folder, blobName(tenant, sha256));
  const publish = async (temporary: string, target: string): Promise<void> => {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(temporary, target);
  };
  return {
    place: folder,
    async put(tenant, bytes) {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const target = path(tenant, sha256);
      const temporary = await unfinished.create(tenant, 'put');
      try {
        const file = await open(temporary, 'wx', 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await publish(temporary, target);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      return sha256;
    },
    async get(tenant, sha256) {
      const target = path(tenant, sha256);
      // Moved aside by a deletion that has not decided yet, or died: it exists until it is deleted.
      for (const file of [target, ...(await asideOf(target)), target]) {
        try {
          return await readFile(file);
        } catch (error) {
          ignoreMissing(error);
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
        await publish(temporary, target);
        return { sha256, size };
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    async openStream(tenant, sha256) {
      const target = path(tenant, sha256);
      for (const name of [target, ...(await asideOf(target)), target]) {
        try {
          const file = await open(name);
          const { size } = await file.stat();
          return { stream: file.createReadStream(), size };
        } catch (error) {
          ignoreMissing(error);
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
        ignoreMissing(error);
        return false;
      }
    },
    async delete(tenant, hashes, referenced) {
      const held = new Map<string, { target: string; mine: string }>();
      let keep: ReadonlySet<string> | null = null;
      try {
        for (const sha256 of new Set(hashes)) {
          const target = path(tenant, sha256);
          const mine = asideName(target);
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
    list: (tenant, from) => entriesOf(folder, tenant, from),
    async setAside(tenant, hashes) {
      for (const sha256 of hashes) {
        const target = path(tenant, sha256);
        await rename(target, asideName(target)).catch(ignoreMissing);
      }
    },
    async settle({ tenant, sha256, aside }, keep) {
      if (aside === null) return;
      const file = join(folder, aside.name);
      if (keep) await rename(file, path(tenant, sha256)).catch(ignoreMissing);
      else await rm(file, { force: true });
    },
    async check() {
      const probe = join(folder, `.probe-${randomUUID()}`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(probe, 'probe', { mode: 0o600 });
        await readFile(probe);
        await rm(probe);
      } catch (cause) {
        throw new AppError('SERVICE_UNAVAILABLE', `Blobs cannot be written to ${folder}: ${(cause as Error).message}`, {
          hint: 'Give this user the right to write there, make room, or set BLOB_STORE_URL.',
          cause,
        });
      }
    },
    close: async () => {},
  };
}

/**
 * Moves the blob aside, wherever it is.
 * @returns whether it existed
 */
async function setAsideAs(target: string, mine: string): Promise<boolean> {
  let held = false;
  for (const file of [target, ...(await asideOf(target))]) {
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

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: unknown) => {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return [];
    throw error;
  });
}

/** Files to which deletions have moved a blob. */
async function asideOf(target: string): Promise<string[]> {
  const names = await namesIn(dirname(target));
  return names
    .filter((name) => name.startsWith(`${basename(target)}.`) && name.endsWith('.aside'))
    .map((name) => join(dirname(target), name));
}

/** In the order of the names' bytes, as a bucket lists them: the listings of both places can be compared. */
async function* entriesOf(folder: string, tenant: string | undefined, from = ''): AsyncGenerator<BlobEntry> {
  const tenants = tenant === undefined ? await namesIn(folder) : [tenant];
  for (const of of tenants.map((name) => `${name}/`).sort()) {
    for (const shard of (await namesIn(join(folder, of))).sort()) {
      if (shard < from) continue;
      for (const file of (await namesIn(join(folder, of, shard))).sort()) {
        const read = readName(`${of}${shard}/${file}`);
        const found = read === null ? null : await stat(join(folder, of, shard, file)).catch(ignoreMissing);
        if (read === null || !found) continue;
        const { aside } = read;
        yield {
          ...read,
          size: found.size,
          modified: found.mtime,
          aside: aside === null ? null : { name: aside.name, since: aside.since ?? found.ctime },
        };
      }
    }
  }
}
