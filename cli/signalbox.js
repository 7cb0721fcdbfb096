#!/usr/bin/env node
// Plain JavaScript, because the system's Node may be older than the one this project carries (npm package
// `node-<platform>`): runs cli/main.ts on the latter. What is missing is named.
import { spawn } from 'node:child_process';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const main = new URL('./main.ts', import.meta.url);
/** Where npm has put a file of a package: in a checkout and below an installed package the folders differ. */
const packaged = (path) => {
  try {
    return module.createRequire(import.meta.url).resolve(path);
  } catch {
    return null;
  }
};
const { platform, arch } = process;
const carried = packaged(`node-${platform}-${arch}/bin/node`) ?? packaged(`node-bin-${platform}-${arch}/bin/node`);
// Compiled code is kept, which halves the time of small commands; the processes of `up` inherit it.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));

const isNew = Number(process.versions.node.split('.')[0]) >= 24;

/** What keeps the command from running, and what to do; null: nothing. */
function missing() {
  if (packaged('commander') === null) return 'Its packages are not installed: run `npm ci`.';
  if (!isNew && carried === null) return 'Node 24 is needed and was not installed with the packages. Run `npm ci`, or use Node 24.';
  return null;
}

const problem = missing();
if (problem !== null) {
  console.error(`signalbox: ${problem}`);
  process.exitCode = 3;
} else if (isNew) {
  // The first releases of 24 call running TypeScript experimental, on stderr, at every start.
  const [print] = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => warning.name !== 'ExperimentalWarning' && print?.(warning));
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  await import(main.href);
} else {
  const child = spawn(carried, ['--disable-warning=ExperimentalWarning', fileURLToPath(main), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // A terminal's Ctrl-C reaches the child by itself; a kill of this process must be passed on.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => {});
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
}
