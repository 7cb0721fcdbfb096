import { readFileSync } from 'node:fs';

/** A file's text, or null when there is none. Asking first would not do: another process may remove the file between. */
export function textIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
