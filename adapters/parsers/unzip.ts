import yauzl from 'yauzl';
import { refusal, refusalOf } from './refusals.ts';

export interface UnzipLimits {
  /** Maximum unpacked bytes in total, counted while inflating, because declared sizes may be false. */
  maxUnpackedBytes: number;
  /** Default 10,000. */
  maxEntries?: number;
  /**
   * Maximum ratio of an entry's unpacked to packed size. Default 200; applies from 16 MB on, because small files are
   * harmless.
   */
  maxRatio?: number;
  /** Milliseconds of unpacking, without the time spent on the entries. Default: none. */
  timeoutMs?: number;
  /** Maximum nesting of zips, including the outermost. Default 2. */
  maxDepth?: number;
}

const harmlessBytes = 16 * 1024 * 1024;

/** An entry, inflated on demand. */
export interface ZipEntry {
  path: string;
  size: number;
  read(): Promise<Uint8Array>;
}

/** Remaining limits; shared by a zip and nested zips. */
interface Budget {
  bytes: number;
  entries: number;
  readonly maxEntries: number;
  maxRatio: number;
  ms: number;
  readonly maxMs: number;
}

const budgetOf = ({ maxUnpackedBytes, maxEntries = 10_000, maxRatio = 200, timeoutMs = Infinity }: UnzipLimits): Budget => ({
  bytes: maxUnpackedBytes,
  entries: maxEntries,
  maxEntries,
  maxRatio,
  ms: timeoutMs,
  maxMs: timeoutMs,
});

/**
 * The files in a zip, one by one: only the current one is in memory. Nested zips are included with paths like
 * `inner.zip/a.txt`. Folders and macOS metadata are left out.
 * @param source the zip, or the path of its file
 * @throws {AppError} for the whole zip, as soon as detected: damaged, truncated, encrypted; paths that lead outside,
 * links, bombs, too deeply nested zips
 */
export async function* entriesOf(source: Uint8Array | string, limits: UnzipLimits): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  yield* unpack(source, budgetOf(limits), limits.maxDepth ?? 2, '');
}

async function* unpack(
  source: Uint8Array | string,
  budget: Budget,
  depth: number,
  prefix: string,
): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  if (depth <= 0) {
    throw refusal('too_large', `The ZIP archive holds archives nested too deep ("${prefix}").`, { hint: 'Give the inner archive itself.' });
  }
  let resumed = performance.now();
  /** Time spent by the caller on an entry does not count. */
  const charge = (): void => {
    budget.ms -= performance.now() - resumed;
    if (budget.ms < 0) throw refusal('timeout', `The ZIP archive took longer than ${budget.maxMs / 1000} s to be unpacked.`);
    resumed = performance.now();
  };
  for await (const entry of listed(source, budget)) {
    charge();
    if (/(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$)/.test(entry.path)) continue;
    const bytes = await entry.read();
    charge();
    const path = prefix + entry.path;
    if (/\.zip$/i.test(entry.path) && isZip(bytes)) yield* unpack(bytes, budget, depth - 1, `${path}/`);
    else yield { path, bytes };
    resumed = performance.now();
  }
}

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6));

/** The files of one zip in directory order, each checked before it is returned. */
export function zipEntries(source: Uint8Array | string, limits: UnzipLimits): AsyncGenerator<ZipEntry> {
  return listed(source, budgetOf(limits));
}

async function* listed(source: Uint8Array | string, budget: Budget): AsyncGenerator<ZipEntry> {
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true } as const;
  let zip: yauzl.ZipFile | undefined;
  try {
    zip =
      typeof source === 'string'
        ? await yauzl.openPromise(source, options)
        : await yauzl.fromBufferPromise(Buffer.from(source.buffer, source.byteOffset, source.byteLength), options);
    if (zip.entryCount > budget.entries) throw tooMany(zip.entryCount, budget.entries);
    for await (const entry of zip.eachEntry()) {
      if (budget.entries-- <= 0) throw tooMany(zip.entryCount, budget.maxEntries);
      if (entry.fileName.endsWith('/')) continue;
      check(entry, budget);
      yield { path: entry.fileName, size: entry.uncompressedSize, read: () => inflate(zip!, entry, budget) };
    }
  } catch (error) {
    throw zipError(error);
  } finally {
    zip?.close();
  }
}

const tooMany = (count: number, most: number) =>
  refusal('too_large', `The ZIP archive has ${count} entries, more than may be read (${most}).`, {
    hint: 'Split the archive, or give its folder.',
    details: { entries: count, max_entries: most },
  });

/** Checks based on the directory only. */
function check(entry: yauzl.Entry, budget: Budget): void {
  const { fileName: path, uncompressedSize: size, compressedSize: packed } = entry;
  // The high half contains Unix file modes if the archive was created there; 0xA is a symbolic link.
  if (((entry.externalFileAttributes >>> 28) & 0xf) === 0xa) {
    throw refusal('unsupported', `The ZIP archive holds a symbolic link ("${path}").`, {
      hint: 'Pack the files themselves, not links to them.',
    });
  }
  if (entry.isEncrypted()) throw refusal('encrypted', `The ZIP archive is protected by a password ("${path}").`);
  if (size > budget.bytes) throw bomb(path);
  if (size > harmlessBytes && size > packed * budget.maxRatio) throw bomb(path);
}

async function inflate(zip: yauzl.ZipFile, entry: yauzl.Entry, budget: Budget): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const piece of stream as AsyncIterable<Buffer>) {
      size += piece.length;
      budget.bytes -= piece.length;
      if (budget.bytes < 0 || (size > harmlessBytes && size > entry.compressedSize * budget.maxRatio)) throw bomb(entry.fileName);
      pieces.push(piece);
    }
  } catch (error) {
    throw zipError(error);
  }
  return Buffer.concat(pieces, size);
}

const bomb = (path: string) =>
  refusal('too_large', `The ZIP archive unpacks to more than may be read (at "${path}").`, { details: { entry: path.slice(0, 200) } });

function zipError(error: unknown): Error {
  const said = error instanceof Error ? error.message : '';
  if (/end of central directory|unexpected end of file|overflows file bounds|unexpected EOF/i.test(said)) {
    return refusal('truncated', 'The file is cut off: the end of its ZIP archive is missing.', { cause: error });
  }
  if (/relative path|absolute path/.test(said)) {
    return refusal('damaged', `The ZIP archive holds a path that leads outside of it (${said}).`, {
      hint: 'Pack the files again, with paths inside the archive.',
      cause: error,
    });
  }
  if (/strong encryption/.test(said)) return refusal('encrypted', 'The ZIP archive is protected by a password.', { cause: error });
  return refusalOf(error, 'The ZIP archive');
}
