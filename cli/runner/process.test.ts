import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isAlive } from '../../platform/embedded/process.ts';
import { endAll, endOf, marked, marker, runs, start } from './process.ts';
import { Tail } from './tail.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'signalbox-process-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const files = () => ({ input: join(folder, 'in'), out: join(folder, 'out'), err: join(folder, 'err'), exit: join(folder, 'exit') });
const begin = async (script: string, run: string, stdin: string | null = null) =>
  await start({
    command: '/bin/sh',
    args: ['-c', script],
    cwd: folder,
    env: { PATH: process.env['PATH']!, [marker]: run },
    stdin,
    files: files(),
  });
const gone = async (top: Awaited<ReturnType<typeof start>>): Promise<void> =>
  await vi.waitFor(() => expect(runs(top)).toBe(false), { timeout: 20_000 });

it('gives input and output by file, and notes the exit code', async () => {
  const top = await begin('cat; echo oops >&2; exit 3', 'wrun_a', 'hello\n');
  await gone(top);
  expect(readFileSync(files().out, 'utf8')).toBe('hello\n');
  expect(readFileSync(files().err, 'utf8')).toBe('oops\n');
  expect(endOf(files())).toMatchObject({ exitCode: 3, signal: null });
});

it('names the signal that ended it; a shell that was killed with it has noted nothing', async () => {
  const top = await begin('kill -TERM $$', 'wrun_b');
  await gone(top);
  expect(endOf(files())).toMatchObject({ exitCode: 143, signal: 'SIGTERM' });
  rmSync(files().exit);
  const other = await begin('kill -9 $PPID', 'wrun_b');
  await gone(other);
  await endAll('wrun_b', other, 0);
  expect(endOf(files())).toMatchObject({ exitCode: null });
});

it.runIf(existsSync('/proc/self/environ'))('ends what has left its group and ignores TERM', async () => {
  const child = `trap '' TERM; echo $$ >${join(folder, 'pid')}; while :; do read -r x </dev/null; done`;
  writeFileSync(join(folder, 'child.sh'), child);
  const top = await begin(`setsid sh ${join(folder, 'child.sh')} & sleep 60`, 'wrun_c');
  await vi.waitFor(() => expect(readFileSync(join(folder, 'pid'), 'utf8')).toMatch(/^\d+\n$/), { timeout: 20_000 });
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  expect(marked('wrun_c')).toContain(pid);
  expect(marked('wrun')).toEqual([]);
  // The one that was started is killed first, as by a person.
  process.kill(top.pid, 'SIGKILL');
  expect(await endAll('wrun_c', top, 200)).toBeGreaterThan(1);
  expect(isAlive(pid)).toBe(false);
  expect(marked('wrun_c')).toEqual([]);
  expect(await endAll('wrun_c', top, 200)).toBe(0);
});

it('reads lines of a growing file, whole ones only, also long ones', () => {
  const path = join(folder, 'lines');
  const tail = new Tail(path);
  expect(tail.read()).toEqual([]);
  writeFileSync(path, 'öne\r\ntw');
  expect(tail.read()).toEqual([{ text: 'öne', end: 6 }]);
  writeFileSync(path, `öne\r\ntwo\n${'x'.repeat(600_000)}\nend`);
  expect(tail.read()[0]).toEqual({ text: 'two', end: 10 });
  const rest = [];
  while (tail.behind) rest.push(...tail.read(true));
  expect(rest.map(({ text }) => text.length)).toEqual([600_000, 3]);
});
