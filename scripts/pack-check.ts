/**
 * Tries the npm package: packs it, puts it into an empty folder among the packages that an installation gets, and runs
 * `signalbox up --detach`, `tasks create`, `tasks claim`, `backup`, `restore --check` and `down` there. The packages are links
 * to those of this checkout, which takes seconds; `--install` lets npm install them instead.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'signalbox-package-'));
// Postgres does not run as root: another user must be able to enter the folder.
chmodSync(folder, 0o755);

function run(command: string, args: string[], cwd = folder): string {
  const anyPort = { MCP_SERVER_PORT: '0', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0', POSTGRES_PORT: '0', ONNXRUNTIME_NODE_INSTALL: 'skip' };
  const { NODE_ENV: _env, SIGNALBOX_DATA_DIR: _dir, ...env } = process.env;
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...env, ...anyPort },
    maxBuffer: 64e6,
  });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr || stdout || error?.message}`);
}

function link(tarball: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'signalbox'), { recursive: true });
  run('tar', ['xzf', tarball, '--strip-components=1', '--directory', join(modules, 'signalbox')]);
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || dev || devOptional || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(root, path), join(folder, path));
  }
}

const started = performance.now();
const signalbox = (...args: string[]): string => run(process.execPath, [join(folder, 'node_modules/signalbox/cli/signalbox.js'), ...args]);
try {
  const [tarball = '', size = ''] = run(process.execPath, ['scripts/pack.ts', folder], root).trim().split('\n');
  console.log(size);
  if (process.argv.includes('--install')) run('npm', ['install', '--omit=dev', '--no-audit', '--no-fund', tarball]);
  else link(tarball);
  try {
    const { api, console: page } = JSON.parse(signalbox('up', '--detach', '--json')) as { api: string; console: string };
    const { task } = JSON.parse(signalbox('tasks', 'create', 'Try the package', '--phase', '1', '--json')) as { task: { id: string } };
    const claimed = signalbox('tasks', 'claim', task.id, '--agent-id', 'packed', '--json');
    if (!claimed.includes(task.id) || !claimed.includes('fencing_token')) throw new Error(`The claim answered ${claimed}`);
    const screen = await fetch(new URL(new URL(page).pathname, api));
    if (!screen.ok || !(await screen.text()).includes('/assets/')) throw new Error(`The console answered ${screen.status}`);
    signalbox('backup', 'backup.zip');
    signalbox('restore', 'backup.zip', '--check');
    if (existsSync(join(folder, 'node_modules/signalbox/.signalbox'))) throw new Error('Data was written into the package.');
  } finally {
    signalbox('down');
  }
  console.log(`The package works: up, create, claim, console, backup, down in ${((performance.now() - started) / 1000).toFixed(0)} s`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
