import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkSettings } from '../adapters/settings.ts';
import { type Config, readRuntime, type Runtime } from '../platform/config.ts';
import { lockHolder } from '../platform/embedded/lock.ts';
import { runStep } from '../platform/embedded/step.ts';
import { up, upDetached } from '../platform/embedded/up.ts';
import { exits, unreachable } from './exit.ts';
import { clean, elapsed, note, outliveReader, paint, say, sayJson } from './output.ts';
import { cliConfig } from './target.ts';
import type { UpStep } from './up-step.ts';

/** Set by `up --detach` for the background process: its output is a log file and must not contain the key. */
const detachedMark = '--supervise';

export async function upCommand({ json, ...options }: { detach?: boolean; supervise?: boolean; json: boolean }): Promise<void> {
  const config = cliConfig();
  checkSettings(config);
  outliveReader();
  const started = performance.now();
  const step = (line: string): void => (json ? note : say)(options.supervise ? line : `${paint('dim', elapsed(started))}  ${clean(line)}`);
  const running = options.supervise ? null : await alreadyUp(config, step);
  if (running) {
    if (json) return sayJson(running.runtime);
    say(
      `Signalbox is already up at ${running.runtime.api} (pid ${running.pid}). \`signalbox status\` shows it, \`signalbox down\` stops it.`,
    );
    return;
  }
  // Before anything is started: api and worker would end without it, and their logs would have to be read.
  if (!options.supervise && config.BLOB_STORE_URL !== 'folder') await runUpStep({ step: 'blobs', config });
  const show = (runtime: Runtime): void => {
    if (options.supervise) return;
    if (json) return sayJson(runtime);
    summary(config, runtime, started, options.detach ?? false);
  };
  if (options.detach) {
    const command = [process.execPath, '--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'main.ts'), 'up', detachedMark];
    return show(await upDetached(config, { command, onProgress: step }));
  }
  process.exitCode = await inForeground(config, step, show);
}

/** The stack of this folder, if another process runs it. Waits for one that is starting. */
async function alreadyUp(config: Config, step: (line: string) => void): Promise<{ runtime: Runtime; pid: number } | null> {
  const holder = lockHolder(config.SIGNALBOX_DATA_DIR);
  if (!holder) return null;
  for (let told = false; lockHolder(config.SIGNALBOX_DATA_DIR)?.pid === holder.pid; told = true) {
    const runtime = readRuntime(config);
    if (runtime?.pids['supervisor'] === holder.pid) return { runtime, pid: holder.pid };
    if (!told) step(`Another start is under way (pid ${holder.pid}); waiting for it`);
    await sleep(100);
  }
  throw unreachable(
    'The start that was under way ended without success.',
    `Its log: ${join(config.SIGNALBOX_DATA_DIR, 'logs', 'supervisor.log')}`,
  );
}

const runUpStep = <T>(given: UpStep): Promise<T> => runStep<T>(new URL('./up-step.ts', import.meta.url), given);

/**
 * Builds the web console beside the start, at low priority, if its sources have changed since. Nothing waits for it: until
 * then `/` is the plain page. An installation without development packages has what it came with.
 * @returns ends it
 */
function buildConsole(step: (line: string) => void): () => void {
  const root = join(import.meta.dirname, '..');
  if (!existsSync(join(root, 'node_modules/vite'))) return () => {};
  const child = spawn(process.execPath, [join(root, 'console/build.ts'), '--if-stale'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.on('spawn', () => setPriority(child.pid!, 10));
  child.on('error', (error) => step(`The console could not be built: ${error.message}`));
  child.on('close', (code) => {
    const last = said.trim().split('\n').at(-1) ?? '';
    if (code === 0 && last !== '') step(last);
    else if (code) step(`The console could not be built (npm run console:build shows why): ${last}`);
  });
  return () => void child.kill();
}

/** Runs the stack in this process until it is stopped. @returns the exit code */
async function inForeground(config: Config, step: (line: string) => void, show: (runtime: Runtime) => void): Promise<number> {
  const interrupt = new AbortController();
  let stop: (() => Promise<void>) | null = null;
  let asked = 0;
  const onSignal = (): void => {
    asked += 1;
    if (asked === 1) step('Stopping');
    if (asked > 2) process.exit(exits.interrupted);
    interrupt.abort();
    void stop?.();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  const endBuild = buildConsole(step);
  try {
    const stack = await up(config, {
      migrate: (url) => runUpStep({ step: 'migrate', url }),
      ensureLocalKey: (url) => runUpStep({ step: 'key', url, config }),
      onProgress: step,
      signal: interrupt.signal,
    });
    stop = stack.stop;
    show(stack.runtime);
    await stack.wait();
    step('Stopped. Everything is kept; the next start takes seconds.');
    return exits.ok;
  } catch (error) {
    if (interrupt.signal.aborted) return exits.interrupted;
    throw error;
  } finally {
    endBuild();
  }
}

function summary(config: Config, runtime: Runtime, started: number, detached: boolean): void {
  const line = (label: string, value: string): void => say(`  ${paint('dim', label.padEnd(11))} ${value}`);
  say();
  say(`${paint('green', 'Signalbox is up')} after ${elapsed(started).trim()}.`);
  say();
  line('MCP', paint('cyan', runtime.mcp));
  line('console', `${paint('cyan', runtime.console)}  (\`npx signalbox console\` signs you in)`);
  if (runtime.temporal_ui) line('processes', `${runtime.temporal_ui} (Temporal)`);
  line('key', `${runtime.api_key}  (tenant ${runtime.tenant}; also in ${join(config.SIGNALBOX_DATA_DIR, 'runtime.json')})`);
  line('data, logs', config.SIGNALBOX_DATA_DIR);
  say();
  line('connect', 'npx signalbox connect claude-code | cursor | vscode | …');
  // The package from the registry brings no tour.
  if (existsSync(join(import.meta.dirname, '../scripts/tour.ts'))) line('look around', 'npm run tour');
  line('stop', detached ? 'npx signalbox down' : 'Ctrl-C');
}
