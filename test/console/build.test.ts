/** The build: fast, once per state of its sources, and replaced as a whole. */
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { consoleFolder } from '../setup/browser.ts';

const list = (): string[] => (readdirSync(consoleFolder, { recursive: true }) as string[]).toSorted((a, b) => (a < b ? -1 : 1));

const build = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [join(consoleFolder, '../build.ts'), ...args])).stdout;

describe.skipIf(inject('chromium') === null)('the build', () => {
  it('is made once, takes ten seconds at most, and is the same from the same sources', async () => {
    const before = statSync(join(consoleFolder, 'build.json')).mtimeMs;
    expect(await build('--if-stale')).toBe('');
    expect(statSync(join(consoleFolder, 'build.json')).mtimeMs).toBe(before);
    const names = list();

    const [, seconds] = /^Console built in ([\d.]+) s\n$/.exec(await build())!;
    console.log(`built in ${seconds} s`);
    expect(Number(seconds)).toBeLessThan(process.env['CI'] ? 15 : 10);
    expect(list()).toEqual(names);
    // Nothing of it is left beside it.
    expect(readdirSync(join(consoleFolder, '..')).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
  });

  it('compresses what compresses, inlines nothing that the policy of the page forbids, and has no source maps', () => {
    const names = readdirSync(consoleFolder, { recursive: true }) as string[];
    for (const name of names.filter((one) => /\.(js|css|svg)$/.test(one)))
      expect(names).toEqual(expect.arrayContaining([`${name}.br`, `${name}.gz`]));
    expect(names.filter((name) => name.endsWith('.map'))).toEqual([]);
    const shell = readFileSync(join(consoleFolder, 'index.html'), 'utf8');
    expect(shell).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  });
});
