/** Unpacks wheels and jars, which are zip files. */
import { createWriteStream } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';

/**
 * Unpacks the chosen files of a zip.
 * @param choose given a file's name and all names, returns the path to write it to (relative to `into`), or null to
 * skip it
 * @throws Error when the file is not a zip, or a name would leave `into`
 */
export async function unzip(file: string, into: string, choose: (name: string, all: readonly string[]) => string | null): Promise<void> {
  const zip = await yauzl.openPromise(file, { autoClose: false });
  try {
    const entries: yauzl.Entry[] = [];
    for await (const entry of zip.eachEntry()) if (!entry.fileName.endsWith('/')) entries.push(entry);
    const names = entries.map((entry) => entry.fileName);
    const made = new Set<string>();
    for (const entry of entries) {
      const chosen = choose(entry.fileName, names);
      if (chosen === null) continue;
      const target = resolve(join(into, chosen));
      if (relative(resolve(into), target).startsWith('..')) throw new Error(`${entry.fileName} points outside the archive.`);
      await makeFolder(dirname(target), resolve(into), made);
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target));
      // The upper half holds the Unix mode. Others may read, because root runs Postgres as another user.
      const executable = ((entry.externalFileAttributes >>> 16) & 0o100) !== 0;
      await chmod(target, executable ? 0o755 : 0o644);
    }
  } finally {
    zip.close();
  }
}

/** Creates a folder and its parents up to `root`, readable for all whatever the umask. */
async function makeFolder(folder: string, root: string, made: Set<string>): Promise<void> {
  if (made.has(folder)) return;
  made.add(folder);
  if (folder !== root && folder.startsWith(root)) await makeFolder(dirname(folder), root, made);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
}
