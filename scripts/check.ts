/**
 * The one gate, the same on a developer's machine and in CI: `npm run check`.
 *   npm run check -- lint types     only these steps
 *   npm run check -- --json FILE    the outcome for machines, too
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const root = resolve(import.meta.dirname, '..');
const bin = join(root, 'node_modules', '.bin');

/** Slowest first, because two run at a time. */
const steps: [name: string, command: string[]][] = [
  ['format', ['prettier', '--check', '--log-level', 'warn', '.']],
  ['bundle', ['node', 'scripts/check-bundle.ts']],
  ['lint', ['oxlint', '--report-unused-disable-directives-severity=error']],
  ['types', ['tsc', '-p', 'tsconfig.json']],
  ['generated files', ['node', 'scripts/gen.ts', '--check']],
  ['schema', ['node', 'scripts/check-schema.ts']],
  ['dead code', ['knip', '--no-progress']],
  ['workflow types', ['tsc', '-p', 'workflows']],
  ['console types', ['tsc', '-p', 'console']],
  ['imports', ['node', 'scripts/check-imports.ts']],
  ['compose', ['node', 'scripts/compose-check.ts']],
  ['helm', ['node', 'scripts/helm-check.ts']],
  ['alerts', ['node', 'scripts/check-alerts.ts']],
  ['migrations', ['node', 'scripts/check-migrations.ts']],
];

interface Outcome {
  name: string;
  ok: boolean;
  seconds: number;
  output: string;
}

function run(name: string, [command = '', ...args]: string[]): Promise<Outcome> {
  const started = performance.now();
  const { promise, resolve: done } = Promise.withResolvers<Outcome>();
  let output = '';
  const end = (ok: boolean): void => done({ name, ok, seconds: (performance.now() - started) / 1000, output: output.trim() });
  const child = spawn(command === 'node' ? process.execPath : join(bin, command), args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  child.on('error', (error) => {
    output += error.message;
    end(false);
  });
  child.on('close', (code) => end(code === 0));
  return promise;
}

const { values, positionals } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true });
const unknown = positionals.filter((wanted) => !steps.some(([name]) => name === wanted));
if (unknown.length > 0) throw new Error(`No step ${unknown.join(', ')}. Steps: ${steps.map(([name]) => name).join(', ')}.`);

const queue = steps.filter(([name]) => positionals.length === 0 || positionals.includes(name));
const outcomes: Outcome[] = [];

async function lane(): Promise<void> {
  for (let step = queue.shift(); step; step = queue.shift()) {
    const outcome = await run(...step);
    outcomes.push(outcome);
    console.log(`${outcome.ok ? 'ok  ' : 'FAIL'}  ${outcome.name.padEnd(15)} ${outcome.seconds.toFixed(1).padStart(5)} s`);
    for (const line of outcome.output.split('\n')) if (line.startsWith('skipped: ')) console.log(`      ${line}`);
  }
}
await Promise.all([lane(), lane()]);

const failed = outcomes.filter(({ ok }) => !ok);
for (const { name, output } of failed) console.log(`\n── ${name} ──\n${output}`);
if (values.json)
  writeFileSync(values.json, `${JSON.stringify({ steps: outcomes.map(({ name, ok, seconds }) => ({ name, ok, seconds })) }, null, 2)}\n`);
if (failed.length > 0) process.exitCode = 1;
