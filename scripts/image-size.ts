/**
 * What the image weighs, without a Docker engine: follows the stage `application` of the Dockerfile and adds up what its
 * COPY lines bring, its Node, its production packages less what the Dockerfile deletes, and the console where it is built. The
 * base, workflow code and compiled code are not here and not counted. `npm run image:size`.
 */
import { lstatSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
/** Leaves 40 MB of the 400 for what is not counted. */
const limit = 360e6;

function weigh(path: string, skip: (name: string) => boolean = () => false): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + (skip(name) ? 0 : weigh(join(path, name), skip)), 0);
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
};
/** Inside of packages; those of packages inside are counted with them. */
const deleted = /^(node_modules|sdk-core)$|\.([cm]?ts|mdx)$/;
const modules = Object.entries(packages)
  .filter(
    ([path, { dev, devOptional }]) =>
      path !== '' && !dev && !devOptional && !/node_modules\/(node-(bin-)?(linux|darwin)-|@?typescript|@swc\/core-)/.test(path),
  )
  // Packages inside of others are listed themselves.
  .reduce((sum, [path]) => sum + weigh(join(root, path), (name) => deleted.test(name)), 0);

const stage =
  readFileSync(join(root, 'Dockerfile'), 'utf8')
    .split(/^FROM /m)
    .find((part) => part.includes(' AS application')) ?? '';
const sources = [...stage.matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, line = '']) => line.split(' ').slice(0, -1));
const parts = {
  'production packages': modules,
  node: weigh(process.execPath),
  sources: sources.reduce((sum, path) => sum + weigh(join(root, path), (name) => /\.test\.ts$|^built$/.test(name)), 0),
  console: weigh(join(root, 'console/dist')),
};
if (parts.console === 0) console.log('skipped: the console is not built (`npm run console:build`)');
const total = Object.values(parts).reduce((sum, bytes) => sum + bytes, 0);
for (const [name, bytes] of Object.entries({ ...parts, total }))
  console.log(`${name.padEnd(20)} ${(bytes / 1e6).toFixed(1).padStart(7)} MB`);
if (total > limit) {
  console.error(`The image has more than ${limit / 1e6} MB beside its base.`);
  process.exitCode = 1;
}
