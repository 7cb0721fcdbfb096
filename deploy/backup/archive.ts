/** A backup as a folder, or as one zip file. It has its name only when it is whole: until then it is `NAME.unfinished-PID`. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';
import { ZipFile } from 'yazl';
import { AppError } from '../../contracts/errors.ts';
import { isAlive } from '../../platform/embedded/process.ts';
import { type Manifest, readManifest } from './manifest.ts';

export interface Written {
  bytes: number;
  sha256: string;
}

export interface Sink {
  add(name: string, content: AsyncIterable<Uint8Array>): Promise<Written>;
  /** Writes the manifest last, and gives the backup its name. */
  finish(manifest: Manifest): Promise<void>;
  discard(): Promise<void>;
}

export interface Source {
  manifest: Manifest;
  /** Names of all entries that begin with the prefix. */
  names(prefix: string): Promise<string[]>;
  /** @throws AppError when the entry is missing */
  open(name: string): Promise<Readable>;
  /** @param folder where it may be unpacked @returns the path of the entry as a file */
  file(name: string, folder: string): Promise<string>;
  close(): void;
}

const manifestName = 'manifest.json';
const isZip = (path: string): boolean => path.endsWith('.zip');

/** @throws AppError when the path exists */
export async function createSink(path: string): Promise<Sink> {
  const target = resolve(path);
  if (existsSync(target)) {
    throw new AppError('CONFLICT', `${target} exists already.`, { hint: 'Name another one for each backup, e.g. with the date.' });
  }
  await mkdir(dirname(target), { recursive: true });
  await dropUnfinished(target);
  const unfinished = `${target}.unfinished-${process.pid}`;
  return isZip(target) ? zipSink(unfinished, target) : await folderSink(unfinished, target);
}

/** What killed backups to the same path have left. */
async function dropUnfinished(target: string): Promise<void> {
  const start = `${basename(target)}.unfinished-`;
  for (const name of await readdir(dirname(target))) {
    if (!name.startsWith(start) || isAlive(Number(name.slice(start.length)))) continue;
    await rm(join(dirname(target), name), { recursive: true, force: true });
  }
}

async function* counted(content: AsyncIterable<Uint8Array>, told: (written: Written) => void): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of content) {
    hash.update(piece);
    bytes += piece.length;
    yield piece;
  }
  told({ bytes, sha256: hash.digest('hex') });
}

async function folderSink(folder: string, target: string): Promise<Sink> {
  await mkdir(folder, { mode: 0o700 });
  const add = async (name: string, content: AsyncIterable<Uint8Array>): Promise<Written> => {
    let written: Written | undefined;
    await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    const file = await open(join(folder, name), 'wx', 0o600);
    try {
      for await (const piece of counted(content, (told) => (written = told))) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    return written!;
  };
  return {
    add,
    async finish(manifest) {
      await add(manifestName, Readable.from([Buffer.from(textOf(manifest))]));
      await rename(folder, target);
      await syncFolder(dirname(target));
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  };
}

function zipSink(file: string, target: string): Sink {
  const zip = new ZipFile();
  const output = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  const written = pipeline(zip.outputStream as Readable, output);
  const broken = new Promise<never>((_, fail) => {
    zip.on('error', fail);
    written.catch(fail);
  });
  broken.catch(() => {});
  const add = async (name: string, content: AsyncIterable<Uint8Array>): Promise<Written> => {
    const added = new Promise<Written>((done, fail) => {
      const through = new PassThrough();
      pipeline(counted(content, done), through).catch(fail);
      // Neither the dump nor most files become smaller; sizes are known only afterwards.
      zip.addReadStream(through, name, { compress: false, mode: 0o100600, forceZip64Format: true });
    });
    return await Promise.race([added, broken]);
  };
  return {
    add,
    async finish(manifest) {
      zip.addBuffer(Buffer.from(textOf(manifest)), manifestName);
      zip.end();
      await written;
      await rename(file, target);
      await syncFolder(dirname(target));
    },
    async discard() {
      output.destroy();
      await written.catch(() => {});
      await rm(file, { force: true });
    },
  };
}

const textOf = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

/** A rename survives a power cut only with its folder. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().catch(() => {});
  await handle.close();
}

const notWhole = (path: string, cause?: unknown): AppError =>
  new AppError('VALIDATION_ERROR', `${path} is not a whole backup.`, {
    hint: 'It was not made by `signalbox backup`, or is damaged. An interrupted backup is named …unfinished….',
    ...(cause === undefined ? {} : { cause }),
  });

/** @throws AppError when there is no whole backup, or a newer version made it */
export async function openSource(path: string): Promise<Source> {
  const given = resolve(path);
  if (!existsSync(given)) throw new AppError('NOT_FOUND', `There is no backup ${given}.`);
  return isZip(given) ? await zipSource(given) : await folderSource(given);
}

async function folderSource(folder: string): Promise<Source> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch((error: unknown) => {
    throw notWhole(folder, error);
  });
  return {
    manifest: readManifest(text),
    async names(prefix) {
      if (!existsSync(join(folder, prefix))) return [];
      const found = await readdir(join(folder, prefix), { recursive: true, withFileTypes: true });
      return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
    },
    async open(name) {
      const file = join(folder, name);
      if (!existsSync(file)) throw notWhole(folder, new Error(`${name} is missing`));
      return await Promise.resolve(createReadStream(file));
    },
    file: (name) => Promise.resolve(join(folder, name)),
    close() {},
  };
}

async function zipSource(file: string): Promise<Source> {
  const zip = await yauzl.openPromise(file, { autoClose: false }).catch((error: unknown) => {
    throw notWhole(file, error);
  });
  const entries = new Map<string, yauzl.Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  const openEntry = async (name: string): Promise<Readable> => {
    const entry = entries.get(name);
    if (!entry) throw notWhole(file, new Error(`${name} is missing`));
    return await zip.openReadStreamPromise(entry);
  };
  try {
    const pieces = await (await openEntry(manifestName)).toArray();
    return {
      manifest: readManifest(Buffer.concat(pieces as Uint8Array[]).toString()),
      names: (prefix) => Promise.resolve([...entries.keys()].filter((name) => name.startsWith(prefix))),
      open: openEntry,
      async file(name, folder) {
        const path = join(folder, basename(name));
        await pipeline(await openEntry(name), createWriteStream(path, { flags: 'w', mode: 0o600 }));
        return path;
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** @throws AppError when the content is not what was written */
export async function* checked(content: AsyncIterable<Uint8Array>, name: string, wanted: Written): AsyncGenerator<Uint8Array> {
  let seen: Written | undefined;
  yield* counted(content, (told) => (seen = told));
  if (seen?.sha256 !== wanted.sha256) {
    throw new AppError('VALIDATION_ERROR', `${name} is damaged: its checksum differs from the manifest.`, { hint: 'Use another backup.' });
  }
}
