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
    const last = sealed.at(-3)!;
    const changed = `${sealed.slice(0, -3)}${last === 'A' ? 'B' : 'A'}${sealed.slice(-2)}`;
    expect(() => secretBox('one key of some length', folder).open(changed)).toThrow(/another key/);
  });
});

describe('a change of the key', () => {
  const [former, current] = [secretBox('the former key', folder), secretBox('the current key', folder, ['the former key'])];

  it('leaves readable what the former key sealed and signed, also in the form of former versions', () => {
    const old = former.seal('x');
    const oldest = `v1.${old.split('.')[2]}`;
    expect([current.open(old), current.open(oldest), former.open(oldest)]).toEqual(['x', 'x', 'x']);
    expect([current.verifies('row', former.mac('row')), current.verifies('row', current.mac('row'))]).toEqual([true, true]);
    expect([current.verifies('row 2', former.mac('row')), current.verifies('row', Buffer.alloc(0))]).toEqual([false, false]);
    expect(current.keyIds.slice(1)).toEqual(former.keyIds);
  });

  it('seals and signs with the new one only', () => {
    const sealed = current.seal('x');
    expect([sealed.startsWith(current.mark), former.seal('x').startsWith(current.mark)]).toEqual([true, false]);
    expect(() => former.open(sealed)).toThrow(/another key/);
    expect(former.verifies('row', current.mac('row'))).toBe(false);
    // The way to change the key while processes run: first all of them read the coming one.
    expect(secretBox('the former key', folder, ['the current key']).open(sealed)).toBe('x');
  });

  it('opens bytes with the words they were sealed with, and no others', () => {
    const { key, data } = former.sealBytes(Buffer.from('abc'), 'acme');
    expect(current.openBytes(data, key, 'acme')?.toString()).toBe('abc');
    expect([current.openBytes(data, key, 'umbrella'), current.openBytes(data, 'ffffffff', 'acme')]).toEqual([null, null]);
    expect(current.openBytes(data.subarray(0, 20), key, 'acme')).toBe(null);
  });
});
