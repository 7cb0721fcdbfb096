import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Vectors in one JSON file per key. If a file is lost or damaged, the vectors are computed again. */
export const fileVectorMemory = (folder: string) => ({
  async recall(key: string): Promise<number[][] | null> {
    try {
      return JSON.parse(await readFile(join(folder, `vectors-${key}.json`), 'utf8')) as number[][];
    } catch {
      return null;
    }
  },
  async remember(key: string, vectors: number[][]): Promise<void> {
    const file = join(folder, `vectors-${key}.json`);
    await mkdir(folder, { recursive: true });
    await writeFile(`${file}.${process.pid}`, JSON.stringify(vectors));
    await rename(`${file}.${process.pid}`, file);
  },
});
