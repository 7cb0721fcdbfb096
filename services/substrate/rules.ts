import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import type { ManifestEntry } from '../../contracts/substrate/substrate.ts';

const maxPathBytes = 1_024;
/** Maximum names in an error. */
export const namedAtMost = 20;

const badPath = (path: string, why: string): AppError =>
  new AppError('VALIDATION_ERROR', `The path "${path.slice(0, 200)}" ${why}.`, {
    hint: 'Paths are relative, with "/" between their parts, e.g. reports/2026/q1.pdf.',
    details: { path: path.slice(0, 200) },
  });

/**
 * The canonical path: composed Unicode, no empty or "." parts.
 * @throws AppError VALIDATION_ERROR
 */
export function normalisePath(given: string): string {
  const path = given.normalize('NFC');
  if (/[\u0000-\u001f\u007f\\]/.test(path) || !path.isWellFormed())
    throw badPath(given, 'has a backslash or a character that does not print');
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) throw badPath(given, 'is absolute');
  if (path.endsWith('/')) throw badPath(given, 'names a folder');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw badPath(given, 'leads upwards');
  if (parts.length === 0) throw badPath(given, 'is empty');
  const normal = parts.join('/');
  if (Buffer.byteLength(normal) > maxPathBytes) throw badPath(given, `is longer than ${maxPathBytes} bytes`);
  return normal;
}

/**
 * Entries with canonical paths, in byte order.
 * @throws AppError VALIDATION_ERROR: a bad or duplicate path, or a path that is both a file and a folder
 */
export function normaliseEntries(given: readonly { path: string; artifact_sha256: string }[]): { path: string; artifact_sha256: string }[] {
  const entries = given.map((entry) => ({ path: normalisePath(entry.path), artifact_sha256: entry.artifact_sha256 }));
  const seen = new Set<string>();
  for (const { path } of entries) {
    if (seen.has(path)) throw badPath(path, 'is given more than once');
    seen.add(path);
  }
  for (const { path } of entries) {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      if (seen.has(path.slice(0, end))) throw badPath(path.slice(0, end), 'is both a file and a folder');
    }
  }
  return entries.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

/** SHA-256 of the canonical JSON {entries, metadata}: equal content has an equal name. */
export const manifestHash = (entries: readonly ManifestEntry[], metadata: Record<string, unknown>): string => hashOf({ entries, metadata });
