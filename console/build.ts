/**
 * Builds the console into console/dist: `npm run console:build`. With `--if-stale` it builds only when sources, this file or
 * the lockfile have changed since; `npm start` runs it that way, in the background.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const folder = import.meta.dirname;
const dist = join(folder, 'dist');

/** A hash of everything that the build is made of. */
export function stampOf(): string {
  const hash = createHash('sha256');
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((name) => !name.startsWith(dist))
    .sort();
  for (const name of [...names, join(folder, '../package-lock.json')]) hash.update(name.slice(folder.length)).update(readFileSync(name));
  return hash.digest('hex').slice(0, 16);
}

/** The stamp of the build that is there; null: there is none. */
export function builtStamp(): string | null {
  const file = join(dist, 'build.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { stamp: string }).stamp : null;
}

async function build(stamp: string): Promise<void> {
  const made = `${dist}.${process.pid}`;
  const former = `${made}.former`;
  // React's own checks are for development; a caller's NODE_ENV must not bring them in.
  process.env['NODE_ENV'] = 'production';
  // Only this command needs it.
  const { build: bundle } = await import('vite');
  try {
    await bundle({ configFile: join(folder, 'vite.config.ts'), logLevel: 'warn', build: { outDir: made, emptyOutDir: true } });
    for (const name of readdirSync(made, { recursive: true }) as string[]) {
      if (!['.js', '.css', '.svg'].includes(extname(name))) continue;
      const file = join(made, name);
      const bytes = readFileSync(file);
      // Quality 11 takes seven times as long for some percent.
      writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    }
    writeFileSync(join(made, 'build.json'), `${JSON.stringify({ stamp, built_at: new Date().toISOString() })}\n`);
    // Two starts may build at the same time: one of them wins, and both have made the same.
    if (existsSync(dist)) renameSync(dist, former);
    if (!existsSync(dist)) renameSync(made, dist);
  } finally {
    for (const left of [made, former]) rmSync(left, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const stamp = stampOf();
  if (!process.argv.includes('--if-stale') || builtStamp() !== stamp) {
    const started = performance.now();
    await build(stamp);
    process.stdout.write(`Console built in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  }
}
