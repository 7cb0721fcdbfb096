/**
 * Makes the npm package: `npm run pack -- [FOLDER]` writes signalbox-VERSION.tgz there (default: the current folder), ready
 * for `npm publish FILE`.
 *
 * Node runs no TypeScript inside of node_modules, so the package holds JavaScript: the same files without their types, line
 * by line, under names that end in `.js`. The console and the workflow code are built in, so that an installation needs no
 * development package.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { readSources, unshipped } from './check-imports.ts';

const root = resolve(import.meta.dirname, '..');
const code = [
  'contracts',
  'platform',
  'adapters',
  'engines',
  'services',
  'prompts',
  'workflows',
  'activities',
  'tools',
  'workers',
  'api',
  'cli',
  'langgraph',
];
const sources = globSync(
  [...code.map((folder) => `${folder}/**/*.*`), 'deploy/{migrate,database}.ts', 'deploy/backup/*.ts', 'prisma/rows.ts'],
  {
    cwd: root,
  },
).filter((file) => !/\.test\.ts$|\/(fixtures|built)\//.test(file) && statSync(join(root, file)).isFile());
const asTheyAre = ['LICENSE', 'README.md', 'docs/tools.md', 'docs/runbooks.md', 'docs/migrations', 'prisma/migrations', 'console/dist'];

/** Fields of package.json that an installation needs. */
type Manifest = Record<string, unknown> & {
  exports: Record<string, string>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};

/** The module without types, naming its neighbours as they are called in the package. */
const javascript = (file: string, text: string): string =>
  (file.endsWith('.ts') ? stripTypeScriptTypes(text) : text).replaceAll(/\.ts(?=['"`])/g, '.js');

function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64e6 });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(' ')}: ${stderr || error?.message}`);
}

/** Writes the package's files into a folder. */
function fill(stage: string): void {
  for (const file of sources) {
    const target = join(stage, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    if (/\.[jt]s$/.test(file)) writeFileSync(target, javascript(file, readFileSync(join(root, file), 'utf8')));
    else cpSync(join(root, file), target);
  }
  for (const path of asTheyAre) cpSync(join(root, path), join(stage, path), { recursive: true });

  const {
    private: _private,
    scripts: _scripts,
    devDependencies: _dev,
    allowScripts: _allow,
    overrides: _over,
    ...kept
  } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const exports = Object.fromEntries(Object.entries(kept.exports).map(([name, file]) => [name, file.replace(/\.ts$/, '.js')]));
  // Its own install script downloads libraries for graphics cards. Where that fails, search goes by words.
  const { 'onnxruntime-node': onnxruntime = '', ...dependencies } = kept.dependencies;
  const optionalDependencies = { ...kept.optionalDependencies, 'onnxruntime-node': onnxruntime };
  const manifest = { ...kept, exports, dependencies, optionalDependencies, scripts: { postinstall: 'node cli/prune.js' } };
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The bundler names modules, and their sources in the map at the end, by the paths of this machine. */
function withoutPaths(folder: string, paths: string[]): void {
  const clean = (text: string): string => paths.reduce((cleaned, path) => cleaned.replaceAll(path, ''), text);
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8').replace(
      /(sourceMappingURL=data:application\/json[^,]*;base64,)([\w+/=]+)/,
      (_all, head: string, map: string) => head + Buffer.from(clean(Buffer.from(map, 'base64').toString())).toString('base64'),
    );
    writeFileSync(join(folder, name), clean(text));
  }
}

const missing = unshipped(readSources(root), (file) => sources.includes(file));
if (missing.length > 0) throw new Error(`The package would lack files:\n${missing.join('\n')}`);

const target = resolve(process.argv[2] ?? '.');
const stage = mkdtempSync(join(tmpdir(), 'signalbox-pack-'));
try {
  run(process.execPath, ['console/build.ts', '--if-stale'], root);
  fill(stage);
  // From the package's own files: its hash is what an installation asks for.
  symlinkSync(join(root, 'node_modules'), join(stage, 'node_modules'));
  run(process.execPath, ['workers/prebuild.js'], stage);
  rmSync(join(stage, 'node_modules'));
  withoutPaths(join(stage, 'workers/built'), [join(root, 'node_modules'), realpathSync(stage)]);
  mkdirSync(target, { recursive: true });
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', target], stage)) as [
    { filename: string; size: number; unpackedSize: number; entryCount: number },
  ];
  const file = join(target, packed.filename);
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(file);
  console.log(`${megabytes(statSync(file).size)} packed, ${megabytes(packed.unpackedSize)} unpacked, ${packed.entryCount} files`);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
