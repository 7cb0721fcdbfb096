import { opendir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AppError } from '../../contracts/errors.ts';

export interface FoundFile {
  path: string;
  bytes: number;
}

/** The real path of a folder inside the roots. Null: it is not a folder, or outside. */
export async function folderInside(roots: readonly string[], path: string): Promise<string | null> {
  if (path.includes('\0')) return null;
  for (const candidate of isAbsolute(path) ? [resolve(path)] : roots.map((root) => resolve(root, path))) {
    const real = await realpath(candidate).catch(() => null);
    if (real === null || !(await stat(real)).isDirectory()) continue;
    if (roots.some((root) => real === root || !hiddenOrOutside(relative(root, real)))) return real;
  }
  return null;
}

const hiddenOrOutside = (way: string): boolean => way === '' || isAbsolute(way) || way.split(sep).some((part) => part.startsWith('.'));

/**
 * The files below a folder, ordered by name. Hidden files and links are skipped.
 * @throws AppError NOT_FOUND when the folder is gone
 */
export async function* filesBelow(folder: string): AsyncGenerator<FoundFile> {
  const names: { name: string; folder: boolean }[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory() || entry.isFile()) names.push({ name: entry.name, folder: entry.isDirectory() });
    }
  } catch (error) {
    throw new AppError('NOT_FOUND', `The folder "${folder}" cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`, {
      hint: 'Signalbox reads it on its own machine, as its own user.',
    });
  }
  names.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, folder: isFolder } of names) {
    const path = join(folder, name);
    if (isFolder) yield* filesBelow(path);
    else {
      const found = await stat(path).catch(() => null);
      if (found?.isFile()) yield { path, bytes: found.size };
    }
  }
}
