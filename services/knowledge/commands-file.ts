import { constants } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { basename, extname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Blobs } from '../../adapters/blobs/types.ts';
import { AppError } from '../../contracts/errors.ts';
import { printable } from '../../contracts/json.ts';
import { folderInside } from './folder.ts';
import type { RunOrigin } from './runs-spec.ts';

export const maxFileBytes = 50 * 1024 * 1024;

/**
 * Reads a file that is inside one of the roots after resolving links. A relative path is looked up in each root.
 * Hidden files and folders (keys, settings, version control) are not read.
 * @param roots absolute and free of links
 * @returns the file's real path, and its bytes
 * @throws AppError VALIDATION_ERROR, NOT_FOUND, PAYLOAD_TOO_LARGE
 */
export async function readInside(roots: readonly string[], filePath: string): Promise<{ path: string; bytes: Uint8Array }> {
  if (filePath.includes('\0')) throw outside(roots, filePath);
  const candidates = isAbsolute(filePath) ? [resolve(filePath)] : roots.map((root) => resolve(root, filePath));
  let real: string | undefined;
  for (const candidate of candidates) real ??= await realpath(candidate).catch(() => undefined);
  if (real === undefined) {
    // Do not reveal whether something exists outside the roots.
    if (!candidates.some((candidate) => isInside(roots, candidate))) throw outside(roots, filePath);
    throw new AppError('NOT_FOUND', `There is no file "${filePath}".`, { hint: hint(roots) });
  }
  if (!isInside(roots, real)) throw outside(roots, filePath);

  let file: FileHandle;
  try {
    // A link may have replaced the file meanwhile, and a pipe must not block.
    file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw new AppError(
      'VALIDATION_ERROR',
      `The file "${filePath}" cannot be opened (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
      {
        hint: 'Signalbox reads it on its own machine, as its own user.',
      },
    );
  }
  try {
    const opened = await file.stat();
    if (!opened.isFile())
      throw new AppError('VALIDATION_ERROR', `"${filePath}" is not a regular file.`, { hint: 'Name one file, not a folder.' });
    // Parent folders may have been swapped meanwhile: check that the opened file is still the one inside.
    const again = await stat(real);
    if ((await realpath(real)) !== real || again.ino !== opened.ino || again.dev !== opened.dev) throw outside(roots, filePath);
    if (opened.size > maxFileBytes) throw tooLarge(opened.size);
    const bytes = await file.readFile();
    if (bytes.length > maxFileBytes) throw tooLarge(bytes.length);
    return { path: real, bytes };
  } finally {
    await file.close();
  }
}

function isInside(roots: readonly string[], path: string): boolean {
  return roots.some((root) => {
    const way = relative(root, path);
    return way !== '' && !isAbsolute(way) && !way.split(sep).some((part) => part.startsWith('.'));
  });
}

const hint = (roots: readonly string[]): string =>
  `file_path is read on Signalbox's machine, from the folders in INGEST_ROOTS (${roots.join(', ')}; by default the folder signalbox was started in). From elsewhere, pass the text as content.`;

const outside = (roots: readonly string[], filePath: string): AppError =>
  new AppError('VALIDATION_ERROR', `"${filePath.replaceAll('\0', '?')}" is not inside a folder that may be read, or hidden.`, {
    hint: hint(roots),
  });

export const tooLarge = (bytes: number): AppError =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `The content has ${Math.ceil(bytes / 1024 / 1024)} MB; at most ${maxFileBytes / 1024 / 1024} MB are taken.`,
    {
      hint: 'Split it into several documents.',
      details: { bytes, max_bytes: maxFileBytes },
    },
  );

/** The submission of a run, if the path has many contents; null: it is one file. */
export async function runSubmission(
  { blobs, ingestRoots }: { blobs: Blobs; ingestRoots: string[] },
  tenant: string,
  filePath: string,
): Promise<{ origin: Extract<RunOrigin, { kind: 'folder' | 'zip' }>; title: string } | null> {
  const folder = await folderInside(ingestRoots, filePath);
  if (folder !== null) return { origin: { kind: 'folder', path: folder }, title: basename(folder) };
  if (extname(filePath).toLowerCase() !== '.zip') return null;
  const { path, bytes } = await readInside(ingestRoots, filePath);
  return { origin: { kind: 'zip', path, blob: await blobs.put(tenant, bytes) }, title: basename(path) };
}

/** Content before it is ingested. */
export interface Read {
  bytes: Uint8Array;
  /** Identifies the source. */
  identity: string;
  filename: string | null;
  mediaType: string | null;
  fallbackTitle: string;
  url: string | null;
  warnings?: string[];
}

/** The title of a text without one: its first meaningful line. */
export function firstWords(text: string): string {
  const line = /[^\n]*[\p{L}\p{N}][^\n]*/u.exec(text.slice(0, 10_000))?.[0] ?? 'Untitled';
  const words = printable(line.replace(/^[#>*\s-]+/, '').trim(), 80);
  return words === '' ? 'Untitled' : words;
}
