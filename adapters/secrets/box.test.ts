import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { secretBox } from './box.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('sealed secrets', () => {
  it('come back under the same key, and look different each time', () => {
    const box = secretBox('a key of some length', folder);
    const [one, two] = [box.seal('Bearer s3cret'), box.seal('Bearer s3cret')];
    expect(one).not.toBe(two);
    expect(one).not.toContain('s3cret');
    expect([box.open(one), secretBox('a key of some length', folder).open(two)]).toEqual(['Bearer s3cret', 'Bearer s3cret']);
  });

  it('share a key of their own in the data folder, which nobody else may read', () => {
    expect(secretBox(undefined, folder).open(secretBox(undefined, folder).seal('x'))).toBe('x');
    expect(statSync(join(folder, 'secret.key')).mode & 0o077).toBe(0);
  });

  it('authenticate what they cover, under the same key alone', () => {
    const one = secretBox('one key of some length', folder);
    expect(one.mac('row 1')).toEqual(secretBox('one key of some length', folder).mac('row 1'));
    expect(one.mac('row 1')).not.toEqual(one.mac('row 2'));
    expect(one.mac('row 1')).not.toEqual(secretBox('another key of some length', folder).mac('row 1'));
  });

  it('do not open under another key, or changed', () => {
    const sealed = secretBox('one key of some length', folder).seal('x');
    expect(() => secretBox('another key of some length', folder).open(sealed)).toThrow(/another key/);
    expect(() => secretBox('one key of some length', folder).open(`${sealed.slice(0, -2)}AA`)).toThrow(/another key/);
  });
});
